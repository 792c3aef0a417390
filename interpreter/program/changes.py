"""Effects on the state: figures change in the bags that contain them, and facts are set.

Takes bags, and the function that changes one figure; returns bags, and new cells of a state. Raises `Refused` (E005) if
named figures have changed since they were named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from interpreter.vocabulary.functions import Bag, Figure, Refused, tame

from .runtime import bag, grown, join, kept_within, number_there, ordered, put, size, without

Change = Callable[[Figure], Figure]
KEPT = 2**15  # results of a function of bags that are remembered; a question has some thousand different bags
Check = tuple[tuple[int, ...], Any] | None  # places of the marks that put figures out of play; line for the error


# ---- changes of one figure
def putting(place: int, value: Any) -> Change:
    """Return the change that sets an attribute."""
    return lambda figure: figure if figure[place] == value else put(figure, place, value)


def adding(place: int, amount: Any) -> Change:
    """Return the change that adds a literal amount, which cannot exceed the limits of numbers."""
    return lambda figure: put(figure, place, figure[place] + amount)


def adding_any(place: int, amount: Any) -> Change:
    """Return the change that adds a computed amount, checked against the limits of numbers."""
    return lambda figure: put(figure, place, tame(figure[place] + amount))


def adding_within(place: int, amount: Any, low: Any, high: Any) -> Change:
    """Return the change that adds an amount and clamps the sum to the attribute's bounds."""
    return lambda figure: put(figure, place, min(high, max(low, tame(figure[place] + amount))))


def adding_to_none(place: int, amount: Any, low: Any, high: Any) -> Change:
    """Return the change that adds to an attribute that may be None, which counts as 0; bounds may be None."""
    return lambda figure: put(figure, place, kept_within(tame(grown(figure[place], amount)), low, high))


def emptied(card: tuple[Any, ...]) -> Change:
    """Return the change that resets all attributes except the holder to those of `card`."""
    return lambda figure: (figure[0], *card)


def remembered() -> dict[str, Callable[..., Change]]:
    """Return the functions above, by name, for one Program: equal changes are one function, so that what a change makes
    of a bag is remembered. In another Program an equal bag may be another: its truths equal numbers.
    """
    several = (putting, adding, adding_any, adding_within, adding_to_none, emptied)
    return {make.__name__: lru_cache(KEPT, typed=True)(make) for make in several}


# ---- changes of bags in the state
def alter(S: list[Any], part: Bag, change: Change, check: Check, held: int, gone: int) -> None:
    """Change figures in place."""
    for owner, mine in _checked(S, part, check, held, gone):
        S[owner + held] = changed(S[owner + held], mine, change)


def alter_both(S: list[Any], part: Bag, change: Change, check: Check, held: int, gone: int) -> None:
    """Change figures in place, both in play and out of play."""
    for owner, mine in _checked(S, part, check, held, gone):
        S[owner + held] = changed(S[owner + held], mine, change)
        S[owner + gone] = changed(S[owner + gone], mine, change)


def take_out(S: list[Any], part: Bag, change: Change, check: Check, held: int, gone: int) -> None:
    """Change figures, and move them out of play."""
    for owner, mine in _checked(S, part, check, held, gone):
        _move(S, mine, change, owner + held, owner + gone)


def bring_back(S: list[Any], part: Bag, change: Change, check: Check, held: int, gone: int) -> None:
    """Change figures, and move them back into play."""
    for owner, mine in _checked(S, part, check, held, gone):
        _move(S, mine, change, owner + gone, owner + held)


def fitting(S: list[Any], part: Bag, mark: int, held: int, gone: int, most: Callable[[int], Any]) -> Bag:
    """Return the figures of `part` that may gain a limited mark: those that have it, those out of play, and as many
    others as the limit of their holder (`most`) allows, in the order of the bag.
    """
    found = []
    for owner, mine in parts_by_holder(part):
        here, left = dict(S[owner + held]), dict(S[owner + gone])
        room = most(owner) - sum([n for f, n in here.items() if f[mark]])
        for figure, n in mine:
            free = n if figure[mark] else min(max(0, n - here.get(figure, 0)), left.get(figure, 0))
            more = max(0, min(n - free, room))
            room -= more
            found.append((figure, free + more))
    return bag(found)


def hand_over(S: list[Any], part: Bag, goal: int, change: Change, bags: Sequence[int]) -> None:
    """Move figures to the same bag of a holder, which `change` gives them; `bags` are the offsets of those in play and
    out of play.
    """
    for owner, mine in parts_by_holder(part):
        for held in bags if owner != goal else ():
            _move(S, mine, change, owner + held, goal + held)


def _move(S: list[Any], part: Bag, change: Change, start: int, end: int) -> None:
    S[start], S[end] = _both_after(S[start], S[end], part, change)


@lru_cache(KEPT)
def _both_after(start: Bag, end: Bag, part: Bag, change: Change) -> tuple[Bag, Bag]:
    """Two different bags after the figures of `part` went from one to the other and were changed."""
    went = common(start, part)
    return without(start, went), join(end, all_changed(went, change))


def _checked(S: list[Any], part: Bag, check: Check, held: int, gone: int) -> Sequence[tuple[int, Bag]]:
    """The figures by holder. Raises `Refused` (E005) if some have changed since they were named, unless they left play.
    """
    parts = parts_by_holder(part)
    if check is None:
        return parts
    left, line = check
    for owner, mine in parts:
        if mine != S[owner + held]:
            counts = dict(S[owner + held])
            short = [(f, n - counts.get(f, 0)) for f, n in mine if n > counts.get(f, 0) and not any(f[i] for i in left)]
            out = S[owner + gone]
            missed = sum([max(0, n - _as_it_left(out, f, left)) for f, n in short])
            if missed > sum([n for f, n in out if f[1] != mine[0][0][1]]):  # who has left for good has no attributes
                raise Refused("E005", line, step=line.address, missed=missed, named=size(mine))
    return parts


def _as_it_left(out: Bag, figure: Figure, left: Sequence[int]) -> int:
    """The number of figures out of play that are like this one, but for the marks `left` with which they left."""
    pairs = [(enumerate(zip(f, figure, strict=False)), n) for f, n in out]
    return sum([n for both, n in pairs if all(i in left or x == y for i, (x, y) in both)])


def parts_by_holder(b: Bag) -> Sequence[tuple[int, Bag]]:
    """Return the figures of a bag grouped by holder, sorted by holder."""
    if not b or b[0][0][0] == b[-1][0][0]:  # a bag is sorted by holder first
        return [(b[0][0][0], b)] if b else []
    found: dict[int, list[tuple[Figure, int]]] = {}
    for figure, n in b:
        found.setdefault(figure[0], []).append((figure, n))
    return [(h, tuple(groups)) for h, groups in sorted(found.items())]


def common(held: Bag, part: Bag) -> Bag:
    """Return the intersection of two bags."""
    counts = dict(held)
    return tuple([(f, min(n, counts[f])) for f, n in part if counts.get(f)])


# ---- changes of bags
@lru_cache(KEPT)
def all_changed(part: Bag, change: Change) -> Bag:
    """Return the bag with all figures changed."""
    return bag([(change(figure), n) for figure, n in part])


def one_changed(figure: Figure | None, change: Change) -> Figure | None:
    """Return the changed figure, or None for None."""
    return None if figure is None else change(figure)


@lru_cache(KEPT)
def changed(held: Bag, part: Bag, change: Change) -> Bag:
    """Return `held`, with those of its figures that are in `part` changed."""
    news = [(figure, new, n) for figure, n in part if (new := change(figure)) != figure]
    if not news:
        return held
    before = dict(held)
    counts = dict(before)
    for figure, new, n in news:
        here = min(n, before.get(figure, 0))  # `before`: figures that have only just become equal do not count
        if here:
            counts[figure] -= here
            counts[new] = counts.get(new, 0) + here
    return ordered([(f, n) for f, n in counts.items() if n > 0])


@lru_cache(KEPT)
def stays(part: Bag, change: Change) -> bool:
    """Return whether the change leaves all of `part` unchanged, which is common when a mark is removed."""
    return not any(change(figure) != figure for figure, _ in part)


def surely_changed(
    known: Bag, part: Bag, change: Change, state: Sequence[Any], held: int, gone: int, stocks: Sequence[Bag] = ()
) -> Bag:
    """Return `known` after a change of `part`, as far as `part` must overlap it; both are subsets of each of `stocks`.
    """
    return known if stays(part, change) else changed(known, surely(known, part, state, held, gone, stocks), change)


def surely(known: Bag, part: Bag, state: Sequence[Any], held: int, gone: int = -1, stocks: Sequence[Bag] = ()) -> Bag:
    """Return the figures that `part` and `known` must share, given how many equal ones exist: in play and, where `gone`
    is a cell, out of play. Figures that exist in neither are never certain.
    """
    counts, bags = dict(known), [dict(stock) for stock in stocks]
    found = []
    for f, n in part:
        if f in counts:
            there = number_there(f, state, held, gone)
            all_there = min([*([there] if there else []), *[stock.get(f, 0) for stock in bags]], default=n + counts[f])
            found.append((f, min(n, counts[f], n + counts[f] - all_there)))
    return tuple([(f, n) for f, n in found if n > 0])


def lent(
    loan: Any,
    part: Bag,
    change: Change,
    ups: Iterable[int],
    downs: Iterable[int],
    state: Sequence[Any],
    held: int,
    gone: int = -1,
) -> Any:
    """Return the loan, the bags that the callers have lent to the current call, after an effect.

    Bags related to a changed parameter change with it, others as far as they must. `ups` and `downs` are the parameters
    whose bag contains the changed figures, or consists of them.
    """
    if not loan or stays(part, change):
        return loan
    before, kin, names = loan
    akin = {i for p in ups for i in kin.over[p]} | {i for p in downs for i in kin.under[p]}
    known = [
        bag if not bag else changed(bag, part if i in akin else surely(bag, part, state, held, gone), change)
        for i, bag in enumerate(names)
    ]
    above = {i for p in ups for i in kin.ups[p]}, {i for p in downs for i in kin.downs[p]}
    return lent(before, part, change, *above, state, held, gone), kin, tuple(known)


# ---- facts set by lines
Facts = tuple[tuple[tuple[Any, ...], Any], ...]  # (arguments, value) of each fact that was set, sorted


def arguments_of(
    whose: Iterable[int], args: tuple[Any, ...], things: tuple[int, ...], both_ways: bool
) -> list[tuple[Any, ...]]:
    """Return the arguments of a fact for each of several things; `things` are the indices of the other arguments that
    are a thing. Arguments with an absent thing (-1) are skipped.
    """
    every = [(thing, *args) for thing in whose]
    found = [asked for asked in every if all(asked[i] >= 0 for i in (0, *things))]
    return [*found, *(asked[::-1] for asked in found)] if both_ways else found


def restated(facts: Facts, every: Iterable[tuple[Any, ...]], value: Any) -> Facts:
    """Return `facts` after a fact is set for all of these arguments."""
    return sorted_facts(dict(facts) | dict.fromkeys(every, value))


def sorted_facts(found: dict[tuple[Any, ...], Any]) -> Facts:
    """Return facts by their arguments as a canonical tuple, sorted by arguments; absent ones (None) come first."""
    return tuple(sorted(found.items(), key=lambda fact: [(x is not None, x or 0) for x in fact[0]]))
