"""A rule set that was read and checked.

Enters: its sheets, and the book and checker made of them. Leaves: a `RuleSet`, which the whole workbench passes on.
Knows nothing of how files are found, read or checked.
"""

from __future__ import annotations

from functools import cached_property

from interpreter.rulebook.book import Book
from interpreter.rulebook.definitions import SHOWING, Definition
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.reached import Reached, reached_in
from interpreter.rulebook.sheets import Sheet
from interpreter.source.values import Struct

from .registers import Clause, register


class RuleSet(Struct, eq=False, slots=False):
    """A rule set that was read and checked: its sheets, undermost first, and the book they make."""

    sheets: tuple[Sheet, ...]
    book: Book
    checker: Checker

    @property
    def name(self) -> str:
        """`NAME`, or `BASE + SUPPLEMENT`."""
        return " + ".join(s.name for s in self._stack)

    @property
    def path(self) -> str:
        """The file of the topmost sheet."""
        return self.sheets[-1].root.span.source.name

    @property
    def title(self) -> str:
        return " + ".join(s.head.game for s in self._stack)

    @property
    def _stack(self) -> tuple[Sheet, ...]:
        """The base as named, and what is laid over it."""
        base = max(i for i, s in enumerate(self.sheets) if not s.laid)
        return self.sheets[base:]

    @cached_property
    def choices(self) -> Reached:
        """The choices and dice that procedures reach."""
        return reached_in(self.checker)

    def rows(self, table: str) -> tuple[str, ...] | None:
        """The names of a table's rows, in order; None if there is no such table."""
        found = self.book.tables.get(table)
        return tuple(found.rows) if found is not None else None

    @property
    def definitions(self) -> list[Definition]:
        """Those that a sentence can name: what shows rules is none."""
        return [d for d in self.book.definitions if d.title.what not in SHOWING]

    def defining(self, name: str) -> Definition | None:
        return next((d for d in self.definitions if name in d.names), None)

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The register of the topmost sheet that has one."""
        return next((found for s in reversed(self.sheets) if (found := register(s))), {})
