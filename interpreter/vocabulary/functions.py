"""What operations come to: plain functions of numbers, rows and faces of dice, as they are encoded.

Enters and leaves: encoded values. Faces are a sorted tuple of numbers; a row is its place in its table, and -1 is none;
counted things are a tuple of (thing, how many). The table of operations names these functions; the checker works out
with them what is certain, and compiled rules call them.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

MOST_NUMBER = 10**12  # of a number, and of the divisor of one that is not whole: far beyond any table
Figure = tuple[Any, ...]
Bag = tuple[tuple[Figure, int], ...]


class Refused(Exception):
    """A question that has no answer under these rules: a code of the catalogue, the line, and facts for its message."""

    def __init__(self, code: str, line: Any, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.line, self.facts = code, line, facts


def tame(value: Any) -> Any:
    """A number that is written on a card; one that has grown past all use is refused."""
    if value is not None and not -MOST_NUMBER <= value <= MOST_NUMBER:
        raise Refused("E007", None, most=f"{MOST_NUMBER:,}")
    if type(value) is Fraction and value.denominator > MOST_NUMBER:
        raise Refused("E007", None, most=f"{MOST_NUMBER:,}")
    return value


# ---- numbers
def times(a: Any, b: Any) -> Any:
    """A product; by multiplying alone a number grows faster than rules are long."""
    return tame(a * b)


def divide(a: Any, b: Any) -> Any:
    """A quotient: an int where it is whole, else a Fraction; 0 for a divisor of 0. Raises `Refused` (E007) as `tame`
    does.
    """
    if not b:
        return 0
    value = tame(Fraction(a) / b)
    return value.numerator if value.denominator == 1 else value


def half(a: Any) -> int:
    """Half of a number, rounded up."""
    return int(-((-a) // 2))


def halved(a: Any) -> Any:
    """Half of a length, as it is: a tape measure knows halves."""
    return divide(a, 2)


def whole(a: Any) -> int:
    """A number rounded down, towards minus infinity."""
    return int(a // 1)


# ---- faces of dice
def lowest(faces: tuple[int, ...]) -> int:
    """The lowest face; 0 without dice."""
    return min(faces, default=0)


def highest(faces: tuple[int, ...]) -> int:
    """The highest face; 0 without dice."""
    return max(faces, default=0)


def alike(faces: tuple[int, ...]) -> int:
    """The number of dice that show the most frequent face; 0 without dice."""
    return max([faces.count(f) for f in set(faces)], default=0)


# ---- rows of a table, and collections
def min_row(*rows: int) -> int:
    """The first of some rows; no row at all is before none of them."""
    return min([row for row in rows if row >= 0], default=-1)


def max_row(*rows: int) -> int:
    """The last of some rows (at least one); no row (-1) only where all are none."""
    return max(rows)


def most_common(values: Iterable[tuple[Any, int]]) -> Any:
    """The value most have; ties go to the first in the order of the table."""
    counts: dict[Any, int] = {}
    for value, n in values:
        counts[value] = counts.get(value, 0) + n
    if not counts:
        return -1
    top = max(counts.values())
    return min(v for v, n in counts.items() if n == top)


def within(figure: Figure | None, b: Bag) -> bool:
    """Whether a bag contains a figure, however many of it."""
    return any(f == figure for f, _ in b)


def first_figure(b: Bag) -> Figure | None:
    """The first figure of a bag in the order of its encoding; None if the bag is empty."""
    return b[0][0] if b else None
