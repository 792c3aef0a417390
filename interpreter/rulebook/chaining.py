"""Chains of `otherwise`: which line each belongs to, whatever other files have put between them.

Enters: the lines of a block as they stand now, and what was done to them. Leaves: for each `otherwise` its line. Knows
nothing of what lines do.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.document.nodes import Entry
from interpreter.language import nodes as n
from interpreter.source import Span
from interpreter.source.values import Struct

from .sheets import History, Place, place_of

Read = tuple[Entry, str, n.LineKey]


class Owner(Struct):
    """The line that an `otherwise` belongs to: where it stands in the block, None if nowhere; the lines that may be it;
    where it was removed.
    """

    index: int | None
    places: tuple[Place, ...]
    removed: Span | None = None


def otherwise_than(read: Sequence[Read], entries: Sequence[tuple[Entry, str]], history: History) -> dict[int, Owner]:
    """By the place of each `otherwise` among the lines that could be read. It belongs to the line written before it in
    the file that says it; where that file says none before it, to the one that stands before it now. `entries` are all
    lines, also those that could not be read.
    """
    at = {place_of(entry): index for index, (entry, _, _) in enumerate(read)}
    found: dict[int, Owner] = {}
    for index, (entry, _, key) in enumerate(read):
        if not key.clauses or not isinstance(key.clauses[0], n.Otherwise):
            continue
        written = history.otherwise.get(place_of(entry))
        if written is None:
            before = [place_of(e) for e, _ in entries]
            now = before[: before.index(place_of(entry))][-1:]
        else:
            now = [*history.now(written)]
        governed = [at[place] for place in now if place in at and _governed(read[at[place]][2])]
        found[index] = Owner(governed[-1] if governed else None, tuple(now), history.gone.get(written or ("", 0)))
    return found


def _governed(key: n.LineKey) -> bool:
    """Whether a line may be left out, so that another can be done otherwise."""
    return bool(key.clauses) and isinstance(key.clauses[0], n.If | n.Otherwise)
