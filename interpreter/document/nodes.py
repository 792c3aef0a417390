"""The located tree: what a YAML file says, and where it says it.

Its nodes are `Scalar`, `Mapping` and `Sequence`. Every scalar is text (never a number or a truth value) and knows the
place of each of its characters in the file. Must not know what the words mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from interpreter.document.offsets import Piece, pieces
from interpreter.source import Span
from interpreter.source.values import Struct, by_fields

Style = Literal["plain", "single", "double", "literal", "folded"]


class Scalar(Struct, eq=False):
    """A text; `span` covers its quotes or its block header too.  An empty value has the text ""."""

    text: str
    span: Span
    style: Style = "plain"
    # One piece for each character. Made when first needed: most scalars are never pointed into.
    _table: list[Piece] | None = None

    __reduce__ = by_fields

    def at(self, start: int, end: int) -> Span:
        """The place in the file of the characters `start` up to `end` of `text`.

        The end of the text is a place of its own, so that "something is missing here" can be said.
        """
        table = self._pieces()
        source = self.span.source
        if table is None:
            return Span(source, self.span.start, self.span.start)
        size = len(table)
        start = min(max(start, 0), size)
        end = min(max(end, start), size)
        if start == end:
            here = table[start].start if start < size else self._end(table)
            return Span(source, here, here)
        return Span(source, table[start].start, table[end - 1].stop)

    def written(self, text: str) -> str:
        """`text` as it has to be written inside this scalar, escaped for its quotes."""
        if self.style == "single":
            return text.replace("'", "''")
        return re.sub(r'(["\\])', r"\\\1", text) if self.style == "double" else text

    def part(self, start: int, end: int) -> Scalar:
        """The text from `start` up to `end` as a scalar of its own, each character at its place in the file."""
        table = self._pieces()
        span = self.at(start, end)
        return Scalar(self.text[start:end], span, "plain", table[start:end] if table is not None else None)

    def with_text(self, start: int, end: int, text: str) -> Scalar:
        """This scalar with other words in the place of a part; each of their characters stands where that part does."""
        table = self._pieces()
        whole = self.text[:start] + text + self.text[end:]
        if table is None or start == end:
            return Scalar(whole, self.span, self.style)
        fresh = [Piece(c, table[start].start, table[end - 1].stop) for c in text]
        return Scalar(whole, self.span, self.style, [*table[:start], *fresh, *table[end:]])

    def with_part(self, start: int, end: int, part: Scalar) -> Scalar:
        """This scalar with another's text in the place of a part; its characters keep their own places in the file."""
        table, fresh = self._pieces(), part._pieces()
        whole = self.text[:start] + part.text + self.text[end:]
        if table is None or fresh is None:
            return Scalar(whole, self.span, self.style)
        return Scalar(whole, self.span, self.style, [*table[:start], *fresh, *table[end:]])

    def _end(self, table: list[Piece]) -> int:
        """Where the text ends: before the closing quote; after the last letter of a block."""
        if self.style in ("single", "double"):
            return self.span.end - 1
        if table and self.style in ("literal", "folded"):
            last = next((piece for piece in reversed(table) if piece.text != "\n"), table[-1])
            return last.stop if last.text != "\n" else last.start
        return table[-1].stop if table else self.span.end

    def _pieces(self) -> list[Piece] | None:
        if self._table is None:
            found = pieces(self.span, self.style, self.text)
            if "".join(piece.text for piece in found) != self.text:
                return None  # a YAML subtlety we do not know: the scalar's start is still a true place
            object.__setattr__(self, "_table", found)
        return self._table


class Entry(Struct, eq=False):
    """A key and its value."""

    key: Scalar
    value: Node

    __reduce__ = by_fields


class Mapping(Struct, eq=False):
    """Entries in the order of the file; no two keys have the same text."""

    entries: tuple[Entry, ...]
    span: Span
    _named: dict[str, Entry] | None = None  # made when first needed

    def entry(self, key: str) -> Entry | None:
        """The entry with a key, or None."""
        if self._named is None:
            named = {entry.key.text: entry for entry in reversed(self.entries)}
            object.__setattr__(self, "_named", named)
            return named.get(key)
        return self._named.get(key)

    def get(self, key: str) -> Node | None:
        """The value under a key, or None."""
        found = self.entry(key)
        return found.value if found else None

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)


class Sequence(Struct, eq=False):
    """The items of a list in the order of the file."""

    items: tuple[Node, ...]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)


Node = Scalar | Mapping | Sequence


def scalars(node: Node) -> Iterator[Scalar]:
    """Every text of a tree in the order of the file, keys as well."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for entry in node:
            yield entry.key
            yield from scalars(entry.value)
    else:
        for item in node:
            yield from scalars(item)


def with_changes(node: Mapping, change: Callable[[Entry], Entry | None]) -> Mapping:
    """The tree with every entry as `change` leaves it, and without those of which it gives None, or nothing is left.
    What does not change is kept as it is.
    """
    entries: list[Entry] = []
    for entry in node:
        made = change(entry)
        if made is not None and isinstance(made.value, Mapping):
            value = with_changes(made.value, change)
            if value is not made.value:
                made = Entry(made.key, value) if value.entries else None
        if made is not None:
            entries.append(made)
    if len(entries) == len(node.entries) and all(a is b for a, b in zip(entries, node.entries, strict=True)):
        return node
    return Mapping(tuple(entries), node.span)


def same(one: Node, two: Node) -> bool:
    """Whether two trees have the same keys, texts and order; places and styles may differ."""
    match one, two:
        case Scalar(), Scalar():
            return one.text == two.text
        case Sequence(), Sequence():
            return len(one.items) == len(two.items) and all(map(same, one.items, two.items))
        case Mapping(), Mapping():
            return len(one.entries) == len(two.entries) and all(
                a.key.text == b.key.text and same(a.value, b.value)
                for a, b in zip(one.entries, two.entries, strict=True)
            )
    return False
