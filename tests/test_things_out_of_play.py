"""A whole unit out of play is in no list, as one that has left play; who loses the mark is back."""

import pytest
from test_engines_kit import case_of, law_of_odds, law_of_play, rules_of

from interpreter.workbench import bands

RULES = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
    near: many units
  kind tank, a unit:
  kind figure, many to a unit:
  mark wreck of unit: out of play
  mark burnt of tank: out of play
  mark tired of unit: until after turn
  value foes of unit: units where it.side is not unit.side
  value crowd of unit: max(units, 0)
  value first-price of side: sum(units.pins)
  fact count of unit: number first crowd
Doing:
  roll hit of unit: needs 4+
  to kill (unit) at (foe unit): {gone}
  to end (unit): turn ends
  rule mourn for each unit after kill: unit gains 1 pin
  to act (unit) at (foe unit):
    known: units
    e1: unit kills at foe
    left: max(units, 0)
    tanks-left: max(tanks, 0)
    sides: max(foe.side.units, 0)
    enemies: max(unit.foes, 0)
    sum-up: side.first-price + foe.side.first-price
    men: max(units.figures, 0)
    told: count(unit)
    e2, for each other in units: other gains 1 pins
    e3: turn ends
    kept: max(known, 0)
"""
LISTS = [
    "left",
    "tanks-left",
    "sides",
    "enemies",
    "sum-up",
    "men",
    "told",
    "kept",
    "A.pins",
    "B.pins",
    "C.pins",
    "B is tired",
    "C is tired",
]
GAME = "side Red:\nside Blue:\nunit A: side Red, 2 figures\ntank B: side Blue, 3 figures, tired\nunit C: side Blue, 1 figures, tired\n"


def law(rules, text, *asked):
    """The joint law by odds; play under every script of dice, traced and not, has the same."""
    case = case_of(rules, f"{text}\nask: [{', '.join(repr(a) for a in asked)}]\n")
    found = law_of_odds(case)
    for traced in (False, True):
        played, lost, _ = law_of_play(case, traced=traced)
        assert not lost
        assert played == found
    return found


@pytest.mark.parametrize("mark", ["wreck", "burnt"])
def test_who_gains_such_a_mark_is_in_no_list_as_who_leaves_play(mark):
    gone = "foe gains wreck" if mark == "wreck" else "(tanks where it is foe) gain burnt"
    marked = law(rules_of(RULES.format(gone=gone)), GAME + "do: A acts at B", *LISTS)
    left = law(rules_of(RULES.format(gone="foe leaves play")), GAME + "do: A acts at B", *LISTS)
    assert marked == left == {(2, 0, 1, 1, 2, 3, 2, 3, 2, 0, 2, True, False): 1}


@pytest.mark.parametrize("mark", ["wreck", "burnt"])
def test_who_begins_out_of_play_is_in_no_list(mark):
    rules = rules_of(RULES.format(gone="nothing"))
    situation = GAME.replace("3 figures", f"3 figures, {mark}") + "do: A acts at C"
    assert law(rules, situation, *LISTS[:7]) == {(2, 0, 1, 1, 2, 3, 2): 1}


def test_a_fact_said_of_a_mark_counts_too():
    rules = rules_of(RULES.format(gone="nothing"))
    assert law(rules, GAME + "facts: B.wreck\ndo: A acts at C", "left", "enemies") == {(2, 1): 1}


def test_who_loses_the_mark_is_back_and_who_left_play_is_not():
    body = (
        RULES.format(gone="nothing")
        + """
  to revive (unit) at (foe unit):
    at-first: max(units, 0)
    e1: foe gains wreck
    between: max(units, 0)
    e2: foe loses wreck
    after-it: max(units, 0)
    e3: foe gains wreck
    e4: foe leaves play
    e5: foe loses wreck
    end: max(units, 0)
"""
    )
    assert law(rules_of(body), GAME + "do: A revives at B", "at-first", "between", "after-it", "end") == {
        (3, 2, 3, 2): 1
    }


def test_in_what_happens_together_all_are_there_as_it_began():
    body = (
        RULES.format(gone="nothing")
        + """
  to clash (unit) at (foe unit):
    both, together:
      e1: foe gains wreck
      seen-then: max(units, 0)
    seen-after: max(units, 0)
"""
    )
    assert law(rules_of(body), GAME + "do: A clashes at B", "seen-then", "seen-after") == {(3, 2): 1}


def test_dice_decide_who_is_there():
    body = (
        RULES.format(gone="nothing")
        + """
  to try (unit) at (foe unit):
    falls: unit passes hit
    e1, if falls: foe gains wreck
    who: units where it is a tank
"""
    )
    found = law(rules_of(body), GAME + "do: A tries at B", "max(who, 0)")
    assert sorted(found.items()) == [((0,), 0.5), ((1,), 0.5)]


def test_a_band_sees_it_too():
    body = (
        RULES.format(gone="nothing")
        + """
  to try (unit) at (foe unit):
    does: owner wishes
    e1, if does: foe gains wreck
    who: max(units, 0)
"""
    )
    assert bands.find_bounds(case_of(rules_of(body), GAME + "do: A tries at B\nask: who\n")).mean(0) == (2, 3)
