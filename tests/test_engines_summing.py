"""Loops whose rounds add up: of many figures, of numbers, and of what a round itself changes."""

from fractions import Fraction as F
from pathlib import Path

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

import interpreter
from interpreter.engines.odds import Odds

RULES = rules_of("""
game: Rounds
Conventions:
  dice plain: d3 at or over
  kind unit:
    skill: number
    heat: number first 0
  kind figure, many to a unit:
    arm: number
Turns:
  roll blow of figure: needs 2
  roll cut of figure: needs 3
  roll lunge of unit: needs 2
  to fire (unit):
    shots, for each man in figures:
      hits: man.arm passing man.blow
      sixes: man.arm passing man.cut
    both: shots.hits + shots.sixes
  to volley (unit):
    shots, for each man in figures:
      hits: skill passing unit.lunge
  to warm (unit):
    shots, for each man in figures:
      hits: man.arm + heat passing man.blow
      hotter, if hits > 0: unit gains 1 heat
  to drum (unit):
    beats, repeat skill times:
      loud: d3
      soft, if loud < 3: d2
  to count (unit):
    beats, repeat skill times:
      loud: d3
      low: min(loud, 2)
    same: beats.loud - beats.low
  to tire (unit):
    shots, for each man in figures:
      lost: man.arm failing man.blow
      gone: unit gains lost heat
""")


def case(do, *asks, figures="[2 with arm 1, 1 with arm 2]", skill=3):
    return case_of(RULES, f"unit A:\n  is: skill {skill}\n  figures: {figures}\ndo: {do}\nask: [{', '.join(asks)}]\n")


@pytest.mark.parametrize(
    ("do", "asks"),
    [
        ("A fires", ["shots.hits"]),
        ("A fires", ["shots.hits", "shots.sixes"]),
        ("A fires", ["both"]),
        ("A volleys", ["shots.hits"]),  # nobody looks at whose turn it is
        ("A warms", ["shots.hits", "A.heat"]),
        ("A warms", ["shots.hits"]),
        ("A drums", ["beats.loud", "beats.soft"]),
        ("A drums", ["beats.loud"]),
        ("A counts", ["beats.loud", "beats.low"]),
        ("A counts", ["same"]),
        ("A tires", ["shots.lost", "A.heat"]),
    ],
)
def test_rounds_are_as_play_plays_them(do, asks):
    agree(case(do, *asks, figures="[2 with arm 1]" if "warms" in do else "[2 with arm 1, 1 with arm 2]"))


@pytest.mark.parametrize(("asks", "at_once"), [(["shots.hits"], [20, 40]), (["shots.hits", "shots.sixes"], [])])
def test_many_rounds_add_up(asks, at_once, monkeypatch):
    """Those of alike men are worked out at once where they add one number to one total."""
    told = []
    added = Odds.added
    monkeypatch.setattr(Odds, "added", lambda self, law, many, line: told.append(many) or added(self, law, many, line))
    law = law_of_odds(case("A fires", *asks, figures="[40 with arm 1, 20 with arm 2]"))
    assert sum(values[0] * p for values, p in law.items()) == F(160, 3)  # eighty dice, two in three
    assert sorted(told) == at_once


def test_a_round_that_reads_what_rounds_change_is_its_own(monkeypatch):
    monkeypatch.setattr(Odds, "added", lambda *_: pytest.fail("one by one"))
    law = law_of_odds(case("A warms", "shots.hits", figures="[2 with arm 1]"))
    assert law[0,] == F(1, 3) ** 2


MADE = """\
game: Crew
Crew:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
  roll shot of figure: needs 5+
  to bail (unit):
    crew: new unit (side unit.side)
    out: figures.unit becomes crew
    bangs, for each man in crew.figures:
      hits: 1 passing man.shot
      ow, if hits > 0: unit gains 1 pins
"""


@pytest.mark.parametrize("asks", [["bangs.hits"], ["bangs.hits", "A.pins"]])
def test_rounds_over_those_of_a_thing_that_was_made(asks: list[str], tmp_path: Path) -> None:
    """Their rounds hand on its cells beside what they add up."""
    (tmp_path / "crew.yaml").write_text(MADE, "utf-8")
    (tmp_path / "s.yaml").write_text("rules: crew\nunit A: 3 figures\ndo: A bails\n", "utf-8")
    answer = interpreter.odds(str(tmp_path / "s.yaml"), ask=asks)
    binomial = {0: F(8, 27), 1: F(12, 27), 2: F(6, 27), 3: F(1, 27)}
    assert [answer.of(i) for i in range(len(asks))] == [binomial] * len(asks)
