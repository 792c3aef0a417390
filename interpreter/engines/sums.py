"""Independent numbers of one law, added up: the law of their sum.

Enters: a law whose outcomes are numbers, or several numbers each. Leaves: the law of so many of them together. Integer
weights only; nothing is cut off. Knows nothing of rules.

While they are added up, the numbers of an outcome are the digits of one whole number, its *place*, each with room for
all that may come together: places add up as their digits do.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any, TypeVar

from .laws import Law, spread

Ways = dict[int, int]  # by place
Spend = Callable[[int, int], None]
S = TypeVar("S")
DENSE = 2_000  # places up to which the weights are digits of one number


def added(law: Law, many: int, spend: Spend = lambda outcomes, total: None) -> Law:
    """So many independent numbers of one law, added up; an outcome is a number, or one for each of several totals, and
    what is no number counts nothing. Before the weights are worked out, `spend` hears of how many outcomes, and over
    how great a number.
    """
    total, rows = law
    single = not isinstance(rows[0][0], tuple)
    each = [[x or 0 for x in ((out,) if single else out)] for out, _ in rows]
    parts = lcm(*[x.denominator for out in each for x in out])  # of one, that all are whole in
    wholes = [[int(x * parts) for x in out] for out in each]
    digits, room = [], 1
    for xs in zip(*wholes, strict=True):
        least, span = min(xs), (max(xs) - min(xs)) * many + 1
        digits.append((least, room, span))
        room *= span
    ways: Ways = {}
    for out, (_, weight) in zip(wholes, rows, strict=True):
        at = sum([(x - least) * unit for x, (least, unit, _) in zip(out, digits, strict=True)])
        ways[at] = ways.get(at, 0) + weight

    def outcome(at: int) -> Any:
        xs = [_share(least * many + at // unit % span, parts) for least, unit, span in digits]
        return xs[0] if single else tuple(xs)

    total **= many
    found = (_as_one_power if room <= DENSE else _by_twos)(ways, many, total, spend)
    return total, [(outcome(at), weight) for at, weight in found]


def _share(whole: int, parts: int) -> Any:
    return whole if parts == 1 else whole // parts if not whole % parts else Fraction(whole, parts)


def _as_one_power(ways: Ways, many: int, total: int, spend: Spend) -> list[tuple[int, int]]:
    """Kronecker's substitution: the weights are digits of one whole number, and its power has the sums' weights."""
    reached = _together(1, sum([1 << at for at in ways]), many, _shifted)
    spend(reached.bit_count(), total)
    size = total.bit_length() // 8 + 1
    raised = sum([weight << 8 * size * at for at, weight in ways.items()]) ** many
    told = raised.to_bytes(size * reached.bit_length(), "little")
    places = [at for at, there in enumerate(f"{reached:b}"[::-1]) if there == "1"]
    return [(at, int.from_bytes(told[at * size : (at + 1) * size], "little")) for at in places]


def _by_twos(ways: Ways, many: int, total: int, spend: Spend) -> list[tuple[int, int]]:
    spend(len(_together({0}, set(ways), many, _all_pairs)), total)
    return list(_together({0: 1}, ways, many, _both).items())


def _together(none: S, one: S, many: int, both: Callable[[S, S], S]) -> S:
    """By what two give, and four, …"""
    found = none
    while True:
        if many & 1:
            found = both(found, one)
        many >>= 1
        if not many:
            return found
        one = both(one, one)


def _shifted(a: int, b: int) -> int:
    """The sums of two sets of places; a set is a number, with a bit for each."""
    if a.bit_count() < b.bit_count():
        a, b = b, a
    found = 0
    while b:
        last = b & -b
        found |= a * last
        b ^= last
    return found


def _all_pairs(a: set[int], b: set[int]) -> set[int]:
    spread(len(a) * len(b))
    return {x + y for x in a for y in b}


def _both(a: Ways, b: Ways) -> Ways:
    found: Ways = {}
    for x, weight in a.items():
        for y, much in b.items():
            found[x + y] = found.get(x + y, 0) + weight * much
    return found
