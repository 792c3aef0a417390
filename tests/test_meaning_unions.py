"""Figures put together: nobody counts twice, and nobody is lost."""

from fractions import Fraction
from math import comb

import pytest
from worked import worked

THINGS = """
game: Together
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
  table weapons: rifle, gun
  kind figure, many to a unit:
    weapon: one of weapons or none
    hurts: number
  mark leader, hot of figure:
  mark casualty of figure: out of play
  roll shot of figure: needs 4
  value crew of unit: (figures where weapon is gun) + (figures where leader)
"""

# lines of a procedure; what is asked, and what it comes to, of 1 leader with a gun, 1 with a gun and 3 riflemen
LINES = [
    ("both: (figures where weapon is gun) + (figures where leader)", 2),
    ("both: (figures where weapon is gun) + (figures where weapon is rifle)", 5),
    ("both: figures + (figures where leader)", 5),
    ("both: figures + figures", 5),
    ("both: (figures where leader) + (figures where hot) + (figures where weapon is gun)", 2),
    ("both: crew", 2),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: lot + lot", 2),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: lot + (lot where hurts = 0)", 2),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: (figures - lot) + lot", 5),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    rest: figures - lot\n    both: lot + rest", 5),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    rest: figures - lot\n    both: rest + lot + rest", 5),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: lot + figures", 5),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: lot + (figures where weapon is rifle)", 3),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    both: (figures - lot) + (figures - lot)", 3),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    same: lot\n    both: lot + same", 2),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    others: lot + (figures where leader)\n    both: others + lot", 3),
    # of picks that know nothing of each other as few are the same as must be
    ("lot: owner picks 2 from figures usually weapon is rifle\n    second: owner picks 1 from figures usually weapon is rifle\n    both: lot + second", 3),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    second: owner picks 2 from figures usually weapon is rifle\n    both: lot + second", 3),
    ("men: owner picks 2 from figures usually weapon is rifle\n    lot: owner picks 2 from men\n    second: owner picks 2 from men\n    both: lot + second", 2),
    ("men: owner picks 2 from figures usually weapon is rifle\n    lot: owner picks 1 from men\n    second: owner picks 1 from men\n    both: lot + second + men", 2),
    # the one who leads, and the others
    ("chief: first(figures where leader)\n    both: chief + (figures where weapon is gun)", 2),
    ("chief: first(figures where leader)\n    rest: figures - chief\n    both: rest + chief", 5),
    # names follow their figures
    ("lot: owner picks 2 from figures usually weapon is rifle\n    hurt: lot gain 1 hurts\n    both: lot + (figures where hurts > 0)", 2),
    ("lot: owner picks 2 from figures usually weapon is rifle\n    hurt: lot gain 1 hurts\n    both: lot + (figures where hurts = 0)", 5),
    ("dead: owner picks 2 from figures usually weapon is rifle\n    fall: dead gain casualty\n    second: owner picks 1 from figures usually weapon is rifle\n    too: second gain casualty\n    both: dead + second", 3),
    ("dead: owner picks 2 from figures usually weapon is rifle\n    fall: dead gain casualty\n    both: dead + dead", 2),
    ("dead: owner picks 2 from figures usually weapon is rifle\n    fall: dead gain casualty\n    both: dead + figures", 5),
    # the rounds of a loop
    ("rounds, repeat 3 times:\n      some: figures where weapon is gun\n    both: rounds.some", 2),
    ("rounds, repeat 2 times:\n      dead: owner picks 2 from figures usually weapon is rifle\n      fall: dead gain casualty\n    both: rounds.dead", 4),
    ("rounds, repeat 2 times:\n      lot: owner picks 2 from figures usually weapon is rifle\n      hurt: lot gain 1 hurts\n    both: rounds.lot", 3),
]  # fmt: skip

FIVE = "unit A:\n  figures: [1 with weapon gun and leader, 1 with weapon gun, 3 with weapon rifle]\ndo: A acts\n"


@pytest.mark.parametrize(("lines", "size"), LINES)
def test_nobody_counts_twice_and_nobody_is_lost(lines, size):
    text = f"{THINGS}  to act (unit):\n    {lines}\n    in-all: both + 0\n    thrown: both passing shot\n"
    asks = {"both": size, "in-all": size}
    if size < 4:
        asks["thrown"] = {n: Fraction(comb(size, n), 2**size) for n in range(size + 1)}
    else:
        text = text.replace("both passing", "(figures where leader) passing")
    worked(text, FIVE, asks)


def test_those_of_two_units_are_all_there():
    text = (
        f"{THINGS}  to act (unit) with (foe unit):\n    both: unit.figures + foe.figures\n    hurt: both gain 1 hurts\n"
    )
    things = "unit A: 3 figures\nunit B: 2 figures\ndo: A acts with B\n"
    worked(text, things, {"both": 5, "sum(A.figures.hurts)": 3, "sum(B.figures.hurts)": 2})
