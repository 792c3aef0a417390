"""Circles in which somebody may choose: what each world is worth, over all ways to choose that come to an end.

Enters: worlds that lead to each other, what may follow each, what lies beyond is worth. Leaves: the worth of each, by
policy iteration. It begins with choices that lead out, and changes one only for more; so it never chooses for ever.
Knows nothing of what a world is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Move = tuple[dict[Any, int], int]  # the worlds that may follow, weighted; their total, or 0 where one of them is chosen


def settled(
    circle: list[Any],
    moves: dict[Any, Move],
    beyond: Callable[[Any], Fraction],
    most: bool,
    policy: dict[Any, Any],
    never: Callable[[], Exception],
) -> dict[Any, Fraction]:
    """The worth of each world of a circle; choices go into the `policy`. Raises `never()` without a way out."""
    inside = set(circle)
    chosen = _outward(circle, moves, inside)
    if len(chosen) < len(circle):
        raise never()
    while True:
        values = _worth(circle, moves, inside, chosen, beyond)
        changed = False
        for world in circle:
            row, total = moves[world]
            if total:
                continue
            best = values[world]
            for then in row:
                value = values[then] if then in inside else beyond(then)
                if value > best if most else value < best:
                    best, chosen[world], changed = value, then, True
        if not changed:
            policy.update({world: then for world, then in chosen.items() if not moves[world][1]})
            return values


def _outward(circle: list[Any], moves: dict[Any, Move], inside: set[Any]) -> dict[Any, Any]:
    """For each world, a next one that is nearer to the way out (of those that may follow, where chance decides)."""
    nearer: dict[Any, Any] = {}
    while True:
        found = {
            world: then
            for world in circle
            if world not in nearer
            for then in moves[world][0]
            if then not in inside or then in nearer
        }
        if not found:
            return nearer
        nearer.update(found)


def _worth(
    circle: list[Any],
    moves: dict[Any, Move],
    inside: set[Any],
    chosen: dict[Any, Any],
    beyond: Callable[[Any], Fraction],
) -> dict[Any, Fraction]:
    """What each world is worth when these are chosen: worlds are put into one another until only the beyond is left."""
    rows: dict[Any, dict[Any, Fraction]] = {}
    worth: dict[Any, Fraction] = {}
    for world in circle:
        row, total = moves[world]
        rows[world], worth[world] = {}, Fraction(0)
        for then, weight in row.items() if total else ((chosen[world], 1),):
            share = Fraction(weight, total or 1)
            if then in inside:
                rows[world][then] = share
            else:
                worth[world] += share * beyond(then)
    users: dict[Any, set[Any]] = {world: set() for world in circle}
    for world, parts in rows.items():
        for then in parts:
            users[then].add(world)
    for world in circle:
        mine = rows[world]
        staying = mine.pop(world, Fraction(0))
        users[world].discard(world)
        if staying:  # staying put only delays
            for then in mine:
                mine[then] /= 1 - staying
            worth[world] /= 1 - staying
        for user in users[world]:
            theirs = rows[user]
            share = theirs.pop(world)
            worth[user] += share * worth[world]
            for then, w in mine.items():
                theirs[then] = theirs.get(then, Fraction(0)) + share * w
                users[then].add(user)
    return worth
