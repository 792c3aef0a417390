"""An attribute that is equal for all figures, and that no line of the cut-down rules reads or sets, tells no two worlds
apart: figures go without it, and the odds are the same.
"""

from pathlib import Path

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

from interpreter.program import specializer
from interpreter.source import Problems
from interpreter.workbench.cases import prepare
from interpreter.workbench.rules import open_rules
from interpreter.workbench.run_setup import set_up
from interpreter.workbench.trees import read_text

RULES = rules_of("""
game: Left out
Conventions:
  dice high: d6 at or over
  table weapons (need):
    club: 5
    bow:  3
  kind unit:
  kind figure, many to a unit:
    weapon: one of weapons
    nerve: number first 2
  mark lost of figure: out of play
  mark keen of figure: up to 1 per unit
  fact loud of unit: number first figures where nerve > 1
Turns:
  roll shot of figure: needs weapon.need
  to fire (unit):
    shots, for each man in figures:
      hits: 1 dice meeting shot(man)
      fall, if hits > 0: man gains lost
  to rally (unit):
    keens: figures gain keen
    face: d6
  to listen (unit):
    face, if loud > 2: d6
  to choose (unit):
    man: unit picks 1 from figures
    face, if man.weapon is bow: d6
""")
CLUBS, MIXED = "[3 with weapon club]", "[2 with weapon club, 1 with weapon bow]"


def case(do, figures, ask, more=""):
    return case_of(RULES, f"unit A: {{figures: {figures}}}\ndo: A {do}\n{more}ask: [{ask}]\n")


def left(asked):
    """The names of the attributes that figures still have."""
    layout = set_up(asked, certain=True).program.layout
    ((kind, places),) = layout.told.items()
    return {layout.attributes[kind.number, i].name for i in places if (kind.number, i) in layout.attributes}


@pytest.mark.parametrize(
    ("do", "figures", "ask", "kept"),
    [
        ("fires", CLUBS, "shots.hits, A.figures", {"lost"}),  # what a club needs is known
        ("fires", MIXED, "shots.hits, A.figures", {"lost", "weapon"}),
        ("rallies", CLUBS, "A.figures where keen", {"lost", "keen"}),
        ("rallies", MIXED, "A.figures where keen", {"lost", "keen", "weapon"}),  # it says in which order they gain it
        ("listens", CLUBS, "face", {"lost", "nerve"}),  # a fact that nobody stated counts them
    ],
)
def test_figures_go_without_what_tells_none_apart(do, figures, ask, kept):
    asked = case(do, figures, ask)
    assert left(asked) == kept
    agree(asked)


def test_what_a_policy_of_the_situation_reads_stays():
    asked = case("chooses", CLUBS, "face", "choose: {choose.man: it.weapon is club}\n")
    assert left(asked) >= {"weapon", "nerve"}
    agree(asked)


def test_who_has_other_figures_gets_a_program_of_their_own():
    """Programs are kept for situations that are alike; one with two weapons is not."""
    cuts = {}
    for figures in (CLUBS, MIXED, "[3 with weapon bow]"):
        asked = case("rallies", figures, "A.figures where keen")
        asked.cuts = cuts
        agree(asked)


@pytest.mark.parametrize("name", ["psychic", "vehicle-hits"])
def test_the_odds_are_those_of_figures_with_all_attributes(name, monkeypatch):
    text = (Path(__file__).parents[1] / "benchmarks" / "large" / f"{name}.yaml").read_text()
    without = law_of_odds(shipped(text))
    monkeypatch.setattr(specializer, "_alike", lambda *_: False)
    assert law_of_odds(shipped(text)) == without


def shipped(text):
    problems = Problems()
    tree = read_text("situation", text, problems)
    return prepare(open_rules(tree.get("rules").text, problems), tree, problems)
