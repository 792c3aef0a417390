"""An example's questions, each once more for itself by rules cut down to it: both ways must agree, or it fails."""

from fractions import Fraction

import pytest
from test_engines_kit import rules_of

from interpreter.source import Problems
from interpreter.workbench import cross_checks
from interpreter.workbench.examples import examples_of
from interpreter.workbench.running import run

TOY = """
game: A toy
Toys:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    nerve: number 0 to 9
  roll steady of unit: needs 3+
  to bet (unit):
    face: d6
    won, if face > 3: unit gains 1 nerve
    same: face
    called: owner wishes
    risky, if called: unit passes steady
  example told:
    unit A: nerve 0
    do: A bets
    odds: [1/2 that A.nerve = 1, 7/2 mean same, 1/6 that face = 6]
  example left-open:
    unit A: nerve 0
    do: A bets
    odds: [0/1 to 2/3 that risky, 1/2 that face > 3]
  example whatever-happens:
    unit A: nerve 0
    do: A bets
    choose: {called: no}
    then: [A.nerve <= 1, face < 7]
"""
NAMES = ("told", "left-open", "whatever-happens")


def example(name):
    rules = rules_of(TOY)
    return rules, next(e for e in examples_of(rules, Problems()) if e.name == name)


@pytest.mark.parametrize("name", NAMES)
def test_every_question_is_asked_for_itself(name, monkeypatch):
    asked = []
    real = cross_checks.answer_case

    def noted(case, **more):
        assert case.cut, "by the rules cut down to it"
        asked.append([ask.text for ask in case.asks])
        return real(case, **more)

    monkeypatch.setattr(cross_checks, "answer_case", noted)
    rules, one = example(name)
    result = run(rules, one)
    assert result.passed, [p.message for p in result.problems]
    expected = {
        "told": [["A.nerve = 1"], ["same"], ["face = 6"]],
        "left-open": [["risky"], ["face > 3"]],
        "whatever-happens": [],
    }
    assert asked == expected[name]


@pytest.mark.parametrize("name", NAMES[:2])
def test_two_answers_to_one_question_fail_the_example(name, monkeypatch):
    """What the cut-down rules say is made wrong: whoever expects the other number is told so."""
    real = cross_checks.answer_case

    def wrong(case, **more):
        found = real(case, **more)
        monkeypatch.setattr(
            type(found), "of", lambda self, index: {0: Fraction(1)} if self is found else of(self, index)
        )
        monkeypatch.setattr(type(found), "bounds", lambda self, i: (0, 0) if self is found else bounds(self, i))
        return found

    from interpreter.workbench.answers import Answer
    from interpreter.workbench.bands import Band

    of = Answer.of
    rules, one = example(name)
    bounds = Band.bounds if name == "left-open" else Answer.bounds
    monkeypatch.setattr(cross_checks, "answer_case", wrong)
    result = run(rules, one)
    assert not result.passed
    assert "E013" in {p.code for p in result.problems}


def test_a_question_that_is_refused_alone_fails_the_example(monkeypatch):
    monkeypatch.setattr(cross_checks, "answer_case", lambda case, **more: None)
    rules, one = example("told")
    result = run(rules, one)
    told = [(p.code, p.span.text) for p in result.problems]
    assert told[0] == ("E013", "A.nerve = 1")
    assert len(told) == 3


def test_who_tries_slips_asks_once(monkeypatch):
    monkeypatch.setattr(cross_checks, "answer_case", lambda case, **more: None)
    rules, one = example("told")
    assert run(rules, one, alone=False).passed
