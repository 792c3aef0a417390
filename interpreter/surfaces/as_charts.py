"""Describes answers as charts, independent of the output: a terminal prints them as bars, a file shows them as
pictures.

Takes answers and bands of the workbench. Gives `Bars` and `Heat`, with exact numbers and labels in the words of the
rules. Outcomes in a long tail are summed into one row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.source.digits import format_number, format_percent, format_share, fraction
from interpreter.source.values import Struct
from interpreter.workbench.answers import NOT_RUN, sort_key
from interpreter.workbench.bands import NEVER, Band, Bounds, as_bounds, format_bounds
from interpreter.workbench.summary_statistics import at_least, is_counted, where_run

Form = Callable[[Fraction], str]
Chart = tuple[Any, int, list[str]]  # an answer or a band, which of its questions, others with the same odds
Chances = tuple[str, tuple[Fraction, ...]]  # an outcome, and its chance in each of several distributions

_FADED = Fraction(1, 2000)  # tails of many outcomes are summed while their chance is less than this
_MANY = 7
_LINES = 24
_BESIDE = 4  # most distributions side by side
_SHORT = 11  # most characters of a fraction beside a bar


# ---- what is shown
class Value(Struct):
    """A chance or a mean. `least` and `most` differ if a choice is open. `runs`: for the mean of a line that may not
    run, the chance that it runs; the mean is conditional on that. `error`: half the width of the interval of an
    estimate.
    """

    least: Fraction
    most: Fraction
    runs: Bounds | None = None
    error: Fraction | None = None

    def said(self, form: Form) -> str:
        """As text: `1.2`, or `1.2 in 7.6%` with the chance that the line runs, or `1.2 ±0.1`."""
        said = format_bounds(self.worth, form)
        if self.error is not None:
            return f"{said} ±{form(self.error)}"
        if self.runs is None:
            return said
        return f"{said} in {format_bounds(self.runs, fraction if form is fraction else format_percent)}"

    @property
    def worth(self) -> Bounds:
        return self.least, self.most

    @property
    def exact(self) -> str:
        return self.said(fraction)

    def wholly(self, form: Form, sign: str) -> str:
        """As text, followed by `sign` and the exact value: `33.3% = 1/3`; an estimate has no exact value."""
        said = self.said(form)
        return f"{said}{sign}{self.exact}" if self.error is None else f"{said}, an estimate"


class Row(Struct):
    """An outcome: `values` has one chance per series; without values, `note` has the reason. `more`: per series the
    chance of this outcome or a greater one; empty if outcomes have no order.
    """

    label: str
    values: tuple[Value, ...] = ()
    more: tuple[Value, ...] = ()
    note: str = ""


class Series(Struct):
    """One of the distributions of a chart. `name` is empty if there is only one."""

    name: str
    mean: Value | None = None
    remark: str = ""

    def said(self, form: Form) -> str:
        """Its mean as text, or the remark if it has none."""
        if self.mean is None:
            return self.remark
        said, runs = f"mean {format_bounds(self.mean.worth, form)}", self.mean.runs
        return said if runs is None else f"{said} where it is run ({format_bounds(runs, format_percent)})"

    def note(self, exact: bool = False) -> str:
        """The same for a picture: as a fraction if `exact` and short enough, else as a decimal."""
        said = self.said(fraction)
        return said if exact and len(said) <= _SHORT + len("mean ") else self.said(format_number)

    def named(self, exact: bool) -> str:
        """Its name and its note, separated by a comma."""
        return ", ".join(filter(None, (self.name, self.note(exact))))


class Bars(Struct):
    """A bar chart of one distribution, or of several side by side.

    `rows` are drawn; `table` has every outcome, including those summed into one row. `whole`: a full bar means 100%,
    not the most likely outcome. `exact`: write fractions beside the bars if they are short.
    """

    title: str
    first: str  # what the rows are: "outcome", "question"
    series: tuple[Series, ...]
    rows: tuple[Row, ...]
    table: tuple[Row, ...]
    whole: bool = False
    what: str = "chance"
    exact: bool = False

    def form(self, rows: Sequence[Row]) -> Form:
        """The function that writes the values of these rows in a picture."""
        if self.what == "mean":
            return format_number
        short = self.exact and all(len(v.exact) <= _SHORT for row in rows for v in row.values)
        return fraction if short else format_share


class Axis(Struct):
    """One axis of a heat map: its name, and the label of each place on it."""

    name: str
    labels: tuple[str, ...]


class Heat(Struct):
    """A heat map: `cells[down][across]` is the value at a place on two axes, or None; `empty` then gives the reason by
    (down, across). `chances`: whether the values are chances, else means. `ends`: the values of the palest and the
    darkest shade, to compare several maps.
    """

    title: str
    note: str
    down: Axis
    across: Axis
    cells: tuple[tuple[Value | None, ...], ...]
    chances: bool = True
    empty: Mapping[tuple[int, int], str] = {}
    ends: tuple[Fraction, Fraction] | None = None

    @property
    def form(self) -> Form:
        return format_share if self.chances else format_number

    def said(self, down: int, across: int, said: Callable[[Value], str]) -> str:
        """A cell as text, or the reason why it is empty; `said` formats a value."""
        value = self.cells[down][across]
        return said(value) if value is not None else self.empty.get((down, across), "never")


Picture = Bars | Heat


EXACT = "Exact odds: every way that the dice can fall, each with its weight. Only what is shown in percent is rounded."


class Page(Struct):
    """A page of pictures. `lines` above them describe the situation; `remarks` follow them, then `basis`, the origin of
    the numbers.
    """

    rules: str
    heading: str
    lines: tuple[str, ...]
    pictures: tuple[Picture, ...]
    remarks: tuple[str, ...] = ()
    basis: str = EXACT


# ---- distributions
def describe_charts(charts: Sequence[Chart], exact: bool = False, beside: bool = False) -> tuple[Picture, ...]:
    """A chart for each question; all yes-or-no questions share one. `beside`: up to four distributions of numbers of
    one type share one too.
    """
    truths = [chart for chart in charts if is_yes_or_no(chart)]
    numbers = [chart for chart in charts if _is_numbers(chart)]
    types = {answer.asks[index].type.name for answer, index, _ in numbers}
    together = numbers if beside and 1 < len(numbers) <= _BESIDE and len(types) == 1 else []
    made: list[Picture] = []
    for chart in charts:
        if chart in truths:
            made += [describe_chances(truths, exact)] if chart is truths[0] else []
        elif chart in together:
            names = [answer.asks[index].text for answer, index, _ in together]
            made += [describe_side_by_side(", ".join(names), together, names, exact)] if chart is together[0] else []
        else:
            made.append(describe_distribution(chart, exact))
    return tuple(made)


def describe_distribution(chart: Chart, exact: bool = False) -> Bars:
    """The chart of a single question."""
    return (
        describe_chances([chart], exact)
        if is_yes_or_no(chart)
        else describe_side_by_side(_text(chart), [chart], [""], exact)
    )


def describe_chances(charts: Sequence[Chart], exact: bool = False) -> Bars:
    """The chances of yes-or-no questions, a row each."""
    alone = len(charts) == 1
    rows = tuple(
        Row("yes" if alone else _text(chart), (Value(*as_bounds(chart[0].chance(chart[1]))),)) for chart in charts
    )
    title, first = (_text(charts[0]), "outcome") if alone else ("How likely", "question")
    return Bars(title, first, (Series(""),), rows, rows, whole=True, exact=exact)


def describe_side_by_side(title: str, charts: Sequence[Chart], names: Sequence[str], exact: bool = False) -> Bars:
    """Several distributions over the union of their outcomes. If one of them is a band, no rows are summed, because
    bounds of chances do not add.
    """
    series = tuple(Series(name, _mean(chart)) for name, chart in zip(names, charts, strict=True))
    laws: list[dict[Any, Any]] = [answer.of(index) for answer, index, _ in charts]
    outcomes = sorted({value for law in laws for value in law}, key=sort_key)
    answer, index, _ = charts[0]
    labels = [answer.words.say(value, answer.asks[index].type) for value in outcomes]
    numbers = all(map(_is_numbers, charts))
    if any(isinstance(chart[0], Band) for chart in charts):
        more = [_at_least(chart) for chart in charts] if numbers else []
        rows = tuple(
            Row(
                label,
                tuple(Value(*as_bounds(law.get(value, NEVER))) for law in laws),
                tuple(Value(*one[value]) for one in more) if all(value in one for one in more) else (),
            )
            for value, label in zip(outcomes, labels, strict=True)
        )
        return Bars(title, "outcome", series, rows, rows, exact=exact)
    found: list[Chances] = [
        (label, tuple(law.get(value, Fraction(0)) for law in laws))
        for value, label in zip(outcomes, labels, strict=True)
    ]
    unrun = any(NOT_RUN in law for law in laws)
    drawn = fold_apart(found, unrun, fold_tails) if numbers else found
    table = _rows(found, numbers, unrun)
    rows = table if drawn == found else _rows(drawn, numbers, unrun)
    return Bars(title, "outcome", series, rows, table, exact=exact)


def _rows(found: list[Chances], numbers: bool, unrun: bool) -> tuple[Row, ...]:
    """Rows of chances. `unrun`: the first is the outcome "not run", for which "this or more" has no meaning."""
    more = sum_upwards(found) if numbers else [()] * len(found)
    more = [(), *more[1:]] if unrun else more
    return tuple(
        Row(label, tuple(Value(p, p) for p in chances), tuple(Value(p, p) for p in beyond))
        for (label, chances), beyond in zip(found, more, strict=True)
    )


def _at_least(chart: Chart) -> dict[Any, Bounds]:
    """The chance of each value or a greater one. A band omits the least value, whose chance is 1."""
    answer, index, _ = chart
    if isinstance(answer, Band):
        return answer.at_least(index)
    return at_least(answer, index)


def _mean(chart: Chart) -> Value | None:
    """The mean; None if outcomes are not numbers, or the line never runs."""
    answer, index, _ = chart
    if not _is_numbers(chart):
        return None
    some, runs = where_run(answer, index) or (as_bounds(answer.mean(index)), None)
    return None if some is None else Value(*some, runs)


def _is_numbers(chart: Chart) -> bool:
    return is_counted(chart[0], chart[1]) and None not in chart[0].of(chart[1])


def is_yes_or_no(chart: Chart) -> bool:
    """Whether the question is of type truth, and its line always runs."""
    answer, index, _ = chart
    return answer.asks[index].type.name == "truth" and NOT_RUN not in answer.of(index)


def _text(chart: Chart) -> str:
    answer, index, same = chart
    return ", ".join((answer.asks[index].text, *same))


# ---- summing rows
def fold_apart(rows: list[Chances], unrun: bool, fold: Callable[[list[Chances]], list[Chances]]) -> list[Chances]:
    """Apply `fold` to the rows; `unrun`: leave out the first, the outcome "not run"."""
    return [*rows[:1], *fold(rows[1:])] if unrun else fold(rows)


def fold_tails(rows: list[Chances]) -> list[Chances]:
    """Sum each long tail into one row (`9+`, `2 or less`), then neighbours into ranges if there are still too many
    rows.
    """
    low, high = 0, len(rows)
    if len(rows) > _MANY:
        while high > low + 2 and _faint(rows[high - 2 :]):
            high -= 1
        while low < high - 2 and _faint(rows[: low + 2]):
            low += 1
    middle = rows[low:high]
    if low:
        middle[0] = (f"{rows[low][0]} or less", _sum(rows[: low + 1]))
    if high < len(rows):
        middle[-1] = (f"{rows[high - 1][0]}+", _sum(rows[high - 1 :]))
    return _in_ranges(middle)


def sum_upwards(rows: list[Chances]) -> list[tuple[Fraction, ...]]:
    """For each row the sum of its chances and those of all rows after it."""
    found: list[tuple[Fraction, ...]] = []
    for row in reversed(rows):
        found.append(_sum([row, ("", found[-1])] if found else [row]))
    return found[::-1]


def _in_ranges(rows: list[Chances]) -> list[Chances]:
    """Sum neighbours into ranges such as `103 to 107` if there are more rows than a screen holds; the two ends stay."""
    if len(rows) <= _LINES:
        return rows
    step = -(-len(rows) // (_LINES - 4))
    found = rows[:1]
    for i in range(1, len(rows) - 1, step):
        part = rows[i : min(i + step, len(rows) - 1)]
        found.append((part[0][0] if len(part) == 1 else f"{part[0][0]} to {part[-1][0]}", _sum(part)))
    return [*found, rows[-1]]


def _faint(rows: list[Chances]) -> bool:
    return max(_sum(rows), default=Fraction(0)) < _FADED


def _sum(rows: list[Chances]) -> tuple[Fraction, ...]:
    return tuple(sum(column, Fraction(0)) for column in zip(*(chances for _, chances in rows), strict=True))
