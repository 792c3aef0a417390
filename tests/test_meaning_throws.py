"""Dice that were chosen from a throw, taken out of it and put to it: they are counted; no sum is of faces and of dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from small_games import hold, told
from worked import agreed

GAME = """
game: Throws
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  roll keen of unit: needs 5
  to throw (unit):
    faces: 3 dice
    sixes: faces where it = 6
    die: d6
"""
THREE = list(product(range(1, 7), repeat=3))
DO = "unit A:\ndo: A throws\n"


def law(what: Callable[[tuple[int, ...]], int]) -> dict[int, Fraction]:
    return {v: Fraction(n, len(THREE)) for v, n in Counter(map(what, THREE)).items()}


def test_a_part_of_a_throw_taken_out_of_it_is_what_is_left(tmp_path: Path) -> None:
    lines = """\
    misses: faces - sixes
    none-left: sixes - faces
    named: faces
    low: named - (faces where it is most)
    shown: sum(faces - sixes)
    both: faces + sixes
    less-some: sum(faces) - sixes
    out, if misses >= 3: unit gains 1 pin
"""
    asks = {
        "misses": law(lambda f: 3 - f.count(6)),
        "none-left": {0: 1},
        "low": law(lambda f: 3 - f.count(max(f))),
        "shown": law(lambda f: sum(f) - 6 * f.count(6)),
        "both": law(lambda f: 3 + f.count(6)),
        "less-some": law(lambda f: sum(f) - f.count(6)),
        "A.pins": law(lambda f: int(6 not in f)),
    }
    agreed(tmp_path, GAME + lines, DO, asks)


@pytest.mark.parametrize("least", [False, True])
def test_the_highest_of_a_throw_are_counted_in_every_form(least: bool, tmp_path: Path) -> None:
    word, best = ("least", min) if least else ("most", max)
    lines = f"""\
    top: faces where it is {word}
    twice: (faces where it >= 1) where it is {word}
    named: top
    shown: sum(top)
    tie, if top >= 2: unit gains 1 pin
    dents, for each face in top: 1
    left: faces - top
"""
    count = law(lambda f: f.count(best(f)))
    asks = {
        "top": count,
        "twice": count,
        "named": count,
        "dents": count,
        "shown": law(lambda f: best(f) * f.count(best(f))),
        "A.pins": law(lambda f: int(f.count(best(f)) > 1)),
        "left": law(lambda f: 3 - f.count(best(f))),
    }
    agreed(tmp_path, GAME + lines, DO, asks)


MIXED = [
    ("rest, if faces - sixes >= 3: 1", "faces - sixes"),
    ("rest: min(faces - sixes, 3)", "faces - sixes"),
    ("rest: 2 + faces - sixes", "2 + faces - sixes"),
    ("rest: die - sixes", "die - sixes"),
    ("rest: die + 1 + sixes", "die + 1 + sixes"),
    ("rest: d6 + sixes", "d6 + sixes"),
    ("rest: faces - hits", "faces - hits"),
    ("rest, if faces > sixes: 1", "faces > sixes"),
    ("rest, if sixes = faces: 1", "sixes = faces"),
    ("rest, if faces >= hits + 1: 1", "faces >= hits + 1"),
    ("rest: min(faces, sixes)", "min(faces, sixes)"),
    ("rest: max(hits, faces, 3)", "max(hits, faces, 3)"),
    ("rest: min(faces, 6) - sixes", "min(faces, 6) - sixes"),
    ("rest: faces if unit.pins > 0 else sixes", "faces if unit.pins > 0 else sixes"),
    ("rest: hits if unit.pins > 0 else faces", "hits if unit.pins > 0 else faces"),
    ("rest: (faces if unit.pins > 0 else 0) + sixes", "(faces if unit.pins > 0 else 0) + sixes"),
]

SAID: dict[str, Callable[[tuple[int, ...]], int]] = {
    "ran(more-shown)": lambda f: sum(f) > 2 * f.count(6),
    "shown": lambda f: max(sum(f), f.count(6)),
    "fewer": lambda f: min(len(f), f.count(6)),
    "either": lambda f: sum(f) if 6 in f else f.count(6),
    "ran(high)": lambda f: sum(f) > 10,
}


def test_said_outright_what_dice_show_stands_beside_how_many_they_are(tmp_path: Path) -> None:
    lines = """\
    more-shown, if sum(faces) > sixes * 2: 1
    shown: max(sum(faces), sixes)
    fewer: min((faces where it > 0), sixes)
    either: sum(faces) if any sixes else sixes
    high, if faces > 10: 1
"""
    agreed(tmp_path, GAME + lines, DO, {asked: law(of) for asked, of in SAID.items()})


@pytest.mark.parametrize(("line", "word"), MIXED)
def test_what_dice_show_is_not_reckoned_with_how_many_there_are(line: str, word: str, tmp_path: Path) -> None:
    text = GAME + f"    hits: faces meeting unit.keen\n    {line}\n"
    assert told(tmp_path, text) == [("D012", word)]


ASKED = [
    ("same: {}", "die is die-two", "die"),
    ("same, if {}: unit gains 1 pin", "die is not die-two", "die"),
    ("same, if pins = 0 and {}: 1", "sixes is ones", "sixes"),
    ("same: 1 if {} else 0", "sixes is not ones", "sixes"),
    ("same: {}", "die is 4", "die"),
    ("same: {}", "alike(faces) is sixes", "sixes"),
]


@pytest.mark.parametrize(("line", "asked", "word"), ASKED)
def test_dice_are_compared_and_not_asked_what_they_are(line: str, asked: str, word: str, tmp_path: Path) -> None:
    text = GAME + "    die-two: d6\n    ones: faces where it = 1\n"
    assert told(tmp_path, text + f"    {line.format(asked)}\n") == [("T001", word)]
    one, _, two = asked.partition(" is ")
    compared = f"not {one} = {two[4:]}" if two.startswith("not ") else f"{one} = {two}"
    assert "T001" not in dict(told(tmp_path, text + f"    {line.format(compared)}\n"))
    question = text + f"  example e:\n    {DO.replace(chr(10), chr(10) + '    ')}odds: 1/6 that "
    assert ("T001", word) in told(tmp_path, f"{question}{asked}\n")


def test_what_dice_show_is_the_same_and_not_their_faces(tmp_path: Path) -> None:
    """19 of 81 pairs of two dice show the same; among these are 15 with the same faces."""
    lines = """\
    ours: 2d3
    theirs: 2d3
    level: ours = theirs
    better, if not ours = theirs: unit gains 1 pin
    hits: ours where it = 3
    saves: theirs where it = 3
    met: hits = saves
"""
    level, met = Fraction(19, 81), Fraction(33, 81)
    asks = {
        "level": {True: level, False: 1 - level},
        "A.pins": {0: level, 1: 1 - level},
        "met": {True: met, False: 1 - met},
    }
    agreed(tmp_path, GAME[: GAME.index("    faces:")] + lines, DO, asks)


@pytest.mark.parametrize("sum_", ["sum(die) - sixes", "sum(faces) - hits", "die - hits", "die + 1", "faces - die"])
def test_said_as_a_sum_or_of_other_dice_it_is_a_number(sum_: str, tmp_path: Path) -> None:
    text = GAME + f"    hits: faces meeting unit.keen\n    rest: {sum_}\n"
    text += "  example e:\n    unit A:\n    do: A throws\n    dice: [faces 6 5 1, die 3]\n    then: "
    come = {"sum(die) - sixes": 2, "sum(faces) - hits": 10, "die - hits": 1, "die + 1": 4, "faces - die": 9}
    hold(tmp_path, text + f"rest = {come[sum_]}\n")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("more: pins + 1 dice", "pins + 1 dice"),
        ("more: 2 * pins dice", "2 * pins dice"),
        ("more: d6 + 2 dice", "d6 + 2 dice"),
        ("more, if pins - 1 dice >= 6: 1", "pins - 1 dice"),
        ("more: highest(pins + 1 dice)", "pins + 1 dice"),
        ("more: pins + 1 dice except 6", "pins + 1 dice"),
    ],
)
def test_a_sum_before_dice_says_with_brackets_how_many_are_thrown(line: str, word: str, tmp_path: Path) -> None:
    assert told(tmp_path, GAME + f"    {line}\n") == [("D013", word)]


def test_with_brackets_a_sum_is_how_many_dice_and_behind_dice_a_further_throw(tmp_path: Path) -> None:
    lines = """\
    more: (pins + 1) dice
    less: pins + (1 dice)
    both: 1 dice + 1 dice
    bare: 2 dice + pins
"""
    two = {v: Fraction(6 - abs(7 - v), 36) for v in range(2, 13)}
    one = {v: Fraction(1, 6) for v in range(2, 8)}
    asks = {"more": two, "less": one, "both": two, "bare": {v + 1: w for v, w in two.items()}}
    fewer = GAME.replace("    faces: 3 dice\n    sixes: faces where it = 6\n    die: d6\n", "")
    for line in lines.splitlines():
        name = line.split(":")[0].strip()
        (tmp_path / name).mkdir()
        agreed(tmp_path / name, fewer + line + "\n", "unit A: pins 1\ndo: A throws\n", {name: asks[name]})


@pytest.mark.parametrize("die", ["2d6", "3d10"])
def test_a_roll_throws_a_single_die(tmp_path: Path, die: str) -> None:
    game = f"game: Pairs\nPairs:\n  dice pair: {die} at or over\n  kind unit:\n  roll try of unit: needs 4\n"
    assert ("D014", die) in told(tmp_path, game)
