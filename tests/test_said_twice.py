"""A situation says each thing once, or the same again; a force is one side's."""

from pathlib import Path

import pytest
from small_games import told

GAME = """\
game: Twice
Things:
  dice high: d6 at or over
  kind side:
    luck: number
  kind unit of side:
    gold: number
    skill: one of levels first low
    seen: many units
    scars: many wounds
  kind figure, many to a unit:
    weapon: one of weapons
  mark tired of unit:
  table levels (hit):
    low: 5+
    top: 3+
  table wounds: cut, scratch
  table weapons: rifle, bow
  fact distance of unit (other unit): inches
  fact sight of unit (other unit): yes or no
  to rest (unit): unit loses tired
"""
DENIED = [
    'unit A:\nunit B:\nfacts: distance(A, B) is 20", «distance(A, B) is 40"»',
    "unit A:\nunit B:\nfacts: sight(A, B), «not sight(A, B)»",
    "unit A: gold 2\nfacts: «A.gold is 3»",
    "unit A:\nfacts: A.gold is 2, «A.gold is 3»",
    "unit A: gold 2, «gold 3»",
    "unit A: gold 2, «3 gold»",
    "unit A: low, «top»",
    "unit A: skill low, «skill top»",
    "unit A: tired, «not tired»",
    "unit A: side Red, «side Blue»",
    "unit A: 6 figures, weapon rifle, «weapon bow»",
    "unit A:\n  figures: [2 with rifle and «bow»]",
    "unit A:\n  is: [gold 2, «gold 3»]",
    "side Red: luck 1, «luck 2»\nunit A: side Red",
]


@pytest.mark.parametrize("lines", DENIED)
def test_what_is_said_otherwise_is_told_at_the_second(lines: str, tmp_path: Path) -> None:
    word = lines.split("«")[1].split("»")[0]
    assert told(tmp_path, _example(lines)) == [("N003", word)]


@pytest.mark.parametrize(
    "lines",
    [
        'unit A:\nunit B:\nfacts: distance(A, B) is 20", distance(B, A) is 40"',
        'unit A:\nunit B:\nfacts: distance(A, B) is 20", distance(A, B) is 20"',
        "unit A: gold 2, gold 2, low, skill low, tired, tired\nfacts: A.gold is 2",
        "unit A: scars cut, scars scratch, seen B, seen C\nunit B:\nunit C:",
        "unit A: gold 2\nunit B: gold 3",
        "unit A:\n  is: low\n  figures: [2 with rifle, 3 with bow]",
    ],
)
def test_the_same_again_and_more_of_a_set_are_nothing_new(lines: str, tmp_path: Path) -> None:
    assert told(tmp_path, _example(lines)) == []


@pytest.mark.parametrize(
    "lines",
    [
        "unit A: side Red, 2 figures, rifle\nunit B: «side Blue», 2 figures, rifle",
        "side Red: luck 1\nside «Blue»: luck 2\nunit A: side Red, 2 figures, rifle\nunit B: side Blue, 2 figures, rifle",
    ],
)
def test_a_force_is_one_sides(lines: str, tmp_path: Path) -> None:
    word = lines.split("«")[1].split("»")[0]
    assert told(tmp_path, _example(f"force: Ours\n{lines}", do=False)) == [("F020", word)]


def _example(lines: str, *, do: bool = True) -> str:
    bare = lines.replace("«", "").replace("»", "")
    more = "\ndo: A rests\nthen: 1 = 1" if do else ""
    return f"{GAME}  example one-of-them:\n" + "".join(f"    {line}\n" for line in f"{bare}{more}".split("\n"))
