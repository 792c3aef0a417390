"""In an outcome table the name of a row is the row, whatever its line is worth, and wherever in the table it is said."""

from pathlib import Path

import pytest
from small_games import hold

GAME = """\
game: Rows that name one another
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    blows: many harm
    last: one of harm or none
    pins: number
  table harm of unit (face) by face if row not in blows:
    1 graze: {graze}
    2 crack:
      noted: unit.blows becomes unit.blows + crack
      last: unit.last becomes graze
    3 wreck:
      early: unit.blows becomes unit.blows + graze
      how-bad: unit.pins becomes 2 if graze in unit.blows and crack not in unit.blows else 1
      last: unit.last becomes crack
  to act (unit), (face number):
    effect: unit.harm(face)
"""


@pytest.mark.parametrize(
    "graze", ['unit moves 2"', "3", "unit gains 1 pin", "nothing", "d6", "unit.harm(2)", "unit.last becomes crack"]
)
def test_a_row_is_said_by_its_name_whatever_its_line_is_worth(graze: str, tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME.format(graze=graze)
        + """\
  example of-a-row-above:
    unit A:
    do: A acts 3
    then: [graze in A.blows, A.last is crack, A.pins = 2, effect is wreck]
    odds: [1/1 that graze in A.blows, 1/1 that A.last is crack, 1/1 that A.pins = 2]
  example of-this-row-itself:
    unit A:
    do: A acts 2
    then: [crack in A.blows, A.last is graze]
    odds: [1/1 that crack in A.blows, 1/1 that A.last is graze]
""",
    )
