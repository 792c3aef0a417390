"""Merges simultaneous changes: the effects of a call in a `together` block, computed from the state at the beginning of
the block, are applied to the state as the earlier lines have left it.

`land` merges all cells of a call. A change of a number adds its difference; a set gains and loses what differs. Figures
change bags when they leave play or change holders, so all bags of a kind are merged at once, and no figure is lost or
counted twice. Equal figures are indistinguishable: a change is applied first to those that are unchanged, and then,
attribute by attribute, to changed ones. Where a block may make figures alike, each bears its origin (`origins.py`).

A difference does not show that a line *sets* a value, because it may reset it to the old one. Therefore, where earlier
lines of the block have changed something (`watched`), a call records what it sets, in a cell of its state
(`SET_AGAIN`): None, or the pair of what is watched and what was set. Such a value replaces the earlier one. Neither
does a difference show what is added to a number with bounds, because a bound may have clamped it, nor that a set gains
a member that it has. Raises `Refused` (E015) if it is undetermined which figures are affected.

Watched items are pairs `(cell, place)`: the index of a cell with -1, or that of a bag with the place of an attribute of
its figures. Set items are triples of such a pair and a detail: for a fact its arguments; for a number with bounds an
`Addition`; for a set a `Link`; for a bag the value, `ADDED`, `TAKEN`, or `CLAMPED` by a bound; else None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from interpreter.vocabulary.functions import Bag, Figure, Refused

from .changes import parts_by_holder, sorted_facts
from .layout import LENT, SET_AGAIN, Bags, Landing
from .origins import origin, without_origin
from .runtime import bag, figure_order, join, kept_within

ADDED, TAKEN, CLAMPED = "added", "taken", "clamped"
Addition = tuple[Any, Any, Any]  # (amount, low, high): a composition of additions that are each clamped to bounds
Link = tuple[tuple[Any, ...], tuple[Any, ...]]  # the members that a set has lost, and then gained
Located = tuple[Figure, bool | None]  # a figure, and whether it is in play; None in a name, which does not tell
SetAgain = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int, Any], ...]] | None
_OWN = (LENT[1], SET_AGAIN[1])


# ---- watched and set items
def watched(state: Sequence[Any], before: Sequence[Any], cells: Iterable[int], kinds: Sequence[Landing]) -> SetAgain:
    """Return what a call must record if it sets it: all changes since the block began, here or in a calling block."""
    outer = state[SET_AGAIN[1]]
    found = set(outer[0]) if outer is not None else set()
    changed = [i for i in cells if i not in _OWN and state[i] != before[i]]
    found |= {(i, -1) for i in changed if kinds[i][0] != "bag"}
    for bag_, bags in _by_kind(changed, kinds):
        for was, becomes, _ in _differences(*[_located(cells, bags, bag_.held) for cells in (before, state)]):
            figure, _ = was if was is not None else becomes
            for place, kind in enumerate(bag_.places):
                if None in (was, becomes) or was[1] != becomes[1]:
                    changes = kind == "out of play"
                else:
                    changes = was[0][place] != becomes[0][place]
                if changes:
                    found |= {(figure[0] + bag_.held, place), (figure[0] + bag_.gone, place)}
    return (tuple(sorted(found)), ()) if found else None


def set_cells(noted: SetAgain, things: Iterable[int], place: int) -> SetAgain:
    """Return `noted` after an attribute of several things is set; an absent one (-1) is skipped."""
    return noted and _with(noted, [(thing + place, -1, None) for thing in things if thing >= 0])


def set_facts(noted: SetAgain, cell: int, every: Iterable[tuple[Any, ...]]) -> SetAgain:
    """Return `noted` after a fact is set for all of these arguments."""
    return noted and _with(noted, [(cell, -1, asked) for asked in every])


def add_cells(noted: SetAgain, things: Iterable[int], place: int, amount: Any, low: Any, high: Any) -> SetAgain:
    """Return `noted` after an amount is added to a number with bounds of several things."""

    def then(first: Addition) -> Addition:
        by, least, most = first
        return by + amount, kept_within(least + amount, low, high), kept_within(most + amount, low, high)

    return _then(noted, things, place, (0, low, high), then) if amount else noted


def link_cells(noted: SetAgain, things: Iterable[int], place: int, more: Sequence[Any], sign: int) -> SetAgain:
    """Return `noted` after a set of several things gains members (`sign` 1) or loses them (-1)."""

    def then(first: Link) -> Link:
        lost, gained = first
        others = tuple([x for x in gained if x not in more])
        return (lost, (*others, *more)) if sign > 0 else ((*lost, *more), others)

    return _then(noted, things, place, ((), ()), then)


def _then(noted: Any, things: Iterable[int], place: int, first: Any, then: Callable[[Any], Any]) -> SetAgain:
    """`noted` after a change that composes with the earlier record of the same cell; `first` if there is none."""
    for cell in [thing + place for thing in things if noted and thing >= 0]:
        watch, known = noted
        before = [detail for i, _, detail in known if i == cell]
        if None not in before:  # a value that was set stays as recorded
            others = tuple([each for each in known if each[0] != cell])
            noted = _with((watch, others), [(cell, -1, then(before[0] if before else first))])
    return noted  # type: ignore[no-any-return]


def add_figures(noted: SetAgain, part: Bag, held: int, gone: int, place: int, amount: Any, *bounds: Any) -> SetAgain:
    """Return `noted` after an amount is added to a number of figures."""
    cut = noted and any(kept_within((f[place] or 0) + amount, *bounds) != (f[place] or 0) + amount for f, _ in part)
    detail = CLAMPED if cut else ADDED if amount > 0 else TAKEN
    return set_figures(noted, part, held, gone, place, detail)


def set_figures(noted: SetAgain, part: Bag, held: int, gone: int, place: int, value: Any) -> SetAgain:
    """Return `noted` after an attribute of figures is set to a value."""
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
    """Merge the effects of a call into the state: `after` maps the indices of its cells to their values after it.
    `line` is the line of the call.
    """
    noted = after.get(SET_AGAIN[1])
    again: dict[int, list[tuple[int, Any]]] = {}
    for cell, place, detail in noted[1] if noted else ():
        again.setdefault(cell, []).append((place, detail))
    changed = [i for i, new in after.items() if i != SET_AGAIN[1] and (new != before[i] or i in again)]
    for bag_, bags in _by_kind([i for i in after if i in changed or state[i] != before[i]], kinds):
        _land_bags(state, before, after, bag_, bags, again, line)
    again[LENT[1]] = [each for cell in again if kinds[cell][0] == "bag" for each in again[cell]]
    for i in changed:
        if kinds[i][0] != "bag":
            state[i] = landed(kinds[i], state[i], before[i], after[i], again.get(i, ()), line)
    if noted:
        state[SET_AGAIN[1]] = _with(state[SET_AGAIN[1]], noted[1]) if state[SET_AGAIN[1]] else None


def landed(
    kind: Landing, pending: Any, old: Any, new: Any, again: Sequence[tuple[int, Any]] = (), line: Any = None
) -> Any:
    """Return the cell `pending` with the change old → new applied, which was computed from an earlier snapshot. `again`
    has what was set in it; for names lent to the call, what was set of figures.
    """
    if pending == old:
        return new
    match kind:
        case "lent", kinds:
            both = zip(pending[2], old[2], new[2], strict=True)
            mine = [None if now is None else _name(kinds, now, was, is_, again, line) for now, was, is_ in both]
            return landed(kind, pending[0], old[0], new[0], again, line), new[1], tuple(mine)
        case "facts":
            was, becomes = dict(old), dict(new)
            differ = {asked: x for asked, x in new if asked not in was or was[asked] != x}
            return sorted_facts({**dict(pending), **differ, **{asked: becomes[asked] for _, asked in again}})
    match again:
        case [(_, (by, low, high))]:
            return kept_within((pending or 0) + by, low, high)
        case [(_, (lost, gained))]:
            return tuple(sorted({*gained, *(x for x in pending if x not in lost)}))
        case [_, *_]:
            return new
    return _value(kind, pending, old, new)


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


# ---- figures
def _by_kind(cells: Iterable[int], kinds: Sequence[Landing]) -> list[tuple[Bags, list[int]]]:
    """The bags among the cells, by the kind of their figures."""
    found: dict[int, tuple[Bags, list[int]]] = {}
    for i in cells:
        match kinds[i]:
            case "bag", Bags() as of:
                found.setdefault(of.kind, (of, []))[1].append(i)
    return list(found.values())


def _located(state: Sequence[Any] | Mapping[int, Any], bags: Iterable[int], held: int) -> Counter[Located]:
    """The figures in some bags; those in play are at the offset `held` of their holder."""
    return Counter({(f, i == f[0] + held): n for i in bags for f, n in state[i]})


def _land_bags(
    state: list[Any],
    before: Sequence[Any],
    after: Mapping[int, Any],
    of: Bags,
    bags: list[int],
    again: Mapping[int, Sequence[tuple[int, Any]]],
    line: Any,
) -> None:
    """Merge the bags of one kind."""
    if all(state[i] == before[i] for i in bags):
        for i in bags:
            state[i] = after[i]
        return
    pending, old, new = [_located(cells, bags, of.held) for cells in (state, before, after)]
    mine = [each for i in bags for each in again.get(i, ())]
    found = merged_figures(of.places, pending, old, new, mine, line)
    for i in bags:
        state[i] = ()
    for (figure, in_play), n in found.items():
        i = figure[0] + (of.held if in_play else of.gone)
        if i in after:
            state[i] = join(state[i], ((figure, n),))


def merged_figures(
    kinds: Sequence[Landing],
    pending: Counter[Located],
    old: Counter[Located],
    new: Counter[Located],
    again: Sequence[tuple[int, Any]],
    line: Any,
) -> Counter[Located]:
    """Return the figures `pending` with the change old → new applied. `kinds` tells how changes of each place of a
    figure are merged; `again` has what was set.
    """
    since = list(_differences(old, pending))
    places = _set_for_sure(kinds, since, again, line)
    found: Counter[Any] = Counter()
    now: dict[Any, list[tuple[Any, int]]] = {each: [(each, n)] for each, n in (old & pending).items()}  # by old value
    for was, then, n in since:
        now.setdefault(was, []).append((then, n))
    for was, becomes, n in _differences(old, new):
        left = []
        for then, many in now.pop(was, []) if was is not None else [(None, n)]:
            taken = min(n, many)
            found[_with_same_changes(kinds, then, was, becomes, places)] += taken
            left.append((then, many - taken))
            n -= taken
        now[was] = [*now.get(was, []), *left]
    for groups in now.values():
        for then, many in groups:
            found[then] += many
    del found[None]
    return +found


def _set_for_sure(kinds: Any, since: Any, again: Sequence[tuple[int, Any]], line: Any) -> frozenset[int]:
    """The places of the attributes that were set. Raises `Refused` (E015) if it is undetermined for which figures: some
    that have changed since the snapshot may have been reset, or set and added to.
    """
    places = frozenset([place for place, detail in again if detail not in (ADDED, TAKEN, CLAMPED)])
    for place, detail in again:
        bounded = type(kinds[place]) is tuple
        both = detail == ADDED and bounded and (place, TAKEN) in again  # of one figure a bound may cut one of them off
        mixed = detail == CLAMPED or both or (detail in (ADDED, TAKEN) and place in places)
        for was, becomes, _ in since:
            if was is None:
                continue
            if becomes is None or was[1] != becomes[1]:
                back = kinds[place] == "out of play" and was[0][place] == detail
            else:
                back = was[0][place] != becomes[0][place] and (mixed or was[0][place] == detail)
            if back:
                raise Refused("E015", line, step=line.address)
    return places


def _with_same_changes(
    kinds: Sequence[Landing], then: Located | None, was: Located | None, becomes: Located | None, again: frozenset[int]
) -> Located | None:
    """The figure `then`, changed as `was` became `becomes`; None stands for a figure that is in none of the bags."""
    if was is None or becomes is None or then == was:
        return becomes
    if then is None:
        return None
    figure, of = then[0], zip(kinds, then[0], was[0], becomes[0], strict=False)
    if becomes[0][1] != was[0][1]:  # it left play for good and has lost all attributes except its holder
        figure = becomes[0]
    elif figure[1] == was[0][1]:
        figure = (*[_place(*values, i in again) for i, values in enumerate(of)], *figure[len(kinds) :])
    holder = becomes[0][0] if becomes[0][0] != was[0][0] else then[0][0]
    return (holder, *figure[1:]), becomes[1] if becomes[1] != was[1] else then[1]


def _place(kind: Landing, now: Any, old: Any, new: Any, again: bool) -> Any:
    return now if old == new else new if again else _value(kind, now, old, new)


def _name(kinds: Any, pending: Bag, old: Bag, new: Bag, again: Any, line: Any) -> Bag:
    """A name lent to a call. Its figures show their kind, except those that left play for good."""
    if pending == old:
        return new
    every = [f for f, _ in (*pending, *old, *new)]
    known = [kinds[f[1]] for f in every if len(kinds.get(f[1], ())) == len(without_origin(f))]
    places = known[0] if known else ("value",) * max(map(len, every))
    merged = merged_figures(places, _named(pending), _named(old), _named(new), again, line)
    return bag([(f, n) for (f, _), n in merged.items()])


def _named(name: Bag) -> Counter[Located]:
    return Counter({(f, None): n for f, n in name})


def _differences(old: Counter[Located], new: Counter[Located]) -> Iterator[tuple[Any, Any, int]]:
    """The changes from `old` to `new` as (was, becomes, count): figures are paired by origin, and else so that few
    attributes change. None stands for a figure that is in none of the bags.
    """
    lost, won = old - new, new - old
    pairs = [(f, g) for f in lost for g in won if not _are_others(f[0], g[0])]
    for was, becomes in sorted(pairs, key=lambda pair: (_distance(*pair), _order(pair[0]), _order(pair[1]))):
        n = min(lost[was], won[becomes])
        if n:
            lost[was] -= n
            won[becomes] -= n
            yield was, becomes, n
    yield from ((was, None, n) for was, n in sorted(lost.items(), key=lambda each: _order(each[0])) if n)
    yield from ((None, becomes, n) for becomes, n in sorted(won.items(), key=lambda each: _order(each[0])) if n)


def _are_others(one: Figure, other: Figure) -> bool:
    """Whether two figures have different origins. One that left play for good bears none."""
    mine, others = origin(one), origin(other)
    return mine != others and None not in (mine, others)


def _distance(one: Located, other: Located) -> tuple[bool, bool, int]:
    """The distance between two figures; one without an origin or a kind, which left play for good, sorts last."""
    differ = (one[1] != other[1]) + sum(a != b for a, b in zip(one[0], other[0], strict=False))
    return origin(one[0]) != origin(other[0]), one[0][1] != other[0][1], differ


def _order(one: Located) -> tuple[Any, bool]:
    return figure_order(one[0]), bool(one[1])
