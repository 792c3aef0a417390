"""A value that belongs to no thing is said by its name, with what it must be told and nothing else."""

import pytest
from test_engines_kit import Mistaken, agree, case_of, law_of_odds, rules_of

GAME = """\
game: Tides
Things:
  dice high: d2 at or over
  kind side:
  kind unit of side:
    heat: number
  value tide: sum(units.heat)
  value swell (size number): size + tide
  value surge (size number):
    basic: swell(size)
    half:  +1 if swell(size) > 3
  to act (unit):
    n: {}
"""


def law(said):
    return law_of_odds(case_of(rules_of(GAME.format(said)), "rules: toy\nunit A: heat 2\ndo: A acts\nask: n\n"))


@pytest.mark.parametrize(
    ("said", "worth"),
    [("tide", 2), ("swell(3)", 5), ("swell(tide)", 4), ("swell(unit.heat + 1)", 5), ("surge(1)", 3), ("surge(2)", 5), ("swell(swell(0))", 4)],
)  # fmt: skip
def test_it_is_worked_out(said, worth):
    assert law(said) == {(worth,): 1}


def test_it_may_be_told_what_a_die_shows():
    case = case_of(rules_of(GAME.format("surge(d2)")), "rules: toy\nunit A: heat 2\ndo: A acts\nask: n\n")
    assert agree(case) == 2
    assert set(law_of_odds(case)) == {(3,), (5,)}


@pytest.mark.parametrize("said", ["swell", "swell(1, 2)", "tide(1)", "surge"])
def test_more_or_less_than_it_must_be_told_is_a_mistake(said):
    with pytest.raises(Mistaken) as why:
        rules_of(GAME.format(said))
    assert [code for code, _ in why.value.args[0]] == ["T007"]
