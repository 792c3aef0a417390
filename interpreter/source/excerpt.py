"""One line of a source, as it can be shown in a terminal, with carets under a stretch of it.

Enters: a line, the stretch, the room there is.  Leaves: two strings of equal indentation.  Works in
terminal cells: a tab, a wide character or an accent never shifts a caret, and what cannot be seen
(or would drive the terminal) is shown by its number.  Knows nothing of problems.
"""

from __future__ import annotations

import unicodedata

from interpreter.source.values import Struct

_TAB = "    "
_CUT = "…"
_LONG = 4000  # characters
# Orders to a terminal, but for colours; marks that turn the direction of what follows; line ends that are none.
UNSEEN = (
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
# Controls, invisible formatting, surrogates, private and unassigned characters, odd line ends and
# spaces.  Printing them raw hides the very mistake, or lets a rule file send commands to a terminal.
_CONTROLS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Excerpt(Struct):
    line: str
    carets: str


def visible(text: str) -> str:
    """`text` with everything unseen shown by its number; safe to print on one line."""
    return text if text.isascii() and text.isprintable() else "".join(_show(c) for c in text)


def excerpt(line: str, start: int, end: int, room: int) -> Excerpt:
    """The characters `start` to `end` of `line` underlined, the line cut to `room` cells around them.

    Leading blanks are left out when nothing points at them.  An empty stretch gets one caret.
    """
    start = min(start, len(line))
    end = max(min(end, len(line)), start)
    if len(line) > _LONG:  # nobody sees more of it, and there may be a hundred problems on one line of a megabyte
        low, high = max(0, start - _LONG // 2), start + _LONG // 2
        line, start, end = line[low:high], start - low, min(end, high) - low
    first = min(len(line) - len(line.lstrip(" \t")), start)
    cells = [_show(character) for character in line]
    widths = [_width(cell) for cell in cells]
    last = len(line.rstrip(" \t"))
    last = max(last, end)
    room = max(room, 20)
    if sum(widths[first:last]) > room:
        first, last = _window(widths, first, last, start, end, room - 2)
        end = min(end, last)
    before, after = (_CUT if first > 0 and line[:first].strip() else ""), ""
    if last < len(line) and line[last:].strip():
        after = _CUT
    indent = len(before) + sum(widths[first:start])
    under = max(sum(widths[start:end]), 1)
    return Excerpt(before + "".join(cells[first:last]) + after, " " * indent + "^" * under)


def _window(widths: list[int], first: int, last: int, start: int, end: int, room: int) -> tuple[int, int]:
    """The part of a line to keep: the stretch, then as much on both sides as there is room for."""
    low = high = start
    used = 0
    while high < end and used + widths[high] <= room:
        used += widths[high]
        high += 1
    grown = True
    while grown:
        grown = False
        if high < last and used + widths[high] <= room:
            used += widths[high]
            high += 1
            grown = True
        if low > first and used + widths[low - 1] <= room:
            low -= 1
            used += widths[low]
            grown = True
    return low, high


def _show(character: str) -> str:
    if character == "\t":
        return _TAB
    if unicodedata.category(character) in _CONTROLS:
        return f"<U+{ord(character):04X}>"
    # A no-break space looks like a space, which is what is wrong with it.
    if unicodedata.category(character) == "Zs" and character != " ":
        return f"<U+{ord(character):04X}>"
    return character


def _width(cell: str) -> int:
    """Terminal cells of what `_show` gives for one character."""
    if len(cell) != 1 or cell.isascii():
        return len(cell)
    if unicodedata.category(cell) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1
