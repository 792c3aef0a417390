"""Problems as text for a terminal or as plain data for a program, and excerpts of a source line with carets.

The text follows the model of Elm and rustc: what is wrong, where, what else is related, one thing to do. A line is
measured in terminal cells, so that a tab, a wide character or a combining accent never shifts a caret. Invisible and
control characters are shown by their code point. This module does not decide what is a problem.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable

from interpreter.source.problems import Fix, Label, Problem, count
from interpreter.source.text import Span
from interpreter.source.values import Struct

_TAB = "    "
_CUT = "…"
_LONG = 4000  # characters
# Escape sequences except colours, other controls, bidirectional formatting, unusual line separators.
UNSEEN = (
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
# Categories that are never printed raw: that would hide the mistake, or let a rule file send commands to a terminal.
_CONTROLS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


class Excerpt(Struct):
    """A source line as shown, and the line of carets below it, both measured in terminal cells."""

    line: str
    carets: str


def visible(text: str) -> str:
    """Return `text` with each invisible character replaced by its code point; safe to print on one line."""
    return text if text.isascii() and text.isprintable() else "".join(_show(c) for c in text)


def excerpt(line: str, start: int, end: int, room: int) -> Excerpt:
    """Return `line`, cut to `room` cells, with the characters from `start` up to `end` underlined.

    Leading blanks are dropped unless the range includes them. An empty range gets one caret.
    """
    start = min(start, len(line))
    end = max(min(end, len(line)), start)
    if len(line) > _LONG:  # a megabyte line may have a hundred problems
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
    """Return the slice of a line to keep: the range, then as much on both sides as fits in `room` cells."""
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
    # A no-break space would look like an ordinary one.
    if unicodedata.category(character) == "Zs" and character != " ":
        return f"<U+{ord(character):04X}>"
    return character


def _width(cell: str) -> int:
    """The number of terminal cells of a result of `_show`."""
    if len(cell) != 1 or cell.isascii():
        return len(cell)
    if unicodedata.category(cell) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(cell) in "WF" else 1


_PAINT: dict[str, str] = {
    "error": "1;31",
    "warning": "1;33",
    "style": "1;36",
    "title": "1",
    "place": "2",
}
_NARROWEST = 40


def render(
    problems: Iterable[Problem],
    *,
    colour: bool = False,
    width: int = 100,
    counted: bool = True,
    named: Callable[[str], str] = str,
) -> str:
    """Return all problems as text, in the order given, with a line of counts if `counted`; empty without problems.

    `named` maps the name of a file to the name to show. `width` is in terminal cells.
    """
    shown = list(problems)
    if not shown:
        return ""
    width = max(width, _NARROWEST)
    blocks = [_block(problem, colour, width, named) for problem in shown]
    return "\n\n".join([*blocks, count(shown)] if counted else blocks) + "\n"


def _block(problem: Problem, colour: bool, width: int, named: Callable[[str], str]) -> str:
    def paint(text: str, kind: str) -> str:
        return f"\x1b[{_PAINT[kind]}m{text}\x1b[0m" if colour else text

    def prose(lead: str, text: str) -> str:
        from textwrap import fill

        return fill(
            f"{lead}: {visible(text)}",
            width,
            initial_indent="  ",
            subsequent_indent="  " + " " * (len(lead) + 2),
            break_long_words=False,
            break_on_hyphens=False,
        )

    def place(span: Span) -> str:
        return f"{visible(named(span.source.name))}:{span.place[0]}:{span.place[1]}"

    head = f"{problem.severity} {problem.code}"
    lines = [paint(f"{head}:", problem.severity) + paint(f" {visible(problem.message)}", "title")]
    places = [label.span for label in problem.others]
    if problem.span is not None:
        places.insert(0, problem.span)
    gutter = max((len(place(span)) for span in places), default=0)
    room = max(width - gutter - 5, 20)

    def at(span: Span) -> str:
        return paint(f"  {place(span):<{gutter}} | ", "place")

    blank = paint(f"  {'':<{gutter}} | ", "place")
    if problem.span is not None:
        line, carets = _excerpt(problem.span, room)
        lines.append(at(problem.span) + line)
        lines.append((blank + paint(carets, problem.severity)).rstrip())
        if problem.label:
            label = visible(problem.label)
            if len(carets) + 1 + len(label) <= room:
                lines[-1] += f" {label}"
            else:
                lines.append(blank + label)
    for other in problem.others:
        lines.append(at(other.span) + _remark(other, room))
    if problem.hint:
        lines.append(prose("hint", problem.hint))
    if problem.fix:
        lines.append(prose(_grade(problem.fix), problem.fix.text or problem.fix.replacement))
    lines.append(f"  more: umpire explain {problem.code}")
    return "\n".join(lines)


def _grade(fix: Fix) -> str:
    return "fix (safe)" if fix.safe else "fix (look first)"


def _excerpt(span: Span, room: int) -> tuple[str, str]:
    """The first line of a span and its carets; a span of several lines is underlined to the end of the line."""
    line, column = span.place
    text = span.source.line(line)
    shown = excerpt(text, column - 1, column - 1 + span.end - span.start, room)
    return shown.line, shown.carets


def _remark(label: Label, room: int) -> str:
    """The line of a related place, shortened so that the label fits behind it."""
    remark = f"  <- {visible(label.text)}"
    return _excerpt(label.span, max(room - len(remark), room // 2))[0] + remark


def to_json(problem: Problem) -> dict[str, object]:
    """Return a problem as JSON data. Lines and columns count from 1, in code points; None without a place."""
    fix = problem.fix
    return {
        "code": problem.code,
        "severity": problem.severity,
        "message": problem.message,
        **_where(problem.span),
        "label": problem.label,
        "others": [{**_where(label.span), "text": label.text} for label in problem.others],
        "hint": problem.hint,
        **({"more": problem.more} if problem.more else {}),
        "fix": fix
        and {
            **_where(fix.span),
            "replacement": fix.replacement,
            "safe": fix.safe,
            "text": fix.text,
        },
    }


def _where(span: Span | None) -> dict[str, object]:
    keys = ("line", "column", "end_line", "end_column")
    if span is None:
        return {"file": None, **dict.fromkeys(keys)}
    values = (*span.place, *span.end_place)
    return {"file": span.source.name, **dict(zip(keys, values, strict=True))}
