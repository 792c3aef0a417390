"""What the table tells of things, and of plain values beside them: a row, inches, a number."""

from pathlib import Path

import pytest
from test_engines_kit import Mistaken, case_of, codes, law_of_odds, law_of_play, rules_of
from worked import agreed

from interpreter.workbench.histories import resolve

RULES = """
game: toy
Things:
  kind side:
  kind mast of side:
    sail: one of sails
  table sails (reach):
    jib:   6"
    royal: 4"
  fact fits of mast (sail sails): yes or no
  fact sway of mast (other mast, far inches, turns number): number first 0
  fact distance of mast (other mast): inches
  fact drift of mast (turns number): inches first 0"
  fact lee of mast (other mast): number first 0
Doing:
  to lean (mast) with (other mast), (turns number):
    own: fits(mast, mast.sail)
    wide: fits(mast, royal)
    sways: sway(other, sail.reach, turns - 1)
  to roll-on (mast) with (other mast):
    face: d6
    sways: sway(other, 6", face)
  to look (mast): near-by
  to drift-on (mast) with (other mast), (turns number):
    there: distance(mast, other)
    back: distance(other, mast)
    drifts: drift(other, turns)
    sheltered: lee(other, mast)
  value near-by of mast: masts where distance(mast, it) <= 2"
"""


@pytest.fixture(scope="module")
def rules():
    return rules_of(RULES)


def situation(facts, do, ask="sways"):
    told = "".join(f"  - {fact}\n" for fact in facts)
    return f"mast A: jib\nmast B: royal\nfacts:\n{told}do: {do}\nask: {ask}\n"


def test_a_fact_is_found_by_the_row_the_inches_and_the_number_it_was_stated_with(rules):
    facts = ["fits(A, jib)", "not fits(A, royal)", 'sway(A, B, 6", 2) is 3', 'sway(A, B, 4", 2) is 7']
    case = case_of(rules, situation(facts, "A leans 3 with B", "[own, wide, sways]"))
    assert law_of_odds(case) == law_of_play(case)[0] == {(True, False, 3): 1}


def test_a_number_that_a_die_shows_is_as_good_as_a_stated_one(rules):
    case = case_of(rules, situation(['sway(A, B, 6", 2) is 3', 'sway(A, B, 6", 5) is 4'], "A rolls-on with B"))
    assert {k: v * 6 for k, v in law_of_odds(case).items()} == {(0,): 4, (3,): 1, (4,): 1}


def test_a_sum_is_not_stated(rules):
    with pytest.raises(Mistaken, match="T001"):
        case_of(rules, situation(['sway(A, B, 6", 1 + 1) is 3'], "A leans 3 with B"))


def test_of_a_thing_and_itself_the_hint_is_to_leave_it_out(rules):
    case = case_of(rules, situation(['distance(A, B) is 1"'], "A looks", "any A.near-by"))
    assert resolve(case) is None
    assert codes(case) == ["F004"]
    (problem,) = case.problems
    assert "distance(A, A)" in problem.message
    assert "leave the thing itself out" in problem.hint


def test_inches_between_two_things_are_the_same_both_ways_unless_each_is_stated(rules):
    facts = ['distance(A, B) is 5"', "lee(A, B) is 2"]
    case = case_of(rules, situation(facts, "A drifts-on 3 with B", "[there, back, sheltered]"))
    assert law_of_odds(case) == law_of_play(case)[0] == {(5, 5, 0): 1}
    case = case_of(rules, situation([*facts, 'distance(B, A) is 7"'], "A drifts-on 3 with B", "[there, back]"))
    assert law_of_odds(case) == law_of_play(case)[0] == {(5, 7): 1}


def test_inches_that_the_rules_give_where_nothing_is_stated_are_not_turned_round(rules):
    text = RULES.replace(
        "fact distance of mast (other mast): inches", 'fact distance of mast (other mast): inches first 9"'
    )
    assert text != RULES
    case = case_of(rules_of(text), situation(['distance(A, B) is 5"'], "A drifts-on 3 with B", "[there, back]"))
    assert law_of_odds(case) == law_of_play(case)[0] == {(5, 9): 1}


@pytest.mark.parametrize("turns", range(9))
def test_a_number_is_no_thing_of_which_a_fact_could_be_turned_round(rules, turns):
    facts = ['distance(A, B) is 5"', *[f'drift(A, {n}) is 1"' for n in range(9)]]
    case = case_of(rules, situation(facts, f"A drifts-on {turns} with B", "drifts"))
    assert law_of_odds(case) == law_of_play(case)[0] == {(0,): 1}


def test_a_fact_of_nobody_is_no_or_none_whatever_it_is_at_first(tmp_path: Path) -> None:
    """What is asked of nobody is 0 or no, and rows none; its `first` is that of somebody of whom nothing was stated."""
    text = """
game: Mentors
Things:
  table ranks(worth): {low: 1, high: 2}
  kind side:
  kind unit of side:
    mentor: a unit or none
  fact sight of unit (other unit): yes or no first yes
  fact weight of unit: number first 4
  fact rank of unit: one of ranks first low
  to look (unit):
    seen: 1 if mentor.sight(unit) else 0
    heavy: mentor.weight + 0
    ranked: 1 if mentor.rank is none else 0
"""
    nobody = {"seen": 0, "heavy": 0, "ranked": 1}
    agreed(tmp_path, text, "unit A:\ndo: A looks\n", nobody)
    somebody = {"seen": 1, "heavy": 4, "ranked": 0}
    agreed(tmp_path, text, "unit A: mentor B\nunit B:\ndo: A looks\n", somebody)


SMOKE = """
game: Smoke
Things:
  kind unit:
  kind tank, a unit:
  fact smoke of unit (other unit): yes or no first no, both ways
  fact rank of unit (other unit): number first 2, both ways
  to look (unit) at (target unit):
    there: 1 if smoke(unit, target) else 0
    back: 1 if target.smoke(unit) else 0
    rank-there: rank(unit, target)
    rank-back: rank(target, unit)
    set: rank(unit, target) becomes 5
    anew: rank(target, unit)
"""


@pytest.mark.parametrize(
    ("facts", "there", "back"),
    [
        (["smoke(A, B)"], 1, 1),
        (["smoke(B, A)"], 1, 1),
        ([], 0, 0),
        (["smoke(A, B)", "not smoke(B, A)"], 1, 0),  # both are stated
    ],
)
def test_a_fact_that_is_said_to_be_both_ways_holds_in_either_order(
    tmp_path: Path, facts: list[str], there: int, back: int
) -> None:
    told = "".join(f"  - {fact}\n" for fact in [*facts, "rank(B, A) is 7"])
    scene = f"unit A:\ntank B:\nfacts:\n{told}do: A looks at B\n"
    agreed(tmp_path, SMOKE, scene, {"there": there, "back": back, "rank-there": 7, "rank-back": 7, "anew": 5})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(other unit): yes", "(far inches): yes"),
        ("(other unit): yes", "(other unit, turns number): yes"),
        ("smoke of unit (other unit)", "smoke of unit (other tank)"),
        ("  kind tank, a unit:", "  kind tank, a unit:\n    lamp: number, both ways"),
    ],
)
def test_what_is_not_of_two_things_of_a_kind_cannot_be_both_ways(old: str, new: str) -> None:
    with pytest.raises(Mistaken, match="T020"):
        rules_of(SMOKE.replace(old, new))
