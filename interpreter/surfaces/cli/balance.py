"""Shared by `diff` and `rulings`: odds before and after, in a table with the change in percentage points, and as data.

Enters: laws (distributions). Leaves: lines of text with aligned columns; exact data. Knows nothing of what made the
difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.source import Problem
from interpreter.source.digits import fraction
from interpreter.surfaces.as_charts import format_number, format_percent
from interpreter.surfaces.as_json import Json, bounds, interval, place, refused
from interpreter.workbench.bands import format_bounds
from interpreter.workbench.pricing import Law, Measure, Shift
from interpreter.workbench.typical import Point

from .terminal import aligned, paint

SAME, GONE = "·", "?"


def told(law: Law | None, how: Measure, exact: bool) -> str:
    """A chance in percent, a mean as a number; if `exact`, both as fractions."""
    found = how.of(law) if law is not None else None
    if found is None:
        return GONE
    if exact:
        return format_bounds(found, fraction)
    return format_bounds(found, format_number if how.what == "mean" else format_percent)


def step(before: Law | None, after: Law | None, how: Measure, exact: bool) -> str:
    """A change: of a chance in percentage points, of a mean as a number."""
    one, other = (how.of(law) if law is not None else None for law in (before, after))
    if one is None or other is None:
        return GONE
    if one == other:
        return SAME
    steps = tuple(b - a for a, b in zip(one, other, strict=True))
    return format_bounds((steps[0], steps[1]), lambda by: _signed(by, how.what == "mean", exact))


def _signed(by: Fraction, mean: bool, exact: bool) -> str:
    sign = "+" if by > 0 else "-" if by < 0 else ""
    if exact:
        return sign + fraction(abs(by))
    said = format_number(abs(by)) if mean else f"{float(abs(by)) * 100:.1f}"
    return sign + ("<0.1" if said == "0.0" and by else said)


def titled(ask: str, how: Measure) -> str:
    if how.what == "mean":
        return f"{ask}, mean"
    return ask if how.value is None else f"{ask} is {how.value}"


def told_shift(found: Shift, exact: bool) -> list[str]:
    """The cells of its row: what is asked, before, after, and the change."""
    how = found.measure
    laws = [told(law, how, exact) for law in (found.before, found.after)]
    return [titled(found.ask, how), *laws, step(found.before, found.after, how, exact)]


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table whose first column is left-aligned and the others right-aligned. A row with one cell is a heading."""
    heading, *lines = aligned([head, *(row for row in rows if len(row) > 1)], lambda i: i > 0)
    left = iter(lines)
    return [paint(heading, "dim"), *(next(left) if len(row) > 1 else paint(row[0], "bold") for row in rows)]


# ---- plain data
def situation(point: Point) -> Json:
    return {"situation": point.typical.name, "at": point.at, **place(point.where)}


def unasked(found: Sequence[tuple[Point, Problem]]) -> list[Json]:
    """Situations that could not be asked, and why."""
    return [{**situation(point), **refused(why)} for point, why in found]


def plain_shift(found: Shift) -> Json:
    """What became of one question in one situation."""
    differs = {"ask": found.ask, "differs": fraction(found.size)}
    return {**situation(found.point), **differs, "before": plain_law(found.before), "after": plain_law(found.after)}


def plain_law(found: Law) -> Json:
    """Every value with (minimum, maximum) of its chance; for a truth value, yes only."""
    return {
        "values": [{"value": value, **bounds(likely)} for value, likely in found.values],
        "mean": interval(found.mean),
    }
