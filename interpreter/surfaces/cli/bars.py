"""Distributions as bars of a terminal: aligned, percent with one decimal.

Enters: an exact answer. Leaves: lines of text. Knows nothing of how odds are worked out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.surfaces.as_json import fraction
from interpreter.surfaces.as_rows import Row, apart, between, folded, mean_of, number, or_more, percent
from interpreter.workbench.answers import NOT_RUN
from interpreter.workbench.bands import Band
from interpreter.workbench.figures import is_counted

from .terminal import can_show, paint, width

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(share: float, room: int) -> str:
    """`share` of `room` cells, to an eighth of a cell; whole cells of `#` where a terminal has no blocks."""
    if not can_show(_EIGHTHS):
        return "#" * round(share * room)
    eighths = round(share * room * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip() or ("▏" if share > 0 else "")


def chart(answer: Any, index: int, title: str, exact: bool) -> list[str]:
    """One question: a title with its mean, then a bar for each outcome."""
    if isinstance(answer, Band):
        return _band(answer, index, title, exact)
    found = answer.of(index)
    type_ = answer.asks[index].type
    unrun = NOT_RUN in found
    if type_.name == "truth" and not unrun:
        return _yes_or_no(found, title, exact)
    said = {value: answer.words.say(value, type_) for value in found}
    numbers = is_counted(answer, index) and None not in found
    shown = mean_of(answer, index, fraction if exact else number) if numbers else ""
    lines = [f"{paint(title, 'bold')}  {paint(shown, 'cool')}".rstrip()]
    rows: list[Row] = [(said[value], (p,)) for value, p in found.items()]
    if numbers and not exact:
        rows = apart(rows, unrun, folded)
    label = max((len(name) for name, _ in rows), default=1)
    figures = [fraction(p) if exact else percent(p) for _, (p,) in rows]
    wide = max((len(f) for f in figures), default=1)
    more = [percent(p) for (p,) in or_more(rows)] if numbers and len(rows) > 2 and not exact else []
    top = max((p for _, (p,) in rows), default=Fraction(1))
    room = max(10, min(40, width() - label - wide - (12 if more else 0) - 8))
    for i, (name, (p,)) in enumerate(rows):
        tail = f"  {paint(f'{more[i]:>6} or more', 'dim')}" if more and i else ""
        drawn = bar(float(p / top), room)
        line = f"  {name:>{label}}  {figures[i]:>{wide}}  {paint(drawn, 'good')}"
        lines.append(line + (" " * (room - len(drawn)) + tail if tail else ""))
    return lines


def _band(answer: Any, index: int, title: str, exact: bool) -> list[str]:
    """One question where a choice is open: for each outcome what is sure of it, and what somebody may make of it."""
    type_ = answer.asks[index].type
    numbers = is_counted(answer, index) and None not in answer.values(index)
    rows = answer.of(index)
    if type_.name == "truth" and NOT_RUN not in rows:
        rows = {True: answer.chance(index)}
    shown = mean_of(answer, index, fraction if exact else number) if numbers else ""
    more = answer.at_least(index) if numbers and len(rows) > 2 else {}
    form = fraction if exact else percent
    names = {value: answer.words.say(value, type_) for value in rows}
    figures = {value: between(bounds, form) for value, bounds in rows.items()}
    label, wide = max(map(len, names.values())), max(map(len, figures.values()))
    tails = {value: f"  {between(bounds, form)} or more" for value, bounds in more.items()}
    top = Fraction(1) if type_.name == "truth" else max(most for _, most in rows.values())
    room = max(10, min(40, width() - label - wide - max(map(len, tails.values()), default=0) - 8))
    lines = [f"{paint(title, 'bold')}  {paint(shown, 'cool')}".rstrip()]
    for value, (least, most) in rows.items():
        sure, may = (round(float(b / top) * room) for b in (least, most)) if top else (0, 0)
        solid, faint = ("█", "░") if can_show("█░") else ("#", "-")
        drawn = paint(solid * sure, "good") + paint(faint * (may - sure), "dim")
        tail = " " * (room - may) + paint(tails[value], "dim") if value in tails else ""
        lines.append(f"  {names[value]:>{label}}  {figures[value]:>{wide}}  {drawn}{tail}".rstrip())
    return lines


def opened(lines: dict[str, str]) -> list[str]:
    """Which choices are open, and how to close them."""
    told = [f"from the least to the greatest, as somebody chooses: {', '.join(f'{a} ({w})' for a, w in lines.items())}"]
    first = next(iter(lines))
    return [
        *told,
        paint(f"to name a policy: --choose {first}=…, `choose: {{{first}: …}}`, or `usually …` in the rules", "dim"),
    ]


def _yes_or_no(found: dict[Any, Fraction], title: str, exact: bool) -> list[str]:
    p = found.get(True, Fraction(0))
    shown = fraction(p) if exact else percent(p)
    return [f"{paint(title, 'bold')}", f"  yes  {shown:>6}  {paint(bar(float(p), 40), 'good')}"]


__all__ = ["bar", "between", "chart", "number", "opened", "percent"]
