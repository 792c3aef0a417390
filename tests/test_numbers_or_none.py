"""A number that may be none is none until somebody says otherwise, on every way to a card or a fact."""

from pathlib import Path

import pytest
from small_games import hold
from worked import agreed

GAME = """\
game: Numbers that may be none
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    left: number 0 to 3 or none
    way: inches or none
    debt: number or none first none
    plain: number first 2
  kind figure, many to a unit:
    hurt: number or none
    limp: number 0 to 2 or none
  fact deep of unit: number or none
  fact far of unit: inches or none
  to see (unit):
    all-none: left is none and way is none and debt is none and unit.deep is none and unit.far is none
    men: figures where hurt is none and limp is none
    nought: left = 0 or left < 1 or debt = 0 or way <= 0"
  to make (unit) with (side side):
    made: new unit (side side)
    told: new unit (side side, left none, debt 4)
    bare: made.left is none and made.way is none and told.left is none
    owes: told.debt
  to change (unit):
    tie, together:
      mine: unit gains 1 left
      yours: unit gains 1 left
    grown: left
    nothing-more: unit gains 0 debt
    same: debt is none
    men: figures gain 3 hurt
    legs: figures gain 3 limp
    up-to: sum(figures.limp)
    fewer: figures lose 1 hurt
    back: figures.limp becomes none
    away: unit.left becomes none
    gone: left is none and no figures.limp
    no-plain: unit.plain becomes none
"""


def test_it_begins_as_none_whoever_makes_it(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  example nothing-said:
    unit A: 3 figures
    do: A sees
    then: [all-none, men = 3, not nought]
    odds: [1/1 that all-none, 3/1 mean men, 0/1 that nought]
  example said-to-be-none:
    unit A: not left, debt none, way none, 3 figures, limp none
    facts: [deep(A) is none, far(A) is none]
    do: A sees
    then: [all-none, men = 3, not nought]
  example made-on-the-way:
    unit A: left 2, 3 figures
    do: A makes with A.side
    then: [bare, owes = 4]
    odds: [1/1 that bare, 1/1 that owes = 4]
""",
    )


def test_it_grows_as_0_does_and_can_be_none_again(tmp_path: Path) -> None:
    hold(
        tmp_path,
        GAME
        + """\
  example from-none:
    unit A: 3 figures
    do: A changes
    then: [grown = 2, same, up-to = 6, gone, A.left is none, sum(A.figures.hurt) = 6, A.plain = 0]
    odds: [1/1 that grown = 2, 1/1 that same, 6/1 mean up-to, 1/1 that gone, 6/1 mean sum(A.figures.hurt)]
""",
    )


def test_alike_men_of_whom_some_have_a_number_stand_beside_each_other(tmp_path: Path) -> None:
    """Groups that differ in nothing but that a number is none, as stated and as they come about."""
    hold(
        tmp_path,
        """\
game: Some are numbered
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    brave: number or none
  roll luck of figure: needs 4
  to rouse (unit):
    shy: figures where brave is none
    up: shy gain 2 brave
  to try (unit):
    bold: figures passing luck
    grown: bold gain 1 brave
    left: figures where brave is none
    tie, together:
      one: left gain 1 brave
      two: bold gain 1 brave
  example stated:
    unit A:
      figures: [2 with brave 3, 1 with brave 0, 2]
    do: A rouses
    then: [sum(A.figures.brave) = 10, no (A.figures where brave is none), first(A.figures).brave = 0]
    odds: [10/1 mean sum(A.figures.brave)]
  example in-play:
    unit A: 3 figures
    do: A tries
    dice: bold 4 1 4
    then: [sum(A.figures.brave) = 5, left = 1]
    odds: [3/2 mean left, 1/8 that left = 3, 9/2 mean sum(A.figures.brave)]
""",
    )


FRIENDS = """\
game: Friends
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pal: a unit or none
    grit: number or none
    plain: number
    reach: inches or none
    tier: one of tiers or none
  kind figure, many to a unit:
    bounty: number or none
  table tiers (cost, bonus):
    low: 2, none
    high: none, 5"
  value oath of unit: grit
  value vow of unit:
    basic: oath + 0
    high: none if tier is high
  value twice of unit: oath
  value far of unit:
    basic: 3"
    tier: tier.bonus if plain < 9
  value sum-of-it of unit: plain + 1
  value price of figure: bounty
  value held of unit (foe unit): foe.grit
  roll warding of unit: needs pal.grit
  roll sworn of unit:
    basic: needs pal.twice
    more: needs +1
  to ward (unit), (hits number):
    kept: hits passing warding
    sworn: hits passing sworn
  to look (unit):
    none-of-it: pal.grit is none and pal.reach is none and pal.oath is none and oath(pal) is none
    none-of-them: pal.vow is none and pal.twice is none and pal.far is none and held(unit, pal) is none
    no-figure: first(pal.figures).bounty is none and first(pal.figures).price is none
    nobody: first(units where it.plain > 20).grit is none
    is-not: pal.grit >= 0 or pal.grit < 1 or pal.oath <= 0 or pal.reach = 0" or pal.twice is pal.grit
    some: any pal.oath
    plain-of: pal.plain = 0 and pal.sum-of-it = 0 and pal.plain is not none
    smallest: min(units.pal.grit)
    total: pal.grit + 2
  to lose-pal (unit):
    gone: unit.pal becomes none
    then-look: unit looks
    then-ward: unit wards 2
"""


@pytest.mark.parametrize("do", ["A looks", "A loses-pal"])
def test_of_nobody_it_is_none_and_not_0(do: str, tmp_path: Path) -> None:
    """Where nobody is there from the start, and where somebody was."""
    yes = ["none-of-it", "none-of-them", "no-figure", "nobody", "plain-of"]
    asks = dict.fromkeys(yes, True) | {"is-not": False, "some": False, "total": 2}
    asks = {f"look.{line}": found for line, found in asks.items()}
    pal = "pal B, " if do == "A loses-pal" else ""
    cards = f'unit A: {pal}grit 4, plain 3, 1 figures\nunit B: grit 3, low, reach 2", 1 figures, bounty 2\n'
    agreed(tmp_path, FRIENDS, f"{cards}do: {do}\n", asks)


def test_of_somebody_it_is_what_he_has(tmp_path: Path) -> None:
    asks = {"none-of-it": False, "no-figure": False, "is-not": True, "some": True, "smallest": 0, "total": 2}
    cards = 'unit A: pal B, grit 4\nunit B: grit 0, reach 2", 1 figures, bounty 0\n'
    agreed(tmp_path, FRIENDS, f"{cards}do: A looks\n", asks)
    cards = "unit A: pal B\nunit B: pal C\nunit C: grit 3\n"
    agreed(tmp_path, FRIENDS, f"{cards}do: A looks\n", {"none-of-it": True, "smallest": 3, "some": False})


def test_somebody_of_a_list_who_is_nobody_has_no_number(tmp_path: Path) -> None:
    """However many cells stand before the first thing, what an absent one has is read nowhere."""
    cards = "unit A: pal B, grit 5\nunit B: grit 7\nunit C: pal A, grit 9\n"
    for moments in range(4):
        names = "".join(f"  fact told-{n} of unit: number first 1\n" for n in range(moments))
        sets = "".join(f"    tell-{n}: told-{n}(unit) becomes 2\n" for n in range(moments))
        game = FRIENDS + names + "  to gaze (unit):\n    lowest: min(units.pal.grit)\n" + sets
        agreed(tmp_path, game, f"{cards}do: A gazes\n", {"lowest": 5})


@pytest.mark.parametrize("do", ["A wards 2", "A loses-pal"])
def test_a_roll_that_needs_a_number_of_nobody_throws_no_die(do: str, tmp_path: Path) -> None:
    pal = "pal B" if do == "A loses-pal" else ""
    nothing = {"ward.kept": 0, "ward.sworn": 0}
    agreed(tmp_path, FRIENDS, f"unit A: {pal}\nunit B: grit 1\ndo: {do}\n", nothing)
    if not pal:
        agreed(tmp_path, FRIENDS, f"unit A: pal B\nunit B:\ndo: {do}\n", nothing)
        agreed(tmp_path, FRIENDS, f"unit A: pal B\nunit B: grit 1\ndo: {do}\n", {"ward.kept": 2})
