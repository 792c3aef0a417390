"""What happens together lands: changes that were made of one and the same state, one after the other.

Enters: a cell as it was, as it is since, and as one change has made it of what it was. Leaves: the cell with both.
Counted things are not told apart: a change takes those that nobody has changed yet first; of those that were changed
already, it changes what it would have changed of them as they were. Knows nothing of what a cell records.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .runtime import figure_order, ordered

Bag = tuple[tuple[Any, int], ...]
GONE = None  # out of the bag


def landed(kind: str, pending: Any, old: Any, new: Any) -> Any:
    """A change old → new, seen from a snapshot, laid on what has already changed since."""
    if pending == old:
        return new
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
    return new


def _bags(pending: Bag, old: Bag, new: Bag) -> Bag:
    counts = dict(pending)
    since = list(_ways(old, pending))
    for was, becomes, n in _ways(old, new):
        if was is GONE:  # one that came from elsewhere
            counts[becomes] = counts.get(becomes, 0) + n
            continue
        here = min(n, counts.get(was, 0))
        n -= _became(counts, was, becomes, here)
        for first, then, many in since:  # those it meant have changed meanwhile
            if first == was and then is not GONE and n > 0:
                n -= _became(counts, then, _also(then, was, becomes), min(n, many, counts.get(then, 0)))
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def _became(counts: dict[Any, int], was: Any, becomes: Any, n: int) -> int:
    if n > 0:
        counts[was] -= n
        if becomes is not GONE:
            counts[becomes] = counts.get(becomes, 0) + n
    return n


def _also(then: Any, was: Any, becomes: Any) -> Any:
    """What has changed already, with what changes now as well."""
    if becomes is GONE:
        return GONE
    return tuple([b if a != b else c for a, b, c in zip(was, becomes, then, strict=True)])


def _far(one: Any, two: Any) -> int:
    return sum(a != b for a, b in zip(one, two, strict=True))


def _ways(old: Bag, new: Bag) -> Iterator[tuple[Any, Any, int]]:
    """Who became what: those that are missing and those that are new, paired so that the fewest attributes change."""
    before, after = dict(old), dict(new)
    lost = {f: n - after.get(f, 0) for f, n in before.items() if n > after.get(f, 0)}
    won = {f: n - before.get(f, 0) for f, n in after.items() if n > before.get(f, 0)}
    pairs = [(f, g) for f in lost for g in won if f[1] == g[1]]  # none becomes another sort of thing
    near = sorted(pairs, key=lambda pair: (_far(*pair), figure_order(pair[0]), figure_order(pair[1])))
    for was, becomes in near:
        n = min(lost[was], won[becomes])
        if n:
            lost[was] -= n
            won[becomes] -= n
            yield was, becomes, n
    yield from ((was, GONE, n) for was, n in ordered(list(lost.items())) if n)
    yield from ((GONE, becomes, n) for becomes, n in ordered(list(won.items())) if n)
