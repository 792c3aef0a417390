"""Who moves 0" has not moved: nothing that waits for a move sets in, however the distance is come by."""

from pathlib import Path

import pytest
from small_games import hold

GAME = """\
game: Moves
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    speed: inches first 0"
  mark still of unit: until after move
  mark ready of unit: until before move
  rule wake for each unit after move: unit gains 1 gold
  rule rise for each unit before move: unit gains 10 gold
  to go (unit):
    {line}
"""
MOVES = {
    'unit moves up to 0"': (0, 0),
    'unit moves up to 6"': (1, 1),
    "unit moves up to unit.speed": (0, 1),
    'unit moves up to half(gold) * 1"': (0, 0),
    'unit moves up to (6" if speed > 0" else 0")': (0, 1),
    "unit moves unit.speed away from unit": (0, 1),
    "unit moves straight ahead": (1, 1),
    "unit moves up to whole(unit.speed / 2)": (0, 1),
}


@pytest.mark.parametrize("line", MOVES)
def test_hooks_of_a_move_need_one(line: str, tmp_path: Path) -> None:
    parts = []
    for speed, moved in zip((0, 6), MOVES[line], strict=True):
        held = "" if moved else " not"
        gone = " not" if moved else ""
        asks = f"[A.gold = {11 * moved}, A is{gone} still, A is{gone} ready]"
        odds = f"[1/1 that A.gold = {11 * moved}, 1/1 that A is{gone} still, 1/1 that A is{gone} ready]"
        parts.append(
            f'  example at-{speed}{held.strip()}:\n    unit A: speed {speed}", still, ready\n    do: A goes\n'
            f"    then: {asks}\n    odds: {odds}\n"
        )
    hold(tmp_path, GAME.replace("{line}", f"far: {line}") + "".join(parts))


def test_dice_may_say_that_it_stays(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME.replace("{line}", 'far: unit moves up to (d6 - 3) * 2"\n    back: far')
        + """\
  example one-half:
    unit A: still
    do: A goes
    odds: [1/2 that A.gold = 11, 1/2 that A is still]
  example by-dice:
    unit A: still
    do: A goes
    dice: far 3
    then: [A.gold = 0, A is still]
""",
    )
