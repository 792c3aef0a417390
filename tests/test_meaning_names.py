"""Another name for a line is worth what the line is worth, and takes nothing from it."""

from fractions import Fraction

import pytest
from worked import worked

THIRD, SIXTH = Fraction(1, 3), Fraction(1, 6)

THINGS = """
game: Names
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    bonus: number
    armour: number
    pins: number
  kind figure, many to a unit:
    hurts: number
  mark tired of figure:
  roll aim of unit: needs 3
"""

# a question, another name for its answer, what is done with it afterwards, and the law of that
ASKED = [
    ("face: d6", "natural: face", "total: face + 1", dict.fromkeys(range(2, 8), SIXTH)),
    ("hits: 1 passing unit.aim", "telling: hits", "total: hits + 1", {1: THIRD, 2: 2 * THIRD}),
    ("hits: 1 passing unit.aim", "telling: hits if armour < 3 else 0", "total: hits + 1", {1: THIRD, 2: 2 * THIRD}),
    ("go: owner wishes usually yes", "same: go", "total: 3 if go else 0", 3),
    ("go: owner wishes usually yes", "run, if go: unit gains 1 pin", "total: 10 if go else 20", 10),
    ("go: owner wishes usually no", "run, if go: unit gains 1 pin", "total: 10 if go else 20", 20),
    ("lot: owner picks 2 from figures", "sub: lot", "total: lot + 1", 3),
    ("lot: owner picks 2 from figures", "sub: lot where hurts = 0", "total: lot + 1", 3),
]


@pytest.mark.parametrize(("question", "name", "later", "law"), ASKED)
def test_another_name_for_an_answer_takes_nothing_from_it(question, name, later, law):
    text = f"{THINGS}  to act (unit):\n    {question}\n    {name}\n    {later}\n"
    asks = {"total": law}
    if question[:2] != "go":
        first, second = (line.partition(":")[0] for line in (question, name))
        asks[f"{first} = {second}"] = True
    worked(text, "unit A: 4 figures, armour 1\ndo: A acts\n", asks)


def test_what_an_answer_does_is_done_where_it_has_another_name():
    text = (
        f"{THINGS}  to act (unit):\n    hits: 2 passing unit.aim\n    telling: hits\n    hurt: unit gains hits pins\n"
    )
    law = {0: Fraction(1, 9), 1: Fraction(4, 9), 2: Fraction(4, 9)}
    worked(text, "unit A:\ndo: A acts\n", {"A.pins": law, "telling": law})


def test_a_condition_that_is_an_answer_leaves_it_for_the_lines_that_follow():
    text = f"""{THINGS}  to react (unit):
    go: owner wishes usually yes
    run, if go: unit gains 1 pin
    stay, otherwise: nothing
    late, if not go: unit gains 100 pins
"""
    worked(text, "unit A:\ndo: A reacts\n", {"A.pins": 1, "go": True})
