"""What each word of a file is, so that an editor can colour it.

Enters: an analysis. Leaves: spans with a sort, in the order of the text, none over another and none over two lines.
Knows nothing of colours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.language.nodes import Node
from interpreter.source import Span
from interpreter.source.values import Struct

from .analysis import Analysis

SORTS = {  # of what a name means, the sort that protocols know it by
    "kind": "class", "table": "enum", "row": "enumMember", "column": "property", "attribute": "property",
    "mark": "property", "value": "function", "roll": "function", "fact": "variable", "procedure": "method",
    "rule": "event", "ruling": "macro", "limit": "function", "policy": "function", "dice": "struct",
    "line": "variable", "name": "parameter", "thing": "variable", "clause": "decorator",
    "example": "namespace", "typical": "namespace", "keyword": "keyword", "number": "number",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z][\w-]*|[+-]?\d+(?:d\d+)?(?:[+\"]|/\d+\"?)?|\d*d\d+")


class Coloured(Struct):
    span: Span
    sort: str
    declares: bool = False


def colours(analysis: Analysis) -> list[Coloured]:
    """Names by what they mean; other words of sentences as words of the language, and numbers."""
    if analysis.index is None:
        return []
    name = analysis.source.name
    names = {
        each.span.start: Coloured(each.span, each.meanings[0].what, each.declares)
        for each in analysis.index.of.get(name, ())
    }
    found = dict(names)
    covered = bytearray(len(analysis.source.text) + 1)
    for each in names.values():
        covered[each.span.start : each.span.end] = b"\1" * (each.span.end - each.span.start)
    for start, end in _sentences(analysis):
        for word in _WORD.finditer(analysis.source.text, start, end):
            if not any(covered[word.start() : word.end()]):
                sort = "keyword" if word.group()[0].isalpha() else "number"
                found.setdefault(word.start(), Coloured(Span(analysis.source, *word.span()), sort))
    return [found[at] for at in sorted(found) if "\n" not in found[at].span.text]


def _sentences(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """The places of the file that are sentences, but for footnotes."""
    seen = set()
    for scalar, _, node in analysis.noted.sentences if analysis.noted is not None else ():
        span = scalar.span
        if span.source.name == analysis.source.name and span.source.text == analysis.source.text and span not in seen:
            seen.add(span)
            cites = getattr(node, "cites", ()) if isinstance(node, Node) else ()
            yield span.start, scalar.at(cites[0].start, cites[0].start).start if cites else span.end
