"""The laws of dice and the ends of chains, against brute force and a plain linear solve in fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.engines import laws
from interpreter.engines.markov import absorbed
from interpreter.program.runtime import NO_ROLL, Refused, bag, succeeding


def as_fractions(law: laws.Law) -> dict[Any, Fraction]:
    total, outcomes = law
    assert sum(w for _, w in outcomes) == total, "weights sum to the total"
    assert all(w > 0 for _, w in outcomes)
    assert len({o for o, _ in outcomes}) == len(outcomes)
    return {o: Fraction(w, total) for o, w in outcomes}


def brute_chance(roll: tuple[Any, ...]) -> Fraction:
    """One throw of a roll, by looking at every face of every die, and once more where a failure is thrown again."""
    sides, mask, dice, best, again, thrown = roll
    if not thrown:
        return Fraction(0)
    throws = list(product(range(1, sides + 1), repeat=dice))

    def passes(throw: tuple[int, ...]) -> bool:
        found = [bool(mask >> face & 1) for face in throw]
        return any(found) if best else all(found)

    tries = list(product(throws, throws)) if again else [(t,) for t in throws]
    return Fraction(sum(any(map(passes, attempt)) for attempt in tries), len(tries))


@st.composite
def rolls(draw: Any) -> tuple[Any, ...]:
    sides, dice = draw(st.integers(1, 6)), draw(st.integers(1, 3))
    faces = draw(st.sets(st.integers(1, sides)))
    return sides, sum(1 << f for f in faces), dice, draw(st.booleans()), draw(st.booleans()), draw(st.booleans())


@settings(max_examples=60)
@given(rolls())
def test_the_chance_of_a_roll(roll: tuple[Any, ...]) -> None:
    weight, total = laws.chance_of(roll)
    assert 0 <= weight <= total
    assert Fraction(weight, total) == brute_chance(roll)
    assert (weight, total) == brute_chance(roll).as_integer_ratio(), "in lowest terms"


def test_chances_known_by_heart() -> None:
    four_up = succeeding(6, True, 6, 1, 4, 0)
    assert laws.chance_of((6, four_up, 1, True, False, True)) == (1, 2)
    assert laws.chance_of((6, four_up, 2, True, False, True)) == (3, 4)  # best of 2
    assert laws.chance_of((6, four_up, 2, False, False, True)) == (1, 4)  # worst of 2
    assert laws.chance_of((6, four_up, 1, True, True, True)) == (3, 4)  # again
    assert laws.chance_of((6, four_up, 2, False, True, True)) == (7, 16)  # worst of 2, again
    assert laws.chance_of(NO_ROLL) == (0, 1)


@given(st.integers(-1, 6), st.integers(1, 6), st.data())
def test_counted_is_a_binomial(n: int, total: int, data: st.DataObject) -> None:
    weight = data.draw(st.integers(0, total))
    law = as_fractions(laws.counted(weight, total)[n])
    expected: Counter[int] = Counter()
    for passing in product((True, False), repeat=max(n, 0)):
        mass = Fraction(1)
        for one in passing:
            mass *= Fraction(weight if one else total - weight, total)
        expected[sum(passing)] += mass
    assert law == {k: w for k, w in expected.items() if w}


@pytest.mark.parametrize(("n", "sides"), [(-1, 6), (0, 6), (1, 6), (2, 6), (5, 6), (3, 10), (2, 20), (9, 2), (4, 1)])
def test_faces_are_every_throw_sorted(n: int, sides: int) -> None:
    thrown = Counter(tuple(sorted(t)) for t in product(range(1, sides + 1), repeat=max(n, 0)))
    law = as_fractions(laws.faces(n, sides))
    assert law == {t: Fraction(k, sides ** max(n, 0)) for t, k in thrown.items()}


GROUPS = st.lists(st.tuples(st.tuples(st.integers(0, 1), st.integers(0, 1)), st.integers(0, 3), rolls()), max_size=3)


@settings(max_examples=60)
@given(GROUPS, st.booleans())
def test_sorted_out_is_each_for_itself(groups: list[Any], passing: bool) -> None:
    ones = [(figure, brute_chance(roll)) for figure, n, roll in groups for _ in range(n)]
    expected: Counter[Any] = Counter()
    for told in product((True, False), repeat=len(ones)):
        mass = Fraction(1)
        for (_, chance), passed in zip(ones, told, strict=True):
            mass *= chance if passed else 1 - chance
        expected[bag((f, 1) for (f, _), p in zip(ones, told, strict=True) if p is passing)] += mass
    assert as_fractions(laws.sorted_out(groups, passing)) == {k: w for k, w in expected.items() if w}


def test_many_dice_stay_whole_numbers() -> None:
    total, law = laws.counted(1, 3)[200]
    assert total == 3**200
    assert sum(w for _, w in law) == total
    assert law[7] == (7, comb(200, 7) * 2**193)
    assert sum(k * w for k, w in law) * 3 == 200 * total


# ---- chains
class Never(Exception):
    """Nothing leaves this circle."""


Rows = dict[Any, tuple[dict[Any, int], int]]


def solved(start: dict[Any, int], total: int, rows: Rows) -> dict[Any, Fraction]:
    """(I - Q) x = r by Gauss and Jordan; the matrix is regular where every state can end."""
    states = list(rows)
    ends = sorted({e for row, _ in rows.values() for e in row if e not in rows} | {e for e in start if e not in rows})
    matrix = []
    for state in states:
        row, of = rows[state]
        left = [Fraction(int(s == state)) - Fraction(row.get(s, 0), of) for s in states]
        matrix.append(left + [Fraction(row.get(e, 0), of) for e in ends])
    for i in range(len(states)):
        pivot = next(j for j in range(i, len(states)) if matrix[j][i])
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [x / matrix[i][i] for x in matrix[i]]
        for j in range(len(states)):
            if j != i and matrix[j][i]:
                matrix[j] = [x - matrix[j][i] * y for x, y in zip(matrix[j], matrix[i], strict=True)]
    found = {e: Fraction(start.get(e, 0), total) for e in ends}
    for i, state in enumerate(states):
        for k, end in enumerate(ends):
            found[end] += Fraction(start.get(state, 0), total) * matrix[i][len(states) + k]
    return {e: w for e, w in found.items() if w}


@st.composite
def chains(draw: Any) -> tuple[dict[Any, int], int, Rows]:
    """States 0…5 that lead to each other and to the ends a…c; only what can be reached, as the engine finds it."""
    size = draw(st.integers(1, 6))
    targets = st.dictionaries(st.sampled_from([*range(size), "a", "b", "c"]), st.integers(1, 9), min_size=1, max_size=4)
    table = [draw(targets) for _ in range(size)]
    start = draw(targets)
    rows: Rows = {}
    todo = [s for s in start if isinstance(s, int)]
    while todo:
        state = todo.pop()
        if state not in rows:
            rows[state] = table[state], sum(table[state].values())
            todo += [s for s in table[state] if isinstance(s, int)]
    return start, sum(start.values()) + draw(st.integers(0, 5)), rows


def ends(rows: Rows) -> bool:
    """Whether every state can come to an end."""
    ending: set[Any] = set()
    for _ in rows:
        ending |= {s for s, (row, _) in rows.items() if any(e not in rows or e in ending for e in row)}
    return ending == set(rows)


@settings(max_examples=400)
@given(chains())
def test_where_a_chain_ends(chain: tuple[dict[Any, int], int, Rows]) -> None:
    start, total, rows = chain
    start = {str(s) if isinstance(s, int) else s: w for s, w in start.items()}
    rows = {str(s): ({str(e): w for e, w in row.items()}, of) for s, (row, of) in rows.items()}
    kept = {s: (dict(row), of) for s, (row, of) in rows.items()}
    if not ends(rows):
        with pytest.raises(Never):
            absorbed(start, total, rows, Never)
        return
    found, den = absorbed(start, total, rows, Never)
    assert rows == kept, "what was handed in stays as it was"
    assert all(isinstance(w, int) for w in found.values())
    assert Fraction(sum(found.values()), den) == Fraction(sum(start.values()), total), "no mass is lost"
    assert {e: Fraction(w, den) for e, w in found.items() if w} == solved(start, total, rows)


@pytest.mark.parametrize(
    "rows",
    [
        {"x": ({"x": 1}, 1)},
        {"x": ({"y": 1}, 1), "y": ({"x": 1}, 1)},
        {"x": ({"end": 5, "y": 1}, 6), "y": ({"z": 1}, 1), "z": ({"y": 1, "z": 1}, 2)},
    ],
)
def test_a_chain_that_never_ends_is_refused(rows: Rows) -> None:
    with pytest.raises(Never):
        absorbed({"x": 1}, 1, rows, Never)


def test_the_gamblers_ruin() -> None:
    """With chance 1/3 up and 2/3 down from 3 of 10, in one chain of nine states."""
    rows: Rows = {i: ({i + 1: 1, i - 1: 2}, 3) for i in range(1, 10)}
    found, den = absorbed({3: 1}, 1, rows, Never)
    assert Fraction(found[10], den) == Fraction(2**3 - 1, 2**10 - 1)
    assert found[0] + found[10] == den


@settings(max_examples=150)
@given(st.data())
def test_what_several_rolls_see_in_the_same_dice(data: st.DataObject) -> None:
    sides, n = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 4))
    every = (1 << (sides + 1)) - 2
    masks = tuple(data.draw(st.lists(st.integers(0, every).map(lambda m: m & every), min_size=1, max_size=4)))
    total, rows = laws.seen(sides, masks)[n]
    found: dict[tuple[int, ...], int] = {}
    for row in rows:
        for counts, weight in [((row[0],), row[1])] if len(masks) == 1 else _told(row, len(masks)):
            found[counts] = found.get(counts, 0) + weight
    wanted: dict[tuple[int, ...], int] = {}
    for dice in product(range(1, sides + 1), repeat=n):
        counts = tuple(sum(mask >> face & 1 for face in dice) for mask in masks)
        wanted[counts] = wanted.get(counts, 0) + 1
    assert {c: Fraction(w, total) for c, w in found.items() if w} == {
        c: Fraction(w, sides**n) for c, w in wanted.items()
    }
    assert sum(found.values()) == total


def _told(row: tuple[int, int, list[tuple[Any, int]]], masks: int) -> list[tuple[tuple[int, ...], int]]:
    first, weight, rest = row
    return [((first, *(others if masks > 2 else (others,))), weight * w) for others, w in rest]


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=3), st.integers(0, 8))
def test_tallies_of_what_is_left_are_one(rolls: list[tuple[int, bool]], n: int) -> None:
    thrown = tuple((6, (1 << (faces + 1)) - 2, 1, True, False, True) for faces, _ in rolls)
    passing = tuple(p for _, p in rolls)
    share = Fraction(1)
    for faces, passes in rolls:
        share *= Fraction(faces if passes else 6 - faces, 6)
    total, law = laws.thinned(passing)[thrown][n]
    assert sum(w for _, w in law) == total
    assert sum(Fraction(k * w, total) for k, w in law) == n * share
    assert {k: Fraction(w, total) for k, w in law if w} == {
        k: p for k in range(n + 1) if (p := comb(n, k) * share**k * (1 - share) ** (n - k))
    }


# ---- alike rounds, added up
FAR = 10 * laws.DENSE


@settings(max_examples=80)
@given(
    st.dictionaries(
        st.none() | st.integers(-2, 3) | st.sampled_from([Fraction(1, 2), FAR]), st.integers(1, 5), min_size=1
    ),
    st.integers(1, 5),
)
def test_alike_rounds_are_their_sums(rows: dict[Any, int], many: int) -> None:
    total = sum(rows.values())
    expected: dict[Any, Fraction] = {}
    for rounds in product(rows.items(), repeat=many if len(rows) < 5 else min(many, 3)):
        many = len(rounds)
        weight = Fraction(1)
        for _, w in rounds:
            weight *= Fraction(w, total)
        found = sum(out or 0 for out, _ in rounds)
        expected[found] = expected.get(found, Fraction(0)) + weight
    heard: list[tuple[int, int]] = []
    made = laws.added((total, list(rows.items())), many, lambda *told: heard.append(told))
    assert as_fractions(made) == expected
    assert not heard or (heard[-1][0] >= len(expected) and heard[-1][1] == made[0] == total**many)


def test_many_alike_rounds_are_a_binomial() -> None:
    total, rows = laws.added((6, [(0, 4), (1, 2)]), 60, lambda *_: None)
    assert {k: Fraction(w, total) for k, w in rows} == as_fractions(laws.counted(1, 3)[60])


@pytest.mark.parametrize("far", [1, FAR])
def test_a_sum_may_be_refused_before_its_weights_are_worked_out(far: int) -> None:
    def spend(outcomes: int, total: int) -> None:
        if outcomes > 20:
            raise Refused("E001", None, outcomes=outcomes, total=total)

    with pytest.raises(Refused):
        laws.added((6, [(0, 4), (far, 2)]), 10**9 if far == 1 else 30, spend)
