"""Dice already thrown as a collection of faces: both engines against a count by hand."""

from fractions import Fraction
from itertools import product

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

from interpreter.vocabulary.types import NOT_RUN

RULES = """
game: Faces
Bones:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    luck: number
    level: number
  kind man, many to a unit:
  roll lift of unit: needs 5+
  to throw (unit), (n number):
    faces: n dice
    {lines}
"""


def law(lines, ask, n, *, luck=0, agreed=True):
    rules = rules_of(RULES.format(lines="\n    ".join(lines)))
    case = case_of(rules, f"unit A: luck {luck}\ndo: A throws {n}\nask: [{', '.join(ask)}]")
    if agreed:
        agree(case)
    return law_of_odds(case)


def by_hand(n, worth):
    found = {}
    for faces in product(range(1, 7), repeat=n):
        value = worth(faces)
        found[value] = found.get(value, 0) + Fraction(1, 6**n)
    return found


@pytest.mark.parametrize("n", range(5))
def test_faces_are_counted_added_up_and_looked_at_together(n):
    lines = ["ones: faces where it = 1", "high: faces where it >= 5 and it < 6 + luck", "lifted: faces meeting lift"]
    found = law(lines, ["ones", "high", "lifted"], n)
    assert found == by_hand(n, lambda f: (f.count(1), sum(x == 5 for x in f), sum(x >= 5 for x in f)))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_what_faces_are_worth(n):
    lines = [
        "total: sum(faces)",
        "some: sum(faces where it > 2)",
        "any-six, if any (faces where it = 6): 1",
        "double: alike(faces where it > 3)",
        "top-one: highest(faces where it < 5)",
    ]
    found = law(lines, ["total", "some", "any-six", "double", "top-one"], n)

    def worth(f):
        high = [x for x in f if x > 3]
        return (
            sum(f),
            sum(x for x in f if x > 2),
            1 if 6 in f else NOT_RUN,
            max([high.count(x) for x in high], default=0),
            max([x for x in f if x < 5], default=0),
        )

    assert found == by_hand(n, worth)


def test_faces_are_put_together_and_taken_apart():
    lines = [
        "low: faces where it < 3",
        "other: 2 dice",
        "both: low + (other where it < 3)",
        "rest: (faces where it < 4) - low",
        "pairs: alike(both)",
    ]
    found = law(lines, ["both", "rest", "pairs"], 2)

    def worth(f):
        low = [x for x in f if x < 3]
        return len(low), sum(x == 3 for x in f[:2]), max([low.count(x) for x in low], default=0)

    assert found == by_hand(4, worth)


def test_a_round_for_each_face():
    lines = ["rounds, for each face in faces:", "  dots: face * face", "  small, if face < 3: 1"]
    found = law(lines, ["dots", "small"], 3)
    assert found == by_hand(3, lambda f: (sum(x * x for x in f), sum(x < 3 for x in f)))


def test_faces_of_all_rounds_are_put_together():
    lines = ["rounds, repeat 2 times:", "  bones: n dice", "  ones: bones where it = 1", "ones-too: rounds.ones"]
    found = law(lines, ["ones-too"], 1)
    assert found == {(k,): w for k, w in by_hand(2, lambda f: f.count(1)).items()}


def test_many_dice_that_are_only_looked_at_are_no_multinomial():
    """Sixty faces would be ten million throws; their ones are a binomial."""
    found = law(["ones: faces where it = 1", "number-one: ones * 1"], ["number-one"], 60, agreed=False)
    assert found[60,] == Fraction(1, 6**60)


def test_of_two_collections_one_is_known_by_what_was_thrown():
    found = law(
        ["ones: faces where it = 1", "number-one: ones * 1", "sixes: (faces where it = 6) * 1"],
        ["number-one", "sixes"],
        30,
        agreed=False,
    )
    assert found[15, 15] == Fraction(155117520, 6**30)


def test_a_name_that_was_not_given_in_a_round_holds_no_faces():
    lines = [
        "rounds, repeat 3 times:",
        "  bones: 1 dice",
        "  low: bones < 3",
        "  ones, if low: bones where it = 1",
        "  told: ones * 2 + (1 if any ones else 0)",
        "sum-of-it: rounds.told",
    ]
    found = law(lines, ["sum-of-it"], 0)
    assert found == {(k,): w for k, w in by_hand(3, lambda f: 3 * f.count(1)).items()}
