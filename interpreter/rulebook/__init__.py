"""Located trees → a checked book: declared, extended, names resolved, types checked."""

from .book import Book
from .check import check_book

__all__ = ["Book", "check_book"]
