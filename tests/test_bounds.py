"""Numbers stay within what their card declares: as they begin, as they are stated, and whatever is done to them."""

from pathlib import Path

import pytest
from small_games import hold, told
from worked import agreed

GAME = """\
game: Bounds
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    brave: number 2 to 6
    below: number -6 to -2
    size: number 0 to 6 first figures
    left: number 0 to 3 or none
  kind figure, many to a unit:
    hurts: number 1 to 3
  fact depth of unit: number 1 to 4 first 2
  to grow (unit):
    braver: unit gains 1 brave
    lower: unit loses 1 below
    hurt: figures gain 1 hurts
  to overdo (unit):
    braver: unit gains 9 brave
    lower: unit becomes-lower
    hurt: figures gain 9 hurts
  to become-lower (unit): unit.below becomes 5
  to raise (unit) with (side side):
    made: new unit (side side, brave 9)
    plain: new unit (side side)
    bold: made.brave
    usual: plain.brave
"""


def test_what_nobody_states_begins_within_its_bounds(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  example nothing-said:
    unit A: 8 figures
    then: [A.brave = 2, A.below = 0 - 2, A.size = 6, sum(A.figures.hurts) = 8]
  example one-more:
    unit A: 2 figures
    do: A grows
    then: [A.brave = 3, A.below = 0 - 3, sum(A.figures.hurts) = 4]
    odds: 1/1 that A.brave = 3
  example far-too-many:
    unit A: 2 figures
    do: A overdoes
    then: [A.brave = 6, A.below = 0 - 2, sum(A.figures.hurts) = 6]
    odds: 1/1 that sum(A.figures.hurts) = 6
  example made-on-the-way:
    side Red:
    unit A: side Red
    do: A raises with Red
    then: [bold = 6, usual = 2]
""",
    )


@pytest.mark.parametrize(
    "said",
    [
        "    unit A: brave «7»\n",
        "    unit A: brave «1»\n",
        "    unit A: «7» brave\n",
        "    unit A: left «4»\n",
        "    unit A:\n      figures: 4 with hurts «4»\n",
        "    unit A:\n    facts: A.brave is «9»\n",
        "    unit A:\n    facts: depth(A) is «5»\n",
    ],
)
def test_what_is_stated_outside_them_is_told_at_the_number(said: str, tmp_path: Path) -> None:
    word = said.split("«")[1].split("»")[0]
    bare = said.replace("«", "").replace("»", "")
    found = told(tmp_path, f"{GAME}  example outside:\n{bare}    do: A grows\n    then: A.brave > 0\n")
    assert found == [("F010", word)]


@pytest.mark.parametrize("bounds", ["0 to «size»", "0 to «size + 1»", "«size» to 9"])
def test_bounds_are_plain_numbers(bounds: str, tmp_path: Path) -> None:
    word = bounds.split("«")[1].split("»")[0]
    text = GAME.replace(
        "    left: number", f"    cap: number {bounds.replace('«', '').replace('»', '')}\n    left: number"
    )
    assert told(tmp_path, text) == [("T001", word)]


def test_a_first_value_lies_within_them(tmp_path: Path) -> None:
    assert told(tmp_path, GAME.replace("2 to 6\n", "2 to 6 first 9\n")) == [("F010", "9")]


TOGETHER = """\
game: Bounds
Things:
  kind side:
  kind unit of side:
    pins: number 0 to 3
  to rest (unit): unit gains 2 pins
  to ease (unit): unit loses 3 pins
  to act (unit):
    both, together:
      one: unit rests
      two: unit rests
  to calm (unit):
    both, together:
      one: unit eases
      two: unit eases
"""


def test_calls_that_happen_together_keep_a_number_within_its_bounds(tmp_path: Path) -> None:
    agreed(tmp_path, TOGETHER, "unit A: pins 0\ndo: A acts\n", {"A.pins": 3})
    agreed(tmp_path, TOGETHER, "unit A: pins 2\ndo: A calms\n", {"A.pins": 0})
