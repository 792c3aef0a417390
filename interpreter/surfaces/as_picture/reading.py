"""Exact answers → pictures.

Enters: answers and bands of the workbench. Leaves: `Bars` and `Heat`, every number still exact, every word the game's.
Knows nothing of drawing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.surfaces.as_json import fraction
from interpreter.surfaces.as_rows import Row as Chances
from interpreter.surfaces.as_rows import apart, between, folded, mean_of, number, or_more, percent
from interpreter.workbench.answers import NOT_RUN, ordered
from interpreter.workbench.bands import Band
from interpreter.workbench.figures import is_counted

from .pictures import Bars, Picture, Row, Series, Value

Bounds = tuple[Fraction, Fraction]
Chart = tuple[Any, int, list[str]]  # an answer or a band, which of its questions, others with the same odds

_BESIDE = 4  # distributions that stand side by side
_SHORT = 11  # letters of a fraction that has room beside a bar


def pictures(charts: Sequence[Chart], exact: bool = False, beside: bool = False) -> tuple[Picture, ...]:
    """A picture for each distribution; one for all questions of yes or no. `beside`: distributions of numbers share
    one, so that they can be compared. `exact`: fractions beside the bars, where they have room.
    """
    truths = [c for c in charts if c[0].asks[c[1]].type.name == "truth" and not unrun(c[0].of(c[1]))]
    numbers = [c for c in charts if _numbers(c)]
    together = numbers if beside and 1 < len(numbers) <= _BESIDE and len({_type(c) for c in numbers}) == 1 else []
    made: list[Picture] = []
    for chart in charts:
        if chart in truths:
            made += [chances(truths, exact)] if chart is truths[0] else []
        elif chart in together:
            named = [(c[0].asks[c[1]].text, c) for c in together]
            made += [side_by_side(", ".join(name for name, _ in named), named, exact)] if chart is together[0] else []
        else:
            made.append(side_by_side(_text(chart), [("", chart)], exact))
    return tuple(made)


def chances(charts: Sequence[Chart], exact: bool = False) -> Bars:
    """Questions that are answered with yes or no: how likely each of them is."""
    found = [bounds_of(c[0].chance(c[1])) for c in charts]
    rows = tuple(
        Row("yes" if len(charts) == 1 else _text(c), (v,)) for c, v in zip(charts, _values(found, exact), strict=True)
    )
    alone = len(charts) == 1
    title, first = (_text(charts[0]), "outcome") if alone else ("How likely", "question")
    return Bars(title, first, (Series(""),), rows, rows, True)


def side_by_side(title: str, named: Sequence[tuple[str, Chart]], exact: bool = False) -> Bars:
    """Distributions with their outcomes in common, each under its name; one alone needs none."""
    charts = [chart for _, chart in named]
    series = tuple(Series(printable(name), _mean(c, exact)) for name, c in named)
    if any(_is_band(c) for c in charts):
        rows = _bands(charts, exact)
        return Bars(title, "outcome", series, rows, rows)
    found = [answer.of(index) for answer, index, _ in charts]
    told = [(_say(charts[0], v), tuple(one.get(v, Fraction(0)) for one in found)) for v in _outcomes(found)]
    numbers = all(_numbers(c) for c in charts)
    more = numbers and len(told) > 2
    drawn = _distributions(apart(told, any(map(unrun, found)), folded) if numbers else told, more, exact)
    return Bars(title, "outcome", series, drawn, _distributions(told, more, exact))


def _distributions(rows: list[Chances], more: bool, exact: bool) -> tuple[Row, ...]:
    flat = iter(_values([(p, p) for _, chances in rows for p in chances], exact))
    beyond: list[tuple[Fraction, ...]] = or_more(rows) if more else [()] * len(rows)
    return tuple(
        Row(label, tuple(next(flat) for _ in chances), tuple(_value((p, p)) for p in m))
        for (label, chances), m in zip(rows, beyond, strict=True)
    )


def _bands(charts: Sequence[Chart], exact: bool) -> tuple[Row, ...]:
    """Where a choice is open somewhere. Bounds cannot be added up, so each outcome keeps its row."""
    found = [_all_bounds(c) for c in charts]
    more = [_all_at_least(c) if _numbers(c) else {} for c in charts]
    values = _outcomes(found)
    never = (Fraction(0), Fraction(0))
    flat = iter(_values([one.get(v, never) for v in values for one in found], exact))
    return tuple(
        Row(
            _say(charts[0], v),
            tuple(next(flat) for _ in charts),
            tuple(_value(one[v]) for one in more if v in one) if all(v in one for one in more) else (),
        )
        for v in values
    )


def _outcomes(found: Sequence[dict[Any, Any]]) -> list[Any]:
    """What can come out of any of them, in order."""
    return sorted({v for one in found for v in one}, key=ordered)


def _say(chart: Chart, value: Any) -> str:
    answer, index, _ = chart
    return printable(answer.words.say(value, answer.asks[index].type))


def _all_bounds(chart: Chart) -> dict[Any, Bounds]:
    answer, index, _ = chart
    return {v: bounds_of(b) for v, b in answer.of(index).items()}


def _all_at_least(chart: Chart) -> dict[Any, Bounds]:
    answer, index, _ = chart
    if _is_band(chart):
        found: dict[Any, Bounds] = answer.at_least(index)
        return found
    rows: list[Chances] = [(str(v), (p,)) for v, p in answer.of(index).items()]
    return {v: (p, p) for v, (p,) in zip(answer.of(index), or_more(rows), strict=True)}


# ---- one number
def value_of(bounds: Bounds, share: bool = True) -> Value:
    """A chance, or a mean."""
    return _value(bounds, _share if share else number)


def _share(value: Fraction) -> str:
    """Percent; what can never be, and what is certain, without decimals that look rounded."""
    return f"{value.numerator * 100}%" if value.denominator == 1 else percent(value)


def _value(bounds: Bounds, form: Callable[[Fraction], str] = _share) -> Value:
    return Value(*bounds, between(bounds, form), between(bounds, fraction))


def _values(found: Sequence[Bounds], exact: bool) -> list[Value]:
    """As percent; as fractions if somebody wants that and all of them are short."""
    short = exact and all(len(between(b, fraction)) <= _SHORT for b in found)
    return [_value(b, fraction if short else _share) for b in found]


def _mean(chart: Chart, exact: bool) -> str:
    if not _numbers(chart):
        return ""
    said = mean_of(chart[0], chart[1], fraction)
    return said if exact and len(said) <= _SHORT + len("mean ") else mean_of(chart[0], chart[1], number)


def bounds_of(found: Any) -> Bounds:
    """One number, or the least and the greatest of it."""
    return found if isinstance(found, tuple) else (found, found)


# ---- what a chart is
def _is_band(chart: Chart) -> bool:
    return isinstance(chart[0], Band)


def _numbers(chart: Chart) -> bool:
    return is_counted(chart[0], chart[1]) and None not in chart[0].of(chart[1])


def unrun(law: dict[Any, Any]) -> bool:
    """Whether what was asked for may be not run."""
    return NOT_RUN in law


def _type(chart: Chart) -> str:
    name: str = chart[0].asks[chart[1]].type.name
    return name


def _text(chart: Chart) -> str:
    answer, index, same = chart
    return printable(", ".join((answer.asks[index].text, *same)))


def printable(said: str) -> str:
    """Without what no file of XML may hold."""
    return "".join(c if c.isprintable() else " " for c in said)
