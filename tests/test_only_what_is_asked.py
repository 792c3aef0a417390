"""What nothing asked reads is not followed, through calls, circles and loops; and nothing of what is asked is lost."""

from fractions import Fraction as F
from math import comb
from pathlib import Path

import pytest
from test_engines_kit import case_of, refusal, rules_of

from interpreter.engines.odds import Odds
from interpreter.program.liveness import Follow
from interpreter.program.program import Program
from interpreter.source import Problems
from interpreter.workbench.answers import odds
from interpreter.workbench.rules import open_rules
from interpreter.workbench.run_setup import set_up

CHAINS = rules_of((Path(__file__).parent / "data" / "chains.yaml").read_text(encoding="utf-8"))

CHARGE = """\
unit A:
  figures: [7 with weapon rifle and bayonet, 1 with weapon rifle and bayonet and leader]
unit B:
  figures: [7 with weapon rifle, 1 with weapon rifle and leader]
facts: distance(A, B) is 4"
do: A charges into B
"""
VOLLEY = """\
unit A: veteran, 12 figures, weapon rifle
vehicle V:
  is: seasoned, hull wooden
  guns: [2 with weapon machine-gun]
unit P: seasoned, crewing, carrier V, 4 figures, armour light
facts: distance(A, V) is 12"
do: A shoots at V
"""
COUNTING = """\
game: Counting
Things:
  dice high: d6 at or over
  kind unit:
    pins: number 0 to 6
    score: number
    tries: number
Doing:
  to try (unit):
    die: d6
    pinned, if die = 1: unit gains 1 pin
    noted: unit gains 1 tries
    again, if die > 4: unit tries
  to gamble (unit):
    rounds, repeat until won > 0:
      die: d6
      won, if die = 6: 1
      worse: unit gains 1 score
    last: d6
  to climb (unit):
    rounds, repeat up to 8 times until enough:
      die: d6
      up: unit gains die score
      enough: unit.score > 20
    last: d6
  to stall (unit):
    rounds, repeat until score > 3:
      die: d6
      pinned, if die = 7: unit gains 1 score
    last: d6
"""


def shipped(name, text):
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None
    return case_of(rules, text)


def test_a_charge_asked_for_pins_is_followed_no_further_than_they_go():
    found = odds(shipped("vbcw", CHARGE + "ask: [A.pins, B.pins]\n"))
    assert found is not None
    assert found.worlds < 2_000
    assert sum(found.of(0).values()) == sum(found.of(1).values()) == 1


def test_damage_that_nobody_asks_about_is_not_followed():
    found = odds(shipped("vsf", VOLLEY + "ask: volley.hits\n"))
    assert found is not None
    assert found.worlds < 2_000
    assert found.of(0) == {n: F(comb(12, n), 2**12) for n in range(13)}


def test_what_is_asked_of_the_damage_is_followed():
    found = odds(shipped("vsf", VOLLEY.replace("12 figures", "1 figures") + "ask: V is steerless\n"))
    assert found is not None
    assert 0 < found.chance(0) < F(2, 3)


def counting(do, *asks):
    return case_of(rules_of(COUNTING), f"unit A:\ndo: A {do}\nask: [{', '.join(asks)}]\n")


@pytest.mark.parametrize(
    ("do", "ask", "reads"),
    [("tries", "A.pins", {"pins"}), ("tries", "die", set()), ("gambles", "last", set()), ("climbs", "last", set())],
)
def test_a_circle_needs_what_decides_what_is_asked(do, ask, reads):
    """`tries` and `score` only grow: no other cell of the unit is part of a world, in the last run as in the first."""
    case = counting(do, ask)
    ready = set_up(case, certain=True)
    assert ready is not None
    program, procedure = ready.program, case.situation.procedure
    program.follow = Follow.ASKED
    wants = frozenset(a.address for a in case.asks)
    entry = program.live(procedure, wants, frozenset(), False).entry
    names = {program.layout.attributes[key].name for key in entry.cells if key in program.layout.attributes}
    assert names == reads


def test_what_only_grows_is_asked_and_refused():
    """Endlessly many tries, of which nobody asks, and then somebody does."""
    assert odds(counting("gambles", "last")) is not None
    assert refusal(counting("gambles", "A.score"), limit=3_000) == ["E001"]


def test_what_never_ends_is_told_though_nobody_asks_what_it_does():
    assert refusal(counting("stalls", "last")) == ["E002"]
    assert refusal(case_of(CHAINS, "machine M:\nmachine N:\ndo: M circles\nask: M.faults\n")) == ["E002"]


def test_followed_whole_or_not_it_is_one_answer():
    for do, ask in (("tries", "A.pins"), ("gambles", "last"), ("climbs", "last"), ("climbs", "A.score")):
        laws = []
        for follow in Follow:
            case = counting(do, ask)
            ready = set_up(case, certain=True)
            assert ready is not None
            engine = Odds(ready.program, ready.start.keys, 1_000)
            engine.follow = follow
            wants = frozenset(a.address for a in case.asks)
            try:
                total, law = engine.of(case.situation.procedure, wants, ready.args, ready.start.state)
            except Exception as why:  # what only grows has no end where it is followed
                assert str(why) == "E001", why
                continue
            laws.append({value: F(weight, total) for value, weight in law})
        assert laws
        assert all(law == laws[0] for law in laws)


# ---- one Program for several questions
BATTLE = """\
game: Battle
Things:
  kind unit:
    pins: number
Doing:
  to shoot (unit):
    hits: d3
    idle: d6
    heard: d2
    felt: unit suffers hits
    twice: felt.worse + hits
  to suffer (unit), (blows number):
    face: d2
    worse: blows + face
    other: face
    gained: unit gains worse pins
"""
ASKED = ("A.pins", "twice", "hits", "felt.other", "idle", "felt.worse + heard", "A.pins")


def one_after_the_other(rules, asks, programs=None):
    found = []
    for ask in asks:
        case = case_of(rules, f"rules: toy\nunit A: pins 0\ndo: A shoots\nask: {ask}\n")
        case.programs, case.cut = programs, False
        answer = odds(case)
        assert answer is not None, ask
        found.append(answer.of(0))
    return found


@pytest.mark.parametrize("asks", [ASKED, ASKED[::-1]])
def test_questions_that_share_a_program_get_the_answers_they_get_alone(asks):
    rules = rules_of(BATTLE)
    assert one_after_the_other(rules, asks, {}) == one_after_the_other(rules, asks)


def test_a_question_that_reads_no_other_lines_leaves_what_was_analysed(monkeypatch):
    """Only what reads more of a call than was read before is analysed anew."""
    looked, analysed = [], Program._analysed

    def heard(program, question):
        looked.append(question[0].name)
        return analysed(program, question)

    monkeypatch.setattr(Program, "_analysed", heard)
    rules, programs = rules_of(BATTLE), {}
    one_after_the_other(rules, ["felt.other + hits"], programs)
    assert "suffer" in looked and "shoot" in looked
    looked.clear()
    one_after_the_other(rules, ["felt.other + hits", "hits + felt.other"], programs)
    assert set(looked) == {"situation"}
    one_after_the_other(rules, ["felt.worse + hits"], programs)
    assert "suffer" in looked


@pytest.mark.parametrize("before", [[], ["A.pins"]])
def test_what_never_ends_is_told_whatever_was_asked_before(before):
    rules, programs = rules_of(COUNTING), {}
    for do, ask in (*[("A tries", ask) for ask in before], ("A stalls", "last")):
        case = case_of(rules, f"rules: toy\nunit A: pins 0, score 0, tries 0\ndo: {do}\nask: {ask}\n")
        case.programs, case.cut = programs, False
        if do == "A stalls":
            assert refusal(case) == ["E002"]
        else:
            assert odds(case) is not None
