"""Totals of what calls come to: a figure that several rounds speak of is one figure, as with lines of the loop itself."""

import pytest
from worked import agreed

THINGS = """game: Totals
Things:
  kind side:
  kind unit of side:
    pins: number 0 to 9
  table arms: bow, rifle
  kind figure, many to a unit:
    arm: one of arms or none
  mark hot of figure:
  mark casualty of figure: out of play
  to look (unit):
    those: figures where arm is bow
    lot: unit.owner picks 2 from figures usually arm is bow
    many-times: 1
  to peek (unit):
    inner: unit looks
  to take (unit), (men figures):
    some-men: unit.owner picks (1 + unit.pins) from men
  to kill (unit):
    dead: unit.owner picks 2 from figures usually arm is bow
    gone: dead gain casualty
  to chain (unit):
    fewer-pins: unit loses 1 pin
    those: figures where arm is bow
    go-on, if unit.pins > 0: unit chains
  to act (unit) with (target unit):
"""

# of A's 3 bowmen and 1 rifleman, and B's 1 bowman
LINES = [
    ("r, repeat 3 times:\n      c: unit looks", {"r.c.those": 3, "r.c.lot": 3, "r.c.many-times": 3, "look.those": 3}),
    ("r, repeat 3 times: unit looks", {"r.those": 3, "r.many-times": 3}),
    ("r, repeat 3 times:\n      c: unit peeks", {"r.c.inner.those": 3, "r.c.inner.lot": 3}),
    ("r, for each u in units: u looks", {"r.those": 4, "r.lot": 3}),
    ("r, for each u in units, together:\n      c: unit looks", {"r.c.those": 3}),
    ("men: unit.owner picks 2 from figures usually arm is bow\n    r, repeat 3 times:\n      c: unit takes men", {"r.c.some-men": 2}),
    ("r, repeat 2 times:\n      c: unit kills\n    n: r.c.dead + 0", {"r.c.dead": 4, "n": 4, "A.figures": 0}),
    ("r, repeat 3 times:\n      c: unit looks\n    h: r.c.those gain hot", {"A.figures where hot": 3}),
    ("r, repeat 2 times:\n      p: unit gains 2 pins\n      c: unit chains", {"r.c.those": 3, "r.c.go-on.those": 3}),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "asks"), LINES)
def test_nobody_is_twice_in_what_rounds_come_to(lines, asks, tmp_path):
    situation = (
        "unit A:\n  figures: [3 with arm bow, 1 with arm rifle]\n"
        "unit B:\n  figures: [1 with arm bow]\ndo: A acts with B\n"
    )
    agreed(tmp_path, f"{THINGS}    {lines}\n", situation, asks)
