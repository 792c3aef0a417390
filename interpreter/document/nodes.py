"""The tree of a YAML file, with the source position of every character.

Its nodes are `Scalar`, `Mapping` and `Sequence`. Every scalar is text, never a number or a boolean. YAML folds lines,
doubles quotes and has escapes, so an offset in a value is not an offset in the file; the table of `pieces` maps one to
the other, so that a caret stands under the right character even in a folded text. This module does not know what the
words mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal

from interpreter.document.characters import readable
from interpreter.source import Span
from interpreter.source.values import Struct, reduce_by_fields

_BREAK = r"\r\n|[\r\n]"
_BLANKS = r"[ \t\r\n]+"
_HEX = {"x": 2, "u": 4, "U": 8}
_LETTERS = '0abt\tnvfre "\\/N_LP'
_MEANINGS = '\0\a\b\t\t\n\v\f\r\x1b "\\/\x85\xa0\u2028\u2029'
_ESCAPES = dict(zip(_LETTERS, _MEANINGS, strict=True))


class Piece(Struct):
    """One character of a value, and its start and end offset in the file."""

    text: str
    start: int
    stop: int

    __reduce__ = reduce_by_fields


def pieces(span: Span, style: str, value: str) -> list[Piece]:
    """Return one piece for each character of `value`, with offsets into the whole source.

    For a feature of YAML that is not handled here the pieces do not spell `value`; callers check that.
    """
    raw = readable(span.text)
    if raw == value:
        found = [Piece(character, at, at + 1) for at, character in enumerate(raw)]
    elif style in ("literal", "folded"):
        found = _block(raw, value, folded=style == "folded")
    else:
        found = _flow(raw, {"single": "'", "double": '"'}.get(style, ""))
    base = span.start
    return [Piece(each.text, each.start + base, each.stop + base) for each in found] if base else found


def _flow(raw: str, quote: str) -> list[Piece]:
    """Plain and quoted text."""
    found: list[Piece] = []
    at, end = len(quote), len(raw) - len(quote)
    while at < end:
        character = raw[at]
        blanks = re.compile(_BLANKS).match(raw, at, end)
        if blanks:
            found += _fold(raw, at, blanks.end())
            at = blanks.end()
            continue
        stop = at + 1
        if character == quote == "'":
            stop = at + 2
        elif character == "\\" and quote == '"':
            line = re.compile(_BREAK).match(raw, at + 1)
            if line:  # an escaped line break: the blanks around it are not text, further line breaks are
                after = re.compile(_BLANKS).match(raw, line.end(), end)
                stop = after.end() if after else line.end()
                found += [Piece("\n", b.start(), b.end()) for b in re.compile(_BREAK).finditer(raw, line.end(), stop)]
                at = stop
                continue
            letter = raw[at + 1]
            stop = at + 2 + _HEX.get(letter, 0)
            character = chr(int(raw[at + 2 : stop], 16)) if letter in _HEX else _ESCAPES[letter]
        found.append(Piece(character, at, stop))
        at = stop
    return found


def _fold(raw: str, start: int, stop: int) -> list[Piece]:
    """The pieces of a run of blanks: unchanged on one line; else a space for one line break, or a break for each more.
    """
    breaks = list(re.compile(_BREAK).finditer(raw, start, stop))
    if not breaks:
        return [Piece(raw[at], at, at + 1) for at in range(start, stop)]
    if len(breaks) == 1:
        return [Piece(" ", breaks[0].start(), stop)]
    return [Piece("\n", line.start(), line.end()) for line in breaks[1:]]


class _Line(Struct, eq=False):
    start: int
    stop: int
    after: int  # the offset behind its line break; equal to `stop` without one at the end of the file


def _block(raw: str, value: str, *, folded: bool) -> list[Piece]:
    """The text below a `|` or `>` header."""
    head = re.search(_BREAK, raw)
    if head is None:
        return []
    header = raw[: head.start()].split("#")[0]
    chomp = "+" if "+" in header else "-" if "-" in header else ""
    lines: list[_Line] = []
    at = head.end()
    while at < len(raw):
        line = re.compile(_BREAK).search(raw, at)
        stop, after = line.span() if line else (len(raw), len(raw))
        lines.append(_Line(at, stop, after))
        at = after
    found: list[Piece] = []
    for indent in _indents(raw, lines, explicit=any(c.isdigit() for c in header)):
        found = _join(raw, _unindent(raw, lines, indent), folded, chomp)
        if "".join(piece.text for piece in found) == value:
            break
    return found


def _indents(raw: str, lines: list[_Line], *, explicit: bool) -> range:
    """Return the possible numbers of leading blanks of each line that are not text.

    An indentation digit in the header counts from the parent, which is unknown here. Then every indentation is tried,
    and the one that reproduces the value is right.
    """
    inked = [raw[line.start : line.stop] for line in lines if raw[line.start : line.stop].strip(" ")]
    margins = [len(text) - len(text.lstrip(" ")) for text in inked]
    if explicit:
        widest = max((line.stop - line.start for line in lines), default=0)
        return range(1, max([1, widest, *margins]) + 1)  # also if every line is empty
    if margins:
        return range(margins[0], margins[0] + 1)
    widest = max((line.stop - line.start for line in lines), default=0)
    return range(widest, widest + 1)


def _unindent(raw: str, lines: list[_Line], indent: int) -> list[_Line]:
    body = []
    for line in lines:
        text = raw[line.start : line.stop]
        blanks = min(indent, len(text) - len(text.lstrip(" ")))
        if blanks < indent and blanks < len(text):
            break  # less indented: the text has ended, and comments follow
        body.append(_Line(line.start + blanks, line.stop, line.after))
    return body


def _join(raw: str, body: list[_Line], folded: bool, chomp: str) -> list[Piece]:
    """Join the lines of a block: kept (`|`) or folded (`>`), with the final line breaks chomped."""
    found: list[Piece] = []
    last = len(body)
    while last and body[last - 1].start == body[last - 1].stop:
        last -= 1

    def ending(line: _Line) -> Piece:
        return Piece("\n", line.stop, line.after)

    def flush(line: _Line) -> bool:
        return raw[line.start] not in " \t"

    following: _Line | None = None
    endings: list[Piece | None] = []  # the line break or space after each line, from the last line up
    for number in reversed(range(last)):
        line = body[number]
        if line.start == line.stop:
            endings.append(ending(line))  # an empty line is a line break in both styles
            continue
        if following is None:
            kept = chomp != "-" and line.stop < line.after
            endings.append(ending(line) if kept else None)
        elif not (folded and flush(line) and flush(following)):
            endings.append(ending(line))
        elif following is body[number + 1]:
            endings.append(Piece(" ", line.stop, following.start))
        else:
            endings.append(None)  # the empty lines below provide the line breaks
        following = line
    for line, end in zip(body[:last], reversed(endings), strict=True):
        found += [Piece(raw[at], at, at + 1) for at in range(line.start, line.stop)]
        if end:
            found.append(end)
    if chomp == "+":
        found += [ending(line) for line in body[last:] if line.stop < line.after]
    return found


Style = Literal["plain", "single", "double", "literal", "folded"]


class Scalar(Struct, eq=False):
    """A text; `span` includes its quotes or its block header. An empty value has the text ""."""

    text: str
    span: Span
    style: Style = "plain"
    # One piece for each character, computed on first use: most scalars are never pointed into.
    _table: list[Piece] | None = None

    __reduce__ = reduce_by_fields

    def at(self, start: int, end: int) -> Span:
        """Return the place in the file of the characters of `text` from `start` up to `end`.

        Both may be the end of the text, so that a problem can point at what is missing there.
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
        """Return `text` as it must be written inside this scalar, escaped for its quotes."""
        if self.style == "single":
            return text.replace("'", "''")
        return re.sub(r'(["\\])', r"\\\1", text) if self.style == "double" else text

    def part(self, start: int, end: int) -> Scalar:
        """The text from `start` up to `end` as a scalar in which each character keeps its position in the file."""
        table = self._pieces()
        span = self.at(start, end)
        return Scalar(self.text[start:end], span, "plain", table[start:end] if table is not None else None)

    def with_text(self, start: int, end: int, text: str) -> Scalar:
        """Return this scalar with a range replaced by `text`; its characters get the position of the range."""
        table = self._pieces()
        whole = self.text[:start] + text + self.text[end:]
        if table is None or start == end:
            return Scalar(whole, self.span, self.style)
        fresh = [Piece(c, table[start].start, table[end - 1].stop) for c in text]
        return Scalar(whole, self.span, self.style, [*table[:start], *fresh, *table[end:]])

    def with_part(self, start: int, end: int, part: Scalar) -> Scalar:
        """Return this scalar with a range replaced by another scalar, whose characters keep their positions in the
        file.
        """
        table, fresh = self._pieces(), part._pieces()
        whole = self.text[:start] + part.text + self.text[end:]
        if table is None or fresh is None:
            return Scalar(whole, self.span, self.style)
        return Scalar(whole, self.span, self.style, [*table[:start], *fresh, *table[end:]])

    def _end(self, table: list[Piece]) -> int:
        """The offset of the end of the text: before the closing quote, or after the last letter of a block."""
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
                return None  # an unhandled feature of YAML: only the scalar's start is reliable
            object.__setattr__(self, "_table", found)
        return self._table


class Entry(Struct, eq=False):
    """A key and its value."""

    key: Scalar
    value: Node

    __reduce__ = reduce_by_fields


class Mapping(Struct, eq=False):
    """Entries in the order of the file, with distinct keys."""

    entries: tuple[Entry, ...]
    span: Span
    _named: dict[str, Entry] | None = None  # computed on first use

    def entry(self, key: str) -> Entry | None:
        """Return the entry with a key, or None."""
        if self._named is None:
            named = {entry.key.text: entry for entry in reversed(self.entries)}
            object.__setattr__(self, "_named", named)
            return named.get(key)
        return self._named.get(key)

    def get(self, key: str) -> Node | None:
        """Return the value of a key, or None."""
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
    """Yield every text of a tree in the order of the file, including keys."""
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
    """Return the tree with each entry replaced by the result of `change`. Entries for which that is None, and mappings
    that become empty, are dropped. Unchanged nodes are shared.
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
    """Return whether two trees have the same keys, texts and order; positions and styles may differ."""
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
