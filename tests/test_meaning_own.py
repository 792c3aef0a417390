"""What belongs to the subject is written bare, and of things it is written in which order they come."""

import pytest
from reference import odds
from test_engines_kit import law_of_odds, law_of_play
from worked import agreed

from interpreter.source import Problems
from interpreter.source.values import replace
from interpreter.workbench.cases import prepare
from interpreter.workbench.files import open_situation

GAME = """
game: Own
Things:
  dice high: d6 at or over
  kind side:
    gold: number
  kind unit of side:
    pins: number
  kind figure, many to a unit:
    hurts: number
  mark shaken of unit:
  value strength of side: units
  value crowd of side: sides.units
  value company of unit: units
  to shell (side):
    own: units
    everybody: sides.units
    hit: units gain 1 pin
    each-own, for each troop in units: 1
    ask-another: first(units) looks
  to look (unit):
    both: units
    men: figures
  rule pay for each side after shell: side gains units gold
"""

DO = """side Red:
side Blue:
unit A: side Red, 2 figures
unit B: side Red, 3 figures
unit C: side Blue, 4 figures
do: Red shells
"""


def test_in_what_is_said_of_a_side_units_are_its_own(tmp_path):
    asks = {
        "own": 2,
        "everybody": 3,
        "each-own": 2,
        "ask-another.both": 3,
        "ask-another.men": 2,
        "Red.strength": 2,
        "Red.crowd": 3,
        "A.company": 3,
        "Red.gold": 2,
        "Blue.gold": 1,
        "A.pins": 1,
        "C.pins": 0,
    }
    agreed(tmp_path, GAME, DO, asks)


def test_things_come_in_the_order_in_which_they_are_stated_however_they_were_put_together(tmp_path):
    text = f"""{GAME}  to meet (unit) with (target unit):
    head: first(target + unit)
    other-head: first((target + unit) - unit)
    rounds, for each troop in target + unit:
      last-one: troop
"""
    asks = {"head is A": True, "other-head is B": True, "last-one is B": True}
    agreed(tmp_path, text, "unit A:\nunit B:\ndo: A meets with B\n", asks)


BRANCHES = """
game: Branches
Things:
  kind unit:
    luck: number 0 to 3
  to act (unit) with (target unit):
    one-way, if unit.luck is 1:
      n: 20
    two-way, otherwise, if unit.luck is 2:
      n: target.luck
    no-way, otherwise:
      m: unit.luck
    total: n + 1
  to go (unit) with (target unit):
    once: unit acts with target
    told: once.n + 3
"""
MORE = """
game: More
extends: branches
Things:
  add to act.no-way:
    n: 7
  add to act after total:
    ours: n + 1
  add to go after told:
    theirs: once.n + 1
"""


@pytest.mark.parametrize(("luck", "answers"), [(0, (1, 3, 8, 8)), (1, (21, 23, 21, 21)), (2, (4, 6, 4, 4))])
def test_a_name_joins_only_those_branches_that_a_file_may_name(tmp_path, luck, answers):
    """The page's `n` is none where its own branches were not run, whatever another file adds to a third."""
    (tmp_path / "branches.yaml").write_text(BRANCHES)
    (tmp_path / "more.yaml").write_text(MORE)
    asks = dict(zip(["once.total", "told", "once.ours", "theirs"], answers, strict=True))
    situation = tmp_path / "situation.yaml"
    situation.write_text(
        f"rules: more\nunit A: luck {luck}\nunit B: luck 3\ndo: A goes with B\nask: [{', '.join(asks)}]\n"
    )
    case = prepare(*open_situation(situation, Problems()), Problems())
    for law in (law_of_odds(case), law_of_play(case)[0], law_of_odds(replace(case, cut=False))):
        assert law == {answers: 1}
    assert [a.law for a in odds(situation, list(asks))] == [{each: 1} for each in answers]


def test_who_is_given_the_figures_that_are_his_has_as_many_as_before(tmp_path):
    game = GAME + "  to gather (unit):\n    own: figures.unit becomes unit\n"
    agreed(tmp_path, game, DO.replace("Red shells", "A gathers"), {"A.figures": 2})
