"""A term that reads nothing that a run changes is evaluated once in that run; what the run changes is evaluated anew."""

from fractions import Fraction as F

import pytest
from test_engines_kit import agree, case_of, rules_of

from interpreter.program import runtime
from interpreter.program.odds_statements import StatementWriter
from interpreter.program.terms import Apply, Cell, Function, Gather, Lambda, Local, Tuple, free_locals, slot
from interpreter.workbench.answers import odds

GAME = rules_of("""\
game: Steady
Things:
  dice high: d6 at or over
  kind unit:
    skill: number first 4
    worn: number 0 to 3
    men: number first 6
  value aim of unit: skill + worn
  roll shot of unit on high: needs aim
Doing:
  to look-at (unit) with (thrown number):
    faces: thrown dice
    good: faces where it >= unit.aim
    bad: faces where it < unit.aim
    fine: faces where it = 6
    more: fine passing shot
    score: good + bad * 10 + more * 100
  to look-twice (unit):
    one: 1 passing shot
    tired, if one > 0: unit gains 1 worn
    look: unit looks-at with 3
    score: look.score + one * 1000
  to wear-out (unit):
    one: 2 passing shot
    tired, if one > 0: unit gains one worn
    two: 2 passing shot
    score: one * 10 + two
  to tire (unit):
    rounds, repeat 2 times:
      hit: 1 passing shot
      tired, if hit > 0: unit gains 1 worn
      again: 1 passing shot
    score: rounds.hit * 10 + rounds.again
""")


def asked(do):
    return case_of(GAME, f"unit A:\ndo: A {do}\nask: score\n")


def test_what_nothing_changes_is_evaluated_once(monkeypatch):
    """The 56 throws of three dice are each compared with the same aim, once for either aim: 4, or 5 if tired."""
    calls = []
    monkeypatch.setattr(runtime, "kept", lambda place, value: calls.append(value) or place.append(value) or value)
    found = odds(asked("looks-twice"))
    assert found is not None
    assert found.of(0)[1030] == F(1, 2) * F(2, 3) ** 3
    assert sorted({value for value in calls if isinstance(value, int)}) == [4, 5]
    assert len(calls) <= 6


@pytest.mark.parametrize("do", ["looks-twice", "wears-out", "tires"])
def test_what_a_run_changes_is_evaluated_anew(do, monkeypatch):
    """The same law as by play, under every script, and as without any value kept."""
    agree(asked(do))
    found = odds(asked(do))
    assert found is not None
    monkeypatch.setattr(StatementWriter, "_place_of", lambda self, term, inside: None)
    plain = odds(asked(do))
    assert plain is not None
    assert plain.of(0) == found.of(0)


def test_a_term_of_a_member_is_bound_to_its_comprehension():
    member, other = Local("m"), Local("o")
    value = Function("value", ("a",), (), frozenset(), False, (True,))
    inside = Apply(value, None, (member,))
    whole = Gather("tuple", inside, ("m",), slot(1))
    assert free_locals(inside) == {"m"}
    assert free_locals(whole) == frozenset()
    assert free_locals(Lambda(("o",), Tuple((member, other)))) == {"m"}
    assert free_locals(Cell(slot(1), other, 3)) == {"o"}
