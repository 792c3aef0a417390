"""None: what is not there is neither more nor less than anything, and a value that is none stays none."""

from fractions import Fraction

import pytest
from test_engines_kit import case_of, law_of_play, rules_of
from worked import agreed, worked

CELLS = """
game: Cells
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    where-now: one of covers or none
    where-next: one of covers or none
  table covers: open, wood, wall
  table actions (reach, cover):
    creep: 4", wood
    dash: 12", -
  mark tough of unit:
"""

COMPARED = ["<", "<=", ">", ">="]


@pytest.mark.parametrize("sign", COMPARED)
def test_a_row_that_is_none_compares_with_no_row(sign):
    text = (
        CELLS
        + f"""
  value mine of unit (action actions):
    basic: 0
    so: 1 if action.cover {sign} wall
  to perform (unit), (action actions):
    cells: 1 if action.cover {sign} wall else 0
    opens: 1 if action.cover {sign} open else 0
    turned: 1 if wall {sign} action.cover else 0
    attrs: 1 if where-now {sign} where-next else 0
    mixed: 1 if where-now {sign} action.cover else 0
    valued: mine(unit, action)
    contrary: 1 if not action.cover {sign} wall else 0
    reached: 1 if action.cover is none else 0
"""
    )
    none = dict.fromkeys(["cells", "opens", "turned", "attrs", "mixed", "valued"], 0)
    none |= {"contrary": 1, "reached": 1}
    worked(text, "unit A:\ndo: A performs dash\n", none)
    worked(text, "unit A: where-now wood\ndo: A performs dash\n", none)
    holds = {"<": 1, "<=": 1, ">": 0, ">=": 0}[sign]
    some = {"cells": holds, "valued": holds, "contrary": 1 - holds, "reached": 0, "mixed": 0}
    worked(text, "unit A:\ndo: A performs creep\n", some)
    attrs = {"<": 0, "<=": 0, ">": 1, ">=": 1}[sign]
    worked(text, "unit A: where-now wall, where-next open\ndo: A performs creep\n", {"attrs": attrs, "mixed": attrs})


def test_two_that_have_none_have_not_the_same():
    text = (
        CELLS
        + """
  to look (unit) at (foe unit):
    same: 1 if unit.where-now is foe.where-now else 0
    equal: 1 if unit.where-now = foe.where-now else 0
    other: 1 if unit.where-now is not foe.where-now else 0
    there: 1 if unit.where-now in (covers where it >= open) else 0
    further: unit.where-now + 1
    nowhere: 1 if further is none else 0
    nearer: 1 if max(unit.where-now, wood) is wood else 0
    first-of: 1 if min(unit.where-now, wood) is wood else 0
"""
    )
    both = "unit A:{}\nunit B:{}\ndo: A looks at B\n"
    none = {"same": 0, "equal": 0, "other": 1, "there": 0, "nowhere": 1, "nearer": 1, "first-of": 1}
    worked(text, both.format("", ""), none)
    worked(text, both.format("", " where-now wood"), none)
    wood = {"same": 1, "equal": 1, "other": 0, "there": 1, "nowhere": 0, "nearer": 1, "first-of": 1}
    worked(text, both.format(" where-now wood", " where-now wood"), wood)


PAIRS = """
game: Pairs
Things:
  kind side:
  kind unit of side:
    vow: number or none
    reach: inches or none
    pal: a unit or none
    badge: one of covers or none
    seen: many units
  table covers (help):
    open: none
    wood: 2
  value oath of unit: vow
  to swear (unit):
    vowed: unit gains 1 vow
    forget: unit.vow becomes none
    alone: unit.pal becomes none
  to look (unit) at (foe unit):
    a: vow is foe.vow
    b: reach is foe.reach
    c: pal is foe.pal
    d: badge is foe.badge
    e: oath(unit) is oath(foe)
    f: badge.help is foe.badge.help
    g: vow is not foe.vow
    h: reach is not foe.reach
    i: pal is not foe.pal
    j: badge is not foe.badge
    k: seen is foe.seen
    l: vow is none and foe.vow is none
    m: pal is none and foe.pal is none
    n, if pal is foe.pal and vow is foe.vow: 1
    o: (units where it.pal is foe.pal) - foe
    p: (units where it.vow is not foe.vow) - foe
    q: (units where it.pal in unit.seen) - foe
  to forget-all (unit) at (foe unit):
    one: unit swears
    two: foe swears
    then-look: unit looks at foe
"""


@pytest.mark.parametrize("do", ["A looks at B", "A forgets-all at B"])
def test_none_and_none_are_not_the_same_number_length_or_thing(do, tmp_path):
    """Known from the situation, and only known when the lines before have made it so."""
    several = {"k": True, "o": 0, "p": 1, "q": 0}
    both = dict.fromkeys("abcdef", False) | dict.fromkeys("ghijlm", True) | several
    both = {f"look.{line}": found for line, found in both.items()} | {"ran(look.n)": False}
    agreed(tmp_path, PAIRS, f"unit A:\nunit B:\ndo: {do}\n", both)


def test_what_is_there_is_the_same_or_another(tmp_path):
    situation = "unit A: {0}\nunit B: {1}\nunit C:\ndo: A looks at B\n"
    whole = 'vow 0, reach 2", pal C, badge open, seen C'
    same = dict.fromkeys("abcde", True) | dict.fromkeys("fghijlm", False)
    agreed(tmp_path, PAIRS, situation.format(whole, whole), same | {"k": True, "o": 1, "p": 1, "q": 1, "ran(n)": True})
    other = dict.fromkeys("abcdefklm", False) | dict.fromkeys("ghij", True)
    agreed(tmp_path, PAIRS, situation.format(whole, ""), other | {"o": 0, "p": 2, "q": 1, "ran(n)": False})


NONE = (
    CELLS
    + """
  value needs-more of unit:
    basic: none
    tough: 4 if tough
    rich:  +1 if gold > 0
    floor: at least 2
    twice: times 1
  value level of unit:
    basic: 3
    gone:  none if tough
    risen: +2
    back:  4 if gold > 1
  roll shrugging of unit:
    basic: needs needs-more
    worse: needs +1
  to shrug-off (unit), (wounds number):
    ignored: wounds passing shrugging
    height: unit.level
    summed: unit.level + 1
    lacking: 1 if unit.level is none else 0
    small: 1 if unit.level < 100 else 0
    large: 1 if unit.level >= 0 else 0
    inline: none if tough else 3
    lacks: 1 if inline is none else 0
    added: inline + 1
    high: 1 if (none if tough else 5) >= 0 else 0
    told, by d6:
      1-3: none
      4-6: 2
  to take (unit):
    taken: unit.level passing shrugging
"""
)


def test_a_value_that_is_none_stays_none_until_it_has_a_new_base():
    a, b = Fraction(1, 6), Fraction(5, 6)
    thrown = {0: b * b, 1: 2 * a * b, 2: a * a}  # 4, one more for gold, one more of the roll: a 6
    plain = {
        "height": 5,
        "summed": 6,
        "lacking": 0,
        "small": 1,
        "large": 1,
        "inline": 3,
        "lacks": 0,
        "added": 4,
        "high": 1,
    }
    gone = {"summed": 1, "lacking": 1, "small": 0, "large": 0, "lacks": 1, "added": 1, "high": 0}
    back = {"height": 4, "summed": 5, "lacking": 0, "small": 1, "large": 1, "lacks": 1, "added": 1, "high": 0}
    situation = "unit A: {}\ndo: A shrugs-off 2\n"
    worked(NONE, situation.format(""), {"ignored": 0, **plain})
    worked(NONE, situation.format("gold 1"), {"ignored": 0, **plain})
    worked(NONE, situation.format("tough, gold 1"), {"ignored": thrown, **gone})
    worked(NONE, situation.format("tough, gold 2"), {"ignored": thrown, **back})


def test_no_die_is_thrown_for_a_number_that_is_none():
    worked(NONE, "unit A: tough, gold 1\ndo: A takes\n", {"taken": 0})  # no number of dice is none of them
    case = case_of(rules_of(NONE), "unit A: tough, gold 1\ndo: A takes\nask: [taken]\n")
    assert law_of_play(case) == ({(0,): 1}, 0, 1)
    case = case_of(rules_of(NONE), "unit A: gold 1\ndo: A shrugs-off 9\nask: [ignored]\n")
    assert law_of_play(case) == ({(0,): 1}, 0, 6)  # `told` throws one
