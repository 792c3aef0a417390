"""One name, all its places: a rule that sets in at several places of a procedure is one name, which is all its runs."""

from fractions import Fraction

import pytest
from test_engines_kit import agree, case_of, law_of_odds, rules_of

RULES = """\
game: Two places
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    far: number
  kind figure, many to a unit:
    grade: number
  mark fallen of figure: out of play
  mark tired of unit:
  to prance (unit):
    out, if far > 0: unit moves up to 6"
    back, otherwise: unit moves up to 1"
    onward, if far > 5: unit moves up to 2"
  to circle (unit):
    first-leg: unit moves up to 1"
    laps, repeat 2 times:
      lap: unit moves up to 1"
    later: snap.shot
  to wander (unit):
    ways, by d2:
      1: unit moves up to 1"
      2: unit moves up to 2"
    home: unit moves up to 3"
  to wear (unit):
    drill: unit gains tired
    rest: unit loses tired
    march: unit gains tired
    some: unit.owner picks 1 from figures
    gone: some gains fallen
    others: unit.owner picks 1 from figures
    lost: others gains fallen
  to answer (unit):
    early: unit moves up to 1"
    late: unit hums
  to hum (unit):
    tone: d6
    step: unit moves up to 1"
  rule snap for each unit after move:
    shot: d2
    sure: shot > 1
    who: units where shot > 1
    pay: unit gains 1 gold
  rule note for each unit after tired:
    cost: d2
  rule grief for each figure after fallen: unit gains 1 gold
  rule both for each unit before hum, after hum:
    edge: d2
"""


@pytest.fixture(scope="module")
def rules():
    return rules_of(RULES)


def asked(rules, done, *questions, unit="2 figures"):
    return case_of(rules, f"unit A: {unit}\ndo: A {done}\nask: [{', '.join(questions)}]")


@pytest.mark.parametrize(
    ("done", "unit", "question", "mean"),
    [
        ("prances", "far 0", "snap.shot", "3/2"),
        ("prances", "far 1", "snap.shot", "3/2"),
        ("prances", "far 6", "snap.shot", "3"),
        ("prances", "far 6", "after-out.snap.shot", "3/2"),
        ("prances", "far 6", "prance.after-onward.snap.shot", "3/2"),
        ("prances", "far 1", "prance.snap.shot", "3/2"),
        ("circles", "gold 0", "snap.shot", "9/2"),
        ("circles", "gold 0", "after-first-leg.snap.shot", "3/2"),
        ("circles", "gold 0", "laps.after-lap.snap.shot", "3"),
        ("circles", "gold 0", "later", "9/2"),
        ("wanders", "gold 0", "snap.shot", "3"),
        ("wanders", "gold 0", "ways.after-1.snap.shot if ran(ways.after-1.snap.shot) else 0", "3/4"),
        ("wears", "2 figures", "note.cost", "3"),
        ("answers", "gold 0", "snap.shot", "3"),
        ("answers", "gold 0", "answer.snap.shot", "3/2"),
        ("answers", "gold 0", "late.snap.shot", "3/2"),
        ("answers", "gold 0", "both.edge", "3"),
        ("answers", "gold 0", "late.both.edge", "3"),
        ("answers", "gold 0", "hum.both.edge", "3"),
        ("answers", "gold 0", "hum.before-hum.both.edge", "3/2"),
    ],
)
def test_all_runs_or_one_of_them(rules, done, unit, question, mean):
    law = law_of_odds(asked(rules, done, question, unit=unit))
    assert sum(value * weight for (value,), weight in law.items()) == Fraction(mean)


@pytest.mark.parametrize("done", ["prances", "circles", "wanders", "wears", "answers"])
@pytest.mark.parametrize("unit", ["far 0, 2 figures", "far 6, 3 figures"])
def test_play_under_every_script_is_odds(rules, done, unit):
    questions = {
        "wears": ["note.cost", "A.gold", "A.figures"],
        "answers": ["snap.shot", "late.snap.shot", "late.both.edge", "A.gold"],
    }.get(done, ["snap.shot", "snap.sure", "A.gold"])
    assert agree(asked(rules, done, *questions, unit=unit)) > 1


@pytest.mark.parametrize("done", ["prances", "circles", "wanders"])
def test_one_question_alone_is_as_among_others(rules, done):
    questions = ["snap.shot", "snap.sure", "snap.who", "A.gold"]
    together = law_of_odds(asked(rules, done, *questions, unit="far 6"))
    for place, question in enumerate(questions):
        alone: dict[object, Fraction] = {}
        for values, weight in together.items():
            alone[values[place]] = alone.get(values[place], Fraction(0)) + weight
        assert {v: w for (v,), w in law_of_odds(asked(rules, done, question, unit="far 6")).items()} == alone


def test_yes_is_any_and_collections_are_put_together(rules):
    law = law_of_odds(asked(rules, "prances", "snap.sure", "snap.who = 1", unit="far 6"))
    assert law == {(True, True): Fraction(3, 4), (False, False): Fraction(1, 4)}


def test_a_rule_takes_no_name_from_the_lines_of_the_page():
    """`shot` is the procedure's own line, with the rule and without it."""
    game = """\
game: Names
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
  to dash (unit):
    steps, repeat 2 times:
      shot: 1
    go: unit moves up to 1"
    twice: shot + shot
  rule snap for each unit after move:
    shot: 5
"""
    for text in (game, game[: game.index("  rule snap")]):
        case = case_of(rules_of(text), "unit A: gold 0\ndo: A dashes\nask: [twice, steps.shot]")
        assert law_of_odds(case) == {(4, 2): 1}
