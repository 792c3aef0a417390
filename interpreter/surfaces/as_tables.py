"""Describes several answers in one chart: alternatives of a situation, two questions jointly, before and after a
change.

Takes a `Grid`, an answer with two questions, or the rows of a difference. Gives `Bars` for one axis and `Heat` for two,
with exact numbers and labels in the words of the rules. Does not draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.source.values import replace
from interpreter.workbench.answers import NOT_RUN, Answer, sort_key
from interpreter.workbench.bands import NEVER, as_bounds
from interpreter.workbench.grids import Grid, Point
from interpreter.workbench.summary_statistics import table, where_run

from .as_charts import (
    Axis,
    Bars,
    Chances,
    Heat,
    Picture,
    Row,
    Series,
    Value,
    fold_apart,
    fold_tails,
)

if TYPE_CHECKING:  # comparison of rule sets is not needed for odds
    from interpreter.workbench.difference import Row as Change


# ---- alternatives
def point_value(point: Point, index: int) -> Value | str:
    """The chance of yes at a point, or the mean if the line runs; or, as text, the reason for no value."""
    if point.answer is None:
        return "never" if point.refused is None else "not asked"
    found = point.worth(index)
    if found is not None:
        return Value(*found)
    where = where_run(point.answer, index)
    if where is None:
        return ""
    mean, runs = where
    return "not run" if mean is None else Value(*mean, runs)


def describe_means(grid: Grid, index: int) -> Bars:
    """For a grid with one axis: a bar for each of its values, with the chance of yes or the mean."""
    ask, axis = grid.asks[index], grid.axes[0]
    yes_or_no = ask.type.name == "truth"
    what = "chance" if yes_or_no else "mean"
    rows = []
    for point in grid.points:
        found = point_value(point, index)
        rows.append(Row(point.labels[0], note=found) if isinstance(found, str) else Row(point.labels[0], (found,)))
    series = (Series("", remark=f"{what} by {axis.name}"),)
    return Bars(ask.text, axis.name, series, tuple(rows), tuple(rows), whole=yes_or_no, what=what)


def describe_outcomes(grid: Grid, index: int) -> Heat:
    """For a grid with one axis: the chance of each outcome (across) for each value of the axis (down)."""
    laws: list[dict[Any, Any]] = [{} if p.answer is None else p.answer.of(index) for p in grid.points]
    values = sorted({value for law in laws for value in law}, key=sort_key)
    cells = tuple(
        tuple(Value(*as_bounds(law.get(value, NEVER))) for value in values) if law else (None,) * len(values)
        for law in laws
    )
    unanswered = {(i, 0): said for i, p in enumerate(grid.points) if isinstance(said := point_value(p, index), str)}
    words = next(point.answer for point in grid.points if point.answer is not None).words
    down = Axis(grid.axes[0].name, tuple(point.labels[0] for point in grid.points))
    across = Axis("outcome", tuple(words.say(value, grid.asks[index].type) for value in values))
    note = "chance of each outcome, in percent"
    return Heat(grid.asks[index].text, note, down, across, cells, empty=unanswered)


def describe_maps(grid: Grid, index: int) -> list[Heat]:
    """For a grid with two axes or more: a heat map of the first axis (down) and the second (across), for each
    combination of values of the other axes.
    """
    ask = grid.asks[index]
    yes_or_no = ask.type.name == "truth"
    down, across, *others = grid.axes
    found = {point.place: point_value(point, index) for point in grid.points}
    made = []
    for rest in dict.fromkeys(place[2:] for place in found):
        where = "".join(f", {axis.name} {axis.values[i]}" for axis, i in zip(others, rest, strict=True))
        cells: list[tuple[Value | None, ...]] = []
        empty: dict[tuple[int, int], str] = {}
        for i in range(len(down.values)):
            row = [found[(i, j, *rest)] for j in range(len(across.values))]
            cells.append(tuple(None if isinstance(cell, str) else cell for cell in row))
            empty |= {(i, j): cell for j, cell in enumerate(row) if isinstance(cell, str)}
        rows, columns = (Axis(axis.name, tuple(axis.values)) for axis in (down, across))
        note = "chance in percent" if yes_or_no else "mean"
        made.append(Heat(ask.text + where, note, rows, columns, tuple(cells), yes_or_no, empty))
    return made


def describe_grid(grid: Grid, chosen: Iterable[int]) -> tuple[Picture, ...]:
    """Charts for the questions with the indices `chosen`. One axis: bars of means, and a heat map of outcomes unless
    the question is yes-or-no. Two or more: heat maps. Points without an answer are left out; the page's remarks name
    them.
    """
    made: list[Picture] = []
    for index in chosen:
        yes_or_no = grid.asks[index].type.name == "truth"
        counted = any(point.worth(index) is not None for point in grid.points)
        answers = [point.answer for point in grid.points if point.answer is not None]
        if len(grid.axes) > 1:
            made += describe_maps(grid, index) if counted else []
            continue
        if counted and (yes_or_no or not any(NOT_RUN in answer.of(index) for answer in answers)):
            bars = describe_means(grid, index)
            rows = tuple(row for row in bars.rows if row.values)
            made.append(replace(bars, rows=rows, table=rows))
        if not yes_or_no:
            heat = describe_outcomes(grid, index)
            unrun = any(NOT_RUN in answer.of(index) for answer in answers)
            made.append(_fewer(heat, counted, unrun))
    return tuple(made)


def _fewer(found: Heat, numbers: bool, unrun: bool) -> Heat:
    """Leave out values of the axis that have no answer, and sum long tails of outcomes, unless chances are bounds,
    which do not add. `numbers`: outcomes are numbers; `unrun`: the first outcome is "not run".
    """
    kept = [i for i, row in enumerate(found.cells) if any(row)]
    rows = [[value for value in found.cells[i] if value is not None] for i in kept]
    down = Axis(found.down.name, tuple(found.down.labels[i] for i in kept))
    bare = replace(found, down=down, cells=tuple(map(tuple, rows)), empty={})
    if not numbers or any(value.least != value.most for row in rows for value in row):
        return bare
    columns: list[Chances] = [
        (label, tuple(row[i].least for row in rows)) for i, label in enumerate(found.across.labels)
    ]
    told = fold_apart(columns, unrun, fold_tails)
    cells = tuple(tuple(Value(chances[i], chances[i]) for _, chances in told) for i in range(len(rows)))
    return replace(bare, across=Axis(found.across.name, tuple(label for label, _ in told)), cells=cells)


# ---- two questions
def describe_joint(whole: Answer) -> Heat:
    """The joint distribution of the two questions of an answer."""
    found = table(whole, 0, 1)
    one, other = whole.asks
    cells = tuple(
        tuple(Value(*as_bounds(found.cells.get((r, c), Fraction(0)))) for c in found.columns) for r in found.rows
    )
    down = Axis(one.text, tuple(whole.words.say(value, one.type) for value in found.rows))
    across = Axis(other.text, tuple(whole.words.say(value, other.type) for value in found.columns))
    return Heat(f"{one.text} by {other.text}", "chance of both, in percent", down, across, cells)


# ---- before and after
def describe_difference(rows: Sequence[Change], names: tuple[str, str]) -> tuple[Picture, ...]:
    """Charts of the odds before and after a change, for each situation; its yes-or-no questions share a chart.

    `names`: the labels of the two series.
    """
    made: list[Picture] = []
    for name in dict.fromkeys(row.point.name for row in rows):
        mine = [row for row in rows if row.point.name == name]
        truths: list[Row] = []
        others: list[Bars] = []
        for row in mine:
            before, after = row.before.yes, row.after.yes
            if before is None or after is None:
                others.append(_before_after(row, names))
            else:
                truths.append(Row(row.ask, (Value(*before), Value(*after))))
        if truths:
            series = tuple(Series(one) for one in names)
            made.append(Bars(name, "question", series, tuple(truths), tuple(truths), whole=True))
        made += others
    return tuple(made)


def _before_after(row: Change, names: tuple[str, str]) -> Bars:
    laws = (row.before, row.after)
    labels = dict.fromkeys(label for law in laws for label, _ in law.values)
    ordered_ = sorted(labels, key=_rank)
    told = tuple(Row(label, tuple(Value(*law.likely(label)) for law in laws)) for label in ordered_)
    drawn = told
    if all(law.mean is not None and all(a == b for _, (a, b) in law.values) for law in laws):
        few = fold_tails([(label, tuple(law.likely(label)[0] for law in laws)) for label in ordered_])
        drawn = tuple(Row(label, tuple(Value(p, p) for p in chances)) for label, chances in few)
    means = [Value(*law.mean) if law.mean is not None else None for law in laws]
    series = tuple(Series(name, mean) for name, mean in zip(names, means, strict=True))
    return Bars(f"{row.point.name}: {row.ask}", "outcome", series, drawn, told)


def _rank(label: str) -> tuple[bool, Fraction]:
    """A sort key of labels: words first, in the order given, then numbers by value."""
    try:
        return True, Fraction(label.rstrip('"+'))
    except ValueError:
        return False, Fraction(0)
