"""What belongs to the subject is written bare, and of things it is written in which order they come."""

from worked import agreed

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
