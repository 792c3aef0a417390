"""The offset in the file of each character of a YAML scalar.

Takes the span of a scalar, its style and its value; gives one `Piece` for each character of the value. YAML folds
lines, doubles quotes and writes escapes, so an offset in the value is not one in the file; a caret under `neding` in
the third line of a folded text needs this table. Knows nothing but the five styles.
"""

from __future__ import annotations

import re

from interpreter.document.characters import readable
from interpreter.source import Span
from interpreter.source.values import Struct, by_fields

_BREAK = r"\r\n|[\r\n]"
_BLANKS = r"[ \t\r\n]+"
_HEX = {"x": 2, "u": 4, "U": 8}
_LETTERS = '0abt\tnvfre "\\/N_LP'
_MEANINGS = '\0\a\b\t\t\n\v\f\r\x1b "\\/\x85\xa0\u2028\u2029'
_ESCAPES = dict(zip(_LETTERS, _MEANINGS, strict=True))


class Piece(Struct):
    """One character of a value, and the offsets in the file that it was read from."""

    text: str
    start: int
    stop: int

    __reduce__ = by_fields


def pieces(span: Span, style: str, value: str) -> list[Piece]:
    """One piece for each character of `value`, with offsets into the whole source.

    For a subtlety of YAML that is not covered here the pieces do not spell `value`; callers check that.
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
            if line:  # the line goes on: its blanks are not text, its further line breaks are
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
    """A run of blanks: itself on one line, else a blank for one line break, and a break for each more."""
    breaks = list(re.compile(_BREAK).finditer(raw, start, stop))
    if not breaks:
        return [Piece(raw[at], at, at + 1) for at in range(start, stop)]
    if len(breaks) == 1:
        return [Piece(" ", breaks[0].start(), stop)]
    return [Piece("\n", line.start(), line.end()) for line in breaks[1:]]


class _Line(Struct, eq=False):
    start: int
    stop: int
    after: int  # past its line break; equal to `stop` where the file ends without one


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
    """How many blanks in front of each line are not text.

    A digit in the header counts from the parent, which cannot be seen from here, and leaves further
    blanks to the text: then every indent up to the least of the lines may be it, and the value says
    which.
    """
    inked = [raw[line.start : line.stop] for line in lines if raw[line.start : line.stop].strip(" ")]
    margins = [len(text) - len(text.lstrip(" ")) for text in inked]
    if explicit:
        widest = max((line.stop - line.start for line in lines), default=0)
        return range(1, max([1, widest, *margins]) + 1)  # also where every line is empty
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
            break  # further left: the text is over, and what follows is a comment
        body.append(_Line(line.start + blanks, line.stop, line.after))
    return body


def _join(raw: str, body: list[_Line], folded: bool, chomp: str) -> list[Piece]:
    """The lines of a block put together: kept apart (`|`) or folded (`>`), the end chomped."""
    found: list[Piece] = []
    last = len(body)
    while last and body[last - 1].start == body[last - 1].stop:
        last -= 1

    def ending(line: _Line) -> Piece:
        return Piece("\n", line.stop, line.after)

    def flush(line: _Line) -> bool:
        return raw[line.start] not in " \t"

    following: _Line | None = None
    endings: list[Piece | None] = []  # what each line leaves behind; found from the last line up
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
            endings.append(None)  # the empty lines below speak for this line's end
        following = line
    for line, end in zip(body[:last], reversed(endings), strict=True):
        found += [Piece(raw[at], at, at + 1) for at in range(line.start, line.stop)]
        if end:
            found.append(end)
    if chomp == "+":
        found += [ending(line) for line in body[last:] if line.stop < line.after]
    return found
