"""Where dice come from: seeds that fall alike everywhere, scripts by line, and every script in turn."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from every_script import EveryScript
from hypothesis import given
from hypothesis import strategies as st

from interpreter.engines.dice import ScriptedDice, SeededDice, addressed
from interpreter.program.state import BadFace, NotEnough

# A replay is a promise: whoever changes these changes every seed that anybody wrote down.
PINNED = {
    (1, 6): [1, 2, 4, 3, 6, 4, 5, 4, 2, 2, 2, 1],
    (1, 10): [10, 1, 1, 4, 4, 10, 1, 3, 5, 10, 4, 8],
    ("tuesday", 6): [3, 4, 4, 2, 1, 2, 2, 5, 5, 1, 2, 4],
    ("tuesday", 20): [11, 15, 6, 2, 11, 12, 5, 7, 11, 9, 19, 19],
}


@pytest.mark.parametrize(("seed", "sides"), list(PINNED))
def test_a_seed_falls_the_same_on_every_machine(seed: int | str, sides: int) -> None:
    assert SeededDice(seed).throw("volleys.hits", 12, sides) == PINNED[seed, sides]


def test_a_seed_in_words_is_a_seed_in_figures() -> None:
    assert SeededDice(7).throw("hits", 20, 6) == SeededDice("7").throw("hits", 20, 6)


@given(st.integers(), st.lists(st.tuples(st.sampled_from(["a", "b.c", "b"]), st.integers(0, 40)), max_size=8))
def test_throws_elsewhere_change_nothing(seed: int, elsewhere: list[tuple[str, int]]) -> None:
    alone, busy = SeededDice(seed), SeededDice(seed)
    thrown = alone.throw("hits", 30, 6)
    first = busy.throw("hits", 11, 6)
    for line, n in elsewhere:
        busy.throw(line, n, 6)
        busy.throw("hits", n, 10)  # dice of other sides are other dice
        busy.throw("hits", n, 6, "B")  # and so are those of somebody else
    assert first + busy.throw("hits", 19, 6) == thrown


@given(st.integers(), st.lists(st.integers(0, 90), max_size=6))
def test_many_small_throws_are_one_large_one(seed: int, sizes: list[int]) -> None:
    dice = SeededDice(seed)
    parts = [face for n in sizes for face in dice.throw("hits", n, 6)]
    assert parts == SeededDice(seed).throw("hits", sum(sizes), 6)


def test_line_who_seed_and_sides_all_matter() -> None:
    streams = {
        tuple(SeededDice(seed).throw(line, 40, sides, who))
        for seed, line, sides, who in product((1, 2), ("hits", "saves"), (6, 10), ("", "A", "B"))
    }
    assert len(streams) == 2 * 2 * 2 * 3


@pytest.mark.parametrize("sides", [3, 6, 10, 20])
def test_seeded_dice_are_even(sides: int) -> None:
    dice = SeededDice("even")
    faces = Counter(face for _ in range(6) for face in dice.throw("hits", 1000, sides))
    assert set(faces) == set(range(1, sides + 1))
    expected = 6000 / sides
    chi = sum((n - expected) ** 2 / expected for n in faces.values())
    assert chi < sides - 1 + 4 * (2 * (sides - 1)) ** 0.5  # four deviations above the mean of chi square


@pytest.mark.parametrize("sides", [1, 2, 100, 255])
def test_dice_of_any_size_stay_on_their_faces(sides: int) -> None:
    assert set(SeededDice(3).throw("x", 500, sides)) <= set(range(1, sides + 1))


# ---- scripts
@pytest.mark.parametrize(
    ("key", "line", "fits", "strict"),
    [
        ("hits", "hits", True, True),
        ("hits", "volleys.hits", True, True),
        ("volleys.hits", "shoot.volleys.hits", True, True),
        ("suffer.down", "suffer.split.down", True, True),
        ("volleys", "volleys.hits", True, False),
        ("hits.volleys", "volleys.hits", False, False),
        ("hits", "volleys.hits-again", False, False),
        ("hits.hits", "hits", False, False),
    ],
)
def test_addresses(key: str, line: str, fits: bool, strict: bool) -> None:
    assert addressed(key, line) is fits
    assert addressed(key, line, last=True) is strict


def test_a_script_by_line_is_used_in_order_and_the_rest_is_left() -> None:
    dice = ScriptedDice({"hits": [6, 1, 5], "unsaved": [2]}, [3, 3])
    assert dice.throw("volleys.hits", 2, 6) == [6, 1]
    assert dice.throw("unsaved", 1, 6) == [2]
    assert dice.throw("somewhere.else", 1, 6) == [3]
    assert dice.left == 2
    assert dice.throw("volleys.hits", 1, 6) == [5]
    assert dice.throw("further", 1, 6) == [3]
    assert dice.left == 0
    assert dice.throw("volleys.hits", 0, 6) == []


def test_the_closest_address_answers() -> None:
    dice = ScriptedDice({"split": [1], "suffer.split": [2], "down": [3], "suffer.down": [4]})
    assert dice.throw("suffer.split.down", 1, 6) == [4]  # the line's own name, and the most said of it
    assert dice.throw("suffer.split", 1, 6) == [2]
    assert dice.throw("other.down", 1, 6) == [3]


def test_a_script_that_is_too_short() -> None:
    dice = ScriptedDice({"hits": [6, 1]})
    with pytest.raises(NotEnough) as told:
        dice.throw("volleys.hits", 3, 6)
    assert (told.value.line, told.value.wanted, told.value.sides) == ("volleys.hits", 3, 6)
    with pytest.raises(NotEnough):
        dice.throw("saves", 1, 6)


def test_what_is_missing_is_asked_for() -> None:
    asked = []

    def more(line: str, n: int, sides: int) -> list[int]:
        asked.append((line, n, sides))
        return [4] * n

    dice = ScriptedDice({"hits": [6]}, more=more)
    assert dice.throw("hits", 3, 6) == [6, 4, 4]
    assert dice.throw("hits", 1, 6) == [4]
    assert asked == [("hits", 2, 6), ("hits", 1, 6)]
    assert dice.left == 0


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_the_die_lacks(face: int) -> None:
    for dice in (ScriptedDice(all=[face]), ScriptedDice(more=lambda line, n, sides: [face] * n)):
        with pytest.raises(BadFace) as told:
            dice.throw("hits", 1, 6)
        assert (told.value.line, told.value.face, told.value.sides) == ("hits", face, 6)


# ---- every script
@pytest.mark.parametrize(("n", "sides"), [(0, 6), (1, 6), (3, 6), (5, 3), (2, 20)])
def test_every_script_is_visited_once(n: int, sides: int) -> None:
    dice, seen, mass = EveryScript(), [], Fraction(0)
    for _ in dice.scripts():
        seen.append(tuple(dice.throw("x", n, sides)))
        mass += dice.weight
    assert seen == list(product(range(1, sides + 1), repeat=n))
    assert mass == 1


@given(st.lists(st.integers(1, 4), min_size=6, max_size=6))
def test_scripts_that_go_on_by_what_fell_weigh_one_together(sides: list[int]) -> None:
    """Each die says whether and which die comes next; the law is that of the tree."""
    dice, mass, seen = EveryScript(), Fraction(0), set()
    for _ in dice.scripts():
        faces = dice.throw("first", 1, sides[0])
        while len(faces) < 6 and faces[-1] % 2:
            faces += dice.throw("next", 1, sides[len(faces)] + faces[-1] // 2)
        assert tuple(faces) not in seen
        seen.add(tuple(faces))
        mass += dice.weight
    assert mass == 1
