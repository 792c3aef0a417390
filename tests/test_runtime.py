"""What compiled rules call, against plain definitions: bags against Counter, faces, bands, and what may be picked."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from interpreter.engines.choices import UNDECIDED, options, preferred
from interpreter.program import changes as c
from interpreter.program import runtime as r
from interpreter.program.landing import landed, merged_figures
from interpreter.vocabulary import functions

FIGURES = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2))
GROUPS = st.lists(st.tuples(FIGURES, st.integers(0, 4)), max_size=5)
BAGS = GROUPS.map(r.bag)


def land_figures(pending: r.Bag, old: r.Bag, new: r.Bag) -> r.Bag:
    """Bags of figures whose attributes lines set; nobody is told apart by where he is."""
    places = ("value",) * max([len(f) for f, _ in (*pending, *old, *new)], default=0)
    bags: list[Counter[Any]] = [Counter({(f, None): n for f, n in one}) for one in (pending, old, new)]
    return r.bag([(f, n) for (f, _), n in merged_figures(places, bags[0], bags[1], bags[2], (), None).items()])


def counter(groups: Any) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for figure, n in groups:
        found[figure] += n
    return +found


def canonical(b: r.Bag) -> bool:
    return list(b) == sorted(b) and all(n > 0 for _, n in b) and len({f for f, _ in b}) == len(b)


def same(b: r.Bag, expected: Counter[Any]) -> None:
    assert canonical(b)
    assert Counter(dict(b)) == +expected


# ---- bags
@given(GROUPS)
def test_a_bag_is_its_counter(groups: Any) -> None:
    made = r.bag(groups)
    same(made, counter(groups))
    assert made == r.bag(reversed(groups)) == r.bag(made)
    assert r.size(made) == counter(groups).total()


@given(BAGS, BAGS, BAGS)
def test_join_and_without(a: r.Bag, b: r.Bag, c: r.Bag) -> None:
    same(r.join(a, b), counter(a) + counter(b))
    same(r.without(a, b), counter(a) - counter(b))
    assert r.join(a, b) == r.join(b, a)
    assert r.join(a, r.join(b, c)) == r.join(r.join(a, b), c)
    assert r.without(r.join(a, b), b) == a
    assert r.without(a, ()) == r.join(a, ()) == a


@given(BAGS, BAGS)
def test_common(held: r.Bag, part: r.Bag) -> None:
    same(c.common(held, part), counter(held) & counter(part))
    assert r.join(r.without(held, part), c.common(held, part)) == held


@given(BAGS, BAGS, st.integers(0, 2))
def test_changed(held: r.Bag, part: r.Bag, value: int) -> None:
    """The figures of `part` that are held become others; those that became alike are not changed again."""

    def change(figure: r.Figure) -> r.Figure:
        return r.put(figure, 2, (figure[2] + value) % 3)

    moved = counter(held) & counter(part)
    expected = counter(held) - moved
    for figure, n in moved.items():
        expected[change(figure)] += n
    got = c.changed(held, part, change)
    same(got, expected)
    assert r.size(got) == r.size(held)


@given(BAGS.filter(bool))
def test_without_one(b: r.Bag) -> None:
    first = functions.first_figure(b)
    assert first is not None
    assert functions.within(first, b)
    same(r.without_one(b), counter(b) - Counter({first: 1}))
    assert r.join(r.without_one(b), r.only_figure(first)) == b


@given(BAGS)
def test_each_is_taken_once(b: r.Bag) -> None:
    """A loop `for each` over figures takes the first and goes on with the others."""
    taken, rest = [], b
    while rest:
        taken.append(functions.first_figure(rest))
        rest = r.without_one(rest)
    assert taken == list(counter(b).elements()) == sorted(taken)


@given(BAGS)
def test_by_holder(b: r.Bag) -> None:
    parts = c.parts_by_holder(b)
    assert [h for h, _ in parts] == list(r.holders(b)) == sorted({f[0] for f, _ in b})
    assert r.bag(g for _, groups in parts for g in groups) == b
    assert all(canonical(groups) and {f[0] for f, _ in groups} == {h} for h, groups in parts)


# ---- changes that land together
@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9))
def test_numbers_land_as_differences(old: int, one: int, two: int) -> None:
    assert landed("number", one, old, two) == one + two - old
    assert landed("number", old, old, two) == two


SETS = st.frozensets(st.integers(0, 5))


@given(SETS, SETS, SETS)
def test_sets_land_as_what_was_put_in_and_taken_out(old: Any, one: Any, two: Any) -> None:
    both = landed("set", *(tuple(sorted(s)) for s in (one, old, two)))
    assert both == tuple(sorted((one - (old - two)) | (two - old)))


@given(BAGS, BAGS, BAGS, BAGS)
def test_bags_land_one_behind_the_other(kept: r.Bag, mine: r.Bag, yours: r.Bag, won: r.Bag) -> None:
    """What two losses take of different figures, and what one wins, is lost and won once each."""
    old = r.join(kept, r.join(mine, yours))
    one = r.without(old, mine)
    assert land_figures(one, old, r.without(old, yours)) == kept
    assert land_figures(old, old, one) == one
    assert land_figures(one, old, old) == one
    assert land_figures(one, old, r.join(old, won)) == r.join(one, won)


def test_what_two_do_to_the_same_ones_is_done_to_them_both() -> None:
    """Holder, sort, hurts, shaken: eight alike, of whom each change finds as many as it wants."""
    old = (((0, 0, 0, 0), 8),)
    shaken = (((0, 0, 0, 1), 8),)
    assert land_figures(shaken, old, (((0, 0, 0, 0), 3), ((0, 0, 1, 0), 5))) == (((0, 0, 0, 1), 3), ((0, 0, 1, 1), 5))
    assert land_figures(shaken, old, (((0, 0, 0, 0), 5),)) == (((0, 0, 0, 1), 5),)  # three of them fell
    assert land_figures((((0, 0, 0, 0), 2),), old, (((0, 0, 0, 0), 3),)) == ()  # six fell, then five of eight
    some = (((0, 0, 0, 0), 5), ((0, 0, 0, 1), 3))  # who is not shaken comes first
    assert land_figures(some, old, (((0, 0, 0, 0), 2), ((0, 0, 1, 0), 6))) == (
        ((0, 0, 0, 1), 2),
        ((0, 0, 1, 0), 5),
        ((0, 0, 1, 1), 1),
    )


@given(BAGS, BAGS, BAGS)
def test_landing_makes_nobody_and_loses_no_more_than_there_are(old: r.Bag, pending: r.Bag, new: r.Bag) -> None:
    got = land_figures(pending, old, new)
    assert canonical(got)
    lost, won = counter(old) - counter(new), counter(new) - counter(old)
    least, most = r.size(pending) - lost.total(), r.size(pending) + won.total()
    assert least <= r.size(got) <= most


def test_a_figure_that_fell_meanwhile_does_not_rise_as_another() -> None:
    fresh, pinned = (0, 0, 0), (0, 0, 1)
    assert land_figures(((fresh, 1),), ((fresh, 2),), ((pinned, 2),)) == ((pinned, 1),)


# ---- faces and numbers
SIDES = st.integers(1, 20)


@given(SIDES, st.booleans(), st.none() | SIDES, st.none() | SIDES, st.none() | st.integers(-5, 25), st.integers(-5, 5))
def test_the_faces_that_succeed(
    sides: int, over: bool, always: int | None, never: int | None, need: int | None, change: int
) -> None:
    expected = set()
    for face in range(1, sides + 1):
        fine = need is not None and (face + change >= need if over else face + change <= need)
        if need is not None and face == always:
            fine = True
        elif face == never:
            fine = False
        if fine:
            expected.add(face)
    mask = r.succeeding(sides, over, always, never, need, change)
    assert {face for face in range(mask.bit_length()) if mask >> face & 1} == expected
    throw = tuple(range(1, sides + 1)) * 2
    assert r.met(throw, (sides, mask, 1, True, False, True)) == 2 * len(expected)


def test_bands() -> None:
    assert [r.band((9, 18), (2, 1), at) for at in (0, 9, Fraction(19, 2), 18, 19)] == [2, 2, 1, 1, 0]
    assert [r.band((18, 36), 3, at) for at in (1, 18, 36, 37)] == [3, 3, 3, 0]
    assert [r.band(24, 1, at) for at in (24, 25)] == [1, 0]
    assert r.band(None, 1, 1) == r.band(24, None, 1) == 0


@given(st.lists(st.integers(1, 60), min_size=1, max_size=4, unique=True).map(sorted), st.data())
def test_a_band_is_the_first_that_reaches(limits: list[int], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(st.integers(0, 9), min_size=len(limits), max_size=len(limits)))
    at = data.draw(st.integers(0, 70))
    expected = next((n for limit, n in zip(limits, numbers, strict=True) if at <= limit), 0)
    assert r.band(tuple(limits), tuple(numbers), at) == expected


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(1, 5))))
def test_most_common(values: list[tuple[int, int]]) -> None:
    counts = counter(values)
    best = max(counts.values(), default=0)
    assert functions.most_common(values) == min((v for v, n in counts.items() if n == best), default=-1)


@given(st.lists(st.integers(1, 6)).map(tuple), st.integers(-50, 50), st.integers(-9, 9))
def test_small_numbers(faces: tuple[int, ...], a: int, b: int) -> None:
    assert functions.most_of_one_face(faces) == max(Counter(faces).values(), default=0)
    assert (functions.lowest(faces), functions.highest(faces)) == (min(faces, default=0), max(faces, default=0))
    assert 2 * functions.half(a) in (a, a + 1)
    assert functions.divide(a, b) == (Fraction(a, b) if b else 0)
    assert not r.known(None, "<=", a)
    assert not r.known(a, ">=", None)
    assert r.known(a, "<", b) == (a < b)


# ---- choices
@st.composite
def questions(draw: Any) -> tuple[Any, ...]:
    kind = draw(st.sampled_from(["number", "figures", "things"]))
    low = draw(st.integers(0, 3))
    high = low + draw(st.integers(0, 3))
    one = kind != "number" and draw(st.booleans())
    if one:
        low, high = min(low, 1), 1
    items: Any = ()
    rank: Any = None
    if kind == "figures":
        items = draw(BAGS)
        rank = draw(st.sampled_from([None, lambda f: f[2], lambda f: (f[1], -f[0])]))
    elif kind == "things":
        items = tuple(sorted(draw(st.sets(st.integers(0, 30), max_size=5))))
        rank = draw(st.sampled_from([None, lambda x: -x, lambda x: x % 3]))
    most, amount = draw(st.sampled_from([(None, None), (True, None), (False, None), (None, draw(st.integers(-1, 6)))]))
    return kind, one, None, low, high, items, rank, most, amount


def _count(kind: str, one: bool, outcome: Any) -> int:
    if kind == "number":
        return int(outcome)
    if one:
        return int(outcome not in (None, -1))
    return r.size(outcome) if kind == "figures" else len(outcome)


@given(questions())
def test_what_is_preferred_may_be_picked(question: tuple[Any, ...]) -> None:
    kind, one, _who, low, high, items, rank, most, amount = question
    allowed = options(question)
    assert allowed
    total = 9 if kind == "number" else r.size(items) if kind == "figures" else len(items)
    for outcome in allowed:
        assert min(low, total) <= _count(kind, one, outcome) <= min(high, total)
        if kind == "figures" and not one:
            assert canonical(outcome)
            assert r.without(outcome, items) == ()
    assert len(set(allowed)) == len(allowed)
    chosen = preferred(question)
    if chosen is UNDECIDED:
        assert (most, amount) == (None, None)
        assert len(allowed) > 1
    else:
        assert chosen in allowed
        n = _count(kind, one, chosen)
        if most is not None:
            counts = [_count(kind, one, o) for o in allowed]
            assert n == (max(counts) if most else min(counts))
        if rank is not None and kind == "things" and n and not one:
            assert max(map(rank, chosen)) <= min(map(rank, set(items) - set(chosen)), default=99)
