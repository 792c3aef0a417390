"""The laws of dice: for a question, every outcome with its integer weight, and their total.

Enters: counts, faces, masks. Leaves: `(total, [(outcome, weight)])`, cached. Integers only; nothing is cut
off. Knows nothing of rules.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial, gcd
from typing import Any

from interpreter.program.runtime import bag

Law = tuple[int, list[tuple[Any, int]]]


@lru_cache(None)
def chance_of(roll: tuple[Any, ...]) -> tuple[int, int]:
    """How likely one throw of a roll passes, as weight and total in lowest terms."""
    sides, mask, dice, best, again, thrown = roll
    if not thrown:
        return 0, 1
    hits = int(mask).bit_count()
    total = sides**dice
    weight = total - (sides - hits) ** dice if best else hits**dice
    if again:
        weight, total = total * total - (total - weight) ** 2, total * total
    shared = gcd(weight, total)
    return weight // shared, total // shared


class Counted(dict[int, Law]):
    """How many of n independent dice pass, by n: binomials of one chance."""

    __slots__ = ("total", "weight")

    def __init__(self, weight: int, total: int) -> None:
        self.weight, self.total = weight, total

    def __missing__(self, n: int) -> Law:
        weight, total = self.weight, self.total
        law: Law
        if n <= 0 or weight == 0:
            law = 1, [(0, 1)]
        elif weight == total:
            law = 1, [(n, 1)]
        else:
            rest = total - weight
            law = total**n, [(k, comb(n, k) * weight**k * rest ** (n - k)) for k in range(n + 1)]
        self[n] = law
        return law


@lru_cache(None)
def counted(weight: int, total: int) -> Counted:
    return Counted(weight, total)


class Rolls(dict[tuple[Any, ...], Counted]):
    """The binomials of each roll: of dice that pass, or of those that fail."""

    __slots__ = ("passing",)

    def __init__(self, passing: bool) -> None:
        self.passing = passing

    def __missing__(self, roll: tuple[Any, ...]) -> Counted:
        weight, total = chance_of(roll)
        law = self[roll] = counted(weight if self.passing else total - weight, total)
        return law


class Sorts(dict[tuple[Any, ...], Law]):
    """Which of some counted things pass (or fail), each throwing for itself, by the question."""

    __slots__ = ("passing",)

    def __init__(self, passing: bool) -> None:
        self.passing = passing

    def __missing__(self, groups: tuple[Any, ...]) -> Law:
        law = self[groups] = sorted_out(groups, self.passing)
        return law


@lru_cache(None)
def rolls(passing: bool) -> Rolls:
    return Rolls(passing)


@lru_cache(None)
def sorts(passing: bool) -> Sorts:
    return Sorts(passing)


@lru_cache(None)
def faces(n: int, sides: int) -> Law:
    """Which faces n alike dice show, as a sorted throw: a multinomial."""
    if n <= 0:
        return 1, [((), 1)]
    found = []
    for throw in combinations_with_replacement(range(1, sides + 1), n):
        weight = factorial(n)
        for face in set(throw):
            weight //= factorial(throw.count(face))
        found.append((throw, weight))
    return sides**n, found


def sorted_out(groups: tuple[tuple[Any, int, tuple[Any, ...]], ...], passing: bool) -> Law:
    """Which of some counted things pass, each throwing for itself: a product of binomials."""
    total = 1
    found: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    for figure, n, roll in groups:
        t, law = rolls(passing)[roll][n]
        total *= t
        found = [((*taken, (figure, k)), w * v) for taken, w in found for k, v in law]
    merged: dict[Any, int] = {}
    for taken, w in found:
        key = bag(taken)
        merged[key] = merged.get(key, 0) + w
    return total, list(merged.items())
