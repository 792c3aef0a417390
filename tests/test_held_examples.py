"""What `test` has run, `coverage` does not run again; what is another example, or stands under other rules, is run."""

import pytest

from interpreter.source import Problems
from interpreter.workbench import clause_coverage, running
from interpreter.workbench.clause_coverage import CARRIED_OUT, SHOWN, coverage_of
from interpreter.workbench.examples import examples_of
from interpreter.workbench.parallel import Workers
from interpreter.workbench.passed_examples import PassedExamples
from interpreter.workbench.rules import open_rules

GAME = """\
game: Coin
Things:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 6
Doing:
  to toss (unit):
    face: d6
    high: face >= LIMIT
    pinned, if high: unit gains 1 pin
Worked:
  example it-falls-high:
    unit A:
    do: A tosses
    odds: 1/3 that A.pins = 1
  example it-falls-low:
    unit A:
    do: A tosses
    dice: face 2
    then: A.pins = PINS
"""


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UMPIRE_CACHE", "on")
    monkeypatch.chdir(tmp_path)


def opened(tmp_path, limit=5, pins=0):
    path = tmp_path / "coin.yaml"
    path.write_text(GAME.replace("LIMIT", str(limit)).replace("PINS", str(pins)), encoding="utf-8")
    problems = Problems()
    rules = open_rules(path, problems)
    assert rules is not None
    return rules, examples_of(rules, problems)


def held(rules, examples):
    known = PassedExamples(rules)
    return [example.name for example in examples if example in known]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_holds_is_kept_and_what_fails_is_not(tmp_path, jobs):
    rules, examples = opened(tmp_path, pins=1)
    assert held(rules, examples) == []
    running.run_examples(rules, examples, Workers(jobs))
    assert held(rules, examples) == ["it-falls-high"]


def test_other_rules_and_another_example_are_not_known(tmp_path):
    rules, examples = opened(tmp_path)
    running.run_examples(rules, examples)
    assert held(*opened(tmp_path)) == ["it-falls-high", "it-falls-low"]
    assert held(*opened(tmp_path, pins=3)) == ["it-falls-high"]
    assert held(*opened(tmp_path, limit=6)) == []


def test_coverage_runs_nothing_that_held(monkeypatch):
    monkeypatch.setattr(PassedExamples, "__contains__", lambda *_: True)
    asked = []
    monkeypatch.setattr(clause_coverage, "run_examples", lambda _, examples, *__, **___: asked.extend(examples) or [])
    found = coverage_of("modern", Problems())
    assert found is not None
    assert (asked, found.failed) == ([], ())
    assert found.counts()[SHOWN] > found.counts()[CARRIED_OUT]
