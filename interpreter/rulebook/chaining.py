"""Finds the line that each `otherwise` belongs to, whatever other files have inserted between them.

Enters: the lines of a block as patched, and the patch history. Leaves: the owner of each `otherwise`. Knows nothing of
what lines do.
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
    """The line that an `otherwise` belongs to.

    `index` is its position in the block, None if it is not there; `places` are the candidate lines; `removed` is where
    a patch removed it.
    """

    index: int | None
    places: tuple[Place, ...]
    removed: Span | None = None


def otherwise_owners(read: Sequence[Read], entries: Sequence[tuple[Entry, str]], history: History) -> dict[int, Owner]:
    """The owner of each `otherwise`, by its index in `read`.

    That is the line written before it in its own file, or, if the file has none, the line that precedes it now.
    `entries` are all lines of the block, including those that could not be parsed.
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
    """Whether a line has a condition, so that an `otherwise` may follow it."""
    return bool(key.clauses) and isinstance(key.clauses[0], n.If | n.Otherwise)
