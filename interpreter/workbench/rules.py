"""A rule set by its name: one that is known as it was kept, any other read and checked.

Enters: names or paths of rule files, or stacks of them. Leaves: a `RuleSet`, and problems. Surfaces talk to this module
only. Knows nothing of how files are read.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from interpreter import cache, disk
from interpreter.places import LANGUAGE
from interpreter.rulebook.book import Book
from interpreter.rulebook.book_cache import keep_book, recall_book
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.reached import Reached, reached_in
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import Struct

from .registers import Clause, register


class RuleSet(Struct, eq=False, slots=False):
    """A rule set that was read and checked: its sheets, undermost first, and the book they make."""

    sheets: tuple[Sheet, ...]
    book: Book
    checker: ProcedureChecker

    @property
    def name(self) -> str:
        """`NAME`, or `BASE + SUPPLEMENT`."""
        return " + ".join(s.name for s in self._stack)

    @property
    def path(self) -> Path:
        """The file of the topmost sheet."""
        return Path(self.sheets[-1].root.span.source.name)

    @property
    def title(self) -> str:
        return " + ".join(s.head.game for s in self._stack)

    @property
    def _stack(self) -> tuple[Sheet, ...]:
        """The base as it is named, and what is laid over it."""
        base = max(i for i, s in enumerate(self.sheets) if not s.laid)
        return self.sheets[base:]

    @cached_property
    def choices(self) -> Reached:
        """Where somebody picks or wishes."""
        return reached_in(self.checker)

    def rows(self, table: str) -> tuple[str, ...] | None:
        """The names of a table's rows, in its order."""
        found = self.book.tables.get(table)
        return tuple(found.rows) if found is not None else None

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The register of the topmost sheet that has one."""
        return next((found for s in reversed(self.sheets) if (found := register(s.name))), {})


def open_rules(
    name: str | Path,
    problems: Problems,
    folder: str | None = None,
    said: frozenset[str] = frozenset(),
    *,
    to_run: bool = False,
) -> RuleSet | None:
    """Read, extend and check a rule set by its name, the path of its file, or a stack (`BASE + SUPPLEMENT`).

    Files are also looked for in `folder`; names that a file has `said` nowhere else. `to_run`: nobody wants to know
    what is odd in it; as long as nothing is wrong it is kept, and from then on neither read nor checked.
    """
    if not to_run:
        return _read(str(name), problems, folder, said, odd=True)
    question = (str(name), str(folder), *sorted(said), cache.here())
    known = recall_book(question, LANGUAGE, problems)
    if known is not None:
        return RuleSet(*known)
    with disk.noting() as watch:
        rules = _read(str(name), problems, folder, said, odd=False)
    whole = rules is not None and not rules.sheets[0].head.extends
    if rules is not None and whole and not problems.has_errors:
        keep_book(question, watch, (rules.sheets, rules.book, rules.checker), problems)
    return rules


def _read(name: str, problems: Problems, folder: str | None, said: frozenset[str], *, odd: bool) -> RuleSet | None:
    """Rules that are known need none of what reads and checks them."""
    from .reading import read

    return read(name, problems, folder, said, odd=odd)
