"""Problems in words: as text for a terminal, as plain data for a program.

Enters: problems.  Leaves: text on the model of Elm and rustc (what is wrong, where, what else has to
do with it, one thing to do), or one dictionary a problem.  Must not decide what is a problem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.source.excerpt import excerpt, visible
from interpreter.source.problems import Fix, Label, Problem, count
from interpreter.source.text import Span

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
    """All problems in the order given, then a line that counts them, if it shall; empty without problems. `named` says
    how a file is called.
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
    """The first line of a span with its carets; a span of many lines is underlined to the line's end."""
    line, column = span.place
    text = span.source.line(line)
    shown = excerpt(text, column - 1, column - 1 + span.end - span.start, room)
    return shown.line, shown.carets


def _remark(label: Label, room: int) -> str:
    """A second place on one line: the line, cut short enough for the remark to follow it."""
    remark = f"  <- {visible(label.text)}"
    return _excerpt(label.span, max(room - len(remark), room // 2))[0] + remark


def to_json(problem: Problem) -> dict[str, object]:
    """A problem as plain data.  Lines and columns from 1, in code points; None without a place."""
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
