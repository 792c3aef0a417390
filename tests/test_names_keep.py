"""A name keeps those that have left play since; `ran` of a line in a loop is whether the loop was run."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from worked import agreed

GAME = """\
game: Scouts
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
    tag: number
  mark casualty of figure: out of play
  roll luck of figure: needs 4
  to scout (unit):
    scouts: owner picks 2 from figures
    shot: 1 of scouts at random
    dies: shot gain casualty
    named: scouts
    home: (scouts where not casualty) passing luck
  to scout-all (unit):
    scouts: owner picks 2 from figures
    dies: scouts gain casualty
    home: scouts passing luck
  to wait (unit):
    tries, repeat 2 times:
      face: d6
      six, if face = 6: 1
    inside, if ran(tries.six): unit gains 1 pin
    brought, if tries.six > 0: unit gains 10 pins
    vain, repeat 0 times:
      other: 1
    odd-one, if ran(vain.other): unit gains 100 pins
    left-out, if pins > 500, repeat 1 times:
      third: 1
    no-one, if ran(left-out.third): unit gains 1000 pins
"""
HALF = Fraction(1, 2)


def test_a_name_keeps_who_left_play(tmp_path: Path) -> None:
    asks = {"named": 2, "home": {0: HALF, 1: HALF}, "A.figures": 4}
    agreed(tmp_path, GAME, "unit A: 5 figures\ndo: A scouts\n", asks)
    asks = {"home": {0: HALF / 2, 1: HALF, 2: HALF / 2}, "A.figures": 3}
    agreed(tmp_path, GAME, "unit A: 5 figures\ndo: A scouts-all\n", asks)


def test_whether_a_loop_was_run_is_not_what_a_round_brought(tmp_path: Path) -> None:
    """By hand: a six in two tries, 11 of 36."""
    six = Fraction(11, 36)
    agreed(tmp_path, GAME, "unit A: 1 figures\ndo: A waits\n", {"A.pins": {111: six, 101: 1 - six}})
