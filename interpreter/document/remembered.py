"""Trees of texts that are right, kept in the user's cache folder as data: another run need not read the YAML again.

Enters: a source; later, what was read in it. Leaves: the tree that reading it would give, by the same code of Umpire,
each text at the same place of the file; None where none is kept. Knows no keys, no games.

As data a plain text is the list of its start and its end, any other text has its style and itself behind them; a
mapping is {"m": its start, its end, and keys and values in turn}, a sequence {"s": its start, its end, its items}.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from interpreter import disk, kept
from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from interpreter.hints import Any
from interpreter.source import Allowance, Problems, Source, Span
from interpreter.source.values import names


def recall_tree(source: Source, problems: Problems) -> Mapping | None:
    """The tree of a text, and to the problems what its comments allow."""
    answer = kept.recall(_question(source))
    if answer is None:
        return None
    tree, allowed = json.loads(answer)
    for fields in allowed:
        made: Any = [Span(source, *field) if type(field) is list else field for field in fields]
        problems.allow(Allowance(*made))
    root = _node(tree, source)
    return root if isinstance(root, Mapping) else None


def keep_tree(root: Mapping, allowed: Iterable[Allowance]) -> None:
    """Keep the tree of a text in which nothing is wrong."""
    fields = [[getattr(each, name) for name in names(Allowance)] for each in allowed]
    data = json.dumps([_data(root), fields], default=_place, separators=(",", ":"))
    kept.keep(_question(root.span.source), disk.Watch(), data)  # it rests on no file: the text is the question


def _question(source: Source) -> tuple[str, ...]:
    return ("tree", disk.digest(source.text.encode("utf-8", "surrogatepass")))


def _place(span: Span) -> list[int]:
    return [span.start, span.end]


def _data(node: Node) -> Any:
    place = _place(node.span)
    if isinstance(node, Mapping):
        return {"m": [*place, *(_data(part) for entry in node.entries for part in (entry.key, entry.value))]}
    if isinstance(node, Sequence):
        return {"s": [*place, *map(_data, node.items)]}
    as_it_stands = node.style == "plain" and node.text == node.span.text
    return place if as_it_stands else [*place, node.style, node.text]


def _node(data: Any, source: Source) -> Node:
    if type(data) is list:
        span = Span(source, data[0], data[1])
        return Scalar(data[3], span, data[2]) if len(data) > 2 else Scalar(source.text[data[0] : data[1]], span)
    ((kind, (start, end, *parts)),) = data.items()
    made: Any = [_node(part, source) for part in parts]
    span = Span(source, start, end)
    return Sequence(tuple(made), span) if kind == "s" else Mapping(tuple(map(Entry, made[::2], made[1::2])), span)
