"""Amounts of what is counted are whole: what may be a fraction is refused where a whole number is wanted."""

import re

import pytest
from test_engines_kit import Mistaken, case_of, rules_of
from worked import worked

THINGS = """
game: Amounts
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    gold: number
    pace: inches
    cover: one of covers or none
  kind figure, many to a unit:
    hurts: number
  mark tired of figure:
  table covers: open, wood, wall
  roll luck of unit: needs 4
  value share of unit: gold / 3
  value part of unit (size number): size * 2
  value costs of side: sum(units.share)
  to suffer (unit), (hits number):
    dead: owner picks hits from figures
"""

# sentences with a place for an amount; where `AMOUNT` stands
WANTED = [
    "line: AMOUNT dice",
    "line: (AMOUNT) passing luck",
    "line: owner picks AMOUNT from figures",
    "line: owner picks up to AMOUNT from figures",
    "line: owner picks 0 to AMOUNT usually most",
    "line: AMOUNT of figures at random",
    "line: unit gains AMOUNT gold",
    "line: figures lose AMOUNT hurts",
    "line: unit.gold becomes AMOUNT",
    "line: owner deals AMOUNT hurts evenly to figures",
    "line: unit suffers (AMOUNT)",
    "line: cover + AMOUNT",
    "line, repeat AMOUNT times: unit gains 1 gold",
    "line, repeat up to AMOUNT times until gold > 9: unit gains 1 gold",
    "line: new unit (side side, gold AMOUNT)",
]
MAY_BE = [
    "(gold / 2)",
    "(gold * 2 / 3 + 1)",
    "divided",
    "total.third",
    "unit.share",
    "part(unit, gold / 3)",
    "max(gold / 2, 1)",
    "side.costs",
    "min(units.share)",
    '(pace / 4")',
    "(1 if gold > 3 else gold / 2)",
]
WHOLE = [
    "gold",
    "(gold * 2)",
    "half(gold)",
    "whole(gold / 2)",
    "part(unit, gold)",
    "(8 / 2)",
    'whole(pace / 4")',
    "whole(divided)",
]


def text_with(line, amount):
    lines = f"    divided: gold / 2\n    total, repeat 2 times:\n      third: gold / 3\n    {line.replace('AMOUNT', amount)}\n"
    return f"{THINGS}  to act (unit):\n{lines}"


def refused(text):
    with pytest.raises(Mistaken) as mistaken:
        rules_of(text)
    return mistaken.value.args[0]


@pytest.mark.parametrize("amount", MAY_BE)
@pytest.mark.parametrize("line", WANTED)
def test_what_may_be_a_fraction_is_refused_where_something_is_counted(line, amount):
    told = refused(text_with(line, amount))
    assert [code for code, _ in told] == ["T012"]
    assert told[0][1].strip("()") == amount.strip("()")


@pytest.mark.parametrize("amount", WHOLE)
@pytest.mark.parametrize("line", WANTED)
def test_what_is_whole_is_taken(line, amount):
    rules_of(text_with(line, amount))


@pytest.mark.parametrize(
    "line",
    [
        "line, by gold / 2:\n      0: nothing\n      1 or more: nothing",
        "line: best\n  value place of unit:\n    basic: open\n    rest: +(gold / 2)",
        "line: 1 passing keen\n  roll keen of unit:\n    basic: needs 4\n    keen: best of (gold / 2)",
        "line: 1\n  kind crowd of side:\n    size: number\n    room: number first size / 2",
    ],
)
def test_cases_rows_dice_of_a_roll_and_what_a_card_begins_with_are_whole(line):
    told = refused(f"{THINGS}  to act (unit):\n    {line.replace('line: best', 'line: place')}\n")
    assert [code for code, _ in told] == ["T012"]


def test_fractions_stay_where_nothing_is_counted():
    text = f"""{THINGS}  to act (unit):
    price: gold / 2
    dear: 1 if gold / 2 > 1 else 0
    near: pace / 2
    walked: unit moves pace / 2
    whole-price: whole(price)
    more: half(gold)
"""
    text = text.replace("    more: ", "    rounded: ")
    asks = {"dear": 1, "whole-price": 1, "rounded": 2, "price * 2": 3}
    worked(text, 'unit A: gold 3, pace 5"\ndo: A acts\n', asks)


def test_a_situation_hands_on_whole_numbers_too():
    rules = rules_of(text_with("line: gold", "gold"))
    for sentence in ("A suffers (A.gold / 2)", "{act: A acts, blow: A suffers act.divided}"):
        with pytest.raises(Mistaken) as mistaken:
            case_of(rules, f'unit A: 4 figures, gold 3, pace 4"\ndo: {sentence}\n')
        assert [code for code, _ in mistaken.value.args[0]] == ["T012"]
    case_of(rules, 'unit A: 4 figures, gold 3, pace 4"\ndo: A suffers half(A.gold)\n')


def test_the_hint_mends_the_file():
    text = text_with("line: owner picks figures / 2 from figures", "")
    for said in ("whole(figures / 2)", "half(figures)"):
        rules_of(text.replace("picks figures / 2", f"picks {said}"))
    assert re.fullmatch(r"figures / 2", refused(text)[0][1])
