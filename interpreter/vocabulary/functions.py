"""The Python functions of operations, on encoded numbers, rows, faces of dice and bags.

Faces are a sorted tuple of numbers; a row is its index in its table, and -1 is none; a bag is a tuple of (figure,
count). The table of operations names these functions; the checker uses them to evaluate constants, and compiled rules
call them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

MOST_NUMBER = 10**12  # the largest number and the largest denominator of a fraction, far beyond any table
Figure = tuple[Any, ...]
Bag = tuple[tuple[Figure, int], ...]


class Refused(Exception):
    """An evaluation that has no result under these rules: a code of the catalogue, the line, and facts for its message.
    """

    def __init__(self, code: str, line: Any, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.line, self.facts = code, line, facts


def tame(value: Any) -> Any:
    """Return a number unchanged. Raises `Refused` (E007) if it or its denominator is above `MOST_NUMBER`."""
    if value is not None and not -MOST_NUMBER <= value <= MOST_NUMBER:
        raise Refused("E007", None, most=f"{MOST_NUMBER:,}")
    if type(value) is Fraction and value.denominator > MOST_NUMBER:
        raise Refused("E007", None, most=f"{MOST_NUMBER:,}")
    return value


# ---- numbers
def times(a: Any, b: Any) -> Any:
    """Return the product. Raises `Refused` (E007): repeated multiplication is the fastest way to huge numbers."""
    return tame(a * b)


def divide(a: Any, b: Any) -> Any:
    """Return the quotient: an int if it is whole, else a Fraction; 0 for a divisor of 0. Raises `Refused` (E007)."""
    if not b:
        return 0
    value = tame(Fraction(a) / b)
    return value.numerator if value.denominator == 1 else value


def half(a: Any) -> int:
    """Return half of a number, rounded up."""
    return int(-((-a) // 2))


def halved(a: Any) -> Any:
    """Return half of a length, not rounded."""
    return divide(a, 2)


def whole(a: Any) -> int:
    """Return a number rounded down, towards minus infinity."""
    return int(a // 1)


# ---- faces of dice
def lowest(faces: tuple[int, ...]) -> int:
    """Return the lowest face; 0 without dice."""
    return min(faces, default=0)


def highest(faces: tuple[int, ...]) -> int:
    """Return the highest face; 0 without dice."""
    return max(faces, default=0)


def most_of_one_face(faces: tuple[int, ...]) -> int:
    """Return the number of dice that show the most frequent face; 0 without dice."""
    return max([faces.count(f) for f in set(faces)], default=0)


# ---- rows of a table, and collections
def min_row(*rows: int) -> int:
    """Return the first of some rows, ignoring "no row" (-1); -1 if there is none."""
    return min([row for row in rows if row >= 0], default=-1)


def max_row(*rows: int) -> int:
    """Return the last of some rows (at least one); -1 only if all are."""
    return max(rows)


def most_common(values: Iterable[tuple[Any, int]]) -> Any:
    """The most frequent value of (value, count) pairs; of equals, the first in the order of the table. -1 if empty."""
    counts: dict[Any, int] = {}
    for value, n in values:
        counts[value] = counts.get(value, 0) + n
    if not counts:
        return -1
    top = max(counts.values())
    return min(v for v, n in counts.items() if n == top)


def within(figure: Figure | None, b: Bag) -> bool:
    """Return whether a bag contains a figure."""
    return any(f == figure for f, _ in b)


def first_figure(b: Bag) -> Figure | None:
    """Return the first figure of a bag in the order of its encoding; None if the bag is empty."""
    return b[0][0] if b else None
