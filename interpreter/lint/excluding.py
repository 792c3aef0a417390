"""Conditions that cannot hold together, as far as their words show it.

Enters: typed conditions. Leaves: yes or no. What does not show is taken to go together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.rulebook import typed as t


def exclude(one: t.Expr | None, two: t.Expr | None) -> bool:
    """`tired` and `not tired`, `gun is heavy` and `gun is light`, `far > 6"` and `far <= 6"`."""
    if one is None or two is None:
        return False
    return any(_clash(a, b) for a in all_of(one) for b in all_of(two))


def row_named(condition: t.Expr | None, needed: t.Expr | None) -> int | None:
    """The row that a condition says something is, where the number needed is a cell of the same row."""
    if condition is None or not isinstance(needed, t.Cell):
        return None
    for part in all_of(condition):
        if isinstance(part, t.Op) and part.name == "same" and isinstance(part.args[1], t.Lit):
            if alike(part.args[0], needed.row):
                return int(part.args[1].value)
    return None


def alike(one: Any, two: Any) -> bool:
    """Whether two expressions say the same in the same words."""
    if isinstance(one, t.Expr) and type(one) is type(two):
        return all(alike(getattr(one, name), getattr(two, name)) for name in t.children(type(one)))
    if isinstance(one, tuple) and isinstance(two, tuple):
        return len(one) == len(two) and all(map(alike, one, two))
    return bool(one == two)


def all_of(e: t.Expr) -> Iterator[t.Expr]:
    left = [e]
    while left:
        here = left.pop()
        if isinstance(here, t.Op) and here.name == "and":
            left += here.args
        else:
            yield here


def _clash(a: t.Expr, b: t.Expr) -> bool:
    if _is_not(a, b) or _is_not(b, a):
        return True
    if not (isinstance(a, t.Op) and isinstance(b, t.Op)) or len(a.args) != 2 or len(b.args) != 2:
        return False
    if not (alike(a.args[0], b.args[0]) and isinstance(a.args[1], t.Lit) and isinstance(b.args[1], t.Lit)):
        return False
    x, y = a.args[1].value, b.args[1].value
    if a.name == b.name == "same":
        return bool(x != y)
    low = {"more": (x, 1), "at-least": (x, 0), "equal": (x, 0)}.get(a.name)
    high = {"less": (y, 1), "at-most": (y, 0), "equal": (y, 0)}.get(b.name)
    if low is None or high is None or x is None or y is None:
        low, high = {"more": (y, 1), "at-least": (y, 0)}.get(b.name), {"less": (x, 1), "at-most": (x, 0)}.get(a.name)
    return low is not None and high is not None and (low[0] > high[0] or (low[0] == high[0] and low[1] + high[1] > 0))


def _is_not(a: t.Expr, b: t.Expr) -> bool:
    return isinstance(a, t.Op) and a.name == "not" and alike(a.args[0], b)
