"""The limits: each problem worked out by somebody who knows its answer, and played with `randint`.

Exact functions give `({outcome: weight}, denominator)`. Nothing here is general; that is the point.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import lru_cache
from math import comb, factorial
from random import randint
from typing import Any

Law = tuple[dict[Any, int], int]


# ---- P1: ten dice, hit 5+, saved 5+: one die in 2/9 counts
def p1(dice: int = 10) -> Law:
    law: dict[Any, int] = {}
    for unsaved in range(dice + 1):
        down = min(unsaved, 3)
        key = down, min(unsaved - down, dice - down)
        law[key] = law.get(key, 0) + comb(dice, unsaved) * 2**unsaved * 7 ** (dice - unsaved)
    return law, 9**dice


# ---- P2: forty dice; each ends as one of three wounds with 1/72, or as none
def p2() -> Law:
    n = 40
    facts = [factorial(i) for i in range(n + 1)]
    misses = [69**i for i in range(n + 1)]
    law = {}
    for light in range(n + 1):
        for serious in range(n + 1 - light):
            chosen = facts[n] // (facts[light] * facts[serious])
            for mortal in range(n + 1 - light - serious):
                rest = n - light - serious - mortal
                law[light, serious, mortal] = chosen // (facts[mortal] * facts[rest]) * misses[rest]
    return law, 72**n


# ---- P3: six dice; a set of eight results as bits, the last three those of the second table
@lru_cache(None)
def _second(have: int, face: int) -> int:
    place = 5 + (face - 1) // 2
    while place < 8 and have >> place & 1:
        place += 1
    return have | 1 << place if place < 8 else have


@lru_cache(None)
def _damage(have: int) -> dict[int, int]:
    """One unsaved hit: the sets that may follow, in 36ths."""
    law: dict[int, int] = defaultdict(int)
    for face in range(6):
        place = face
        while place < 5 and have >> place & 1:
            place += 1
        if place < 5:
            law[have | 1 << place] += 6
        else:
            for second in range(1, 7):
                law[_second(have, second)] += 1
    return law


def forget() -> None:
    """Every table that a run filled: a cold start."""
    for table in (_second, _damage, _act):
        table.cache_clear()


def p3() -> Law:
    law = {0: 1}
    for _ in range(6):  # a die is an unsaved hit with 36/216
        after: dict[int, int] = defaultdict(int)
        for have, weight in law.items():
            after[have] += weight * 180
            for then, w in _damage(have).items():
                after[then] += weight * w
        law = after
    return law, 216**6


# ---- P4: a duel; a world is (actor's living, of them down, the other's living, of them down)
def _struck(alive: int, down: int, unsaved: int) -> tuple[int, int]:
    low = min(unsaved // 2, 3 - down, alive - down)
    alive -= min(unsaved - low, alive - low)
    return alive, min(down + low, alive)


def _faces(down: int) -> int:
    """How many faces pass an activation at 4+, one more for each who is down; a 6 always does."""
    return max(1, 3 - down)


@lru_cache(None)
def _act(a: int, a_down: int, b: int, b_down: int) -> dict[tuple[int, int, int, int], int]:
    """One action, in parts of 6 * 9**10."""
    law: dict[tuple[int, int, int, int], int] = defaultdict(int)
    passing, firing = _faces(a_down), a - a_down
    law[a, a_down, b, b_down] += (6 - passing) * 9**10
    for unsaved in range(firing + 1):
        alive, down = _struck(b, b_down, unsaved)
        law[a, 0, alive, down] += (
            passing * comb(firing, unsaved) * 2**unsaved * 7 ** (firing - unsaved) * 9 ** (10 - firing)
        )
    return law


def p4a(figures: int = 10, turns: int = 6) -> Law:
    worlds, part, total = {(figures, 0, figures, 0): 1}, 6 * 9**10, 1
    for _ in range(2 * turns):
        after: dict[tuple[int, int, int, int], int] = defaultdict(int)
        for (a, a_down, b, b_down), weight in worlds.items():
            if not a or not b:
                after[b, b_down, a, a_down] += weight * part
                continue
            for (a2, a2_down, b2, b2_down), w in _act(a, a_down, b, b_down).items():
                after[b2, b2_down, a2, a2_down] += weight * w
        worlds = after
        total *= part
    won = sum(w for (_, _, b, _), w in worlds.items() if not b)
    lost = sum(w for (a, _, _, _), w in worlds.items() if not a)
    return {(True, False): won, (False, True): lost, (False, False): total - won - lost}, total


def p4b(figures: int = 10) -> Law:
    """The chance that the first wins: components of the chain, each a small system of fractions."""
    start = (0, figures, 0, figures, 0)
    graph: dict[Any, dict[Any, int]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state in graph:
            continue
        who, a, a_down, b, b_down = state
        graph[state] = {}
        if a and b:
            law = _act(a, a_down, b, b_down)
            graph[state] = {(1 - who, b2, d2, a2, c2): w for (a2, c2, b2, d2), w in law.items()}
            todo += graph[state]
    part = 6 * 9**10
    wins: dict[Any, Fraction] = {}
    for component in _components(graph):
        first = component[0]
        if len(component) == 1 and not graph[first]:
            wins[first] = Fraction(int((first[3] == 0) == (first[0] == 0)))
            continue
        _settle(component, graph, part, wins)
    chance = wins[start]
    return {True: chance.numerator, False: chance.denominator - chance.numerator}, chance.denominator


def _settle(component: list[Any], graph: dict[Any, dict[Any, int]], part: int, wins: dict[Any, Fraction]) -> None:
    """Gauss and Jordan on the states that reach each other."""
    place = {state: i for i, state in enumerate(component)}
    size = len(component)
    rows = []
    for state in component:
        row = [Fraction(0)] * (size + 1)
        row[place[state]] += 1
        for then, w in graph[state].items():
            if then in place:
                row[place[then]] -= Fraction(w, part)
            else:
                row[size] += Fraction(w, part) * wins[then]
        rows.append(row)
    for i in range(size):
        scale = 1 / rows[i][i]
        pivot = rows[i] = [x * scale if x else x for x in rows[i]]
        for k in range(size):
            if k != i and rows[k][i]:
                factor = rows[k][i]
                rows[k] = [x - factor * y if y else x for x, y in zip(rows[k], pivot, strict=True)]
    for state in component:
        wins[state] = rows[place[state]][size]


def _components(graph: dict[Any, dict[Any, int]]) -> list[list[Any]]:
    """Tarjan's strongly connected components, the last ones first, without recursion."""
    number: dict[Any, int] = {}
    low: dict[Any, int] = {}
    stack: list[Any] = []
    open_: set[Any] = set()
    found: list[list[Any]] = []
    for root in graph:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        stack.append(root)
        open_.add(root)
        path = [(root, iter(graph[root]))]
        while path:
            state, rest = path[-1]
            for then in rest:
                if then not in number:
                    number[then] = low[then] = len(number)
                    stack.append(then)
                    open_.add(then)
                    path.append((then, iter(graph[then])))
                    break
                if then in open_:
                    low[state] = min(low[state], number[then])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[state])
                if low[state] == number[state]:
                    component = []
                    while not component or component[-1] != state:
                        component.append(stack.pop())
                        open_.discard(component[-1])
                    found.append(component)
    return found


# ---- one history, as anybody would write it
def _d6() -> int:
    return randint(1, 6)


def play_p1() -> tuple[int, int]:
    hits = sum(1 for _ in range(10) if _d6() >= 5)
    unsaved = sum(1 for _ in range(hits) if _d6() < 5)
    down = min(unsaved, 3)
    return down, min(unsaved - down, 10 - down)


def play_p2() -> tuple[int, int, int]:
    sixes = sum(1 for _ in range(40) if _d6() >= 6)
    hits = sum(1 for _ in range(sixes) if _d6() >= 4)
    unsaved = sum(1 for _ in range(hits) if _d6() < 4)
    wounds = [0, 0, 0]
    for _ in range(unsaved):
        wounds[(_d6() - 1) // 2] += 1
    return wounds[0], wounds[1], wounds[2]


def play_p3() -> int:
    have = 0
    hits = sum(1 for _ in range(6) if _d6() >= 4)
    for _ in range(sum(1 for _ in range(hits) if _d6() < 3)):
        place = _d6() - 1
        while place < 5 and have >> place & 1:
            place += 1
        if place < 5:
            have |= 1 << place
            continue
        place = 5 + (_d6() - 1) // 2
        while place < 8 and have >> place & 1:
            place += 1
        if place < 8:
            have |= 1 << place
    return have


def play_p4a() -> tuple[bool, bool]:
    units = [[10, 0], [10, 0]]
    for half in range(12):
        me, foe = units[half % 2], units[1 - half % 2]
        face = _d6()
        if face != 1 and (face == 6 or face >= 4 + me[1]):
            hits = sum(1 for _ in range(me[0] - me[1]) if _d6() >= 5)
            unsaved = sum(1 for _ in range(hits) if _d6() < 5)
            foe[0], foe[1] = _struck(foe[0], foe[1], unsaved)
            me[1] = 0
        if not foe[0]:
            return half % 2 == 0, half % 2 == 1
    return False, False
