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

FEW = 8  # examples of a set, besides `make thorough`
NEVER, ALWAYS = 10**9, -1  # worlds within which things are not told apart

RULES = """\
game: Toy
Things:
  dice high: d6 at or over
  kind side:
  kind unit:
    side: side
    pins: number 0 to 6
    tired: number 0 to 6
Doing:
  value foes of unit: all units where it.side is not unit.side
  to scare (unit):
    face: d6
    pins: unit gains face pins
  to rest (unit):
    unit.tired becomes 0
  to tire (unit):
    face: d6
    tired: unit.tired becomes face
  to threaten (unit):
    each enemy in unit.foes:
      fear: enemy scares
  to check (unit):
    luck: d6
    brave: luck > unit.pins
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
