"""Choices: the allowed answers to a question, and the answer of a policy.

Input: the question of a `choose` or `wish` site. Output: every allowed answer, or the one that the policy in the rules
selects. It does not know who answers.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from interpreter.program.origins import without_origin
from interpreter.program.runtime import MOST_WAYS, Bag, Refused, bag, size

UNDECIDED = object()


def chooser(question: tuple[Any, ...]) -> int:
    """Return the cell offset of the chooser."""
    return choosing(question)[0]


def choosing(question: tuple[Any, ...]) -> tuple[int, int]:
    """Return the cell offsets of the chooser and of the thing for which it chooses: a side, and one of its units."""
    found: tuple[int, int] = question[0] if len(question) == 2 else question[2]
    return found


def preferred(question: tuple[Any, ...]) -> Any:
    """Return the answer of the policy; `UNDECIDED` if the rules leave it open and several answers are possible."""
    kind, _one, _who, low, high, items, rank, most, amount = question
    if kind == "number":
        return _number(low, high, most, amount)
    total = size(items) if kind == "figures" else len(items)
    low, high = min(low, total), min(high, total)
    if amount is not None:
        count = max(low, min(high, amount))
    elif most is not None:
        count = high if most else low
    elif low == high:
        count = high
    else:
        return UNDECIDED
    if rank is None and 0 < count < total and _differ(kind, items) and most is None and amount is None:
        return UNDECIDED  # the items differ, and nothing orders them
    return _first(question, count)


def _differ(kind: str, items: Any) -> bool:
    """Whether there are different items; figures that differ only in their origin look alike."""
    return len({without_origin(figure) for figure, _ in items} if kind == "figures" else items) > 1


def _first(question: tuple[Any, ...], count: int) -> Any:
    """The first `count` items, in the order of the policy, else in the given order."""
    kind, one, _who, _low, _high, items, rank, _most, _amount = question
    if count <= 0:
        return _nobody(kind, one)
    ranked = items
    if rank is not None:
        ranked = sorted(items, key=(lambda p: rank(p[0])) if kind == "figures" else rank)
    if kind == "figures":
        taken: list[tuple[Any, int]] = []
        for figure, n in ranked:
            if count <= 0:
                break
            taken.append((figure, min(n, count)))
            count -= n
        return taken[0][0] if one else bag(taken)
    chosen = tuple(sorted(ranked[:count]))
    return ranked[0] if one else chosen


def _number(low: int, high: int, most: bool | None, amount: int | None) -> Any:
    if amount is not None:
        return max(low, min(high, amount))
    if low >= high:
        return low
    return UNDECIDED if most is None else high if most else low


def _nobody(kind: str, one: bool) -> Any:
    if not one:
        return ()
    return None if kind == "figures" else 0 if kind == "faces" else -1


def options(question: tuple[Any, ...]) -> list[Any]:
    """Return all allowed answers in a fixed order; if the policy orders the items, one for each count. Raises `Refused`
    (E001) for too large a range of numbers.
    """
    kind, one, _who, low, high, items, rank, _most, _amount = question
    if kind == "number":
        if high - low > MOST_WAYS:
            raise Refused("E001", None, limit=MOST_WAYS, step="a choice")
        return list(range(low, max(low, high) + 1))
    total = size(items) if kind == "figures" else len(items)
    low, high = min(low, total), min(high, total)
    if rank is not None:
        return [_first(question, count) for count in range(low, high + 1)]
    if kind == "figures":
        found: list[Any] = [b for k in range(low, high + 1) for b in _sub_bags(items, k)]
        return [b[0][0] if b else None for b in found] if one else found
    picked = dict.fromkeys([tuple(sorted(c)) for k in range(low, high + 1) for c in combinations(items, k)])
    return (
        [c[0] if c else _nobody(kind, one) for c in picked] if one else list(picked)
    )  # equal faces give equal answers


def how_many(question: tuple[Any, ...]) -> int:
    """Return the number of allowed answers, without enumerating them."""
    kind, _one, _who, low, high, items, rank, *_ = question
    if kind == "number":
        return int(max(low, high) - low + 1)
    if rank is not None:
        total = size(items) if kind == "figures" else len(items)
        return int(min(high, total) - min(low, total) + 1)
    counts = [1]  # number of selections by size
    for n in [n for _, n in items] if kind == "figures" else [1] * len(items):
        counts = [sum(counts[max(0, k - n) : k + 1]) for k in range(len(counts) + n)]
    total = len(counts) - 1
    return sum(counts[min(low, total) : min(high, total) + 1])


def _sub_bags(items: Bag, count: int) -> list[Bag]:
    if count == 0:
        return [()]
    if not items:
        return []
    (figure, n), rest = items[0], items[1:]
    found: list[Bag] = []
    for k in range(min(n, count), -1, -1):
        found += [((figure, k), *b) if k else b for b in _sub_bags(rest, count - k)]
    return found
