"""Summary statistics of a distribution: mean, variance, quantiles, cumulative chances, and joint tables.

Takes an exact answer, or a band. Gives fractions, as pairs (least, greatest), which are equal if no choice is open.
Knows nothing of how they are shown.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.source.values import Struct
from interpreter.vocabulary.types import NOT_RUN

from .answers import Answer, sort_key
from .bands import Band, Bounds, as_bounds

_NUMBERS = ("number", "inches", "target")


def is_counted(answer: Answer | Band, index: int) -> bool:
    """Whether the outcomes of a question are numbers, apart from lines that did not run."""
    return answer.asks[index].type.name in _NUMBERS


def is_number(answer: Answer | Band, index: int) -> bool:
    """Whether all outcomes are numbers."""
    return is_counted(answer, index) and not {None, NOT_RUN} & {*values(answer, index)}


def where_run(answer: Answer | Band, index: int) -> tuple[Bounds | None, Bounds] | None:
    """The mean given that the line runs (None if it never does), and the chance that it does; None if it always
    runs, or is not a number.
    """
    found = values(answer, index)
    if not is_counted(answer, index) or None in found or NOT_RUN not in found:
        return None
    mean, runs = answer.mean_where_run(index), answer.runs(index)
    return None if mean is None else as_bounds(mean), as_bounds(runs)


def values(answer: Answer | Band, index: int) -> list[Any]:
    """All outcomes, in ascending order."""
    return answer.values(index) if isinstance(answer, Band) else list(answer.of(index))


def worth(answer: Answer | Band, index: int) -> Bounds | None:
    """The chance of yes, or the mean of a number; None for other types."""
    if answer.asks[index].type.name == "truth":
        return as_bounds(answer.chance(index))
    return as_bounds(answer.mean(index)) if is_number(answer, index) else None


def at_least(answer: Answer | Band, index: int) -> dict[Any, Bounds]:
    """For each value, the chance of it or a greater one."""
    if isinstance(answer, Band):
        return {values(answer, index)[0]: (Fraction(1), Fraction(1)), **answer.at_least(index)}
    found: dict[Any, Bounds] = {}
    left = Fraction(1)
    for each, p in answer.of(index).items():
        found[each] = left, left
        left -= p
    return found


def at_most(answer: Answer | Band, index: int) -> dict[Any, Bounds]:
    """For each value, the chance of it or a smaller one: the complement of the next greater."""
    more = at_least(answer, index)
    beyond = [*list(more.values())[1:], (Fraction(0), Fraction(0))]
    return {each: (1 - most, 1 - least) for each, (least, most) in zip(more, beyond, strict=True)}


def variance(answer: Answer | Band, index: int) -> Fraction | None:
    """The variance; None for a band, for which it is not a linear function of the ends."""
    if isinstance(answer, Band) or not is_number(answer, index):
        return None
    found = answer.of(index)
    mean = answer.mean(index)
    return sum(((Fraction(v) - mean) ** 2 * p for v, p in found.items()), Fraction(0))


def quantile(answer: Answer | Band, index: int, share: Fraction) -> tuple[Any, Any]:
    """The smallest value whose cumulative chance is at least `share`; for a band, the lowest and highest by choices."""
    found = at_most(answer, index)
    return next(v for v, p in found.items() if p[1] >= share), next(v for v, p in found.items() if p[0] >= share)


class Table(Struct, eq=False):
    """The joint distribution of two questions: the chance of every pair of values, which are sorted."""

    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    cells: dict[tuple[Any, Any], Fraction]


def table(answer: Answer, one: int, two: int) -> Table:
    """The joint distribution of the questions at the indices `one` (rows) and `two` (columns) of an answer."""
    cells: dict[tuple[Any, Any], Fraction] = {}
    for found, weight in answer.joint:
        pair = found[one], found[two]
        cells[pair] = cells.get(pair, Fraction(0)) + Fraction(weight, answer.total)
    rows, columns = (tuple(sorted({pair[i] for pair in cells}, key=sort_key)) for i in (0, 1))
    return Table(rows, columns, cells)
