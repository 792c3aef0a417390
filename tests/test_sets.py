"""Sets of rows on counted things, sets of things in situations, and whose a bare word is."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, agree, case_of, law_of_odds, rules_of

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    quality: one of ranks
    seen: many units
    wounds: many hurts
  kind figure, many to a unit:
    own: one of ranks or none
    skills: many skills
    weapon: one of weapons or none
    spare: one of weapons or none
  mark blind of unit:
  table ranks: raw, old
  table hurts: blind, lame
  table weapons: club, bow
  table skills (points):
    medic: 3
    scout: 1
    idler: none
Doing:
  value numbers of unit: figures + 0
"""


def asked(body, things, *asks, more=""):
    case = case_of(rules_of(HEAD + body), f"{things}\n{more}\nask: [{', '.join(asks)}]\n")
    agree(case)
    return law_of_odds(case)


MEN = "unit A:\n  is: raw\n  figures: [2 with skills medic and scout, 1 with scout, 3]"


def test_figures_are_told_apart_by_their_sets():
    asks = ("A.figures where medic in skills", "A.figures where skills > 1", "A.figures where no skills")
    assert asked("", MEN, *asks) == {(2, 2, 3): 1}


def test_a_row_is_learnt_and_all_are_lost():
    body = """
  value worth of unit: sum(unit.figures.price)
  value price of figure: sum(skills.points)
  to teach (unit):
    once: d2
    every, for each man in figures, if once = 2: man.skills becomes man.skills + scout
    taught: worth
    forgot: (figures where medic in skills).skills becomes none
    left: worth
"""
    law = asked(body, MEN, "taught", "left", more="do: A teaches")
    assert law == {(3 + 1 + 3 + 1 + 1, 1): Fraction(1, 2), (8 + 1 + 3, 4): Fraction(1, 2)}


def test_those_that_become_alike_are_one_group_again():
    body = """
  to teach (unit):
    medics, for each man in figures: man.skills becomes man.skills + medic
    every, for each man in figures: man.skills becomes man.skills + scout
    pick: owner picks 4 from figures
"""
    assert asked(body, MEN, "pick", more="do: A teaches") == {(4,): 1}  # all alike: nothing need be said


def test_a_set_of_things_is_stated_one_by_one():
    things = "unit A: raw, seen B, seen C, seen B\nunit B: raw\nunit C: old"
    assert asked("", things, "A.seen", "C in A.seen", "B.seen") == {(2, True, 0): 1}


def test_nothing_worth_saying():
    assert asked("", "side Red:\nunit A: raw, side Red", "Red.units") == {(1,): 1}


def test_a_word_belongs_to_the_things_own_card_first():
    assert asked("", "unit A: old, 3 figures", "A.quality is old", "A.figures where own is old") == {(True, 0): 1}


def test_a_mark_has_a_word_to_itself():
    assert asked("", "unit A: old, blind, lame", "A is blind", "A.wounds") == {(True, 1): 1}


def test_a_word_of_two_attributes_of_one_card_is_asked_about():
    with pytest.raises(Mistaken) as found:
        asked("", "unit A: raw, 3 figures, club", "A.figures")
    assert found.value.args[0] == [("F003", "club")]


@pytest.mark.parametrize("attribute", ["friends: many units", "far: inches"])
def test_what_figures_cannot_be_told_apart_by(attribute):
    with pytest.raises(Mistaken) as found:
        rules_of(HEAD.replace("  mark blind", f"  add to figure:\n    {attribute}\n  mark blind"))
    assert found.value.args[0] == [("T010", attribute.partition(": ")[2])]


BOTH = """
  to mourn (unit) with (other unit):
    both: unit + other
    out: both lose all pins
    hurt: both.figures gain 1 hit
    healed: both.figures lose all hits
    dim: (unit + other) gain dim
    first-ones: first(unit.figures) + first(other.figures)
    marked: first-ones gain 2 hits
    count: both + 0
"""


def test_two_things_in_one_line():
    head = HEAD.replace("    skills: many", "    hits: number\n    skills: many").replace(
        "    seen:", "    pins: number\n    seen:"
    )
    head = head.replace("mark blind", "mark blind, dim")
    things = "unit A: raw, pins 3, 2 figures\nunit B: raw, pins 1, 3 figures\nunit C: raw, pins 1"
    text = f"{things}\ndo: A mourns with B\nask: [A.pins, B.pins, C.pins, sum(A.figures.hits), sum(B.figures.hits), count, A is dim, B is dim, C is dim]\n"
    case = case_of(rules_of(head + BOTH), text)
    agree(case)
    assert law_of_odds(case) == {(0, 0, 1, 2, 2, 2, True, True, False): 1}


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("lost: unit loses all pin-count", "N001", "pin-count"),
        ("lost: unit loses all blind", "N001", "blind"),
        ("lost: unit + 1", "T001", "unit"),
    ],
)
def test_mistakes_of_all(line, code, word):
    with pytest.raises(Mistaken) as found:
        rules_of(HEAD + f"  to act (unit):\n    {line}\n")
    assert found.value.args[0] == [(code, word)]
