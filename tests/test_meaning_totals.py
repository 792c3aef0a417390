"""Totals of what calls come to: a figure that several rounds speak of is one figure, as with lines of the loop itself."""

from fractions import Fraction

import pytest
from reference import odds
from worked import agreed

import interpreter

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


NONE = """game: Totals of none
Things:
  kind side:
  kind unit of side:
    mood: one of moods first calm
    toll: number or none
    reach: inches or none
    friend: a unit or none
  table moods (brave, far, next-one):
    calm: -, -, -
    wild: 2, 4", calm
  value grit of unit: mood.brave
  to look (unit):
    seen: mood.brave
  to act (unit) with (target unit):
    r, for each one-more in units:
"""

# of units that are all calm: none of a number counts as 0 in a total, none of a row or of a thing stays none
NOTHING = [
    ("      n: unit.mood.brave", 0),
    ("      n: unit.mood.far", '0"'),
    ("      n: unit.mood.next-one", "none"),
    ("      n: unit.toll", 0),
    ("      n: unit.reach", '0"'),
    ("      n: unit.grit", 0),
    ("      m: unit.toll\n      n: m", 0),
    ("      n: unit.mood.brave if target.friend is unit else min(units.mood.brave)", 0),
    ("      n: (none if unit.mood is calm else 3)", 0),
    ("      s, repeat 2 times:\n        n: unit.mood.brave", 0),
    ("      c: unit looks\n      n: c.seen", 0),
]


@pytest.mark.parametrize(("lines", "total"), NOTHING)
def test_rounds_that_all_have_none_add_up_to_0_where_they_are_numbers(lines, total, tmp_path):
    (tmp_path / "game.yaml").write_text(NONE + lines + "\n")
    (tmp_path / "situation.yaml").write_text("rules: game\nunit A:\nunit B:\ndo: A acts with B\nask: r.n\n")
    answer = interpreter.odds(str(tmp_path / "situation.yaml"))
    assert {answer.words.plain(v, answer.asks[0].type): w for v, w in answer.of(0).items()} == {total: 1}
    wanted = 0 if total == '0"' else total
    assert odds(tmp_path / "situation.yaml")[0].law == {wanted: 1}


# One round of an `otherwise` (once a game made up at random): what the loop threw is another throw to the lines behind it.
LOOPS = ["l, repeat up to 1 times until t", "l, repeat 2 times", "l, for each u in units"]


@pytest.mark.parametrize("loop", LOOPS)
def test_what_a_loop_threw_is_a_number_beside_those_of_another_throw_that_fail(loop, tmp_path):
    text = f"""game: Throws
Things:
  dice high: d2 at or over
  kind side:
  kind unit of side:
    friend: a unit or none
  roll nerve of unit: needs 2
  to act (unit) with (target unit):
    {loop}:
      k, if unit.friend is target: unit.friend leaves play
      n, otherwise: d2
      t: n > 1
    f: 1 dice
    m: f missing target.nerve
"""
    half, quarter, eighth = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)
    two = {2: eighth, 3: eighth + quarter, 4: eighth + quarter, 5: eighth}
    law = {1: quarter, 2: half, 3: quarter} if "until" in loop else two
    agreed(tmp_path, text, "unit A:\nunit B:\ndo: A acts with B\n", {"l.n + m": law})


@pytest.mark.parametrize(("lines", "asks"), LINES)
def test_nobody_is_twice_in_what_rounds_come_to(lines, asks, tmp_path):
    situation = (
        "unit A:\n  figures: [3 with arm bow, 1 with arm rifle]\n"
        "unit B:\n  figures: [1 with arm bow]\ndo: A acts with B\n"
    )
    agreed(tmp_path, f"{THINGS}    {lines}\n", situation, asks)


def test_a_total_of_records_keeps_its_lines_and_nothing_of_whom_the_round_was_about():
    """Of the records of all rounds only what is asked is kept; the figure of the round is no record."""
    one = "rules: vsf\nunit A: veteran, {} figures, robotic-arms{}\nunit B: green, 9 figures\ndo: A strikes at B with A.upright\nask: {}\n"
    asked = "dealt.blows.arms.try-it.good"
    assert dict(interpreter.odds(one.format(3, "", asked)).of(0))[True] == Fraction(7, 8)
    assert interpreter.odds(one.format(1, ", failed fists", asked)).of(0).get(True, 0) == 0
