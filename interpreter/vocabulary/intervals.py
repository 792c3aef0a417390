"""Intervals of numbers, and interval arithmetic.

Functions take and return intervals; an unbounded side is infinite. This module does not know where the numbers come
from.
"""

from __future__ import annotations

from math import inf, isinf
from typing import Any


class Interval(tuple[float, float]):
    """All numbers from `low` to `high`, both included; `|` returns the hull of two intervals."""

    __slots__ = ()

    def __new__(cls, low: float, high: float) -> Interval:
        return super().__new__(cls, (low, high))

    @property
    def low(self) -> float:
        return self[0]

    @property
    def high(self) -> float:
        return self[1]

    def __or__(self, other: Any) -> Interval:
        return Interval(min(self.low, other.low), max(self.high, other.high))

    @property
    def known(self) -> bool:
        """Whether both ends are finite."""
        return not isinf(self.low) and not isinf(self.high)


UNBOUNDED = Interval(-inf, inf)
COUNT = Interval(0, inf)
ZERO = Interval(0, 0)


# ---- of numbers
def add(a: Interval, b: Interval) -> Interval:
    """Return the interval of the sums."""
    return Interval(a.low + b.low, a.high + b.high)


def negate(a: Interval) -> Interval:
    """Return the interval of the negated numbers."""
    return Interval(-a.high, -a.low)


def subtract(a: Interval, b: Interval) -> Interval:
    """Return the interval of the differences, as if the two numbers were independent."""
    return add(a, negate(b))


def product(a: float, b: float) -> float:
    """Return the product, where 0 times infinity is 0."""
    return 0 if a == 0 or b == 0 else a * b


def multiply(a: Interval, b: Interval) -> Interval:
    """Return the interval of the products."""
    ends = [product(x, y) for x in a for y in b]
    return Interval(min(ends), max(ends))


def least(*several: Interval) -> Interval:
    """Return the interval of the minimum of several numbers, one from each interval; at least one is given."""
    return Interval(min(s.low for s in several), min(s.high for s in several))


def most(*several: Interval) -> Interval:
    """Return the interval of the maximum of several numbers, one from each interval; at least one is given."""
    return Interval(max(s.low for s in several), max(s.high for s in several))


def half_rounded_up(a: Interval) -> Interval:
    """Return the interval of the halves, rounded up; an infinite end stays infinite."""
    low, high = (x if isinf(x) else -(-x // 2) for x in a)
    return Interval(low, high)


def round_down(a: Interval) -> Interval:
    """Return the interval of the numbers rounded down; an infinite end stays infinite."""
    low, high = (x if isinf(x) else x // 1 for x in a)
    return Interval(low, high)


# ---- of dice: how many there are, and what one of them can show
def face_of_several(count: Interval, face: Interval) -> Interval:
    """Return the interval of a face that one of the dice shows; the face is 0 without dice."""
    return Interval(face.low if count.low >= 1 else 0, face.high)


def count_of_one_face(count: Interval, face: Interval) -> Interval:
    """Return the interval of the number of dice that show the most frequent face."""
    return Interval(1 if count.low >= 1 else 0, count.high)
