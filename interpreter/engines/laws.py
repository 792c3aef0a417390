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


@lru_cache(None)
def counted(n: int, weight: int, total: int) -> Law:
    """How many of n independent dice pass: a binomial."""
    if n <= 0 or weight == 0:
        return 1, [(0, 1)]
    if weight == total:
        return 1, [(n, 1)]
    rest = total - weight
    return total**n, [(k, comb(n, k) * weight**k * rest ** (n - k)) for k in range(n + 1)]


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


def sorted_out(groups: list[tuple[Any, int, tuple[Any, ...]]], passing: bool) -> Law:
    """Which of some counted things pass, each throwing for itself: a product of binomials."""
    total = 1
    found: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    for figure, n, roll in groups:
        weight, of = chance_of(roll)
        t, law = counted(n, weight if passing else of - weight, of)
        total *= t
        found = [((*taken, (figure, k)), w * v) for taken, w in found for k, v in law]
    merged: dict[Any, int] = {}
    for taken, w in found:
        key = bag(taken)
        merged[key] = merged.get(key, 0) + w
    return total, list(merged.items())
