"""The clause registers: what the printed pages say, clause by clause, in our own words.

Enters: the name of a set. Leaves: its clauses, by id. Knows nothing of the rules that implement them.
"""

from __future__ import annotations

import os

from interpreter import disk, places
from interpreter.document.nodes import Mapping, Scalar
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


def register(name: str) -> dict[str, Clause]:
    """The clause register of a set, by id; empty if it has none."""
    path = os.path.join(_folder(), f"{name}.yaml")
    if not disk.is_file(path):
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
