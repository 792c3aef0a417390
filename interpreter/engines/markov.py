"""Markov chains and decision processes, solved exactly in integers and fractions.

`absorbed` takes a start distribution and, for each state, its successors with integer weights and their total; it
returns the weight of every absorbing state over one denominator. Strongly connected components are solved one after the
other in topological order by exact elimination, so no mass is lost. `optimal_values` takes the worlds of one component
of a decision process; it returns the value of each by policy iteration, which starts from a proper policy (one that
leaves the component) and changes a choice only for a strict improvement, so it terminates. Neither knows what a state
is.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import gcd, lcm
from typing import Any

Rows = dict[Any, tuple[dict[Any, int], int]]


def absorbed(
    start: dict[Any, int], total: int, rows: Rows, never: Callable[[], Exception]
) -> tuple[dict[Any, int], int]:
    """Return the distribution over absorbing states: `({end: weight}, denominator)`, in lowest terms.

    `start` has weights over `total`; `rows`: state → (successors, their total); a state without a row is absorbing.
    Raises `never()` if mass enters a component that nothing leaves.
    """
    mass: dict[Any, int] = dict(start)
    for level in _levels(rows):
        flows: dict[Any, tuple[int, int]] = {}
        for component in level:
            if len(component) > 1:
                flows.update(_eliminate(component, rows, mass, never))
                continue
            state = component[0]
            inflow = mass.pop(state, 0)
            if not inflow:
                continue
            row, of = rows[state]
            outflow = of - row.get(state, 0)  # self-loops only delay
            if not outflow:
                raise never()
            shared = gcd(inflow, outflow)
            flows[state] = inflow // shared, outflow // shared
        common = lcm(*[den for _, den in flows.values()])
        if common != 1:
            total *= common
            for state in mass:
                mass[state] *= common
        for state, (num, den) in flows.items():
            flow = num * (common // den)
            for then, weight in rows[state][0].items():
                if then not in flows:
                    mass[then] = mass.get(then, 0) + flow * weight
    shared = gcd(total, *mass.values())
    return {end: weight // shared for end, weight in mass.items() if weight}, total // shared


def _eliminate(
    component: list[Any], rows: Rows, mass: dict[Any, int], never: Callable[[], Exception]
) -> dict[Any, tuple[int, int]]:
    """The expected number of departures from each state of a component, as (numerator, denominator), per unit of its
    own integer weights. Removes the inflow mass from `mass`. States are eliminated one at a time, then substituted back
    in reverse order (state reduction).
    """
    inside = set(component)
    inflow = {state: Fraction(mass.pop(state, 0)) for state in component}
    if not any(inflow.values()):
        return {}
    to: dict[Any, dict[Any, int]] = {}
    outflow: dict[Any, int] = {}
    for state in component:
        row, of = rows[state]
        outflow[state] = of - row.get(state, 0)
        to[state] = {then: w for then, w in row.items() if then in inside and then != state}
    into: dict[Any, set[Any]] = {state: set() for state in component}
    for state, row in to.items():
        for then in row:
            into[then].add(state)
    kept = dict.fromkeys(component, Fraction(1))  # probability of not returning through eliminated states
    taken: list[tuple[Any, list[tuple[Any, Fraction]]]] = []
    for state in component[:-1]:
        row, out = to.pop(state), outflow[state]
        if not out:
            raise never()
        for then, weight in row.items():
            into[then].discard(state)
            inflow[then] += inflow[state] * Fraction(weight, out)
        back = []
        for user in into.pop(state):
            mine = to[user]
            weight = mine.pop(state)
            back.append((user, Fraction(weight, outflow[user]) * kept[user]))
            made = {then: w * out for then, w in mine.items()}
            for then, w in row.items():
                if then != user:
                    made[then] = made.get(then, 0) + weight * w
                    into[then].add(user)
            left = outflow[user] * out - weight * row.get(user, 0)
            if not left:
                raise never()
            kept[user] *= Fraction(left, outflow[user] * out)
            shared = gcd(left, *made.values())
            to[user] = {then: w // shared for then, w in made.items()}
            outflow[user] = left // shared
        taken.append((state, back))
    last = component[-1]
    if not outflow[last]:
        raise never()
    flow = {last: inflow[last] / kept[last]}
    for state, back in reversed(taken):
        through = inflow[state] + sum((flow[user] * share for user, share in back), Fraction(0))
        flow[state] = through / kept[state]
    found = {}
    for state, through in flow.items():
        row, of = rows[state]
        each = through / (of - row.get(state, 0))
        found[state] = each.numerator, each.denominator
    return found


def _levels(rows: Rows) -> list[list[list[Any]]]:
    """The strongly connected components by topological level, sources first; components of one level do not reach each
    other.
    """
    if _onward(rows):
        return [[[state]] for state in rows]
    parts = components(rows)  # in reverse topological order
    where = {state: i for i, component in enumerate(parts) for state in component}
    depth = [0] * len(parts)
    for i in range(len(parts) - 1, -1, -1):
        below = depth[i] + 1
        for state in parts[i]:
            for then in rows[state][0]:
                j = where.get(then, i)
                if j != i and depth[j] < below:
                    depth[j] = below
    levels: list[list[list[Any]]] = [[] for _ in range(max(depth, default=-1) + 1)]
    for i, component in enumerate(parts):
        levels[depth[i]].append(component)
    return levels


def _onward(rows: Rows) -> bool:
    """Whether each state leads only to itself and to later ones, so that the rows are in topological order already."""
    passed = set[Any]()
    for state, (row, _) in rows.items():
        if not passed.isdisjoint(row):
            return False
        passed.add(state)
    return True


def components(rows: Rows) -> list[list[Any]]:
    """Return the strongly connected components of a graph in reverse topological order (Tarjan's algorithm, without
    recursion).
    """
    number: dict[Any, int] = {}
    low: dict[Any, int] = {}
    stack: list[Any] = []
    waiting: set[Any] = set()
    found: list[list[Any]] = []
    for root in rows:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        waiting.add(root)
        path = [(root, iter(rows[root][0]))]
        while path:
            state, rest = path[-1]
            for then in rest:
                if then not in rows:
                    continue
                if then not in number:
                    number[then] = low[then] = len(number)
                    stack.append(then)
                    waiting.add(then)
                    path.append((then, iter(rows[then][0])))
                    break
                if then in waiting and number[then] < low[state]:
                    low[state] = number[then]
            else:
                path.pop()
                if path and low[state] < low[path[-1][0]]:
                    low[path[-1][0]] = low[state]
                if low[state] == number[state]:
                    component: list[Any] = []
                    while not component or component[-1] != state:
                        component.append(stack.pop())
                        waiting.discard(component[-1])
                    found.append(component)
    return found


Move = tuple[dict[Any, int], int]  # successors with weights, and their total; 0 for a choice


def optimal_values(
    circle: list[Any],
    moves: dict[Any, Move],
    beyond: Callable[[Any], Fraction],
    most: bool,
    policy: dict[Any, Any],
    never: Callable[[], Exception],
) -> dict[Any, Fraction]:
    """Return the optimal value of each world of a component; add the optimal choices to `policy`.

    `beyond` returns the value of a world outside; `most` tells whether to maximize. Raises `never()` if some world
    cannot leave the component.
    """
    inside = set(circle)
    chosen = _proper_policy(circle, moves, inside)
    if len(chosen) < len(circle):
        raise never()
    while True:
        values = _policy_values(circle, moves, inside, chosen, beyond)
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


def _proper_policy(circle: list[Any], moves: dict[Any, Move], inside: set[Any]) -> dict[Any, Any]:
    """A successor for each world on a path that leaves the component, found backwards from the exits. Worlds that
    cannot leave are missing.
    """
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


def _policy_values(
    circle: list[Any],
    moves: dict[Any, Move],
    inside: set[Any],
    chosen: dict[Any, Any],
    beyond: Callable[[Any], Fraction],
) -> dict[Any, Fraction]:
    """The value of each world under the policy `chosen`: a system of linear equations, solved by elimination."""
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
        if staying:  # self-loops only delay
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
