"""Located trees → a checked book: declared, extended, names resolved, types checked."""

from .check import check_book
from .declare import Book

__all__ = ["Book", "check_book"]
