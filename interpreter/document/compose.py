"""Builds the tree with source positions from YAML events.

Takes the events of one of PyYAML's parsers and the text that was parsed; returns nodes, and a problem for every feature
of YAML that rule files do not use. It does not recurse and checks its limits at each event, so that no text can exhaust
it. It does not know keys or games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from interpreter.document.characters import DROPPED, ESCAPED, edits, report_edit
from interpreter.document.nodes import Entry, Mapping, Node, Piece, Scalar, Sequence, Style, pieces
from interpreter.document.syntax import report_block_header
from interpreter.source import Fix, Label, Problems, Source, Span
from interpreter.source.values import Record, field

DEPTH = 20
NODES = 200_000

# Texts for people. Elsewhere a typographic quote or a long dash is a mistake.
PROSE = frozenset({"game", "about"})

_STYLES: dict[str | None, Style] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_PROPERTY = r"(?:\s|#.*)*([&!][^\s,\[\]{}]*)"
_TIGHT_REMARK = r"[|>][0-9+-]*#[^\r\n]*"


class ReadingStopped(Exception):
    """Raised if reading cannot continue, after the problem has been added."""


class _OpenCollection(Record):
    """A collection whose end event has not been seen yet."""

    start: int
    flow: bool
    mapping: bool
    entries: list[Entry] = field(default_factory=list)
    items: list[Node] = field(default_factory=list)
    keys: dict[str, Scalar] = field(default_factory=dict)
    key: Scalar | None = None
    awaits_value: bool = False


class Composer:
    """Builds the tree of one document: `root`, and `scalars`, the start and end offsets of its texts.

    `shift` is added to the offsets of events: 1 if a byte order mark was removed.
    """

    def __init__(self, source: Source, shift: int, problems: Problems) -> None:
        self.source, self.problems, self.shift = source, problems, shift
        self.text = source.text
        self.root: Node | None = None
        self.scalars: list[tuple[int, int]] = []
        self._open: list[_OpenCollection] = []
        self._count = 0
        self._documents = 0
        self._last = 0  # the end of the last event: between here and a key stands only `?`

    def process(self, events: Iterable[Any]) -> None:
        """Process the events of a document in order. Raises ReadingStopped and any error of the parser."""
        steps = {
            "ScalarEvent": self._scalar,
            "MappingStartEvent": self._start,
            "SequenceStartEvent": self._start,
            "MappingEndEvent": self._end,
            "SequenceEndEvent": self._end,
            "AliasEvent": self._alias,
            "DocumentStartEvent": self._document,
        }
        for event in events:
            step = steps.get(type(event).__name__)
            if step:
                step(event)

    def _span(self, start: int, end: int) -> Span:
        if start <= end <= len(self.text):
            return Span(self.source, start, end)
        return Span(self.source, min(start, len(self.text)), min(max(start, end), len(self.text)))

    def _document(self, event: Any) -> None:
        self._documents += 1
        if self._documents > 1:
            at = event.start_mark.index + self.shift
            self.problems.add("Y006", self._span(at, at + 3))
            raise ReadingStopped

    def _count_node(self, at: int) -> None:
        self._count += 1
        if self._count > NODES:
            self.problems.add("Y043", self._span(at, at + 1), most=f"{NODES:,}")
            raise ReadingStopped

    def _properties(self, event: Any, start: int) -> int:
        """Report `&name` and `!kind` in front of a value; return the offset of the value itself."""
        while (event.anchor or event.tag) and (found := re.compile(_PROPERTY).match(self.text, start)):
            code = "Y003" if found[1][0] == "&" else "Y004"
            self.problems.add(code, self._span(*found.span(1)), seen=found[1])
            start = found.end()
        return start

    def _scalar(self, event: Any) -> None:
        start, end = event.start_mark.index + self.shift, event.end_mark.index + self.shift
        self._count_node(start)
        text, style = event.value, _STYLES.get(event.style, "plain")
        if event.anchor or event.tag:
            start = self._properties(event, start)
            rest = self.text[start:end]
            start = min(start + len(rest) - len(rest.lstrip()), end)
        if not text and style == "plain":
            start = end = self._empty_offset(end)
        if style == "plain" and start < end and self.text.startswith(" #", end):
            self._report_comment(start, end)
        if header := re.compile(_TIGHT_REMARK).match(self.text, start) if style in ("literal", "folded") else None:
            # One of PyYAML's parsers reads this as a block with a remark, the other refuses it.
            report_block_header(self._span(*header.span()), self.problems)
            raise ReadingStopped
        table: list[Piece] | None = None
        if style == "double" and "\\" in self.text[start:end]:
            text = _without_escapes(text, self._span(start, end), self.problems)
        if not text.isascii():
            text, table = self._clean(text, self._span(start, end), style)
        if start < end:
            self.scalars.append((start, end))
        self._place(Scalar(text, self._span(start, end), style, table))
        self._last = end

    def _empty_offset(self, end: int) -> int:
        """Return the offset of an empty value: behind its colon. The two parsers differ on it inside braces."""
        top = self._open[-1] if self._open else None
        if top and top.mapping and top.awaits_value and top.flow and top.key:
            colon = re.compile(r"\s*:").match(self.text, top.key.span.end)
            return colon.end() if colon else top.key.span.end
        return end

    def _report_comment(self, start: int, end: int) -> None:
        line = re.compile(r"[^\r\n]*").match(self.text, end + 1)
        comment = self._span(end + 1, line.end() if line else end + 2)
        remark = self.text[end + 2 : end + 3].isspace()  # `# so` is a comment; `#2` may be part of a name
        fix = Fix(self._span(end, end), " ", remark, "two spaces, if it is a remark")
        self.problems.add("Y018", comment, fix=fix, seen=self._span(start, end).text)

    def _clean(self, text: str, span: Span, style: Style) -> tuple[str, list[Piece] | None]:
        """Return a value with its typographic characters replaced, and the positions of its characters if any was."""
        top = self._open[-1] if self._open else None
        key = top.key.text if top and top.awaits_value and top.key else ""
        found = edits(text, style, prose=key in PROSE)
        if not found:
            return text, None
        table = pieces(span, style, text)
        if "".join(piece.text for piece in table) != text:
            table = [Piece(character, span.start, span.end) for character in text]
        for edit in found:
            piece = table[edit.at]
            if edit.code:
                stop = table[edit.at + edit.more].stop
                report_edit(edit, self._span(piece.start, stop), style, self.problems)
            table[edit.at] = Piece(edit.instead, piece.start, piece.stop)
        table = [piece for piece in table if piece.text]
        return "".join(piece.text for piece in table), table

    def _alias(self, event: Any) -> None:
        start, end = event.start_mark.index + self.shift, event.end_mark.index + self.shift
        self._count_node(start)
        self.problems.add("Y002", self._span(start, end), seen=self.text[start:end])
        self._place(Scalar("", self._span(start, end), "plain", []), refused=True)
        self._last = end

    def _start(self, event: Any) -> None:
        start = event.start_mark.index + self.shift
        self._count_node(start)
        if len(self._open) >= DEPTH:
            self.problems.add("Y042", self._span(start, start + 1), most=DEPTH)
            raise ReadingStopped
        if event.anchor or event.tag:
            start = self._properties(event, start)
        mapping = type(event).__name__ == "MappingStartEvent"
        self._open.append(_OpenCollection(start, bool(event.flow_style), mapping))
        self._last = event.end_mark.index + self.shift if event.flow_style else self._last

    def _end(self, event: Any) -> None:
        done = self._open.pop()
        end = event.end_mark.index + self.shift
        inside: list[Node] = [entry.value for entry in done.entries] if done.mapping else done.items
        if not done.flow:  # the parser's mark is at the next token of the file
            end = inside[-1].span.end if inside else done.start
            if done.mapping and done.entries:
                done.start = done.entries[0].key.span.start
        span = self._span(done.start, max(end, done.start))
        if done.mapping:
            self._place(Mapping(tuple(done.entries), span))
        else:
            if done.flow:
                self._check_commas(done.items)
            self._place(Sequence(tuple(done.items), span))
        self._last = max(self._last, end)

    def _check_commas(self, items: list[Node]) -> None:
        """Report `[f(a, b)]`: YAML splits it into two texts."""
        opened: Span | None = None
        depth = 0
        for item in items:
            if not isinstance(item, Scalar) or item.style != "plain":
                opened, depth = None, 0
                continue
            depth += item.text.count("(") - item.text.count(")")
            if depth > 0:
                opened = opened or item.span
            elif opened is not None:
                whole = self._span(opened.start, item.span.end)
                quoted = "'" + whole.text.replace("'", "''") + "'"
                self.problems.add("Y033", whole, text=whole.text, fix=Fix(whole, quoted, True, f"write {quoted}"))
                opened, depth = None, 0

    def _place(self, node: Node, *, refused: bool = False) -> None:
        """Add a finished node to its parent."""
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        if not top.mapping:
            top.items.append(node)
        elif not top.awaits_value:
            top.key = None if refused else self._accept_key(top, node)
            top.awaits_value = True
        else:
            top.awaits_value = False
            if top.key is not None:
                top.keys[top.key.text] = top.key
                top.entries.append(Entry(top.key, node))
            else:
                self.problems.lost |= _words(node)

    def _accept_key(self, top: _OpenCollection, node: Node) -> Scalar | None:
        """Return the key; None if it is invalid. Its entry is then left out, so that it is reported only once."""
        if not isinstance(node, Scalar):
            self.problems.add("Y008", self._span(node.span.start, node.span.start + 1))
            return None
        between = self.text[self._last : node.span.start]
        sign = re.search(r"(?:^|[\s{\[,-])(\?)\s", _uncommented(between)) if "?" in between else None
        if sign:
            at = self._last + sign.start(1)
            self.problems.add("Y008", self._span(at, at + 1))
            return None
        if not node.text:
            start, end = node.span.start, node.span.end
            self.problems.add("Y009", self._span(start, max(end, start + 1)))
            return None
        if node.text == "<<" and node.style == "plain":
            self.problems.add("Y005", node.span)
            return None
        if node.text in top.keys:
            first = [Label(top.keys[node.text].span, "the first time")]
            before = next((e.value for e in top.entries if e.key.text == node.text), None)
            cut = isinstance(before, Scalar) and not before.span.text and top.flow
            hint = f"in braces a comma begins the next entry: `'{node.text}, {node.text}': …`" if cut else None
            self.problems.add("Y001", node.span, label="a second time", others=first, hint=hint, key=node.text)
            return None
        return node


def _words(node: Node) -> set[str]:
    """The words of an invalid entry: names that it may have declared, so that they are not reported as missing."""
    found: set[str] = set()
    left = [node]
    while left:
        here = left.pop()
        if isinstance(here, Scalar):
            found.update(re.findall(r"[\w-]+", here.text))
        elif isinstance(here, Sequence):
            left += here.items
        else:
            left += [part for entry in here for part in (entry.key, entry.value)]
    return found


def _uncommented(text: str) -> str:
    return re.sub(r"#[^\r\n]*", lambda found: " " * len(found[0]), text)


def _without_escapes(value: str, span: Span, problems: Problems) -> str:
    """Return a double-quoted value with a space for each escape of an invisible or forbidden character.

    The first of them is reported, as the character itself would be.
    """
    raw = set(re.findall(ESCAPED, span.text))  # reported with the characters of the file
    odd = {found.start() for found in re.finditer(ESCAPED, value) if found[0] not in raw}
    if not odd:
        return value
    at = min(odd)
    table = pieces(span, "double", value)
    piece = table[at] if len(table) == len(value) else Piece(value[at], span.start, span.end)
    where = Span(span.source, piece.start, piece.stop)
    code = "Y015" if re.match(DROPPED, value[at]) else "Y017"
    problems.add(code, where, fix=Fix(where, "", False, "take it out"), number=f"U+{ord(value[at]):04X}")
    return "".join(" " if at in odd else c for at, c in enumerate(value))
