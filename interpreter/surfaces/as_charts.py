"""What an answer shows, and nothing of how: the one description of which a terminal makes bars and a file pictures.

Enters: answers and bands of the workbench. Leaves: `Bars` and `Heat`, every number exact, every word the game's; and
how numbers are said in short. Long tails are told together, summed exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from interpreter.source.digits import fraction
from interpreter.source.values import Struct
from interpreter.workbench.answers import NOT_RUN, ordered
from interpreter.workbench.bands import NEVER, Band, Bounds, as_bounds, between
from interpreter.workbench.summary_statistics import at_least, is_counted, where_run

Form = Callable[[Fraction], str]
Chart = tuple[Any, int, list[str]]  # an answer or a band, which of its questions, others with the same odds
Chances = tuple[str, tuple[Fraction, ...]]  # an outcome, and its chance in each of several distributions

_FADED = Fraction(1, 2000)  # less than this on either end of many outcomes is told together
_MANY = 7
_LINES = 24
_BESIDE = 4  # distributions that stand side by side
_SHORT = 11  # letters of a fraction that has room beside a bar


# ---- numbers in words
def percent(value: Fraction) -> str:
    shown = f"{float(value) * 100:.1f}%"
    if value and shown == "0.0%":
        return "<0.1%"
    return ">99.9%" if value != 1 and shown == "100.0%" else shown


def share(value: Fraction) -> str:
    """Percent; what can never be, and what is certain, without decimals that look rounded."""
    return f"{value.numerator * 100}%" if value.denominator == 1 else percent(value)


def number(value: Fraction) -> str:
    """A mean: whole, or to two decimals (more where it is small)."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.2f}" if abs(value) >= Fraction(1, 20) else f"{float(value):.2g}"


# ---- what is shown
class Value(Struct):
    """A chance or a mean; from `least` to `most` where somebody chooses. A mean of what is not always run is that where
    it is run, and `runs` how often that is.
    """

    least: Fraction
    most: Fraction
    runs: Bounds | None = None

    def said(self, form: Form) -> str:
        """`1.2`, or `1.2 in 7.6%`."""
        said = between(self.worth, form)
        if self.runs is None:
            return said
        return f"{said} in {between(self.runs, fraction if form is fraction else percent)}"

    @property
    def worth(self) -> Bounds:
        return self.least, self.most

    @property
    def exact(self) -> str:
        return self.said(fraction)


class Row(Struct):
    """An outcome: one value in each series, or a `note` why there is none. `more` says how likely this or more is,
    where that means anything.
    """

    label: str
    values: tuple[Value, ...] = ()
    more: tuple[Value, ...] = ()
    note: str = ""


class Series(Struct):
    """One of the distributions that stand side by side; one alone needs no name."""

    name: str
    mean: Value | None = None
    remark: str = ""

    def said(self, form: Form) -> str:
        """What is said of all of it: its mean, if it has one."""
        if self.mean is None:
            return self.remark
        said, runs = f"mean {between(self.mean.worth, form)}", self.mean.runs
        return said if runs is None else f"{said} where it is run ({between(runs, percent)})"

    def note(self, exact: bool = False) -> str:
        """The same beside a picture: a fraction where it is wished for and short."""
        said = self.said(fraction)
        return said if exact and len(said) <= _SHORT + len("mean ") else self.said(number)

    def named(self, exact: bool) -> str:
        """Its name, and its note."""
        return ", ".join(filter(None, (self.name, self.note(exact))))


class Bars(Struct):
    """A distribution, or several side by side. `rows` are drawn; `table` has every outcome, also those drawn as one.
    `whole`: a full bar is certainty, not the likeliest outcome. `exact`: fractions beside the bars, if they are short.
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
        """How the values of these rows are written in a picture."""
        if self.what == "mean":
            return number
        short = self.exact and all(len(v.exact) <= _SHORT for row in rows for v in row.values)
        return fraction if short else share


class Axis(Struct):
    name: str
    labels: tuple[str, ...]


class Heat(Struct):
    """A number for each place on two axes: `cells[down][across]`, None where there is none, and `empty` says why.
    `chances`: chances.
    """

    title: str
    note: str
    down: Axis
    across: Axis
    cells: tuple[tuple[Value | None, ...], ...]
    chances: bool = True
    empty: Mapping[tuple[int, int], str] = {}

    @property
    def form(self) -> Form:
        return share if self.chances else number

    def said(self, down: int, across: int, said: Callable[[Value], str]) -> str:
        """A cell in words, also one that is empty."""
        value = self.cells[down][across]
        return said(value) if value is not None else self.empty.get((down, across), "never")


Picture = Bars | Heat


class Page(Struct):
    """Pictures under one heading. `lines` describe what was asked; `remarks` follow the pictures."""

    rules: str
    heading: str
    lines: tuple[str, ...]
    pictures: tuple[Picture, ...]
    remarks: tuple[str, ...] = ()


# ---- distributions
def descriptions(charts: Sequence[Chart], exact: bool = False, beside: bool = False) -> tuple[Picture, ...]:
    """A description of each distribution; one of all questions of yes or no. `beside`: distributions of numbers share
    one, so that they can be compared.
    """
    truths = [chart for chart in charts if is_yes_or_no(chart)]
    numbers = [chart for chart in charts if _is_numbers(chart)]
    types = {answer.asks[index].type.name for answer, index, _ in numbers}
    together = numbers if beside and 1 < len(numbers) <= _BESIDE and len(types) == 1 else []
    made: list[Picture] = []
    for chart in charts:
        if chart in truths:
            made += [chances(truths, exact)] if chart is truths[0] else []
        elif chart in together:
            names = [answer.asks[index].text for answer, index, _ in together]
            made += [side_by_side(", ".join(names), together, names, exact)] if chart is together[0] else []
        else:
            made.append(distribution(chart, exact))
    return tuple(made)


def distribution(chart: Chart, exact: bool = False) -> Bars:
    """One question by itself."""
    return chances([chart], exact) if is_yes_or_no(chart) else side_by_side(_text(chart), [chart], [""], exact)


def chances(charts: Sequence[Chart], exact: bool = False) -> Bars:
    """Questions that are answered with yes or no: how likely each of them is."""
    alone = len(charts) == 1
    rows = tuple(
        Row("yes" if alone else _text(chart), (Value(*as_bounds(chart[0].chance(chart[1]))),)) for chart in charts
    )
    title, first = (_text(charts[0]), "outcome") if alone else ("How likely", "question")
    return Bars(title, first, (Series(""),), rows, rows, whole=True, exact=exact)


def side_by_side(title: str, charts: Sequence[Chart], names: Sequence[str], exact: bool = False) -> Bars:
    """Distributions with their outcomes in common, each under its name. Where a choice is open somewhere each outcome
    keeps its row, for bounds cannot be added up.
    """
    series = tuple(Series(name, _mean(chart)) for name, chart in zip(names, charts, strict=True))
    laws: list[dict[Any, Any]] = [answer.of(index) for answer, index, _ in charts]
    outcomes = sorted({value for law in laws for value in law}, key=ordered)
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
    drawn = apart(found, unrun, folded) if numbers else found
    return Bars(title, "outcome", series, _rows(drawn, numbers, unrun), _rows(found, numbers, unrun), exact=exact)


def _rows(found: list[Chances], numbers: bool, unrun: bool) -> tuple[Row, ...]:
    """`unrun`: the first is what was not run, which is no number, and nothing is more than that."""
    more = or_more(found) if numbers else [()] * len(found)
    more = [(), *more[1:]] if unrun else more
    return tuple(
        Row(label, tuple(Value(p, p) for p in chances), tuple(Value(p, p) for p in beyond))
        for (label, chances), beyond in zip(found, more, strict=True)
    )


def _at_least(chart: Chart) -> dict[Any, Bounds]:
    """How likely each value or more is; of a band, but for the least of them."""
    answer, index, _ = chart
    if isinstance(answer, Band):
        return answer.at_least(index)
    return at_least(answer, index)


def _mean(chart: Chart) -> Value | None:
    """None of what is no number, or never run."""
    answer, index, _ = chart
    if not _is_numbers(chart):
        return None
    some, runs = where_run(answer, index) or (as_bounds(answer.mean(index)), None)
    return None if some is None else Value(*some, runs)


def _is_numbers(chart: Chart) -> bool:
    return is_counted(chart[0], chart[1]) and None not in chart[0].of(chart[1])


def is_yes_or_no(chart: Chart) -> bool:
    """Whether the answer is yes or no, and always run."""
    answer, index, _ = chart
    return answer.asks[index].type.name == "truth" and NOT_RUN not in answer.of(index)


def _text(chart: Chart) -> str:
    answer, index, same = chart
    return ", ".join((answer.asks[index].text, *same))


# ---- fewer rows
def apart(rows: list[Chances], unrun: bool, fold: Callable[[list[Chances]], list[Chances]]) -> list[Chances]:
    """Rows folded; the first stays for itself where it says that nothing was run."""
    return [*rows[:1], *fold(rows[1:])] if unrun else fold(rows)


def folded(rows: list[Chances]) -> list[Chances]:
    """Long tails in one row each: `9+`, `2 or less`; then neighbours together where there are still too many."""
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


def or_more(rows: list[Chances]) -> list[tuple[Fraction, ...]]:
    """For each row the chance of it or of any after it."""
    found: list[tuple[Fraction, ...]] = []
    for row in reversed(rows):
        found.append(_sum([row, ("", found[-1])] if found else [row]))
    return found[::-1]


def _in_ranges(rows: list[Chances]) -> list[Chances]:
    """More rows than a screen has: neighbours together, `103 to 107`. The ends, which say `or less`, stay."""
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
