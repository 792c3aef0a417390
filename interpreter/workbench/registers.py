"""The clause registers: what the printed pages say, clause by clause, in our own words.

Enters: a file of a set. Leaves: its clauses, by id. Knows nothing of the rules that implement them.
"""

from __future__ import annotations

import os

from interpreter import disk, places
from interpreter.document.nodes import Mapping, Scalar
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problems
from interpreter.source.values import Struct

from .trees import read_tree


class Clause(Struct):
    """One clause of the register: what the printed page says, in our own words. `status` is what becomes of it, where
    no line carries it out: `told` (the table says it, as it says a distance), `talk` (nothing for a program to do), or
    `not yet`; else empty.
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
    """Where the register of a set of one's own lies: in a folder `clauses` beside the file, under its name."""
    folder, file = os.path.split(os.path.abspath(sheet.root.span.source.name))
    return os.path.join(folder, "clauses", f"{os.path.splitext(file)[0]}.yaml")


def register(sheet: Sheet) -> dict[str, Clause]:
    """The clause register of a file, by id: the one beside it, else that of the shipped set of its name; empty if there
    is neither.
    """
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
