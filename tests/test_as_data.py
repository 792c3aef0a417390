"""Values as columns of data: whatever holds whatever, it comes back the same, and only of classes that were named."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.source import as_data
from interpreter.source.values import field, record, value


class Row(NamedTuple):
    text: str
    number: int


@value()
class Leaf:
    name: str
    held: Any = None


@record()
class Knot:
    name: str
    held: Any = None
    others: list[Any] = field(default_factory=list)


@value(slots=False)
class Loose:
    name: str


CLASSES = (Row, Leaf, Knot, Loose)


def again(root: Any) -> Any:
    return as_data.read(as_data.written(root, CLASSES), CLASSES)[0]


PLAIN = st.none() | st.booleans() | st.integers() | st.text() | st.fractions()
HASHED = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner).map(tuple)
        | st.builds(Leaf, st.text(), inner)
        | st.builds(Loose, st.text())
        | st.builds(Row, st.text(), st.integers())
    ),
    max_leaves=8,
)
ANY = st.recursive(
    HASHED | st.frozensets(PLAIN),
    lambda inner: (
        st.lists(inner)
        | st.sets(HASHED)
        | st.dictionaries(HASHED, inner)
        | st.lists(inner).map(tuple)
        | st.builds(Leaf, st.text(), inner)
    ),
    max_leaves=12,
)


def kinds(value_: Any) -> Any:
    """What compares as equal and is not the same: yes and one, a whole fraction and a number, a row and a tuple."""
    if isinstance(value_, dict):
        return dict, [(kinds(k), kinds(v)) for k, v in value_.items()]
    if isinstance(value_, list | tuple):
        return type(value_), [kinds(each) for each in value_]
    if isinstance(value_, Leaf):
        return type(value_), kinds(value_.held)
    return type(value_)


@given(ANY)
def test_it_comes_back_the_same(one: Any) -> None:
    other = again(one)
    assert other == one
    assert kinds(other) == kinds(one)


def test_one_object_is_one_object_in_any_circle() -> None:
    knot, leaf = Knot("knot"), Leaf("leaf")
    pair = (knot, leaf)
    knot.held = pair
    knot.others = [pair, knot, {knot: pair}, knot.others, {knot}]
    made = again((pair, knot))
    (one, two), same = made
    assert same is one and one.held is made[0] and one.held[1] is two
    assert one.others[0] is one.held and one.others[1] is one
    assert one.others[2] == {one: one.held} and one.others[4] == {one}
    assert two == Leaf("leaf") and type(one) is Knot


def test_what_is_hashed_by_what_it_holds_is_filled_before_it_is_held() -> None:
    leaf = Leaf("a", (Leaf("b"), 1))
    found = again({leaf: {leaf}})
    assert found == {leaf: {leaf}} and found[Leaf("a", (Leaf("b"), 1))] == {leaf}


def test_a_long_way_down() -> None:
    one: Any = None
    for _ in range(5000):
        one = Leaf("", (one,))
    other = again(one)
    for _ in range(5000):
        (other,) = other.held
    assert other is None


def test_no_other_class_is_written_or_made() -> None:
    with pytest.raises(TypeError, match="Leaf has no form as data"):
        as_data.written([Leaf("a")], [Row])
    with pytest.raises(TypeError, match="function has no form as data"):
        as_data.written([again], CLASSES)
    data = as_data.written([Leaf("a"), Fraction(1, 2)], CLASSES)
    with pytest.raises(KeyError):
        as_data.read(data, [Row])


def test_what_stands_apart_is_read_when_it_is_asked_for() -> None:
    core, shared, own = Knot("core"), Leaf("shared", ("x", 1)), Leaf("own")
    core.others.append(core)
    parts = [[shared, own, core], Knot("second", (shared, own.name, 7)), [shared]]
    text = as_data.written((core, "x"), CLASSES, parts)
    (made, _), later = as_data.read(text, CLASSES)
    second, first, third = later[1](), later[0](), later[2]()
    assert first[2] is made and made.others == [made]
    assert first[0] is second.held[0] is third[0] and first[0] == shared
    assert second.held == (shared, "own", 7) and first[1] == own
    assert later[0]() is not first and later[0]()[0] is first[0]
