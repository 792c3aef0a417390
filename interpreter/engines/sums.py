"""The sum of independent numbers of one law.

Enters: a law whose outcomes are numbers, and how many are added up. Leaves: the law of their sum, with integer weights;
nothing is cut off. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from .laws import Law, spread

Counts = dict[int, int]  # by sum
Sums = tuple[int, Counts]  # over a total
Spend = Callable[[int, int], None]
DENSE = 2_000  # sums up to which all weights are digits of one number


def added(law: Law, many: int, spend: Spend) -> Law:
    """The law of the sum of `many` (1 or more) numbers; an outcome that is no number counts nothing.

    `spend` hears on the way of how many sums at most, over how great a number; it may raise `Refused`.
    """
    total, rows = law
    parts = lcm(*[(x or 0).denominator for x, _ in rows])  # of one, in which all are whole
    each: Counts = {}
    for x, weight in rows:
        whole = int((x or 0) * parts)
        each[whole] = each.get(whole, 0) + weight
    span = max(each) - min(each)
    if not span:
        return 1, [(_share(min(each) * many, parts), 1)]
    dense = span * many < DENSE
    total, found = _kronecker(total, each, many, spend) if dense else _by_doubling((total, each), many, spend)
    return total, [(_share(whole, parts), weight) for whole, weight in found.items()]


def _share(whole: int, parts: int) -> Any:
    return whole // parts if not whole % parts else Fraction(whole, parts)


def _kronecker(total: int, each: Counts, many: int, spend: Spend) -> Sums:
    """Kronecker's substitution: the weights are digits of one number, and its power has the weights of the sums."""
    least = min(each)
    total **= many
    spend((max(each) - least) * many + 1, total)
    size = total.bit_length() // 8 + 1
    raised = sum([weight << 8 * size * (whole - least) for whole, weight in each.items()]) ** many
    digits = raised.to_bytes(-(-raised.bit_length() // (8 * size)) * size, "little")
    counts = [int.from_bytes(digits[at : at + size], "little") for at in range(0, len(digits), size)]
    return total, {least * many + n: weight for n, weight in enumerate(counts) if weight}


def _by_doubling(each: Sums, many: int, spend: Spend) -> Sums:
    """By the sums of two, of four, and so on."""
    found: Sums = (1, {0: 1})
    while many:
        if many & 1:
            found = _of_both(found, each, spend)
        many >>= 1
        if many:
            each = _of_both(each, each, spend)
    return found


def _of_both(one: Sums, other: Sums, spend: Spend) -> Sums:
    spread(len(one[1]) * len(other[1]))
    found: Counts = {}
    for x, weight in one[1].items():
        for y, much in other[1].items():
            found[x + y] = found.get(x + y, 0) + weight * much
    total = one[0] * other[0]
    spend(len(found), total)
    return total, found
