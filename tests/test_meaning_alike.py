"""Alike figures are one row with a number: no word asks which of them one is; who is left is said with `-`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from small_games import _opened as opened
from small_games import hold, told
from worked import agreed

from interpreter.source import Problems

GAME = """\
game: Alike
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
    tag: number
  mark leader of figure:
  to act (unit):
    champ: owner picks 1 from figures usually leader
    two: owner picks 2 from figures usually leader
    {line}
"""
MEN = ["3 figures", "figures: [1 with leader, 2]"]


def situation(men: str) -> str:
    return f"unit A: {men}\ndo: A acts\n" if men == MEN[0] else f"unit A:\n  {men}\ndo: A acts\n"


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("figures where it is not champ", "figures - champ"),
        ("figures where it not in two", "figures - two"),
        ("(figures where tag = 0) where it is not champ", "(figures where tag = 0) - champ"),
        ("figures as he where he is not champ", "figures - champ"),
    ],
)
def test_who_is_left_is_said_with_a_minus(said: str, instead: str, tmp_path: Path) -> None:
    problems = Problems()
    opened(tmp_path, GAME.format(line=f"others: {said}"), {}, problems)
    (problem,) = problems
    assert problem.code == "T016"
    assert problem.fix is not None
    assert problem.fix.replacement == instead
    text = GAME.format(line=f"others: {instead}")
    for men in MEN:
        agreed(tmp_path, text, situation(men), {"others": 1 if "two" in said else 2})


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("him: figures where it is champ", "it is champ"),
        ("him: figures where it in two", "it in two"),
        ("him: figures where leader and it is not champ", "it is not champ"),
        ("all-of-it, for each man in figures, if man is not champ: 1", "man is not champ"),
        ("all-of-it, for each man in figures, if man in two: 1", "man in two"),
        ("first-one, if champ is first(figures): 1", "champ is first(figures)"),
        ("same-ones, if two is figures: 1", "two is figures"),
    ],
)
def test_no_word_asks_which_of_them_one_is(line: str, word: str, tmp_path: Path) -> None:
    assert told(tmp_path, GAME.format(line=line)) == [("T016", word)]


@pytest.mark.parametrize("men", MEN)
def test_a_man_of_a_loop_and_his_mates(men: str, tmp_path: Path) -> None:
    """By hand: each of three has two mates, so each needs 4 or more; one without mates needs a 6."""
    lines = """bouts, for each man in figures:
      mates: unit.figures - man
      die: d6
      won: 1 if die >= (4 if any mates else 6) else 0"""
    text = GAME.format(line=lines)
    eighth = Fraction(1, 8)
    asks = {"bouts.won": {0: eighth, 1: 3 * eighth, 2: 3 * eighth, 3: eighth}}
    agreed(tmp_path, text, situation(men), asks)
    alone = {"bouts.won": {0: Fraction(5, 6), 1: Fraction(1, 6)}}
    agreed(tmp_path, text, "unit A: 1 figures\ndo: A acts\n", alone)


def test_nobody_and_what_is_on_the_card_are_asked_for(tmp_path: Path) -> None:
    text = GAME.format(line="ours, if champ is leader and champ is not none and champ is a figure: 1")
    text += "  example e:\n    unit A:\n      figures: [1 with leader, 2]\n    do: A acts\n    then: ours = 1\n"
    hold(tmp_path, text)


def test_a_word_for_a_mark_is_asked_of_the_one_that_is_looked_at(tmp_path: Path) -> None:
    text = """\
game: G
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    num: number
  kind figure, many to a unit:
    wounds: number
  mark down of figure:
  to stumble (figure):
    fallen: figure.unit.figures where it is down
    each-one, for each man in (figure.unit.figures where it is down):
      hurt: man gains 1 wounds
"""
    assert "N002" not in {code for code, _ in told(tmp_path, text)}


FOLLOWING = """\
game: Alike
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
    tag: number
  mark struck, red, blue of figure:
  roll luck of figure: needs 4+
  to act (unit) with (other unit):
{body}
"""
LAWS = {
    "another name for the same": (
        """
    scouts: owner picks 2 from figures usually red, blue
    party: scouts
    hit: (scouts passing luck) gain struck
    wounded: party where struck
    left: scouts - party""",
        {"wounded": {0: "1/4", 1: "1/2", 2: "1/4"}, "left": 0},
    ),
    "another name, and the first is read": (
        """
    scouts: owner picks 2 from figures usually red, blue
    party: scouts
    hit: (party passing luck) gain struck
    wounded: scouts where struck""",
        {"wounded": {0: "1/4", 1: "1/2", 2: "1/4"}},
    ),
    "all of a name by a condition": (
        """
    scouts: owner picks 2 from figures usually red, blue
    hale: scouts where not struck
    hit: (scouts passing luck) gain struck
    wounded: hale where struck
    both: scouts + hale""",
        {"wounded": {0: "1/4", 1: "1/2", 2: "1/4"}, "both": 2},
    ),
    "one name before and after": (
        """
    pool: owner picks 2 from figures usually red, blue
    early: pool
    one: owner picks 1 from pool usually red
    hit: one gains struck
    late: pool
    both: early + late
    less: early - late""",
        {"both": 2, "less": 0, "early where struck": 1},
    ),
    "a name said in every round": (
        """
    pool: owner picks 2 from figures usually red, blue
    rounds, repeat 2 times:
      mine: pool
      one: owner picks 1 from pool where not struck usually red
      hit: one gains struck
    all-mine: rounds.mine""",
        {"all-mine": 2, "all-mine where struck": 2},
    ),
    "shares of a deal": (
        """
    duels, for each man in other.figures, owner deals foes evenly from figures usually red or blue:
      share: foes
      one: owner picks 1 from foes usually red, blue
      hit: one gains struck
    faced: duels.share""",
        {"faced": 4, "faced where struck": 2},
    ),
}
SAME_OR_NOT = ["4 figures", "figures: [1 with red, 1 with blue, 2]"]


@pytest.mark.parametrize("men", SAME_OR_NOT)
@pytest.mark.parametrize("name", LAWS)
def test_names_for_the_same_figures_are_one(name: str, men: str, tmp_path: Path) -> None:
    """Whether the figures are alike or not makes no difference to names that were made from each other."""
    body, laws = LAWS[name]
    who = f"unit A: {men}\n" if men == SAME_OR_NOT[0] else f"unit A:\n  {men}\n"
    wanted = {
        ask: {v: Fraction(p) for v, p in law.items()} if isinstance(law, dict) else law for ask, law in laws.items()
    }
    agreed(tmp_path, FOLLOWING.format(body=body.strip("\n")), f"{who}unit B: 2 figures\ndo: A acts with B\n", wanted)


DRAWN = """
game: Drawn
Things:
  dice flat: d6 at or over
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark struck of figure:
  roll luck of figure on flat: needs 4+
  to show (unit), (men figures):
    shown: men gain struck
  to work (unit):
    {lines}
"""


def test_whoever_was_drawn_from_the_others_is_not_the_one(tmp_path: Path) -> None:
    """Of the three without `one`, those who pass are none of them `one`: to take him out takes nobody out."""
    lines = "one: 1 of figures at random\n    lucky: (figures - one) passing luck\n    still: lucky - one"
    law = {n: Fraction(of, 8) for n, of in enumerate((1, 3, 3, 1))}
    agreed(tmp_path, DRAWN.format(lines=lines), "unit A: 4 figures\ndo: A works\n", {"still": law, "lucky": law})


def test_the_item_of_a_loop_is_one_of_those_put_together_and_not_all_of_them(tmp_path: Path) -> None:
    lines = """\
all-of-them: figures where not struck
    two: 2 of all-of-them at random
    rounds, for each man in all-of-them + two:
      hit: man gains struck
      again: unit shows man"""
    agreed(tmp_path, DRAWN.format(lines=lines), "unit A: 4 figures\ndo: A works\n", {"A.figures where struck": 4})
