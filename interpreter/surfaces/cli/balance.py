"""Comparisons of odds before and after a change of rules, as table cells and as plain data; used by `diff` and
`rulings`.

Takes distributions (`Law`) and the measure to compare them by. Gives cells with changes in percentage points (chances)
or in units (means), and exact plain data for JSON. Knows nothing of the cause of the difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.source import Problem
from interpreter.source.digits import format_number, format_percent, fraction
from interpreter.surfaces.as_json import Json, bounds, interval, place, refused
from interpreter.workbench.bands import format_bounds
from interpreter.workbench.pricing import Law, Measure, Shift
from interpreter.workbench.typical import Point

from .terminal import aligned, paint

SAME, GONE = "·", "?"


def told(law: Law | None, how: Measure, exact: bool) -> str:
    """The measure of one distribution as text: a chance in percent, a mean as a decimal number; both as fractions if
    `exact`. `GONE` if there is no such distribution or value.
    """
    found = how.of(law) if law is not None else None
    if found is None:
        return GONE
    if exact:
        return format_bounds(found, fraction)
    return format_bounds(found, format_number if how.what == "mean" else format_percent)


def step(before: Law | None, after: Law | None, how: Measure, exact: bool) -> str:
    """The signed change of a measure as text: of a chance in percentage points, of a mean in its own units. `SAME` if
    nothing changes, `GONE` if one side has no value; a band gives the change of each bound.
    """
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
    """The question with its measure: `hits, mean`, `hits is 3`, or the question alone for yes or no."""
    if how.what == "mean":
        return f"{ask}, mean"
    return ask if how.value is None else f"{ask} is {how.value}"


def told_shift(found: Shift, exact: bool) -> list[str]:
    """The four cells of a row: the question, its measure before and after, and the change."""
    how = found.measure
    laws = [told(law, how, exact) for law in (found.before, found.after)]
    return [titled(found.ask, how), *laws, step(found.before, found.after, how, exact)]


def columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table: first column left-aligned, the others right-aligned; a row of one cell is a heading."""
    heading, *lines = aligned([head, *(row for row in rows if len(row) > 1)], lambda i: i > 0)
    left = iter(lines)
    return [paint(heading, "dim"), *(next(left) if len(row) > 1 else paint(row[0], "bold") for row in rows)]


# ---- plain data
def situation(point: Point) -> Json:
    """A typical situation: its name, the alternatives chosen in it, and its place in the file."""
    return {"situation": point.typical.name, "at": point.at, **place(point.where)}


def unasked(found: Sequence[tuple[Point, Problem]]) -> list[Json]:
    """The situations that gave no answer, each with the code and message of the reason."""
    return [{**situation(point), **refused(why)} for point, why in found]


def plain_shift(found: Shift) -> Json:
    """One question in one situation: the distributions before and after, and the exact size of the difference."""
    differs = {"ask": found.ask, "differs": fraction(found.size)}
    return {**situation(found.point), **differs, "before": plain_law(found.before), "after": plain_law(found.after)}


def plain_law(found: Law) -> Json:
    """A distribution: each value with the least and greatest chance (equal unless a choice is open), and the mean; for
    yes or no, only yes.
    """
    return {
        "values": [{"value": value, **bounds(likely)} for value, likely in found.values],
        "mean": interval(found.mean),
    }
