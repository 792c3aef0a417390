"""Closed procedures: functions of values, the same law as on the state, whoever stands in the parts.

The benchmark problems are the rule files here: they are small, have tables, sets, loops and duels, and a hand-written
answer stands beside each.
"""

import sys
from fractions import Fraction
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))

import hand
import ours
from test_engines_kit import agree, case_of, rules_of

from interpreter.engines.odds import Odds
from interpreter.workbench.answers import odds

SIZES = {"p1": 6, "p2": 5, "p3": 0, "p4a": 4, "p4b": 4}


def law(ready, odds):
    return ready.shares(ready.ask(odds))


@pytest.mark.parametrize("name", SIZES)
def test_on_the_state_and_on_values_the_odds_are_the_same(name):
    ready = ours.problem(name, SIZES[name])
    assert ready.program.closed(ready.procedure)
    closed, on_state = ready.made(), ready.made()
    on_state.overrides = {"a line of nobody's": lambda state, question: question}  # a policy may read the whole state
    assert law(ready, closed) == law(ready, on_state)


@pytest.mark.parametrize("name", ["p1", "p2", "p3", "p4a", "p4b"])
def test_the_fractions_of_the_benchmark_are_those_worked_out_by_hand(name):
    ready = ours.problem(name)
    weights, total = getattr(hand, name)()
    if name == "p3":
        told = {
            sum(1 << r for r in k[0]) | sum(1 << 5 + r for r in k[1]): v for k, v in law(ready, ready.made()).items()
        }
    else:
        told = {k[0] if len(k) == 1 else k: v for k, v in law(ready, ready.made()).items()}
    assert {k: v for k, v in told.items() if v} == {k: Fraction(w, total) for k, w in weights.items() if w}


def test_one_thing_in_two_parts_is_no_function_of_values():
    ready = ours.problem("p4a", 3)
    unit = ready.args[0]
    ready.args = (unit, unit)
    odds = ready.made()
    assert not odds._are_distinct(ready.procedure, ready.args)
    shares = law(ready, odds)
    assert sum(shares.values()) == 1
    assert set(shares) <= {(True, True), (False, False)}  # a unit that shoots itself wins when it loses


def test_a_law_is_shared_by_whoever_stands_in_the_parts():
    ready = ours.problem("p4a", 5)
    odds = ready.made()
    ready.ask(odds)
    act = next(v for v in odds._laws if v.code.procedure.name == "act")
    assert {len(key) for key in odds._laws[act]} == {4}  # the living and the fallen of two units, and nobody's name


def test_an_engine_asked_again_knows_the_answer():
    ready = ours.problem("p1")
    odds = Odds(ready.program, ready.start.keys)
    first = ready.ask(odds)
    spent = odds.worlds
    assert ready.ask(odds) is first or ready.ask(odds) == first
    assert odds.worlds == spent


def test_a_roll_sees_only_faces_that_its_dice_have():
    odds = ours.problem("p1").made()
    ten_sided = (10, sum(1 << face for face in range(5, 11)), 1, True, False, True)  # 5 and more, on a d10
    total, law = odds.seen(6, (ten_sided,), (True,))[1]
    assert {k: Fraction(w, total) for k, w in law} == {0: Fraction(2, 3), 1: Fraction(1, 3)}
    total, law = odds.seen(6, (ten_sided,), (False,))[1]
    assert {k: Fraction(w, total) for k, w in law} == {0: Fraction(1, 3), 1: Fraction(2, 3)}


TWICE = """
game: Twice
Doing:
  kind unit:
    pins: number
  table harm of unit (face) by face:
    1 graze: nothing
    2 shock: unit gains 1 pin
    3 wild: {last}
  table luck of unit (face) by face:
    1 bad: unit gains 3 pins
    2 good: nothing
  to act (unit):
    luck-of: unit.luck(d2)
    first-one: unit.harm(d3)
    second: unit.harm(d3)
    pair, repeat 2 times:
      third: unit.harm(d3)
"""
LAST = {"a row": "unit gains 2 pins", "another table": "unit.luck(d2)"}


@pytest.mark.parametrize("last", LAST)
@pytest.mark.parametrize(
    "asks", ["second", "first-one, second", "pair.third, second", "luck-of, second", "A.pins, second"]
)
def test_a_table_asked_twice_begins_afresh(last, asks):
    """Whatever was found the first time: no row of the second throw is passed over, in whatever order they are read."""
    text = TWICE.format(last=LAST[last])
    case = case_of(rules_of(text), f"unit A: pins 1\ndo: A acts\nask: [{asks}]\n")
    agree(case)
    second = odds(case).of(len(case.asks) - 1)
    assert set(second.values()) == {Fraction(1, 3)}
