"""Probability distributions ("laws") of dice: for a question, each outcome with an integer weight, and the total
weight; and distributions of sums.

Takes counts, faces, masks, or a distribution and a number of independent draws. Returns `(total, [(outcome, weight)])`,
cached except for sums. All arithmetic is on integers and exact. It does not know rules.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, gcd, lcm
from typing import Any

from interpreter.program.runtime import MOST_DICE, MOST_WAYS, Bag, Refused, bag, size

Law = tuple[int, list[tuple[Any, int]]]
MANY = 4096  # cached distributions of draws from collections


def check_dice(dice: int) -> None:
    """Raise `Refused` (E006) for more than `MOST_DICE` dice at once."""
    if dice > MOST_DICE:
        raise Refused("E006", None, count=dice, most=f"{MOST_DICE:,}", step="one throw")


def check_outcomes(ways: int) -> None:
    """Raise `Refused` (E001) for a question with more than `MOST_WAYS` outcomes."""
    if ways > MOST_WAYS:
        raise Refused("E001", None, limit=MOST_WAYS, step="one question")


@lru_cache(None)
def chance_of(roll: tuple[Any, ...]) -> tuple[int, int]:
    """Return the probability that one throw of a roll passes, as (weight, total) in lowest terms."""
    sides, mask, dice, best, again, thrown = roll
    if not thrown:
        return 0, 1
    check_dice(dice)
    hits = int(mask).bit_count()
    total = sides**dice
    weight = total - (sides - hits) ** dice if best else hits**dice
    if again:
        weight, total = total * total - (total - weight) ** 2, total * total
    shared = gcd(weight, total)
    return weight // shared, total // shared


class Counted(dict[int, Law]):
    """The binomial distributions of one probability, by the number of dice; the outcome is how many pass."""

    __slots__ = ("total", "weight")

    def __init__(self, weight: int, total: int) -> None:
        self.weight, self.total = weight, total

    def __missing__(self, n: int) -> Law:
        weight, total = self.weight, self.total
        check_dice(n)
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
    """Return the `Counted` of the probability `weight / total`, one object for each pair."""
    return Counted(weight, total)


class Rolls(dict[tuple[Any, ...], Counted]):
    """The binomial distributions of each roll: of dice that pass (`passing`) or fail."""

    __slots__ = ("passing",)

    def __init__(self, passing: bool) -> None:
        self.passing = passing

    def __missing__(self, roll: tuple[Any, ...]) -> Counted:
        weight, total = chance_of(roll)
        law = self[roll] = counted(weight if self.passing else total - weight, total)
        return law


class Sorts(dict[tuple[Any, ...], Law]):
    """The distributions of `sorted_out` for one value of `passing`, by the groups."""

    __slots__ = ("passing",)

    def __init__(self, passing: bool) -> None:
        self.passing = passing

    def __missing__(self, groups: tuple[Any, ...]) -> Law:
        law = self[groups] = sorted_out(groups, self.passing)
        return law


class Thinned(dict[tuple[Any, ...], Counted]):
    """The binomial distributions of dice that pass several rolls in turn, each passing die being thrown for the next
    roll, by the rolls.
    """

    __slots__ = ("passing",)

    def __init__(self, passing: tuple[bool, ...]) -> None:
        self.passing = passing

    def __missing__(self, thrown: tuple[Any, ...]) -> Counted:
        weight, total = 1, 1
        for roll, passing in zip(thrown, self.passing, strict=True):
            w, t = chance_of(roll)
            weight, total = weight * (w if passing else t - w), total * t
        shared = gcd(weight, total)
        law = self[thrown] = counted(weight // shared, total // shared)
        return law


class Seen(dict[int, Any]):
    """The joint distributions of how many of n dice show a face of each mask, by n. With one mask the rows are `(count,
    weight)`; with more, `(count, weight, rest)`, where `rest` is the distribution of the other counts given the first.
    """

    __slots__ = ("_rest", "apart", "masks", "sides")

    def __init__(self, sides: int, masks: tuple[int, ...]) -> None:
        self.sides, self.masks = sides, masks
        self.apart = not any(mask & masks[0] for mask in masks[1:])  # the first mask is disjoint from all others
        self._rest: dict[tuple[int, int], list[tuple[Any, int]]] = {}

    def __missing__(self, n: int) -> Any:
        n = max(0, n)
        check_dice(n)
        if len(self.masks) == 1:
            law: Any = counted(self.masks[0].bit_count(), self.sides)[n]
        else:
            rows = []
            first = self.masks[0].bit_count()
            for k in range(n + 1) if 0 < first < self.sides else (n,) if first else (0,):
                if self.apart:
                    rows.append((k, comb(n, k) * first**k, self._others(0, n - k)))
                else:
                    rows.append((k, comb(n, k), self._others(k, n - k)))
            law = self.sides**n, rows
        self[n] = law
        return law

    def _others(self, seen: int, unseen: int) -> list[tuple[Any, int]]:
        """The joint distribution of the other counts, given the number of dice inside and outside the first mask."""
        key = seen, unseen
        if key not in self._rest and self.apart and len(self.masks) == 2:  # the most common case: a binomial
            wide = self.masks[1].bit_count()
            other = self.sides - self.masks[0].bit_count() - wide
            low, high = 0 if other else unseen, unseen if wide else 0
            chances = [comb(unseen, k) * wide**k * other ** (unseen - k) for k in range(low, high + 1)]
            self._rest[key] = list(enumerate(chances, low))
        elif key not in self._rest:
            every = (1 << (self.sides + 1)) - 2
            merged: dict[tuple[int, ...], int] = {}
            for a, w in _classes(seen, self.masks[0], self.masks[1:]):
                for b, v in _classes(unseen, every & ~self.masks[0], self.masks[1:]):
                    both = tuple([x + y for x, y in zip(a, b, strict=True)])
                    merged[both] = merged.get(both, 0) + w * v
            one = len(self.masks) == 2
            self._rest[key] = [(counts[0] if one else counts, w) for counts, w in merged.items()]
        return self._rest[key]


def _classes(n: int, faces: int, masks: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
    """The joint distribution of the counts of each mask over n dice that show one of `faces`. Faces that are in the
    same masks are merged into one class.
    """
    sizes: dict[tuple[bool, ...], int] = {}
    for face in range(faces.bit_length()):
        if faces >> face & 1:
            kind = tuple([bool(mask >> face & 1) for mask in masks])
            sizes[kind] = sizes.get(kind, 0) + 1
    if not sizes:
        return [((0,) * len(masks), 1)] if n == 0 else []
    *kinds, (last, width) = sizes.items()
    check_outcomes(comb(n + len(kinds), len(kinds)))
    found: list[tuple[tuple[int, ...], int, int]] = [((0,) * len(masks), 1, n)]
    for kind, wide in kinds:
        found = [
            (tuple([c + k * x for c, x in zip(counts, kind, strict=True)]), w * comb(left, k) * wide**k, left - k)
            for counts, w, left in found
            for k in range(left + 1)
        ]
    return [
        (tuple([c + left * x for c, x in zip(counts, last, strict=True)]), w * width**left) for counts, w, left in found
    ]


@lru_cache(None)
def seen(sides: int, masks: tuple[int, ...]) -> Seen:
    """Return the `Seen` of dice with `sides` sides and these masks (face f is bit f), one object for each pair."""
    return Seen(sides, masks)


@lru_cache(None)
def rolls(passing: bool) -> Rolls:
    """Return the `Rolls` of dice that pass, or fail if not `passing`, one object for each."""
    return Rolls(passing)


@lru_cache(None)
def thinned(passing: tuple[bool, ...]) -> Thinned:
    """Return the `Thinned` of rolls in turn, one object for each tuple; `passing` tells for each roll whether the dice
    that pass it continue, or those that fail.
    """
    return Thinned(passing)


@lru_cache(None)
def sorts(passing: bool) -> Sorts:
    """Return the `Sorts` of figures that pass, or fail if not `passing`, one object for each."""
    return Sorts(passing)


@lru_cache(None)
def faces(n: int, sides: int) -> Law:
    """Return the multinomial distribution of n dice, as sorted tuples of faces."""
    if n <= 0:
        return 1, [((), 1)]
    check_dice(n)
    check_outcomes(comb(n + sides - 1, n))
    found = []
    for throw in combinations_with_replacement(range(1, sides + 1), n):
        weight = factorial(n)
        for face in set(throw):
            weight //= factorial(throw.count(face))
        found.append((throw, weight))
    return sides**n, found


@lru_cache(None)
def faces_but(n: int, sides: int, barred: int) -> Law:
    """The distribution of the faces of n dice if those that show `barred` are thrown again until they show another."""
    left = [f for f in range(1, sides + 1) if f != barred]
    total, found = faces(n, len(left))
    return total, [(tuple([left[f - 1] for f in throw]), weight) for throw, weight in found]


@lru_cache(MANY)
def lot(n: int, items: tuple[Any, ...]) -> Law:
    """Return the uniform distribution over some things; -1 if there are none or `n` is 0."""
    return (len(items), [(x, 1) for x in items]) if items and n > 0 else (1, [(-1, 1)])


@lru_cache(MANY)
def lots(n: int, items: tuple[Any, ...]) -> Law:
    """Return the uniform distribution over the subsets of n things."""
    wanted = max(0, min(n, len(items)))
    check_outcomes(comb(len(items), wanted))
    found = list(combinations(items, wanted))
    return len(found), [(some, 1) for some in found]


@lru_cache(MANY)
def figure_lot(n: int, items: Bag) -> Law:
    """Return the distribution of one figure drawn from a bag, by its counts; None if the bag is empty or `n` is 0. A
    greater `n` also draws one.
    """
    return (size(items), list(items)) if items and n > 0 else (1, [(None, 1)])


@lru_cache(MANY)
def figure_lots(n: int, items: Bag) -> Law:
    """Return the multivariate hypergeometric distribution of n figures drawn from a bag."""
    wanted = max(0, min(n, size(items)))
    found: list[tuple[Bag, int, int]] = [((), 1, 0)]
    for figure, many in items:
        found = [
            ((*some, (figure, k)) if k else some, ways * comb(many, k), taken + k)
            for some, ways, taken in found
            for k in range(min(many, wanted - taken) + 1)
        ]
        check_outcomes(len(found))
    return comb(size(items), wanted), [(some, ways) for some, ways, taken in found if taken == wanted]


drawn = {(True, True): figure_lot, (True, False): figure_lots, (False, True): lot, (False, False): lots}


def sorted_out(groups: tuple[tuple[Any, int, tuple[Any, ...]], ...], passing: bool) -> Law:
    """The distribution of the bag of figures that pass (or fail) if each throws for itself: a product of binomials."""
    total = 1
    found: list[tuple[tuple[Any, ...], int]] = [((), 1)]
    for figure, n, roll in groups:
        t, law = rolls(passing)[roll][n]
        total *= t
        check_outcomes(len(found) * len(law))
        found = [((*taken, (figure, k)), w * v) for taken, w in found for k, v in law]
    merged: dict[Any, int] = {}
    for taken, w in found:
        key = bag(taken)
        merged[key] = merged.get(key, 0) + w
    return total, list(merged.items())


# ---- sums of independent, identically distributed numbers
Counts = dict[int, int]  # sum → weight
Sums = tuple[int, Counts]  # total weight, weights
Spend = Callable[[int, int], None]
DENSE = 2_000  # spans of sums up to which Kronecker's substitution is used


def added(law: Law, many: int, spend: Spend) -> Law:
    """Return the distribution of the sum of `many` (at least 1) independent numbers with this distribution; None counts
    as 0.

    `spend` is called with an upper bound on the number of distinct sums and with their denominator; it may raise
    `Refused`.
    """
    total, rows = law
    parts = lcm(*[(x or 0).denominator for x, _ in rows])  # common denominator of the outcomes
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
    """The distribution of the sum by Kronecker substitution: the weights are digits of one integer, and the digits of
    its power are the weights of the sums.
    """
    least = min(each)
    total **= many
    spend((max(each) - least) * many + 1, total)
    size = total.bit_length() // 8 + 1
    raised = sum([weight << 8 * size * (whole - least) for whole, weight in each.items()]) ** many
    digits = raised.to_bytes(-(-raised.bit_length() // (8 * size)) * size, "little")
    counts = [int.from_bytes(digits[at : at + size], "little") for at in range(0, len(digits), size)]
    return total, {least * many + n: weight for n, weight in enumerate(counts) if weight}


def _by_doubling(each: Sums, many: int, spend: Spend) -> Sums:
    """The distribution of the sum by repeated squaring of the convolution."""
    found: Sums = (1, {0: 1})
    while many:
        if many & 1:
            found = _of_both(found, each, spend)
        many >>= 1
        if many:
            each = _of_both(each, each, spend)
    return found


def _of_both(one: Sums, other: Sums, spend: Spend) -> Sums:
    check_outcomes(len(one[1]) * len(other[1]))
    found: Counts = {}
    for x, weight in one[1].items():
        for y, much in other[1].items():
            found[x + y] = found.get(x + y, 0) + weight * much
    total = one[0] * other[0]
    spend(len(found), total)
    return total, found
