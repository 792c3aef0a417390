"""Collections: whom a sentence speaks of, how many they are, and what is said of all, of any and of one of them."""

import pytest
from worked import worked

THINGS = """
game: Collections
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
  kind figure, many to a unit:
    hurts: number
  mark tired, hot of figure:
"""

SAID_OF_ALL = """
  value cool of unit:
    basic: 0
    all-so: 1 if all (figures where hot) are tired
  roll calm of unit:
    basic:  needs 4
    all-so: passes if all (figures where hot) are tired
    else-not: fails if not all (figures where hot) are tired
  to look (unit):
    line: 1 if all (figures where hot) are tired else 0
    valued: unit.cool
    thrown: 1 passing unit.calm
    done, if all (figures where hot) are tired: unit gains 1 gold
    besides: 1 if not all (figures where hot) are tired else 0
"""

GROUPS = [
    ("[2 with tired, 1 with tired and hot, 3]", True),
    ("[2 with tired, 1 with tired and hot]", True),
    ("[2 with tired, 1 with hot]", False),
    ("[3 with tired]", False),  # of nobody nothing is true
    ("[3 with tired and hot]", True),
    ("[3 with hot]", False),
    ("[1 with hot, 1 with tired and hot]", False),
    ("[4]", False),
]


@pytest.mark.parametrize(("figures", "so"), GROUPS)
def test_what_is_said_of_all_is_said_of_those_that_it_speaks_of(figures, so):
    one = int(so)
    asks = {"line": one, "valued": one, "thrown": one, "A.gold": one, "besides": 1 - one}
    worked(THINGS + SAID_OF_ALL, f"unit A:\n  figures: {figures}\ndo: A looks\n", asks)
