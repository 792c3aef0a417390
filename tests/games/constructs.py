"""The constructs that a game can have, and the pairs of them. Knows nothing of how a game is made."""

from __future__ import annotations

from itertools import combinations

from . import calls, hooks, marks  # noqa: F401  (their constructs)
from .layers import LAYERS
from .lines import CONSTRUCTS as BUILT
from .lines import LATE
from .words import LINES, WORDS
from .world import VALUES

ORDERS = ("open choice", "choose:", "policy", "do lines", "clauses")
ALL = [*BUILT, *LATE, *LAYERS, *ORDERS]
ROLLS = ("roll as", "roll as, a line anew", "roll on")
CONSTRUCTS = sorted(
    {*ALL, *VALUES, *ROLLS, *(s.tag for s in LINES), *(t.tag for both in WORDS.values() for ts in both for t in ts)}
    - {""}
)
# Pairs that no game can have, and why.
NEVER = {
    frozenset(("choose:", "policy")): "a situation names one way to choose under `choose:`, a line's or a policy's",
    frozenset(
        ("extends", "supplement")
    ): "one page of a game lies over its base or extends it, and a game here has two pages",
}
PAIRS = [p for p in combinations(CONSTRUCTS, 2) if frozenset(p) not in NEVER]
STRIDE = 7919  # so that neighbours in the list of pairs are far apart
assert len(PAIRS) % STRIDE


def pair(seed: int) -> tuple[str, str]:
    """The pair of constructs that this game is made for: as many seeds as there are pairs have each of them once."""
    return PAIRS[seed * STRIDE % len(PAIRS)]
