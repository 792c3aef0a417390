"""Collections: whom a sentence speaks of, how many they are, and what is said of all, of any and of one of them."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, rules_of
from worked import agreed, worked

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


BOUNDED = """
  value few of unit:
    tired: figures where tired
    cap: at most 2
  value some of unit:
    tired: figures where tired
    floor: at least 2
  value beside of unit:
    tired: figures where tired
    hot: at most (figures where hot)
  value twice of unit:
    tired: figures where tired
    double: times 2 if any (figures where hot)
  roll calm of unit:
    basic: needs +few
  to look (unit):
    line: few + some
"""


@pytest.mark.parametrize("tired", [0, 1, 2, 3, 5])
def test_a_collection_that_is_bounded_or_multiplied_is_counted(tired):
    body = BOUNDED.replace("needs +few", "needs 2 + few")
    low, high = min(tired, 2), max(tired, 2)
    asks = {"line": low + high, "A.few": low, "A.some": high, "A.beside": min(tired, 1), "A.twice": 2 * tired}
    figures = f"[{tired} with tired, 1 with hot]" if tired else "[1 with hot]"
    worked(THINGS + body, f"unit A:\n  figures: {figures}\ndo: A looks\n", asks)


@pytest.mark.parametrize("bound", ['at most «3"»', "at least «foe»", "times «foe»"])
def test_how_many_there_are_is_bounded_by_a_number(bound):
    said = bound.replace("«", "").replace("»", "")
    value = f"  value few of unit (foe unit):\n    tired: figures where tired\n    bound: {said}\n"
    with pytest.raises(Mistaken) as raised:
        rules_of(THINGS + value)
    assert raised.value.args[0] == [("T001", bound.partition("«")[2].rstrip("»"))]


ARMS = """
game: Lists
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    pace: number
  table covers: open, wood, wall
  table weapons (price, shelter):
    knife: 1, open, small
    rifle: -, wood
    gun:   0, wall
    bow:   3, -, small
  mark small of weapons:
  kind figure, many to a unit:
    weapon: one of weapons or none
    hurts: number
  mark tired of figure:
"""

# how a unit is armed → what is asked of `figures.weapon` and what it comes to
LISTS = [
    ("[3]", "any figures.weapon", False),
    ("[3]", "no figures.weapon", True),
    ("[2, 1 with weapon gun]", "any figures.weapon", True),
    ("[2, 1 with weapon gun]", "gun in figures.weapon", True),
    ("[2, 1 with weapon gun]", "rifle in figures.weapon", False),
    ("[2, 1 with weapon gun]", "rifle not in figures.weapon", True),
    ("[2, 1 with weapon gun]", "gun not in figures.weapon", False),
    ("[3]", "gun in figures.weapon", False),
    ("[2 with weapon knife, 1 with weapon bow]", "all figures.weapon are small", True),
    ("[2 with weapon knife, 1 with weapon gun]", "all figures.weapon are small", False),
    ("[3]", "all figures.weapon are small", False),  # of nothing, nothing is true
    ("[2, 1 with weapon bow]", "all figures.weapon are small", True),  # who has none is not asked
    ("[2 with weapon knife, 1 with weapon gun]", "any (figures.weapon where small)", True),
    ("[2 with weapon gun]", "any (figures.weapon where small)", False),
    ("[2 with weapon gun, 1 with weapon bow]", "max(figures.weapon) is bow", True),
    ("[2 with weapon gun, 1 with weapon bow]", "wall in figures.weapon.shelter", True),
    ("[2 with weapon bow, 2]", "any figures.weapon.shelter", False),
    ("[1 with weapon rifle]", "any figures.weapon.price", False),
    ("[1 with weapon gun]", "any figures.weapon.price", True),  # 0 is something
    ("[1 with hurts 2, 2]", "any figures.tired", False),
    ("[1 with tired, 2]", "any figures.tired", True),
    ("[1 with hurts 2, 2]", "2 in figures.hurts", True),
    ("[1 with hurts 2, 2]", "0 in figures.hurts", True),
    ("[1 with hurts 2]", "0 in figures.hurts", False),
]


@pytest.mark.parametrize(("figures", "said", "so"), LISTS)
def test_a_list_has_what_there_is_and_nothing_else(figures, said, so):
    text = f"{ARMS}  to look (unit):\n    line: 1 if {said} else 0\n    done, if {said}: unit gains 1 gold\n"
    text += f"  value looked of unit:\n    basic: 0\n    so: 1 if {said}\n"
    text += "  to see (unit):\n    valued: unit.looked\n"
    things = f"unit A:\n  figures: {figures}\n"
    worked(text, f"{things}do: A looks\n", {"line": int(so), "A.gold": int(so)})
    worked(text, f"{things}do: A sees\n", {"valued": int(so)})
    asked = said.replace("figures", "A.figures")
    worked(text, f"{things}do: A sees\n", {f"({asked})": so, f"not ({asked})": not so})


def test_the_least_and_the_most_of_a_list_look_at_every_number():
    text = f"""{ARMS}  value slowest of side: min(units.pace)
  value quickest of side: max(units.pace)
  to march (side):
    far: side.slowest
    near: side.quickest
    low: min(units.pace)
    none-at-all: min((units where pace > 90).pace)
    cheapest: min(units.figures.weapon.price)
"""
    paces = [((0, 6), 0, 6), ((3, 6), 3, 6), ((0, 0), 0, 0)]
    for (one, two), least, most in paces:
        things = (
            f"side Red:\nunit A:\n  is: pace {one}, side Red\n  figures: [1 with weapon gun, 1 with weapon rifle]\n"
        )
        things += f"unit B: pace {two}, side Red\n"
        asks = {"far": least, "near": most, "low": least, "none-at-all": 0, "cheapest": 0}
        worked(text, f"{things}do: Red marches\n", asks)


def test_each_of_a_list_is_gone_through_as_often_as_it_is_there():
    text = f"""{ARMS}  to look (unit):
    arms, for each arm in figures.weapon:
      seen: 1
      price: arm.price
      dear, if arm is small: unit gains 1 gold
    kept: figures.weapon
    kept-small: kept where small
    cost: sum(kept.price)
"""
    things = "unit A:\n  figures: [2 with weapon bow, 1 with weapon gun, 4]\ndo: A looks\n"
    worked(text, things, {"arms.seen": 3, "arms.price": 6, "A.gold": 2, "cost": 6, "any kept-small": True})
    things = "unit A: 3 figures\ndo: A looks\n"
    worked(text, things, {"arms.seen": 0, "A.gold": 0, "cost": 0, "any kept": False})


def test_where_a_number_is_wanted_each_collection_is_counted_for_itself():
    text = f"""{THINGS}  roll luck of unit: needs 2
  value excess of unit (foe unit):
    basic: 1
    rest:  +(unit.figures - foe.figures)
  to weigh (unit) with (foe unit):
    ours: unit.figures
    theirs: foe.figures
    taken: unit.figures where hot
    gap, by ours - theirs:
      -1: unit gains 5 gold
      0 or more: unit gains 100 gold
      -2 or less: unit gains 100 gold
    in-brackets, by (ours - theirs):
      -1: unit gains 20 gold
      0 or more: unit gains 100 gold
      -2 or less: unit gains 100 gold
    compared: 1 if (ours - theirs) >= 0 else 0
    turned: 1 if 0 - 1 = (ours - theirs) else 0
    longer: ours - theirs + 2
    behind: 2 + (ours - theirs)
    doubled: (ours - theirs) * 2
    least: 1
    most-of: max((ours - theirs), 0 - 3)
    halved: half(ours - theirs)
    both: 10 if gold > 100 else ours - theirs
    summed: ours + theirs + 0
    valued: excess(unit, foe)
    left: ours - taken
    also: ours + taken + 0
"""
    text = text.replace("    least: 1\n", "")
    asks = {
        "A.gold": 25,
        "compared": 0,
        "turned": 1,
        "longer": 1,
        "behind": 1,
        "doubled": -2,
        "most-of": -1,
        "halved": 0,
        "both": -1,
        "summed": 9,
        "valued": 0,
        "left": 3,
        "also": 5,
    }
    worked(text, "unit A:\n  figures: [3, 1 with hot]\nunit B: 5 figures\ndo: A weighs with B\n", asks)


@pytest.mark.parametrize("number", ["7", "gold", "wealth", "half(gold)", "figures where hot", "10 - gold"])
def test_beside_any_number_collections_are_counted_and_beside_a_collection_they_are_put_together(number, tmp_path):
    """Five men, of whom the four tired are two of the three hot: 4 + 3 as numbers, 5 as a collection."""
    text = f"""{THINGS}  value wealth of unit: gold
  to look (unit):
    some: figures where tired
    others: figures where hot
    either: (some + others) if gold > 2 else {number}
    turned: {number} if gold < 2 else some + others
    further: either + some
"""
    group = "[2 with tired, 2 with tired and hot, 1 with hot]"
    together = number.startswith("figures")
    asks = {"either": 5 if together else 7, "turned": 5 if together else 7, "further": 5 if together else 11}
    agreed(tmp_path, text, f"unit A:\n  is: gold 3\n  figures: {group}\ndo: A looks\n", asks)


def test_a_collection_is_counted_in_a_value_that_is_a_number(tmp_path):
    """Of five, two are hot: as numbers 5 - 2 and 5 + 5, as collections the same five twice."""
    text = f"""{THINGS}  value size of unit:
    basic: 7
    small: figures if gold < 2
  value grown of unit:
    basic: figures - (figures where hot)
    besides: +2
  value crowd of unit: figures
  to look (unit):
    sized: unit.size - (figures where hot)
    further: unit.size + figures
    grown: unit.grown
    both: unit.crowd + (figures where hot)
"""
    asks = {"sized": 3, "further": 10, "grown": 5, "both": 5}
    agreed(tmp_path, text, "unit A:\n  figures: [3, 2 with hot]\ndo: A looks\n", asks)


@pytest.mark.parametrize(
    ("line", "law"),
    [
        ("d2 + (figures + hot-ones)", {8: 1, 9: 1}),
        ("(figures + hot-ones) + d2", {8: 1, 9: 1}),
        ("figures + hot-ones + d2", {8: 1, 9: 1}),
        ("d2 - (figures + hot-ones)", {-6: 1, -5: 1}),
        ("d2 if gold < 2 else figures + hot-ones", {1: 1, 2: 1}),
        ("d2 if gold > 2 else figures + hot-ones", {7: 2}),
    ],
)
def test_beside_a_throw_of_dice_each_collection_is_counted_for_itself(line, law, tmp_path):
    """Of five, two are hot: 5 + 2, wherever the dice stand and whatever brackets there are."""
    text = f"{THINGS}  to look (unit):\n    hot-ones: figures where hot\n    sum: {line}\n"
    law = {value: Fraction(n, 2) for value, n in law.items()}
    agreed(tmp_path, text, "unit A:\n  figures: [3, 2 with hot]\ndo: A looks\n", {"sum": law})


def test_of_an_empty_list_the_least_and_the_greatest_are_0_and_no_row(tmp_path):
    text = f"""{THINGS}  table arms (shots, reach):
    bow: 2, 12"
    gun: 1, 24"
  to look (unit):
    low: min(figures.hurts)
    high: max(figures.hurts) + 1
    far: max(figures.arm.reach)
    shots: min((figures where hot).arm.shots)
    top: max(figures.arm) is none
"""
    asks = {"low": 0, "high": 1, "far": 0, "shots": 0, "top": True}
    with_arms = text.replace("    hurts: number\n", "    hurts: number\n    arm: one of arms\n")
    agreed(tmp_path, with_arms, "unit A:\ndo: A looks\n", asks)
