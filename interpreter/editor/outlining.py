"""The outline of a file, and its foldable ranges.

Takes an analysis. Gives nested `Heading`s; pairs of lines, from 1. Knows nothing of rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from interpreter.document.shape import title_words
from interpreter.source import Source, Span
from interpreter.source.values import Struct

_DEEPEST = 4


class Heading(Struct):
    """`what` is the first word of a title, `section` for a heading of the page, `line` for a line; `all` is its whole
    range.
    """

    what: str
    name: str
    detail: str
    span: Span
    all: Span
    inside: tuple[Heading, ...]


def outline(root: Mapping) -> list[Heading]:
    """The headings of a file, in order."""
    return [_heading(entry, 0) for entry in root]


def _heading(entry: Entry, deep: int) -> Heading:
    key, value = entry.key, entry.value
    title = key.text.split("[")[0].strip()
    first, _, rest = title.partition(" ")
    titles = {word.split(" ")[0] for word in title_words()}
    what = first if rest and first in titles else "section" if deep == 0 and isinstance(value, Mapping) else "line"
    inside = tuple(_heading(e, deep + 1) for e in value) if isinstance(value, Mapping) and deep < _DEEPEST else ()
    detail = " ".join(value.text.split())[:80] if isinstance(value, Scalar) else ""
    start, end = key.span, max(key.span.end, value.span.end)
    return Heading(what, title or "…", detail, key.span, Span(start.source, start.start, end), inside)


def folds(source: Source, root: Mapping | None) -> list[tuple[int, int]]:
    """The first and last line of each block with nested lines, and of each comment of several lines."""
    found = set(_blocks(root)) if root is not None else set()
    row = 1
    while row <= source.lines:
        last = row
        while re.match(r"\s*#", source.line(last)) and last <= source.lines:
            last += 1
        if last - row > 1:
            found.add((row, last - 1))
        row = max(last, row + 1)
    return sorted(found)


def _blocks(node: Node) -> Iterator[tuple[int, int]]:
    if isinstance(node, Mapping):
        for entry in node:
            first, last = entry.key.span.place[0], _last_row(entry.value)
            if last > first:
                yield first, last
            yield from _blocks(entry.value)
    elif isinstance(node, Sequence):
        for item in node:
            yield from _blocks(item)


def _last_row(node: Node) -> int:
    if isinstance(node, Mapping) and node.entries:
        return max(node.entries[-1].key.span.place[0], _last_row(node.entries[-1].value))
    span = node.span
    row, column = span.end_place
    return row - 1 if column == 1 and row > span.place[0] else row
