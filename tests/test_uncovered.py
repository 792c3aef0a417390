"""A number without a case is refused when it comes up (K001), in play and in odds, and passed over by nobody."""

from fractions import Fraction as F
from pathlib import Path

import pytest
from test_engines_kit import case_of, codes, law_of_odds, refusal, rules_of

from interpreter.source import Problems, render
from interpreter.workbench.files import check_file
from interpreter.workbench.histories import resolve

RULES = rules_of("""\
game: Gaps
Things:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 9
    pace: number or none
  table harm of unit (face) by face:
    1-2 scratch: unit gains 1 pin
    3-4 dent, if pins < 1: unit gains 2 pins
Doing:
  to stumble (unit):
    die: d6
    far, if die >= 4: die - 3
    falls, by far:
      0: unit gains 1 pin
      1-2: nothing
  to halve (unit), (far inches):
    falls, by far / 2:
      0-1: unit gains 1 pin
      2-9: unit gains 2 pins
  to doze (unit):
    die: d6
    far, if die >= 4: die - 3
    falls, by far:
      1-3: unit gains 1 pin
  to wander (unit):
    falls, by pace:
      1-9: unit gains 1 pin
  to reach (unit), (steps number):
    far: steps - 3
    falls, by far:
      1 or more: unit gains 1 pin
  to step (unit), (steps number):
    falls, by steps:
      1 or more: unit gains 1 pin
  to try (unit):
    die: d6
    far, if die >= 4: die - 4
  to follow (unit):
    trial: unit tries
    falls, by trial.far:
      1-2: unit gains 1 pin
  to waver (unit):
    die: d6
    far, if die >= 4: die - 4
    falls, by far:
      1-2: unit gains 1 pin
  to take (unit), (blows number):
    die: d3
    effect: unit.harm(die + blows)
""")


def test_a_number_without_a_case_is_refused_in_odds_and_in_play():
    case = case_of(RULES, "unit A:\ndo: A stumbles\ndice: [6]\nask: A.pins\n")
    assert refusal(case) == ["K001"]
    assert "no case for 3" in next(iter(case.problems)).message
    case = case_of(RULES, "unit A:\ndo: A stumbles\ndice: [6]\n")
    assert resolve(case) is None
    assert codes(case) == ["K001"]


def test_a_history_that_comes_to_no_such_number_is_played():
    case = case_of(RULES, "unit A:\ndo: A stumbles\ndice: [5]\n")
    assert resolve(case) is not None


def test_what_nobody_asks_for_is_not_refused():
    assert law_of_odds(case_of(RULES, "unit A:\ndo: A stumbles\nask: die\n")) == {(n,): F(1, 6) for n in range(1, 7)}


@pytest.mark.parametrize(("inches", "refused"), [(2, False), (3, True), (4, False)])
def test_inches_between_two_cases_have_none(inches: int, refused: bool):
    case = case_of(RULES, f'unit A:\ndo: A halves {inches}"\nask: A.pins\n')
    if refused:
        assert refusal(case) == ["K001"]
    else:
        assert law_of_odds(case) == {(inches // 2,): 1}


def test_a_line_that_was_not_run_comes_to_no_case_where_none_is_of_0():
    assert law_of_odds(case_of(RULES, "unit A:\ndo: A dozes\nask: A.pins\n")) == {(0,): F(1, 2), (1,): F(1, 2)}
    case = case_of(RULES, "unit A:\ndo: A dozes\ndice: [2]\n")
    assert resolve(case) is not None


def test_none_is_no_number_and_comes_to_no_case():
    assert law_of_odds(case_of(RULES, "unit A:\ndo: A wanders\nask: A.pins\n")) == {(0,): 1}
    assert law_of_odds(case_of(RULES, "unit A: pace 3\ndo: A wanders\nask: A.pins\n")) == {(1,): 1}


def test_a_row_that_is_barred_passes_on_to_none_but_a_face_without_a_row_is_refused():
    found = law_of_odds(case_of(RULES, "unit A: pins 3\ndo: A takes 1\nask: A.pins\n"))
    assert found == {(4,): F(1, 3), (3,): F(2, 3)}
    assert refusal(case_of(RULES, "unit A: pins 3\ndo: A takes 2\nask: A.pins\n")) == ["K001"]


@pytest.mark.parametrize("deed", ["reaches", "steps"])
def test_a_0_of_a_line_that_is_always_run_and_of_what_a_call_is_told_is_refused(deed: str):
    told = 3 if deed == "reaches" else 0
    case = case_of(RULES, f"unit A:\ndo: A {deed} {told}\nask: A.pins\n")
    assert refusal(case) == ["K001"]
    assert law_of_odds(case_of(RULES, f"unit A:\ndo: A {deed} {told + 1}\nask: A.pins\n")) == {(1,): 1}


@pytest.mark.parametrize("deed", ["wavers", "follows"])
def test_a_0_is_refused_only_where_the_line_was_run(deed: str):
    """Also where the line is one of a call: on 1 to 3 it was not run, and no case is asked for."""
    assert refusal(case_of(RULES, f"unit A:\ndo: A {deed}\nask: A.pins\n")) == ["K001"]
    for face, refused in ((3, False), (4, True), (5, False)):
        case = case_of(RULES, f"unit A:\ndo: A {deed}\ndice: [{face}]\n")
        assert (resolve(case) is None) == refused, face
        assert codes(case) == (["K001"] if refused else [])


@pytest.mark.parametrize(
    ("rounds", "cases", "wrong"),
    [
        ("repeat up to 3 times until six", "1-18", []),
        ("repeat up to 3 times until six", "1-17", ["K001"]),
        ("repeat 2 times", "2-12", []),
        ("repeat 2 times", "2-11", ["K001"]),
        ("for each mate in units", "1 or more", ["K001"]),
    ],
)
def test_a_total_is_as_large_as_its_rounds_make_it(rounds: str, cases: str, wrong: list[str], tmp_path: Path):
    text = f"""\
game: Rounds
Men:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 9
  to try (unit):
    rounds, {rounds}:
      die: d6
      six: die = 6
    fall, by rounds.die:
      {cases}: unit gains 1 pin
"""
    path = tmp_path / "rounds.yaml"
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    check_file(str(path), problems)
    assert [p.code for p in problems] == wrong, render(problems)
