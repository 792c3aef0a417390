"""Every sentence of a `together` block reads the state as it was at its start, also by a name for figures."""

import pytest
from small_games import hold, told
from worked import agreed

THINGS = """
game: Together
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    arm: one of arms or none
    wounds: number 0 to 9
  table arms: bow, gun
  mark down of figure:
  to shake (unit):
    who: figures where arm is bow
    hurt: who gain down
    seen: who where it is down
"""

BLOCKS = {
    "a name given in the block": (
        """
    blows, together:
      hurt: figures where arm is bow
      felled: hurt gain down
      found: hurt where it is down
      beside, if any (hurt where down): hurt gain 1 wound
    later: hurt where it is down""",
        {"found": 0, "later": 2, "sum(A.figures.wounds)": 0},
    ),
    "a name given before it": (
        """
    hurt: figures where arm is gun
    blows, together:
      scratched: hurt gain 2 wounds
      found: sum(hurt.wounds)
    later: sum(hurt.wounds)""",
        {"found": 0, "later": 2},
    ),
    "a line of a call before it": (
        """
    shock: unit shakes
    blows, together:
      scratched: shock.who gain 2 wounds
      found: shock.who where wounds > 0
      downed: shock.who where down
    later: shock.who where wounds > 0""",
        {"found": 0, "downed": 2, "later": 2, "shock.seen": 2},
    ),
    "the item of a loop": (
        """
    each-one, for each man in figures, together:
      felled: man gains down
      beside, if man is down: man gains 3 wounds
      found: true if man is down else false""",
        {"found": False, "A.figures where down": 3, "sum(A.figures.wounds)": 0},
    ),
    "a name on two branches": (
        """
    blows, together:
      yes-branch, if any (figures where arm is bow):
        hurt: figures where arm is bow
      no-branch, otherwise:
        hurt: figures where arm is gun
      felled: hurt gain down
      found: hurt where down
    later: hurt where down""",
        {"found": 0, "later": 2},
    ),
    "what a loop in it puts together": (
        """
    blows, together:
      rounds, for each kind-of in arms:
        hurt: figures where arm is kind-of
        felled: hurt gain down
        found: hurt where down
      all-found: rounds.hurt where down
    later: rounds.hurt where down""",
        {"found": 0, "all-found": 0, "later": 3},
    ),
    "a deal, which goes round several times": (
        """
    blows, together:
      hurt: figures where arm is bow
      shared: unit.owner deals 5 wounds evenly to hurt usually it is down
      found: sum(hurt.wounds)
    later: sum(hurt.wounds)
    sorest: hurt where wounds = 3""",
        {"found": 0, "later": 5, "sorest": 1},
    ),
    "one effect after the other": (
        """
    hurt: figures where arm is bow
    blows, together:
      felled: hurt gain down
      scratched: hurt gain 1 wound
      found: sum(hurt.wounds)
    later: hurt where down and wounds = 1""",
        {"found": 0, "later": 2},
    ),
}


@pytest.mark.parametrize("what", BLOCKS)
def test_a_name_for_figures_is_read_as_they_were_when_the_block_began(what, tmp_path):
    body, asks = BLOCKS[what]
    situation = "unit A:\n  figures: [2 with arm bow, 1 with arm gun]\ndo: A acts\n"
    agreed(tmp_path, f"{THINGS}  to act (unit):{body}\n", situation, asks)


HANDED_BACK = [
    ("found: shock.who where it is down", ["shock.who"]),
    ("found: 1 if any (shock.who where down) else 0", ["shock.who"]),
    ("left: figures - shock.who", ["shock.who"]),
    ("further: unit mauls (shock.who)", ["shock.who"]),
    ("same: shock.who\n      found: same where down", ["same"]),
    ("each-one, for each man in shock.who, if man is down: 1", ["man"]),
    ("found: shock.who where arm is bow", []),
    ("found: shock.who", []),
    ("scratched: shock.who gain 1 wound", []),
    ("found: 1 if any shock.who else 0", []),
]


@pytest.mark.parametrize(("line", "words"), HANDED_BACK)
def test_what_a_call_of_the_block_may_have_changed_is_asked_behind_the_block(line, words, tmp_path):
    more = "  to maul (unit), (men figures):\n    hurt: men gain 1 wound\n"
    body = f"    blows, together:\n      shock: unit shakes\n      {line}\n"
    assert told(tmp_path, f"{THINGS}{more}  to act (unit):\n{body}") == [("P034", word) for word in words]


def test_figures_that_a_call_of_the_block_hands_back_are_counted_and_changed(tmp_path):
    body = """
    blows, together:
      shock: unit shakes
      found: shock.who where arm is bow
      hurt: shock.who gain 2 wounds
      seen: shock.seen
    later: shock.who where down and wounds = 2
    left: figures - shock.who"""
    asks = {"found": 2, "seen": 2, "later": 2, "left": 1, "sum(A.figures.wounds)": 4}
    situation = "unit A:\n  figures: [2 with arm bow, 1 with arm gun]\ndo: A acts\n"
    agreed(tmp_path, f"{THINGS}  to act (unit):{body}\n", situation, asks)


SET = """
game: Set together
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pace: number
    depth: inches first 1"
    pins: number
  to hurry (unit), (how number):
    paced: unit.pace becomes how
    sunk: unit.depth becomes how * 1"
    pinned: unit gains how pins
  to race (unit):
    both, together:
      one-of: unit hurries 7
      other-of: unit hurries 5
"""


@pytest.mark.parametrize("pace", [0, 3, 7])
def test_of_two_calls_that_set_a_number_the_last_decides(tmp_path, pace):
    laws = {"A.pace": 5, "A.depth": 5, "A.pins": 12}
    agreed(tmp_path, SET, f'unit A: pace {pace}, depth {pace + 1}"\ndo: A races\n', laws)


def test_a_situation_that_adds_to_a_number_changes_no_other(tmp_path):
    own = """
  example of-its-own:
    unit A: pace 3
    do:
      grown: A gains 2 pace
    then: A.pace = 5
  example raced:
    unit A: pace 3
    do: A races
    then: A.pace = 5
"""
    hold(tmp_path, SET + own.lstrip("\n"))
