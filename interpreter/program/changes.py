"""Effects on the state: figures change in the bags that hold them, and simultaneous changes are merged.

Takes bags, and the function that changes one figure; gives bags, and new cells of a state. `landed` merges one change
(old to new) into a cell that has changed since: equal figures cannot be told apart, so a change is applied to unchanged
figures first, and then, attribute by attribute, to changed ones. Raises `Refused` (E005) where named figures are no
longer as they were named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from interpreter.vocabulary.functions import Bag, Figure, Refused, tame

from .layout import Landing
from .runtime import bag, figure_order, grown, join, kept_within, number_there, ordered, put, size, without

Change = Callable[[Figure], Figure]
Check = tuple[tuple[int, ...], Any] | None  # places of the marks that put figures out of play; line for the error


# ---- changes of one figure
def putting(place: int, value: Any) -> Change:
    """The change that sets an attribute."""
    return lambda figure: figure if figure[place] == value else put(figure, place, value)


def adding(place: int, amount: Any) -> Change:
    """The change that adds a literal amount, which cannot grow past the limits of numbers."""
    return lambda figure: put(figure, place, figure[place] + amount)


def adding_any(place: int, amount: Any) -> Change:
    """The change that adds a computed amount, checked against the limits of numbers."""
    return lambda figure: put(figure, place, tame(figure[place] + amount))


def adding_within(place: int, amount: Any, low: Any, high: Any) -> Change:
    """The change that adds an amount and clamps the sum to the attribute's bounds."""
    return lambda figure: put(figure, place, min(high, max(low, tame(figure[place] + amount))))


def adding_to_none(place: int, amount: Any, low: Any, high: Any) -> Change:
    """The change that adds to an attribute that may be None, which counts as 0 then; bounds may be None."""
    return lambda figure: put(figure, place, kept_within(tame(grown(figure[place], amount)), low, high))


def emptied(card: tuple[Any, ...]) -> Change:
    """The change that resets all attributes except the holder, to `card`."""
    return lambda figure: (figure[0], *card)


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
    """The figures of `part` that may gain a limited mark: those that have it, those out of play, and as many others
    as the limit of their holder (`most`) allows, in the order of the bag.
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


def hand_over(S: list[Any], part: Bag, goal: int, held: int) -> None:
    """Move figures to another holder."""
    for owner, mine in parts_by_holder(part):
        _move(S, mine, putting(0, goal), owner + held, goal + held)


def _move(S: list[Any], part: Bag, change: Change, start: int, end: int) -> None:
    went = common(S[start], part)
    S[start] = without(S[start], went)
    S[end] = join(S[end], all_changed(went, change))


def _checked(S: list[Any], part: Bag, check: Check, held: int, gone: int) -> Iterator[tuple[int, Bag]]:
    """The figures by holder. Raises `Refused` (E005) if some are no longer as named, unless they have left play."""
    for owner, mine in parts_by_holder(part):
        if check is not None and mine != S[owner + held]:
            left, line = check
            counts = dict(S[owner + held])
            short = [(f, n - counts.get(f, 0)) for f, n in mine if n > counts.get(f, 0) and not any(f[i] for i in left)]
            missed = sum([n for _, n in short])
            if missed > size(S[owner + gone]):
                raise Refused("E005", line, step=line.address, missed=missed, named=size(mine))
        yield owner, mine


def parts_by_holder(b: Bag) -> list[tuple[int, Bag]]:
    """The figures of a bag grouped by holder, sorted by holder."""
    if not b or b[0][0][0] == b[-1][0][0]:  # a bag is sorted by holder first
        return [(b[0][0][0], b)] if b else []
    found: dict[int, list[tuple[Figure, int]]] = {}
    for figure, n in b:
        found.setdefault(figure[0], []).append((figure, n))
    return [(h, tuple(groups)) for h, groups in sorted(found.items())]


def common(held: Bag, part: Bag) -> Bag:
    """The intersection of two bags."""
    counts = dict(held)
    return tuple([(f, min(n, counts[f])) for f, n in part if counts.get(f)])


# ---- changes of bags
def all_changed(part: Bag, change: Change) -> Bag:
    """The bag with all figures changed."""
    return bag([(change(figure), n) for figure, n in part])


def one_changed(figure: Figure | None, change: Change) -> Figure | None:
    """The changed figure, or None for None."""
    return None if figure is None else change(figure)


def changed(held: Bag, part: Bag, change: Change) -> Bag:
    """`held` with the figures of `part` that are in it changed."""
    news = [(figure, new, n) for figure, n in part if (new := change(figure)) != figure]
    if not news:
        return held
    before = dict(held)
    counts = dict(before)
    for figure, new, n in news:
        here = min(n, before.get(figure, 0))  # `before`: figures that have just become equal to it do not count
        if here:
            counts[figure] -= here
            counts[new] = counts.get(new, 0) + here
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def stays(part: Bag, change: Change) -> bool:
    """Whether the change leaves all of `part` as they are, which is common where a mark is taken away."""
    return not any(change(figure) != figure for figure, _ in part)


def surely_changed(
    known: Bag, part: Bag, change: Change, state: Sequence[Any], held: int, gone: int, stocks: Sequence[Bag] = ()
) -> Bag:
    """`known` after a change of `part`, as far as `part` must overlap it; both are subsets of each bag in `stocks`."""
    return known if stays(part, change) else changed(known, surely(known, part, state, held, gone, stocks), change)


def surely(known: Bag, part: Bag, state: Sequence[Any], held: int, gone: int = -1, stocks: Sequence[Bag] = ()) -> Bag:
    """The figures that `part` and `known` must share, given how many equal ones there are in all: in play and, where
    `gone` is a cell, out of play. Nothing is certain of figures that are in neither.
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
    """The loan after an effect: bags that the callers have lent to the current call.

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


GONE = None  # not in the bag


# ---- facts that are set
Facts = tuple[tuple[tuple[Any, ...], Any], ...]  # (arguments, value) of each fact that was set, sorted


def restated(
    facts: Facts, whose: Iterable[int], args: tuple[Any, ...], things: tuple[int, ...], value: Any, both_ways: bool
) -> Facts:
    """`facts` after a fact of some things is set; `things` are the indices of the other arguments that hold a thing.
    Nothing is set where a thing is absent (-1).
    """
    found = dict(facts)
    for thing in whose:
        asked = (thing, *args)
        if all(asked[i] >= 0 for i in (0, *things)):
            found[asked] = value
            if both_ways:
                found[asked[::-1]] = value
    return _sorted_facts(found)


def _sorted_facts(found: dict[tuple[Any, ...], Any]) -> Facts:
    return tuple(sorted(found.items(), key=lambda fact: [(x is not None, x or 0) for x in fact[0]]))


# ---- simultaneous changes
def landed(kind: Landing, pending: Any, old: Any, new: Any) -> Any:
    """The cell `pending` with a change old → new applied, which was computed from an earlier snapshot."""
    if pending == old:
        return new
    if isinstance(kind, tuple):
        return kept_within(landed("number", pending, old, new), *kind)
    if kind == "number":
        return None if new is None else (pending or 0) + (new - (old or 0))
    if kind == "lent":
        both = zip(pending[2], old[2], new[2], strict=True)
        names = tuple([None if now is None else landed("bag", now, was, is_) for now, was, is_ in both])
        return landed(kind, pending[0], old[0], new[0]), new[1], names
    if kind == "set":
        kept = [x for x in pending if x in new or x not in old]
        return tuple(sorted({*kept, *(x for x in new if x not in old)}))
    if kind == "bag":
        return _bags(pending, old, new)
    if kind == "facts":
        was = dict(old)
        return _sorted_facts({**dict(pending), **{asked: x for asked, x in new if asked not in was or was[asked] != x}})
    return new


def _bags(pending: Bag, old: Bag, new: Bag) -> Bag:
    counts = dict(pending)
    since = list(_differences(old, pending))
    for was, becomes, n in _differences(old, new):
        if was is GONE:  # a figure that joins the bag
            counts[becomes] = counts.get(becomes, 0) + n
            continue
        here = min(n, counts.get(was, 0))
        n -= _transfer(counts, was, becomes, here)
        for first, then, many in since:  # the rest have changed since the snapshot
            if first == was and then is not GONE and n > 0:
                n -= _transfer(counts, then, _with_same_changes(then, was, becomes), min(n, many, counts.get(then, 0)))
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def _transfer(counts: dict[Any, int], was: Any, becomes: Any, n: int) -> int:
    if n > 0:
        counts[was] -= n
        if becomes is not GONE:
            counts[becomes] = counts.get(becomes, 0) + n
    return n


def _with_same_changes(then: Any, was: Any, becomes: Any) -> Any:
    """The figure `then`, with the attributes that differ between `was` and `becomes` set as well."""
    if becomes is GONE:
        return GONE
    return tuple([b if a != b else c for a, b, c in zip(was, becomes, then, strict=True)])


def _count_differing(one: Any, two: Any) -> int:
    return sum(a != b for a, b in zip(one, two, strict=True))


def _differences(old: Bag, new: Bag) -> Iterator[tuple[Any, Any, int]]:
    """The changes from `old` to `new` as (figure, becomes, count): figures are paired so that few attributes change."""
    before, after = dict(old), dict(new)
    lost = {f: n - after.get(f, 0) for f, n in before.items() if n > after.get(f, 0)}
    won = {f: n - before.get(f, 0) for f, n in after.items() if n > before.get(f, 0)}
    pairs = [(f, g) for f in lost for g in won if f[1] == g[1]]  # a figure never changes its kind
    near = sorted(pairs, key=lambda pair: (_count_differing(*pair), figure_order(pair[0]), figure_order(pair[1])))
    for was, becomes in near:
        n = min(lost[was], won[becomes])
        if n:
            lost[was] -= n
            won[becomes] -= n
            yield was, becomes, n
    yield from ((was, GONE, n) for was, n in ordered(list(lost.items())) if n)
    yield from ((GONE, becomes, n) for becomes, n in ordered(list(won.items())) if n)
