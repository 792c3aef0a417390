"""Classifies the words of a file for syntax colouring.

Takes an analysis. Gives `Coloured`s in text order, without overlaps, each within one line. Knows nothing of colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.language.nodes import Node
from interpreter.source.values import Struct

from .analysis import Analysis

SORTS = {  # sort of a meaning → token type of the protocol
    "kind": "class", "table": "enum", "row": "enumMember", "column": "property", "attribute": "property",
    "mark": "property", "value": "function", "roll": "function", "fact": "variable", "procedure": "method",
    "rule": "event", "moment": "event", "ruling": "macro", "limit": "function", "policy": "function", "dice": "struct",
    "line": "variable", "name": "parameter", "thing": "variable", "clause": "decorator",
    "example": "namespace", "typical": "namespace", "keyword": "keyword", "number": "number",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z][\w-]*|[+-]?\d+(?:d\d+)?(?:[+\"]|/\d+\"?)?|\d*d\d+")


class Coloured(Struct):
    """A word with its line and column, both from 0, in code points."""

    line: int
    column: int
    text: str
    sort: str
    declares: bool = False


def colours(analysis: Analysis) -> list[Coloured]:
    """Names by their meaning; other words of sentences as keywords, and numbers."""
    if analysis.index is None:
        return []
    source = analysis.source
    names = {x.span.start: (x.span.end, x.meanings[0].what, x.declares) for x in analysis.index.of.get(source.name, ())}
    covered = bytearray(len(source.text) + 1)
    for start, (end, _, _) in names.items():
        covered[start:end] = b"\1" * (end - start)
    found = dict(names)
    for first, last in _sentences(analysis):
        for word in _WORD.finditer(source.text, first, last):
            if not any(covered[word.start() : word.end()]):
                sort = "keyword" if word.group()[0].isalpha() else "number"
                found.setdefault(word.start(), (word.end(), sort, False))
    made = []
    for start in sorted(found):
        end, sort, declares = found[start]
        text = source.text[start:end]
        if text and "\n" not in text:
            line, column = source.place(start)
            made.append(Coloured(line - 1, column - 1, text, sort, declares))
    return made


def _sentences(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """The ranges of the sentences of the file, without citations."""
    seen = set()
    for scalar, _, node in analysis.noted.sentences if analysis.noted is not None else ():
        span = scalar.span
        if span.source.name == analysis.source.name and span.source.text == analysis.source.text and span not in seen:
            seen.add(span)
            cites = getattr(node, "cites", ()) if isinstance(node, Node) else ()
            yield span.start, scalar.at(cites[0].start, cites[0].start).start if cites else span.end
