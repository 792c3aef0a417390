"""Simultaneous changes: what a call in a `together` block did, computed from the state at the block's beginning, is
merged into the state as the lines before it have left it.

`land` merges all cells of a call. A change of a number adds its difference, and a set gains and loses what differs;
equal figures cannot be told apart, so their changes are applied to unchanged figures first, and then, attribute by
attribute, to changed ones. That a line *sets* something cannot be seen from a difference, for it may set it back to
what it was. So where earlier lines of the block have changed something (`watched`), a call notes what it sets, in a
cell of its state (`SET_AGAIN`): None, or the pair of what is watched and what was set. Such a value replaces the one
before. What is added to a number with bounds cannot be seen either, as a bound may have clamped it. Raises `Refused`
(E015) where it cannot be said of which figures.

Watched are pairs `(cell, place)`: the index of a cell with -1, or that of a bag with the place of an attribute of its
figures. Set are triples of such a pair and a detail: of a fact its arguments; of a number with bounds an `Addition`; of
a bag the value, `ADDED`, or `CLAMPED` by a bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.vocabulary.functions import Bag, Figure, Refused

from .changes import parts_by_holder, sorted_facts
from .layout import LENT, SET_AGAIN, Landing
from .runtime import figure_order, kept_within, ordered

GONE = None  # not in the bag
ADDED, CLAMPED = "added", "clamped"
Addition = tuple[Any, Any, Any]  # (amount, low, high): additions one after the other, each kept within bounds, are one
SetAgain = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, Any], ...]] | None
_OWN = (LENT[1], SET_AGAIN[1])


# ---- what is watched, and what is set
def watched(state: Sequence[Any], before: Sequence[Any], cells: Iterable[int], kinds: Sequence[Landing]) -> SetAgain:
    """What a call has to note if it sets it: all that has changed since the block began, here or in a block that this
    one is called from.
    """
    outer = state[SET_AGAIN[1]]
    found = set(outer[0]) if outer is not None else set()
    for i in cells:
        if i in _OWN or state[i] == before[i]:
            continue
        if kinds[i][0] != "bag":
            found.add((i, -1))
            continue
        for was, becomes, _ in _differences(before[i], state[i]):
            for place, kind in enumerate(kinds[i][1]):
                changes = kind == "out of play" if GONE in (was, becomes) else was[place] != becomes[place]
                if changes:
                    found.add((i, place))
    return (tuple(sorted(found)), ()) if found else None


def set_cells(noted: SetAgain, things: Iterable[int], place: int) -> SetAgain:
    """`noted` after an attribute of some things is set; an absent one (-1) is skipped."""
    return noted and _with(noted, [(thing + place, -1, None) for thing in things if thing >= 0])


def set_facts(noted: SetAgain, cell: int, every: Iterable[tuple[Any, ...]]) -> SetAgain:
    """`noted` after a fact is set, for all of these arguments."""
    return noted and _with(noted, [(cell, -1, asked) for asked in every])


def add_cells(noted: Any, things: Iterable[int], place: int, amount: Any, low: Any, high: Any) -> SetAgain:
    """`noted` after an amount is added to a number with bounds of some things."""
    for cell in [thing + place for thing in things if noted and thing >= 0]:
        watch, known = noted
        before = [detail for i, _, detail in known if i == cell]
        if None not in before:  # what was set is as it was left
            now = _then_added(before[0] if before else (0, low, high), amount, low, high)
            others = [each for each in known if each[0] != cell]
            noted = _with((watch, tuple(others)), [(cell, -1, now)])
    return noted  # type: ignore[no-any-return]


def _then_added(first: Addition, amount: Any, low: Any, high: Any) -> Addition:
    by, least, most = first
    return by + amount, kept_within(least + amount, low, high), kept_within(most + amount, low, high)


def add_figures(noted: SetAgain, part: Bag, held: int, gone: int, place: int, amount: Any, *bounds: Any) -> SetAgain:
    """`noted` after an amount is added to a number of figures."""
    cut = noted and any(kept_within((f[place] or 0) + amount, *bounds) != (f[place] or 0) + amount for f, _ in part)
    return set_figures(noted, part, held, gone, place, CLAMPED if cut else ADDED)


def set_figures(noted: SetAgain, part: Bag, held: int, gone: int, place: int, value: Any) -> SetAgain:
    """`noted` after an attribute of figures is set to a value."""
    if not noted:
        return noted
    cells = [owner + at for owner, _ in parts_by_holder(part) for at in (held, gone)]
    return _with(noted, [(cell, place, value) for cell in cells])


def _with(noted: Any, more: Iterable[tuple[int, int, Any]]) -> SetAgain:
    watch, known = noted
    new = {each for each in more if each[:2] in watch} - set(known)
    return (watch, tuple(sorted({*known, *new}, key=repr))) if new else noted


# ---- merging
def land(
    state: list[Any], before: Sequence[Any], after: Mapping[int, Any], kinds: Sequence[Landing], line: Any
) -> None:
    """Merge what a call did into the state: its cells `after` it, by index. `line` is that of the call."""
    noted = after.get(SET_AGAIN[1])
    set_there: dict[int, list[tuple[int, Any]]] = {}
    for cell, place, detail in noted[1] if noted else ():
        set_there.setdefault(cell, []).append((place, detail))
        if place >= 0:  # names of figures change as these do
            set_there.setdefault(LENT[1], []).append((place, detail))
    for i, new in after.items():
        if i != SET_AGAIN[1] and (new != before[i] or i in set_there):
            state[i] = landed(kinds[i], state[i], before[i], new, set_there.get(i, ()), line)
    if noted:
        state[SET_AGAIN[1]] = _with(state[SET_AGAIN[1]], noted[1]) if state[SET_AGAIN[1]] else None


def landed(
    kind: Landing, pending: Any, old: Any, new: Any, again: Sequence[tuple[int, Any]] = (), line: Any = None
) -> Any:
    """The cell `pending` with a change old → new applied, which was computed from an earlier snapshot. `again`: what of
    it was set.
    """
    if pending == old:
        return new
    match kind:
        case "bag", kinds:
            return _bags(kinds, pending, old, new, again, line)
        case "lent", kinds:
            both = zip(pending[2], old[2], new[2], strict=True)
            mine = [None if now is None else _names(kinds, now, was, is_, again, line) for now, was, is_ in both]
            return landed(kind, pending[0], old[0], new[0], again, line), new[1], tuple(mine)
        case "facts":
            was, becomes = dict(old), dict(new)
            differ = {asked: x for asked, x in new if asked not in was or was[asked] != x}
            return sorted_facts({**dict(pending), **differ, **{asked: becomes[asked] for _, asked in again}})
    match again:
        case [(_, (by, low, high))]:
            return pending if pending is None and not by else kept_within((pending or 0) + by, low, high)
        case []:
            return _value(kind, pending, old, new)
    return new


def _names(kinds: Any, pending: Bag, old: Bag, new: Bag, again: Any, line: Any) -> Bag:
    """A name lent to a call. Its figures tell of which kind they are, but for those out of play that have lost all."""
    if pending == old:
        return new
    every = [f for f, _ in (*pending, *old, *new)]
    known = [kinds[f[1]] for f in every if len(kinds.get(f[1], ())) == len(f)]
    return _bags(known[0] if known else ("value",) * max(map(len, every)), pending, old, new, again, line)


def _value(kind: Landing, pending: Any, old: Any, new: Any) -> Any:
    match kind:
        case "number", low, high:
            return kept_within(_value("number", pending, old, new), low, high)
        case "number":
            return None if new is None else (pending or 0) + (new - (old or 0))
        case "set":
            kept = [x for x in pending if x in new or x not in old]
            return tuple(sorted({*kept, *(x for x in new if x not in old)}))
    return new


def _bags(kinds: Any, pending: Bag, old: Bag, new: Bag, again: Sequence[tuple[int, Any]], line: Any) -> Bag:
    counts = dict(pending)
    since = list(_differences(old, pending))
    places = _set_for_sure(kinds, since, again, line)
    for was, becomes, n in _differences(old, new):
        if was is GONE:  # a figure that joins the bag
            counts[becomes] = counts.get(becomes, 0) + n
            continue
        here = min(n, counts.get(was, 0))
        n -= _transfer(counts, was, becomes, here)
        for first, then, many in since:  # the rest have changed since the snapshot
            if first == was and then is not GONE and n > 0:
                also = _with_same_changes(kinds, then, was, becomes, places)
                n -= _transfer(counts, then, also, min(n, many, counts.get(then, 0)))
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def _set_for_sure(kinds: Any, since: Any, again: Sequence[tuple[int, Any]], line: Any) -> frozenset[int]:
    """The places of the attributes that were set. Raises `Refused` (E015) if it cannot be said which figures were: some
    that have changed since the snapshot may have been set back, or set and added to.
    """
    places = frozenset([place for place, detail in again if detail not in (ADDED, CLAMPED)])
    for place, detail in again:
        mixed = detail == CLAMPED or (detail == ADDED and place in places)
        for was, becomes, _ in since:
            if was is GONE or becomes is GONE:
                back = was is not GONE and kinds[place] == "out of play" and was[place] == detail
            else:
                back = was[place] != becomes[place] and (mixed or was[place] == detail)
            if back:
                raise Refused("E015", line, step=line.address)
    return places


def _transfer(counts: dict[Any, int], was: Any, becomes: Any, n: int) -> int:
    if n > 0:
        counts[was] -= n
        if becomes is not GONE:
            counts[becomes] = counts.get(becomes, 0) + n
    return n


def _with_same_changes(kinds: Any, then: Figure, was: Figure, becomes: Figure | None, again: frozenset[int]) -> Any:
    """The figure `then`, changed as `was` became `becomes`."""
    if becomes is GONE:
        return GONE
    places = enumerate(zip(then, was, becomes, strict=True))
    return tuple([_place_with(kinds[i], now, old, new, i in again) for i, (now, old, new) in places])


def _place_with(kind: Landing, now: Any, old: Any, new: Any, again: bool) -> Any:
    return now if old == new else new if again else _value(kind, now, old, new)


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
