"""Whether two texts are the same sentence, wherever they stand.

Enters: two texts. Leaves: yes or no. Where a text stands decides which of the grammar's start symbols reads it; here
every one of them must read both alike, so that nobody has to know. Knows nothing of YAML or of games.
"""

from __future__ import annotations

from interpreter.source.values import names

from . import nodes
from .parse import STARTS, Refusal, parse


def readings(text: str, grammar: str) -> dict[str, nodes.Node]:
    """What `text` is, by each start symbol that can read it; empty where it is no sentence at all."""
    found = ((start, parse(text, start, grammar)) for start in STARTS)
    return {start: node for start, node in found if not isinstance(node, Refusal)}


def alike(one: str, two: str, grammar: str) -> bool:
    """Whether both are sentences, and each that the other is. Offsets may differ, and nothing else."""
    if one == two:
        return True
    first, second = readings(one, grammar), readings(two, grammar)
    return bool(first) and first.keys() == second.keys() and all(_alike(first[s], second[s]) for s in first)


def _alike(one: object, two: object) -> bool:
    left = [(one, two)]
    while left:
        a, b = left.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, nodes.Node):
            parts = [name for name in names(type(a)) if name not in ("start", "end")]
            left += [(getattr(a, name), getattr(b, name)) for name in parts]
        elif isinstance(a, tuple) and isinstance(b, tuple):
            if len(a) != len(b):
                return False
            left += zip(a, b, strict=True)
        elif a != b:
            return False
    return True
