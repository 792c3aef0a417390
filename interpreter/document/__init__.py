"""YAML files as located trees, and their shape.

Enters: paths and sources.  Leaves: `Mapping`s whose texts know the place of each of their characters,
and problems.  Must not know what the sentences in those texts mean, nor any game.
"""

from __future__ import annotations

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence, same
from interpreter.hints import TYPE_CHECKING
from interpreter.late import late

if TYPE_CHECKING:
    from interpreter.document.files import as_if, read_file
    from interpreter.document.remembered import keep_tree, recall_tree
    from interpreter.document.shape import check_shape, check_situation_shape, schema
    from interpreter.source import Problems, Source

_HOMES = {  # what reads files and looks at their shape: rules that were kept need none of it
    "as_if": ".files",
    "read_file": ".files",
    "keep_tree": ".remembered",
    "recall_tree": ".remembered",
    "check_shape": ".shape",
    "check_situation_shape": ".shape",
    "schema": ".shape",
}
__getattr__ = late(__name__, _HOMES)

__all__ = [
    "Entry",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "as_if",
    "check_shape",
    "check_situation_shape",
    "keep_tree",
    "read",
    "read_file",
    "recall_tree",
    "same",
    "schema",
]


def read(source: Source, problems: Problems, *, fast: bool = True) -> Mapping | None:
    """The tree of a file. What reads YAML is imported here: a tree that was kept needs none of it."""
    from interpreter.document import reader

    return reader.read(source, problems, fast=fast)
