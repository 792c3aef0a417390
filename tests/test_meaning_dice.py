"""Dice are worth what they show, whoever picked them and whatever they are called."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from test_engines_kit import Mistaken, case_of, rules_of
from worked import worked

from interpreter.workbench.bands import answer_case

THINGS = """
game: Dice
Things:
  dice high: d6 at or over
  dice wide: d8 at or over
  kind side:
  kind unit of side:
    pins: number
  roll keen of unit: needs 4
  roll broad of unit on wide: needs 4
"""
THREE = list(product(range(1, 7), repeat=3))


def law(what):
    found = Counter(what(sorted(faces)) for faces in THREE)
    return {value: Fraction(n, len(THREE)) for value, n in found.items()}


def test_dice_that_are_picked_are_dice():
    text = f"""{THINGS}  to throw (unit):
    faces: 3d6
    best: owner picks 2 from faces usually it = 6, it = 5, it = 4, it = 3, it = 2
    same: best
    sum-of: best + 0
    high: best where it >= 5
    pairs: alike(best)
    good: best meeting unit.keen
    bad: same missing unit.keen
    top: highest(best)
    hurt, if best >= 9: unit gains 1 pin
    rest, by best:
      2-6: unit gains 10 pins
      7 or more: nothing
"""
    text = text.replace("    best:", "    taken:").replace("best", "taken")
    asks = {
        "taken": law(lambda f: f[1] + f[2]),
        "sum-of": law(lambda f: f[1] + f[2]),
        "same": law(lambda f: f[1] + f[2]),
        "high": law(lambda f: sum(x >= 5 for x in f[1:])),
        "pairs": law(lambda f: 2 if f[1] == f[2] else 1),
        "good": law(lambda f: sum(x >= 4 for x in f[1:])),
        "bad": law(lambda f: sum(x < 4 for x in f[1:])),
        "top": law(lambda f: f[2]),
        "A.pins": law(lambda f: (f[1] + f[2] >= 9) + 10 * (f[1] + f[2] <= 6)),
    }
    worked(text, "unit A:\ndo: A throws\n", asks)


def test_what_is_picked_from_a_collection_of_faces_is_counted():
    text = f"{THINGS}  to throw (unit):\n    faces: 3d6\n    high: faces where it >= 4\n"
    text += "    kept: owner picks up to 2 from high usually most, it = 6, it = 5\n    worth: sum(kept)\n"
    count = law(lambda f: min(2, sum(x >= 4 for x in f)))
    worth = law(lambda f: sum(x for x in f[1:] if x >= 4))
    worked(text, "unit A:\ndo: A throws\n", {"kept": count, "worth": worth})


def test_one_die_that_is_picked_is_its_face():
    text = f"{THINGS}  to throw (unit):\n    face: owner picks 1 from 3d6 usually it = 6\n    none: owner picks 1 from 0d6\n"
    text = text.replace("usually it = 6", "usually it = 6, it = 5, it = 4, it = 3, it = 2").replace("none:", "no-die:")
    worked(text.replace("0d6", "unit.pins dice"), "unit A:\ndo: A throws\n", {"face": law(max), "no-die": 0})


def test_an_open_pick_of_dice_is_a_band():
    text = f"{THINGS}  to throw (unit):\n    taken: owner picks 2 from 3d6\n"
    case = case_of(rules_of(text), "unit A:\ndo: A throws\nask: [taken >= 12]\n")
    low, high = (law(lambda f, a=a: sum(f[a : a + 2]) >= 12)[True] for a in (0, 1))
    assert answer_case(case).bounds(0) == (low, high)


@pytest.mark.parametrize("name", ["named: faces", "named: owner picks 2 from faces usually it = 6"])
def test_a_die_is_known_by_every_name_of_it(name):
    text = f"{THINGS}  to throw (unit):\n    faces: 3d6\n    {name}\n    met: named meeting unit.broad\n"
    with pytest.raises(Mistaken) as mistaken:
        rules_of(text)
    assert mistaken.value.args[0] == [("D002", "unit.broad")]
