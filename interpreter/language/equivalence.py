"""Whether two texts are the same sentence.

Takes two texts. The position of a text in a file determines its start symbol; here every start symbol must give equal
trees, so that the caller need not know the position.
"""

from __future__ import annotations

from interpreter.source.values import names

from . import nodes
from .parse import STARTS, Refusal, parse


def parse_all(text: str, grammar: str) -> dict[str, nodes.Node]:
    """Return the tree of `text` for each start symbol that accepts it; empty if none does."""
    found = ((start, parse(text, start, grammar)) for start in STARTS)
    return {start: node for start, node in found if not isinstance(node, Refusal)}


def are_equivalent(one: str, two: str, grammar: str) -> bool:
    """Return whether both texts have the same trees apart from offsets; equal texts need not be sentences."""
    if one == two:
        return True
    first, second = parse_all(one, grammar), parse_all(two, grammar)
    return bool(first) and first.keys() == second.keys() and all(_have_equal_trees(first[s], second[s]) for s in first)


def _have_equal_trees(one: object, two: object) -> bool:
    """Return whether two trees are equal except for `start` and `end`; without recursion."""
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
