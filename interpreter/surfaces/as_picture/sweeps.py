"""Situations with alternatives, two questions at once, and before and after → pictures.

Enters: a `Grid`, an answer to two questions, or the rows of a difference. Leaves: `Heat` for two axes, `Bars` for one,
`Bars` side by side for what a house rule changes. Knows nothing of drawing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.surfaces.as_charts import (
    NEVER,
    Axis,
    Bars,
    Bounds,
    Chances,
    Heat,
    Mean,
    Picture,
    Row,
    Series,
    Value,
    apart,
    bounds_of,
    folded,
)
from interpreter.workbench.answers import NOT_RUN, ordered
from interpreter.workbench.figures import table


def spread_out(grid: Any, chosen: Iterable[int]) -> tuple[Picture, ...]:
    """One axis: a bar for each of its values, and where there are outcomes, each of these. Two: a heat map. More: a
    heat map for each place on the others.
    """
    made: list[Picture] = []
    for index in chosen:
        ask = next(p.answer for p in grid.points if p.answer is not None).asks[index]
        yes_or_no = ask.type.name == "truth"
        counted = any(p.worth(index) is not None for p in grid.points)
        if len(grid.axes) == 1:
            always = yes_or_no or not any(NOT_RUN in p.answer.of(index) for p in grid.points if p.answer is not None)
            made += [_along(grid, index, ask.text, yes_or_no)] if counted and always else []
            made += [] if yes_or_no else [_outcomes(grid, index, ask.text)]
        elif counted:
            made += _maps(grid, index, ask.text, yes_or_no)
    return tuple(made)


def _along(grid: Any, index: int, text: str, share: bool) -> Bars:
    axis, what = grid.axes[0], "chance" if share else "mean"
    rows = tuple(Row(p.labels[0], (Value(*(p.worth(index) or NEVER)),)) for p in grid.points if p.answer)
    series = (Series("", remark=f"{what} by {axis.name}"),)
    return Bars(text, axis.name, series, rows, rows, whole=share, what=what)


def _outcomes(grid: Any, index: int, text: str) -> Heat:
    """How likely each outcome is, for each value of the axis."""
    points = [p for p in grid.points if p.answer is not None]
    words, type_ = points[0].answer.words, points[0].answer.asks[index].type
    laws: list[dict[Any, Bounds]] = [{v: bounds_of(b) for v, b in p.answer.of(index).items()} for p in points]
    values = sorted({v for law in laws for v in law}, key=ordered)
    columns: list[tuple[str, tuple[Bounds, ...]]] = [
        (words.say(v, type_), tuple(law.get(v, NEVER) for law in laws)) for v in values
    ]
    if all(least == most for _, column in columns for least, most in column):  # bounds cannot be added up
        sure: list[Chances] = [(name, tuple(least for least, _ in column)) for name, column in columns]
        numbers = any(p.worth(index) is not None for p in points)
        told = apart(sure, any(NOT_RUN in law for law in laws), folded) if numbers else sure
        columns = [(n, tuple((p, p) for p in chances)) for n, chances in told]
    cells = tuple(tuple(Value(*column[i]) for _, column in columns) for i in range(len(points)))
    down = Axis(grid.axes[0].name, tuple(p.labels[0] for p in points))
    across = Axis("outcome", tuple(name for name, _ in columns))
    return Heat(text, "chance of each outcome, in percent", down, across, cells)


def _maps(grid: Any, index: int, text: str, share: bool) -> list[Heat]:
    down, across, *others = grid.axes
    worths = {p.place: p.worth(index) for p in grid.points}
    made = []
    for rest in dict.fromkeys(place[2:] for place in worths):
        where = "".join(f", {axis.name} {axis.values[i]}" for axis, i in zip(others, rest, strict=True))
        cells = tuple(
            tuple(_cell(worths[(i, j, *rest)]) for j in range(len(across.values))) for i in range(len(down.values))
        )
        note = "chance in percent" if share else "mean"
        rows, columns = (Axis(axis.name, tuple(axis.values)) for axis in (down, across))
        unasked = frozenset(p.place[:2] for p in grid.points if p.refused is not None and p.place[2:] == rest)
        made.append(Heat(text + where, note, rows, columns, cells, share, unasked))
    return made


def _cell(worth: Bounds | None) -> Value | None:
    return None if worth is None else Value(*worth)


def joint(whole: Any) -> Heat:
    """Two questions against each other: how likely both are."""
    found = table(whole, 0, 1)
    one, other = whole.asks
    cells = tuple(
        tuple(Value(*bounds_of(found.cells.get((r, c), Fraction(0)))) for c in found.columns) for r in found.rows
    )
    down = Axis(one.text, tuple(whole.words.say(v, one.type) for v in found.rows))
    across = Axis(other.text, tuple(whole.words.say(v, other.type) for v in found.columns))
    return Heat(f"{one.text} by {other.text}", "chance of both, in percent", down, across, cells)


def compared(rows: Sequence[Any], names: tuple[str, str]) -> tuple[Picture, ...]:
    """What a house rule changes, situation by situation: before and after, side by side."""
    made: list[Picture] = []
    for name in dict.fromkeys(row.point.name for row in rows):
        mine = [row for row in rows if row.point.name == name]
        yes = [row for row in mine if row.before.yes is not None and row.after.yes is not None]
        if yes:
            told = tuple(Row(row.ask, (Value(*row.before.yes), Value(*row.after.yes))) for row in yes)
            series = tuple(Series(one) for one in names)
            made.append(Bars(name, "question", series, told, told, whole=True))
        made += [_before_after(row, names) for row in mine if row not in yes]
    return tuple(made)


def _before_after(row: Any, names: tuple[str, str]) -> Bars:
    laws = (row.before, row.after)
    labels = dict.fromkeys(label for law in laws for label, _ in law.values)
    told = tuple(Row(label, tuple(Value(*law.likely(label)) for law in laws)) for label in sorted(labels, key=_rank))
    means = [Mean(law.mean) if law.mean is not None else None for law in laws]
    series = tuple(Series(name, mean) for name, mean in zip(names, means, strict=True))
    return Bars(f"{row.point.name}: {row.ask}", "outcome", series, told, told)


def _rank(label: str) -> tuple[bool, Fraction]:
    """Numbers in their order, behind words, which stay as they are."""
    try:
        return True, Fraction(label.rstrip('"+'))
    except ValueError:
        return False, Fraction(0)
