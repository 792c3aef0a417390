"""A distribution as rows that fit on a page: the same in a terminal and in a picture.

Enters: outcomes in words, each with its chances (one, or one for each of several columns that stand side by side).
Leaves: fewer of them where there are many, summed exactly; numbers in words. Knows nothing of how they are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band
from interpreter.workbench.figures import where_run

Row = tuple[str, tuple[Fraction, ...]]

_FADED = Fraction(1, 2000)  # less than this on either end of many outcomes is told together
_MANY = 7
_LINES = 24


def mean_of(answer: Answer | Band, index: int, form: Callable[[Fraction], str]) -> str:
    """`mean 2`; of what is not always run `mean 1.2 where it is run (7.6%)`. Nothing where it never is."""
    found = where_run(answer, index)
    if found is None:
        mean = answer.mean(index)
        return f"mean {between(mean if isinstance(mean, tuple) else (mean, mean), form)}"
    some, runs = found
    return "" if some is None else f"mean {between(some, form)} where it is run ({between(runs, percent)})"


def apart(rows: list[Row], unrun: bool, fold: Callable[[list[Row]], list[Row]]) -> list[Row]:
    """Rows folded; the first stays for itself where it says that nothing was run."""
    return [*rows[:1], *fold(rows[1:])] if unrun else fold(rows)


def percent(value: Fraction) -> str:
    shown = f"{float(value) * 100:.1f}%"
    if value and shown == "0.0%":
        return "<0.1%"
    return ">99.9%" if value != 1 and shown == "100.0%" else shown


def number(value: Fraction) -> str:
    """A mean: whole, or to two decimals (more where it is small)."""
    if value.denominator == 1:
        return str(value.numerator)
    return f"{float(value):.2f}" if abs(value) >= Fraction(1, 20) else f"{float(value):.2g}"


def between(bounds: tuple[Fraction, Fraction], form: Callable[[Fraction], str]) -> str:
    return " to ".join(dict.fromkeys(form(b) for b in bounds))


def folded(rows: list[Row]) -> list[Row]:
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


def or_more(rows: list[Row]) -> list[tuple[Fraction, ...]]:
    """For each row the chance of it or of any after it."""
    found: list[tuple[Fraction, ...]] = []
    for row in reversed(rows):
        found.append(_sum([row, ("", found[-1])] if found else [row]))
    return found[::-1]


def _in_ranges(rows: list[Row]) -> list[Row]:
    """More rows than a screen has: neighbours together, `103 to 107`. The ends, which say `or less`, stay."""
    if len(rows) <= _LINES:
        return rows
    step = -(-len(rows) // (_LINES - 4))
    found = rows[:1]
    for i in range(1, len(rows) - 1, step):
        part = rows[i : min(i + step, len(rows) - 1)]
        found.append((part[0][0] if len(part) == 1 else f"{part[0][0]} to {part[-1][0]}", _sum(part)))
    return [*found, rows[-1]]


def _faint(rows: list[Row]) -> bool:
    return max(_sum(rows), default=Fraction(0)) < _FADED


def _sum(rows: list[Row]) -> tuple[Fraction, ...]:
    return tuple(sum(column, Fraction(0)) for column in zip(*(chances for _, chances in rows), strict=True))
