"""For whom and when a rule sets in: after a mark, for who did not bear it before.

Each law is held against the reference (tests/reference), the odds and play under every script.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from tests.reference.questions import failures
from tests.reference.situations import cases
from tests.test_engines_kit import agree, case_of, rules_of


def comes_to(folder: Path, rules: str, situation: str, *questions: str) -> None:
    """Each question is surely so."""
    lines = [f"  {line}\n" for line in situation.splitlines()]
    path = folder / "toy.yaml"
    odds = "".join(f"      - 1/1 that {q}\n" for q in questions)
    shown = f"  example shown:\n{''.join('  ' + line for line in lines)}    odds:\n{odds}"
    path.write_text(rules + shown, encoding="utf-8")
    (result,) = interpreter.test(path)
    assert not [p.message for p in result.problems]
    (case,) = cases(path)
    assert not failures(case, 5_000)
    assert agree(case_of(rules_of(rules), f"{situation}\nask: {list(questions)}".replace("'", ""))) >= 1


# ---- after a mark
MARKS = """\
game: Hot
Things:
  kind side:
  kind unit of side:
    gold: number
  kind figure, many to a unit:
    grade: number
  mark hot of figure:
  mark hotter of figure: up to 2 per unit
  mark hottest of figure: until after next dusk
  mark gone of figure: out of play
  mark lit of unit:
  rule glow for each figure after hot, after hotter, after hottest, after gone: figure.unit gains 1 gold
  rule glint for each unit after lit: unit gains 1 gold
  to dusk (unit): unit gains 0 gold
  to shine (unit):
    one-of: unit.owner picks 1 from figures
    once:  SUBJECT gain MARK
    again-shine: ALL gain MARK
    at-last: ALL gain MARK
"""
MANY = ("one-of", "figures")
MARKED = {"hot": 3, "hotter": 2, "hottest": 3}


def shine(mark: str, first: str, then: str) -> str:
    return MARKS.replace("MARK", mark).replace("SUBJECT", first).replace("ALL", then)


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("borne", [0, 1])
@pytest.mark.parametrize("first", MANY)
def test_who_bears_a_mark_already_does_not_gain_it(mark: str, borne: int, first: str, tmp_path: Path) -> None:
    unit = f"unit A:\n  figures: [1 with {mark}, 2]" if borne else "unit A: 3 figures"
    situation = f"{unit}\ndo: A shines"
    rules = shine(mark, first, "figures").replace("from figures", f"from figures usually {mark}")
    comes_to(
        tmp_path, rules, situation, f"A.gold = {MARKED[mark] - borne}", f"(A.figures where {mark}) = {MARKED[mark]}"
    )


@pytest.mark.parametrize(("borne", "gold"), [("", 1), ("lit", 0)])
def test_nor_does_one_thing(borne: str, gold: int, tmp_path: Path) -> None:
    rules = shine("lit", "unit", "unit").replace("unit gain lit", "unit gains lit")
    comes_to(tmp_path, rules, f"unit A: {borne}\ndo: A shines", f"A.gold = {gold}", "A is lit")


def test_who_lost_it_gains_it_anew(tmp_path: Path) -> None:
    rules = shine("hot", "figures", "figures").replace(
        "    at-last: figures gain", "    out: figures lose hot\n    at-last: figures gain"
    )
    comes_to(tmp_path, rules, "unit A: 3 figures\ndo: A shines", "A.gold = 6")


def test_who_left_play_leaves_it_once(tmp_path: Path) -> None:
    rules = shine("gone", "one-of", "one-of")
    comes_to(tmp_path, rules, "unit A: 3 figures\ndo: A shines", "A.gold = 1", "A.figures = 2")


# ---- instead of a procedure
INSTEAD = """\
game: Something else instead
Things:
  kind side:
  kind unit of side:
    gold: number
    earned: number
    late: number
  mark tired of unit: until {}
  to rest (unit): unit gains 100 gold
  to work (unit): unit gains 1 gold
  rule no-rest instead of rest if tired-out: unit works
  value tired-out of unit: earned = 0
  rule early before rest: actor gains 1 late
  rule late-on for each unit after rest if unit is actor: unit gains 10 late
"""


@pytest.mark.parametrize("end", ["before rest", "after rest", "after next rest", "after rest if gold < 100"])
@pytest.mark.parametrize(("earned", "gold"), [(0, 1), (1, 100)])
def test_what_is_done_instead_stands_in_its_place(end: str, earned: int, gold: int, tmp_path: Path) -> None:
    """Rules and ends of marks before and after it hold whether it was done itself or something else."""
    situation = f"unit A: tired, earned {earned}\ndo: A rests"
    lasts = "A is not tired" if "100" not in end or gold < 100 else "A is tired"
    comes_to(tmp_path, INSTEAD.replace("{}", end), situation, f"A.gold = {gold}", "A.late = 11", lasts)


def test_what_a_rule_before_it_does_is_seen_by_the_rule_instead_of_it(tmp_path: Path) -> None:
    rules = INSTEAD.replace("{}", "after rest").replace("actor gains 1 late", "actor gains 1 earned")
    comes_to(tmp_path, rules, "unit A: tired\ndo: A rests", "A.gold = 100", "A.late = 10", "A is not tired")
