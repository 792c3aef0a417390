"""Rounds that are never run, and such as never come to their end: what is found, and that it is so at the table."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from test_engines_kit import case_of, rules_of
from test_lint_dice import only

from interpreter.lint.loop_termination import check_loop_termination
from interpreter.source import Problems
from interpreter.workbench.histories import resolve

TOY = """\
game: Toy
Firing:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 9 first 0
  kind trooper, many to a unit:
  mark casualty of trooper: out of play
  mark shaken of unit:
"""


def plain(lines: str) -> str:
    return lines.replace("«", "").replace("»", "")


class TestNeverRun:
    @pytest.mark.parametrize("times", ["0", "whole(skill * 0)", "min(0, skill)", "0 - face", "face - 6"])
    def test_a_number_that_never_comes_above_nothing(self, tmp_path, times):
        only("I005", f"to try (unit):\n  face: d6\n  calm, repeat «{times}» times: unit gains shaken", tmp_path)

    @pytest.mark.parametrize("times", ["skill", "face - 5", "min(pins, 1)", "0 - skill"])
    def test_one_that_may(self, tmp_path, times):
        only(None, f"to try (unit):\n  face: d6\n  calm, repeat {times} times: unit gains shaken", tmp_path)

    def test_a_limit_is_such_a_number(self, tmp_path):
        lines = "to try (unit):\n  face: d6\n  calm, repeat up to «{}» times until unit is shaken: unit gains shaken"
        only("I005", lines.format("face - 6"), tmp_path)
        only(None, plain(lines.format("face - 5")), tmp_path)

    def test_it_says_how_far_the_number_goes(self, tmp_path):
        lines = "to try (unit):\n  spare: pins - 6\n  calm, repeat «spare» times: unit gains shaken"
        assert "`spare` goes from -6 to 0" in only("I005", lines, tmp_path)

    def test_a_rule_that_sets_in_at_several_places_is_judged_by_all(self, tmp_path):
        lines = """
            to try (unit):
              hits: {}
            to dare (unit):
              hits: 0
            rule shock for each unit after try, after dare: unit gains 1 pins
            to shake (unit), (hits number):
              calm, repeat hits times: unit gains shaken
            """
        only(None, lines.format("2"), tmp_path)


class TestTheWrongWay:
    def test_a_line_that_is_added_up(self, tmp_path):
        lines = "to try (unit):\n  tries, repeat until «left <= 0»:\n    face: d6\n    left: face + 1"
        said = only("C004", lines, tmp_path)
        assert "`left` only goes up in these rounds, and they wait for it to go down" in said
        assert "left: face + 1 <- `left` goes up here" in said
        assert "`left` is the sum of all rounds: give the round a line `settled: left <= 0`" in said
        only(None, plain(lines).replace("<=", ">"), tmp_path)
        only(None, plain(lines).replace("<= 0", "<= 9 or left > 20"), tmp_path)
        only(None, plain(lines).replace("face + 1", "face - 3"), tmp_path)

    def test_a_yes_of_any_round_stays(self, tmp_path):
        lines = "to try (unit):\n  tries, repeat until «not level»:\n    face: d6\n    level: face = 3"
        assert "`level` is yes once it was yes in any round" in only("C004", lines, tmp_path)
        only(None, plain(lines).replace("not level", "level"), tmp_path)
        settled = plain(lines).replace("not level", "settled") + "\n    settled: not level"
        only(None, settled, tmp_path)  # as the hint has it

    def test_a_name_that_becomes_more(self, tmp_path):
        lines = "to try (unit):\n  left: 3\n  tries, repeat until «left <= 0»:\n    fewer: left becomes left + 1"
        assert "<- `left` goes up here" in only("C004", lines, tmp_path)
        for becomes in ("left - 1", "1 - left", "0"):
            only(None, plain(lines).replace("left + 1", becomes), tmp_path)

    @pytest.mark.parametrize(
        "does",
        [
            "unit gains 1 pins",
            "unit.pins becomes unit.pins + 1",
            "unit.pins becomes 6",
            "unit rattles 1",
            "foe gains 1 pins",
        ],
    )
    def test_what_stands_on_a_card(self, tmp_path, does):
        lines = f"""
            to rattle (unit), (count number):
              shock: unit gains 2 pins
            to try (unit) with (foe unit):
              tries, repeat until «unit.pins = 0»:
                shock: {does}
            """
        only("C004", lines, tmp_path)
        only(None, plain(lines).replace("gains", "loses").replace("+ 1", "- 1").replace("6", "0"), tmp_path)

    @pytest.mark.parametrize("other", ["umpire 'what now?'", "unit leaves play", "unit.pins becomes skill"])
    def test_nothing_is_said_where_something_else_may_bring_the_end(self, tmp_path, other):
        lines = "to try (unit):\n  tries, repeat until unit.pins = 0:\n    shock: unit gains 1 pins\n"
        only(None, f"{lines}    other: {other}", tmp_path)

    def test_a_number_that_need_not_be_there(self, tmp_path):
        lines = """
            add to unit:
              owed: number or none
            to try (unit):
              tries, repeat until unit.owed <= 4:
                debt: unit gains 1 owed
            """
        only(None, lines, tmp_path)  # none is no number at most 4, and 1 is

    def test_what_never_holds_has_one_reason(self, tmp_path):
        only("I004", "to try (unit):\n  tries, repeat until «left < 0»:\n    left: 1", tmp_path)


class TestWhatStaysAsItIs:
    @pytest.mark.parametrize("asked", ["zeal > 4", "no troopers", "any (troopers where it.unit.zeal > 3)", "near(unit)"])
    def test_through_values_facts_and_those_counted(self, tmp_path, asked):
        lines = f"""
            mark casualty of trooper: out of play
            value zeal of unit:
              base: skill
              rage: +1 if shaken
            fact near of unit: yes or no
            to try (unit):
              tries, repeat until «{asked}»:
                hits: 3 dice
                done: unit gains aiming
            """
        only("C003", lines, tmp_path)
        changed = {"near(unit)": "umpire 'is it near?'", "no troopers": "(1 of troopers at random) gains casualty"}
        only(None, plain(lines).replace("unit gains aiming", changed.get(asked, "unit gains shaken")), tmp_path)


LINES = {
    "worse": "unit gains 1 pins",
    "better": "unit loses 1 pins",
    "left": "d6 - 1",
    "level": "d6 = 6",
    "calm": "unit gains shaken",
    "hurt": "(1 of troopers at random) gains casualty",
}
ENDS = {  # of the fifteen pairs of lines, those with which each end is out of reach
    "unit.pins = 0": 10,
    "unit.pins >= 6": 10,
    "left <= 0": 15,
    "left > 3": 0,
    "not level": 15,
    "level": 0,
    "unit is not shaken": 15,
    "no troopers": 10,
    "any troopers and unit.pins < 2": 6,
    "left + unit.pins < 1 or level": 0,
}
ROUNDS = 12


@pytest.mark.parametrize("end", ENDS)
def test_what_is_found_ends_at_once_or_never(end):
    """Two lines and each end: where something is found, plays stop after one round or at a limit that is set."""
    found = 0
    for names in combinations(LINES, 2):
        lines = [f"    {name}: {LINES[name]}" for name in dict.fromkeys(("left", "level", *names))]
        text = TOY + "  to try (unit):\n    tries, repeat until " + end + ":\n  " + "\n  ".join([*lines, "    turn: 1"])
        problems = Problems()
        check_loop_termination(rules_of(text).checker, problems)
        assert {p.code for p in problems} <= {"C003", "C004"}
        if len(problems):
            found += 1
            limited = rules_of(text.replace("repeat until", f"repeat up to {ROUNDS} times until"))
            for pins, seed in product((0, 3), range(3)):
                asked = f"unit A: pins {pins}, 20 troopers\ndo: A tries\nask: turn\n"
                outcome = resolve(case_of(limited, asked), seed=seed)
                assert outcome is not None and outcome.values["turn"] in (1, ROUNDS), (end, names)
    assert found == ENDS[end]
