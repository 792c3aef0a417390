"""A checked rule set, and the register of its clauses: the content of the printed pages in our own words.

Takes the sheets, and the book and checker made of them; and a file of a set. Gives a `RuleSet`, which the whole
workbench passes on, and the clauses by id. Knows nothing of how files are found, read or checked.
"""

from __future__ import annotations

import os
from functools import cached_property

from interpreter import disk, places
from interpreter.document.nodes import Mapping, Scalar
from interpreter.rulebook.book import Book
from interpreter.rulebook.definitions import SHOWING, Definition
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.reached import Reached, reached_in
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import Struct

from .trees import read_tree


class Clause(Struct):
    """One clause of the register: the content of the printed page in our own words. `status` is empty if lines carry it
    out; else `told` (the table states it, like a distance), `talk` (nothing for a program to do), or `not yet`.
    """

    id: str
    heading: str
    kind: str
    says: str
    status: str


def _scalar(root: Mapping, key: str) -> str:
    node = root.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


def _folder() -> str:
    return os.path.join(places.SHIPPED, "clauses")


def registers() -> list[str]:
    """The names of the sets with a clause register."""
    return disk.yaml_files(_folder())


def register_file(sheet: Sheet) -> str:
    """The path of the register of a user's rule file: under the same name in a folder `clauses` beside it."""
    folder, file = os.path.split(os.path.abspath(sheet.root.span.source.name))
    return os.path.join(folder, "clauses", f"{os.path.splitext(file)[0]}.yaml")


def register(sheet: Sheet) -> dict[str, Clause]:
    """The clause register of a file, by id: the one beside it, else that of the shipped set of its name, else empty."""
    both = (register_file(sheet), os.path.join(_folder(), f"{sheet.name}.yaml"))
    path = next((path for path in both if disk.is_file(path)), None)
    if path is None:
        return {}
    root = read_tree(path, Problems())
    node = root.get("clauses") if root is not None else None
    found: dict[str, Clause] = {}
    for section in node if isinstance(node, Mapping) else ():
        for entry in section.value if isinstance(section.value, Mapping) else ():
            if isinstance(entry.value, Mapping):
                kind, says = _scalar(entry.value, "kind"), _scalar(entry.value, "says")
                found[entry.key.text] = Clause(
                    entry.key.text, section.key.text, kind, says, _scalar(entry.value, "status")
                )
    return found


class RuleSet(Struct, eq=False, slots=False):
    """A checked rule set: its sheets, undermost first, and their book."""

    sheets: tuple[Sheet, ...]
    book: Book
    checker: Checker

    @property
    def name(self) -> str:
        """The name, such as `NAME` or `BASE + SUPPLEMENT`."""
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
        """The named base, and the sheets laid over it."""
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
        """The definitions that a sentence can name: all but examples and typical situations."""
        return [d for d in self.book.pages.definitions if d.title.what not in SHOWING]

    def defining(self, name: str) -> Definition | None:
        return next((d for d in self.definitions if name in d.names), None)

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """The register of the topmost sheet that has one."""
        return next((found for s in reversed(self.sheets) if (found := register(s))), {})
