"""Values as columns of data: whatever holds whatever, it comes back the same, and only of classes that were named."""

from __future__ import annotations

import gc
import itertools
import weakref
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.source import as_data, from_data
from interpreter.source.later import is_there
from interpreter.source.values import Record, Struct, field


class Row(NamedTuple):
    text: str
    number: int


class Leaf(Struct):
    name: str
    held: Any = None


class Knot(Record):
    name: str
    held: Any = None
    others: list[Any] = field(default_factory=list)


class Loose(Struct, slots=False):
    name: str


CLASSES = (Row, Leaf, Knot, Loose)


def again(root: Any) -> Any:
    return from_data.read(as_data.written(root, CLASSES), CLASSES)[0]


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
        from_data.read(data, [Row])


def test_what_stands_apart_is_read_when_it_is_asked_for() -> None:
    core, shared, own = Knot("core"), Leaf("shared", ("x", 1)), Leaf("own")
    core.others.append(core)
    parts = [[shared, own, core], Knot("second", (shared, own.name, 7)), [shared]]
    text = as_data.written((core, "x"), CLASSES, parts)
    (made, _), later = from_data.read(text, CLASSES)
    second, first, third = later[1](), later[0](), later[2]()
    assert first[2] is made and made.others == [made]
    assert first[0] is second.held[0] is third[0] and first[0] == shared
    assert second.held == (shared, "own", 7) and first[1] == own
    assert later[0]() is not first and later[0]()[0] is first[0]


class Place(Struct, eq=False):
    """Somewhere that is seldom asked about."""

    text: str = field(later=True)
    at: Any = field(later=True)


class Room(Record):
    name: str
    place: Place
    rest: Any = field(default=None, later=True)


ROOMS = (*CLASSES, Place, Room)


def _house() -> tuple[Any, list[Any]]:
    source = Leaf("a text of many pages")
    shared, attic = Place("shared", (source, 3)), Room("attic", Place("up", (source, 4)))
    hall = Room("hall", shared, [attic, source])
    attic.rest = hall
    # what only the core's rest holds, and a part wants at once; what two parts hold in their rests
    cellar = Room("cellar", Place("down", hall))
    hall.rest.append({"below": cellar})
    lamp = Leaf("lamp")
    parts = [
        Room("first", Place("1", (lamp, source)), [cellar, lamp]),
        Room("second", shared, [lamp, Place("2", cellar)]),
        [cellar, Knot("third", (hall, lamp.name))],
    ]
    return hall, parts


def test_what_is_left_for_later_comes_when_it_is_touched() -> None:
    hall, parts = _house()
    made, later = from_data.read(as_data.written(hall, ROOMS, parts), ROOMS)
    second, third = later[1](), later[2]()
    assert made.name == "hall" and second.place is made.place and third[1].held[0] is made
    assert not is_there(made.place, "text") and not is_there(made, "rest") and not is_there(third[0].place, "at")
    assert made.place.text == "shared"  # touched: all of the core is there now, and of the part what it shares
    assert is_there(made, "rest") and is_there(third[0].place, "at") and not is_there(second, "rest")
    attic, source, below = made.rest
    assert attic.rest is made and attic.place.at == (source, 4) and attic.place.at[0] is source
    assert made.place.at[0] is source and source == Leaf("a text of many pages")
    cellar = below["below"]
    assert cellar is third[0] and cellar.place.at is made and cellar.rest is None
    assert second.rest[1].at is cellar
    first = later[0]()  # a part that comes after the rest of the core does
    assert not is_there(first, "rest") and not is_there(first.place, "at")
    assert first.rest[0] is cellar and first.rest[1] is second.rest[0] and first.place.at[1] is source


def test_in_whatever_order_parts_are_asked_for() -> None:
    text = as_data.written(*(lambda hall, parts: (hall, ROOMS, parts))(*_house()))
    for order in itertools.permutations(range(3)):
        for touched_after in range(4):
            made, later = from_data.read(text, ROOMS)
            parts: dict[int, Any] = {}
            for turn, i in enumerate(order):
                if turn == touched_after:
                    assert made.place.text == "shared"
                parts[i] = later[i]()
            cellar = made.rest[2]["below"]
            assert parts[0].rest[0] is parts[1].rest[1].at is parts[2][0] is cellar
            assert [part.place.text for part in (parts[0], parts[1])] == ["1", "shared"]


def test_two_values_wait_for_themselves() -> None:
    text = as_data.written(Room("one", Place("a", 1)), ROOMS)
    other = as_data.written(Room("two", Place("b", [2])), ROOMS)
    one, two = from_data.read(text, ROOMS)[0], from_data.read(other, ROOMS)[0]
    assert two.place.at == [2] and one.place.at == 1


def test_a_field_that_nobody_knows_is_missed() -> None:
    place = from_data.read(as_data.written(Place("a", 1), ROOMS), ROOMS)[0]
    with pytest.raises(AttributeError, match="Place has no txt"):
        _ = place.txt
    assert not is_there(place, "text") and place.text == "a"
    with pytest.raises(AttributeError, match="Place has no text"):
        _ = object.__new__(Place).text


def test_what_is_told_by_its_fields_has_all_of_them() -> None:
    with pytest.raises(TypeError, match="Spot is told by all its fields"):

        class Spot(Struct):
            x: int = field(later=True)


def test_what_waits_goes_with_what_it_waits_for() -> None:
    made, later = from_data.read(as_data.written(Room("one", Place("a", 1)), ROOMS, [Room("b", Place("c", 2))]), ROOMS)
    gone = [weakref.ref(made.__fill__), weakref.ref(later[0]().__fill__)]
    del made, later
    gc.collect()
    assert [each() for each in gone] == [None, None]


def test_whoever_is_interrupted_begins_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    hall, parts = _house()
    made, later = from_data.read(as_data.written(hall, ROOMS, parts), ROOMS)
    first = later[0]()
    with monkeypatch.context() as once:
        once.setattr(from_data, "_fill", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        for one in (made, first):
            with pytest.raises(KeyboardInterrupt):
                _ = one.rest
    assert first.rest[0].place.at is made and made.place.text == "shared" and made.rest[0].rest is made


def test_several_threads_touch_it() -> None:
    text = as_data.written(*(lambda hall, parts: (hall, ROOMS, parts))(*_house()))
    for _ in range(50):
        made, later = from_data.read(text, ROOMS)
        first = later[0]()
        with ThreadPoolExecutor(4) as threads:
            found = [*threads.map(lambda one: one.rest, [made, first] * 4)]
        assert {id(hall[2]["below"]) for hall in found[::2]} == {id(part[0]) for part in found[1::2]}
        assert len({id(part[0]) for part in found[1::2]}) == 1
