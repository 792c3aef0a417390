"""The environment shared by all parts of a check; no part replaces its members.

Input: a book with all symbols declared. Output: the same book, the problems, and what is known of dice variables. It
does not know how anything is checked.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.source.values import Struct

from .book import Book
from .definitions import cited
from .dice_names import DiceNames
from .moments import Moments
from .sentences import Sentences
from .symbols import Where


class Environment(Struct, eq=False):
    """What all parts of a check share: the book, the parser, the problems, the moments, what is known of dice."""

    book: Book
    sentences: Sentences  # parses sentences, and reports syntax errors
    problems: Problems
    moments: Moments
    dice: DiceNames

    def note(self, scalar: Scalar, cites: n.Cites, prefix: str) -> None:
        """Record citations, for the check against the registers."""
        for cite in cites:
            for whole_id in cited((cite,), prefix):
                self.book.pages.cites.append((whole_id, Where(scalar, cite.start, cite.end)))
