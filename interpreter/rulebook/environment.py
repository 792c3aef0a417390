"""The environment of a check: what all of its parts hold, and none of them replaces.

Enters: a book in which everything has its name. Leaves: that book, where problems go, and what is known of names of
dice. Knows nothing of how anything is checked.
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
    book: Book
    sentences: Sentences  # they read, and tell what cannot be read
    problems: Problems
    moments: Moments
    dice: DiceNames

    def note(self, scalar: Scalar, cites: n.Cites, prefix: str) -> None:
        """Clauses that are cited somewhere, for the check of their register."""
        for cite in cites:
            for whole_id in cited((cite,), prefix):
                self.book.cites.append((whole_id, Where(scalar, cite.start, cite.end)))
