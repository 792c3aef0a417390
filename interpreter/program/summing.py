"""Rounds of a loop that are alike and only add up: they need not be gone through one by one.

Enters: a loop, and what matters where. Leaves: whether one round for figures that are alike tells all of theirs. It
does where a round reads nothing that a round changes but whose turn it is, and all that matters of it are numbers that
are added to totals. Knows nothing of laws.
"""

from __future__ import annotations

from .code import While
from .live import Live
from .terms import Cells, Uses


def only_adds(loop: While, live: Live, reads: Uses, gives: Uses, sets: frozenset[int], writes: Cells) -> bool:
    """`reads` and `gives`: what one round does of what matters; `sets` and `writes`: all that it may change."""
    first = [item for item in loop.first if not live.dead.get(id(item), False)]
    last = [item for item in loop.last if not live.dead.get(id(item), False)]
    added = [item.adds for item in last]
    if loop.rest < 0 or not last or any(item.sets not in (loop.rest, loop.each) for item in first):
        return False
    if gives.cells or sorted(added) != sorted(gives.slots) or live.after[id(last[-1])].slots & gives.slots:
        return False
    return not reads.slots & {loop.rest, *sets, *(item.sets for item in last)} and not reads.cells & writes
