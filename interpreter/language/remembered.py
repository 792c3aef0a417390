"""Sentences that were read before, kept in the user's cache folder as data: another run need not read them again.

Enters: the names of files, the sentences that were read with them. Leaves: for each sentence the node that reading it
would give, by the same code of Umpire. A node is written as its class and its fields, and is made only when somebody
asks for its sentence. Knows nothing of YAML, of books or of games.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction

from interpreter import disk, kept
from interpreter.hints import Any

from . import nodes
from .nodes import Node

Read = Mapping[tuple[str, str], Node]  # by text and start symbol


def recall(files: tuple[str, ...], grammar: str) -> dict[str, str] | None:
    """The sentences of some files, each as data by its `key`; None where nothing is kept."""
    answer = kept.recall(_question(files, grammar))
    return json.loads(answer) if answer is not None else None


def keep_sentences(files: tuple[str, ...], grammar: str, read: Read) -> None:
    """Keep the sentences of some files; of more than there is room for, that they were read, and none of them."""
    written = {key(text, start): _written(node) for (text, start), node in read.items()}
    data = json.dumps(written, separators=(",", ":"))
    if len(data) > kept.LARGEST // 8:
        data = "{}"
    kept.keep(_question(files, grammar), disk.Watch(), data)  # it rests on no file: a sentence says all by itself


def key(text: str, start: str) -> str:
    return f"{start} {text}"


def node(data: str) -> Node:
    """The node that was written so."""
    made: Node = _READS.raw_decode(data)[0]
    return made


def _question(files: tuple[str, ...], grammar: str) -> tuple[str, ...]:
    return ("sentences", grammar, *files)


def _written(of: Node) -> str:
    return json.dumps(of, default=_said, separators=(",", ":"))


def _said(of: object) -> dict[str, list[Any]]:
    """What JSON has no form for: a node, or a fraction."""
    if isinstance(of, Fraction):
        return {"/": [of.numerator, of.denominator]}
    assert isinstance(of, Node)
    return {type(of).__name__: [getattr(of, name) for name in type(of).__match_args__]}


def _made(data: dict[str, list[Any]]) -> Node | Fraction:
    ((name, fields),) = data.items()
    if name == "/":
        return Fraction(*fields)
    made: Node = getattr(nodes, name)(*[_whole(field) if type(field) is list else field for field in fields])
    return made


_READS = json.JSONDecoder(object_hook=_made)


def _whole(field: list[Any]) -> tuple[Any, ...]:
    """Whatever stands in a row in a node is a tuple, and may hold others."""
    return tuple([_whole(part) if type(part) is list else part for part in field])
