"""Near and far, read without a distance: how far it reaches; a number that goes by the distance is asked at one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import hold, told

GAME = """\
game: Ranges
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    arm: one of arms or none
  table arms (range, shots by range):
    bow:      8"/16", 2/1
    musket:   6"/24", 3/1
    pistol:   6", 2
    stone:    none, none
Acts:
  to try (unit) at (foe unit):
    far: unit.arm.range
    further: unit.arm.range > foe.arm.range
    close: unit.arm.range / 2 >= 8"
    rate: unit.arm.shots at 7"
    {line}
  example tried:
    unit A: arm ARM
    unit B: arm FOE
    do: A tries at B
"""


def game(own: str, foe: str, then: str, line: str = "same: 1") -> str:
    return GAME.replace("ARM", own).replace("FOE", foe).replace("{line}", line) + f"    then: [{then}]\n"


@pytest.mark.parametrize(
    ("own", "foe", "then"),
    [
        ("bow", "pistol", 'far = 16", further, close, rate = 2'),  # 16 against 6; half of it is 8
        ("bow", "musket", 'far = 16", not further, close, rate = 2'),  # though its near end, 8, is the greater
        ("musket", "bow", 'far = 24", further, close, rate = 1'),
        ("pistol", "bow", 'far = 6", not further, not close, rate = 0'),
    ],
)
def test_a_distance_is_how_far_it_reaches(own: str, foe: str, then: str, tmp_path: Path) -> None:
    hold(tmp_path, game(own, foe, then))


@pytest.mark.parametrize("line", ["two: unit.arm.shots = 2", "two: unit.arm.shots", "two: unit.arm.shots dice"])
def test_a_number_that_goes_by_the_distance_is_none_without_one(line: str, tmp_path: Path) -> None:
    assert told(tmp_path, game("bow", "bow", "close", line)) == [("T015", "unit.arm.shots")]


def test_of_one_number_nothing_is_asked(tmp_path: Path) -> None:
    text = game("pistol", "pistol", "two = 2", "two: unit.arm.shots").replace('8"/16", 2/1', '16", 1')
    hold(tmp_path, text.replace('6"/24", 3/1', '24", 1'))
