"""Those that are least or most: brute force over small collections, for things and for counted figures."""

from fractions import Fraction

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  kind side:
    wealth: number
  kind unit of side:
    pins: number 0 to 9
    arm: one of arms or none
  kind figure, many to a unit:
    hits: number
    arm-of: one of arms or none
  mark down of figure: out of play
  table arms (reach, kick):
    club: none, 1
    bow:  9", 2
    gun:  24", -
  fact gap of unit (other unit): inches first 3"
Doing:
"""


def asked(body, things, *asks, more=""):
    case = case_of(rules_of(HEAD + body), f"{things}\n{more}\nask: [{', '.join(asks)}]\n")
    agree(case)
    return law_of_odds(case)


THREE = """
side Red: wealth 1
unit A: side Red, pins 2, arm gun
unit B: side Red, pins 1, arm bow
unit C: side Red, pins 1
"""


@pytest.mark.parametrize(
    ("chosen", "who"),
    [
        ("pins is least", (False, True, True)),
        ("pins is most", (True, False, False)),
        ("arm is least", (False, True, False)),  # further up the table; with none it is not among them
        ("arm.reach is most", (True, False, False)),
        ("arm.kick is least", (False, True, False)),  # an empty cell is nothing
        ("pins + wealth is most", (True, False, False)),
    ],
)
def test_things_least_and_most(chosen, who):
    body = f"  to act (side):\n    chosen: units where {chosen}\n"
    asks = ("A in chosen", "B in chosen", "C in chosen")
    assert asked(body, THREE, *asks, more="do: Red acts") == {who: 1}


def test_nobody_is_least_of_nobody():
    body = "  to act (side):\n    idle: (units where pins > 8) where pins is least\n"
    assert asked(body, THREE, "idle", more="do: Red acts") == {(0,): 1}


def test_a_distance_is_least():
    body = "  to act (unit):\n    near: (units where it is not unit) where gap(unit, it) is least\n"
    more = 'facts:\n  - gap(A, B) is 7"\ndo: A acts'
    assert asked(body, THREE, "near", "C in near", more=more) == {(1, True): 1}


def test_figures_stay_counted_and_those_level_are_all_there():
    body = """
  to hurt (unit), (n number):
    rounds, repeat n times:
      who: owner picks 1 from figures where hits is least usually arm-of is gun
      hit: who gains 1 hits
    most-hurt: figures where hits is most
    least-hurt: figures where hits is least
"""
    men = "unit A:\n  figures: [3 with arm-of gun, 2 with arm-of bow]"
    for n in range(12):
        full, odd = divmod(n, 5)
        law = asked(body, men, "most-hurt", "least-hurt", "sum(A.figures.hits)", more=f"do: A hurts {n}")
        assert law == {(odd or 5, 5 - odd, n): Fraction(1)}, (n, full)
