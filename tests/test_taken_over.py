"""Rolls that take over the lines of others: a line of the same name stands in the place of the inherited one."""

from fractions import Fraction

import pytest
from test_engines_kit import Mistaken, agree, case_of, law_of_odds, rules_of

from interpreter.workbench.histories import resolve

HEAD = """
game: toy
Things:
  dice high: d6 at or over
  dice ten: d10 at or over
  kind side:
  kind unit of side:
    skill: number first 4
    pins: number
  kind figure, many to a unit:
    luck: number
  kind gun, a figure:
  mark tired of unit:
Doing:
  roll nerve of unit (worse number):
    basic: needs skill
    raw:   needs 6 if tired
    pins:  roll -1 per pins
    worse: roll -worse
"""


def chance(body, things="unit A: pins 1, 1 figures", ask="did"):
    case = case_of(rules_of(HEAD + body), f"{things}\ndo: A acts\nask: {ask}\n")
    agree(case)
    return law_of_odds(case).get((True,), Fraction(0))


def act(roll):
    return f"  to act (unit):\n    did: unit passes {roll}\n"


def figures_act(roll):
    return f"  to act (unit):\n    there: figures passing {roll}\n    did: there = 1\n"


@pytest.mark.parametrize(
    ("lines", "need"),
    [
        ("", 4 + 1 + 1),
        ("    pins: roll -2 per pins\n", 4 + 2 + 1),
        ("    pins: roll +1\n", 4 - 1 + 1),
        ("    lucky: roll +1\n", 4 - 1 + 1 + 1),
        ("    basic: needs 2\n", 2 + 1 + 1),
        ("    basic: needs 2\n    pins: roll +0\n    worse: roll +0\n", 2),
    ],
)
def test_a_line_of_the_same_name_replaces(lines, need):
    odds = Fraction(max(0, 7 - need), 6)
    body = f"  roll grit of unit (worse number) as nerve:\n{lines}" if lines else ""
    assert chance(body + act("grit(1)" if lines else "nerve(1)")) == odds


def test_it_stands_where_the_inherited_line_stood():
    body = "  roll grit of unit (worse number) as nerve:\n    basic: needs 2\n"
    assert chance(body + act("grit(0)"), "unit A: tired, 1 figures") == Fraction(
        1, 6
    )  # `raw` comes after it, as before


def test_the_lines_of_the_one_it_belongs_to():
    body = "  roll grit of figure (worse number) as unit.nerve:\n    luck: roll +luck\n"
    assert chance(body + figures_act("grit(1)")) == Fraction(1, 6)
    assert chance(body + figures_act("grit(1)"), "unit A:\n  is: pins 1\n  figures: [1 with luck 2]") == Fraction(3, 6)


def test_taken_over_twice():
    body = (
        "  roll grit of unit (worse number) as nerve:\n    pins: roll +1 per pins\n"
        "  roll dash of figure (worse number) as unit.grit:\n    worse: roll +worse\n"
    )
    assert chance(body + figures_act("dash(1)")) == Fraction(7 - 4 + 2, 6)


def test_the_trace_shows_where_a_line_stands():
    body = "  roll grit of unit (worse number) as nerve:\n    pins: roll -2 per pins\n" + act("grit(1)")
    case = case_of(rules_of(HEAD + body), "unit A: pins 1, 1 figures\ndo: A acts\n")
    played = resolve(case, seed=1)
    assert played is not None
    found = []

    def look(event):
        found.extend([(event.line, event.text)] if event.kind == "modifier" else [])
        for child in event.children:
            look(child)

    for event in played.events:
        look(event)
    told = dict(found)
    assert "grit.pins" in told and "-2 per pins" in told["grit.pins"]
    assert "nerve.pins" not in told and "nerve.worse" in told


@pytest.mark.parametrize(
    ("line", "code", "word"),
    [
        ("roll grit of figure (worse number) as nerve:", "M007", "nerve"),
        ("roll grit of figure (worse number) as side.nerve:", "N001", "side"),
        ("roll grit of figure (worse number) as luck.nerve:", "M007", "nerve"),
        ("roll grit of figure as unit.nerve:", "M007", "nerve"),
        ("roll grit of figure (worse number) as unit.nerv:", "N001", "nerv"),
    ],
)
def test_mistakes(line, code, word):
    with pytest.raises(Mistaken) as found:
        rules_of(HEAD + f"  {line}\n    luck: roll +luck\n")
    assert found.value.args[0] == [(code, word)]
