"""Telling things apart (`program/by_thing.py`) changes no answer, and what nobody reads of a thing makes no worlds."""

from __future__ import annotations

from fractions import Fraction

import pytest
from test_engines_kit import case_of, rules_of
from test_engines_twin import end_state, first_of

from interpreter.engines import odds as engine
from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from tests.sampled import sampled
from tests.shipped import examples, opened

FEW = 3  # examples of a set, besides `make thorough`
NEVER, ALWAYS = 10**9, -1  # worlds within which things are not told apart

RULES = """\
game: Toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number 0 to 6
    tired: number 0 to 6
Doing:
  to scare (unit):
    face: d6
    fear: unit gains face pins
  to tire (unit):
    face: d6
    after: unit.tired becomes face
  to check (unit):
    luck: d6
    shaken, if luck <= unit.pins: unit gains 1 tired
  to encourage (unit):
    friends, for each friend in units where it.side is unit.side: friend checks
"""
UNITS = """\
unit A: side Red
unit B: side Blue
unit C: side Blue
"""


def law(answer):
    return {values: Fraction(weight, answer.total) for values, weight in answer.joint if weight}


def asked(case, few, monkeypatch, limit=4000):
    monkeypatch.setattr(engine, "FEW", few)
    answer = odds(case, limit=limit)
    return sorted(p.code for p in case.problems) if answer is None else law(answer)


@pytest.mark.parametrize("name", ["vbcw", "modern", "imperial", "vsf", "vsf + morale"])
def test_shipped_examples_have_the_same_answers(name, monkeypatch):
    rules = opened(name)
    for example in sampled(examples(name), FEW):
        body = first_of(rules, example)
        case = prepare(rules, body, Problems())
        if case is None:
            continue
        for asks in (None, end_state(case)[::5]):
            plain, told_apart = [
                asked(prepare(rules, body, Problems(), asks or None), few, monkeypatch) for few in (NEVER, ALWAYS)
            ]
            if plain != ["E001"]:
                assert plain == told_apart, (example.name, [ask.text for _, ask in asks or ()])


def worlds(text, monkeypatch):
    """How many worlds a question takes, as it stands and with the things told apart; its answers are equal."""
    found = []
    for few in (NEVER, ALWAYS):
        monkeypatch.setattr(engine, "FEW", few)
        case = case_of(rules_of(RULES), UNITS + text)
        answer = odds(case)
        assert answer is not None, [str(p.message) for p in case.problems]
        found.append((law(answer), answer.worlds))
    assert found[0][0] == found[1][0]
    return found[0][1], found[1][1]


def test_what_nobody_reads_of_a_thing_is_not_followed(monkeypatch):
    """Those of the other side are no friends, whatever happens."""
    does = "do:\n  a: A scares\n  b: B scares\n  c: C scares\n  d: A encourages\n"
    plain, apart = worlds(does + "ask: A.tired", monkeypatch)
    assert apart < plain
    plain, apart = worlds(does.replace("A encourages", "B encourages") + "ask: B.tired", monkeypatch)
    assert apart < plain


def test_a_value_that_is_replaced_is_not_kept(monkeypatch):
    does = "do:\n  a: A tires\n  b: B tires\n  c: A encourages\n  d: A tires\n  e: A encourages\n"
    plain, apart = worlds(does + "ask: A.tired", monkeypatch)
    assert apart < plain
