"""Figures with numbers of their own come to the same as alike ones, wherever `check` is silent (`metamorphic/alike.py`)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from random import Random

import pytest
from metamorphic.alike import ASKS, HEAD, TOLD_APART, trial
from metamorphic.answers import answers
from metamorphic.game import Game
from metamorphic.shrinking import report
from metamorphic.trying import apply

from tests.sampled import THOROUGH

GAMES = 600 if THOROUGH else 200
PARTS = 2

FOUND = (
    820483,
    820561,
    910253,
    910965,
    911370,
    913119,
    913369,
    920328,
    920601,
    922133,
    930517,
    931954,
    932083,
    941787,
)  # each was wrong in silence once

# One name on two branches, and what is done to it and to those it is from; each with numbers that were wrong in silence.
BRANCHES = {
    "some, or all but those": """\
    nae: figures passing luck
    caf: d2
    bah, if caf = 1:
      nag: nae passing luck
    bai, otherwise:
      nag: (figures - nae) passing luck
    eam: nag gain struck
    ean: nae gain struck
""",
    "one of them, or the others": """\
    eac: figures gain struck
    lae, for each man in figures:
      caf: d2
      bah, if caf = 1:
        nag: man passing luck
      bai, otherwise:
        nag: figures - man
      eaj: nag lose struck
""",
}


@pytest.mark.parametrize("part", range(PARTS))
def test_numbers_that_no_rule_reads_change_no_answer(part: int) -> None:
    found = [trial(number) for number in range(part, GAMES, PARTS)]
    broken = [report(one) for one in found if one.outcome == "failed"]
    assert not broken, broken[0]
    tried = Counter(one.outcome for one in found)
    assert tried["applied"] >= len(found) / 2, tried


@pytest.mark.parametrize("part", range(PARTS))
def test_nor_where_marks_end_and_figures_come_back(part: int) -> None:
    found = [trial(number, wide=True) for number in range(part, GAMES // 2, PARTS)]
    broken = [report(one) for one in found if one.outcome == "failed"]
    assert not broken, broken[0]
    tried = Counter(one.outcome for one in found)
    assert tried["applied"] >= len(found) / 2, tried


@pytest.mark.parametrize("number", FOUND)
def test_what_was_found_once_is_told_or_right(number: int) -> None:
    found = trial(number)
    assert found.outcome != "failed", report(found)


def test_one_who_is_put_to_others_is_known_when_both_were_changed() -> None:
    """By hand: whom the first round strikes, the second strikes again, and nobody else."""
    lines = """\
    able: figures passing luck
    one: 1 of able at random
    more: (able - one) passing luck
    rounds, repeat 2 times:
      hit: (one + more) gain struck
"""
    situation = "unit A:\n  figures: [2, 1 with struck]\ndo: A works\n"
    game = Game((("toy", f"{HEAD}  to work (unit):\n{lines}"),), situation, ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "applied"
    assert dict(zip(ASKS, answers(game).each, strict=True))[ASKS[0]] == (
        ("1", F(31, 96)),
        ("2", F(9, 16)),
        ("3", F(11, 96)),
    )


# Two draws, `one` and `two`; each was wrong in silence.
LATER = {
    "asked in the next round": """    rounds, repeat 2 times:
      seen: one where struck
      all-of-them, if 0 + seen > 0:
        told: figures gain keen
      hit: two gain struck
""",
    "taken out in the next round": """    rounds, repeat 2 times:
      coin: d2
      heads, if coin = 1:
        some: 1 of one at random
      tails, otherwise:
        some: figures - one
      out: some gain gone
""",
    "given a further mark in the next round": """    rounds, repeat 2 times:
      hit: (figures where keen) gain struck
      noted: two gain keen
    all-of-them, if 0 + (one where struck) > 0:
      told: figures gain gone
""",
    "given a further mark by a name": """    noted: two gain keen
    those: figures where keen
    hit: those gain struck
    all-of-them, if 0 + (one where struck) > 0:
      told: figures gain gone
""",
    "given a further mark in a call": """    noted: two gain keen
    call: unit shows
    all-of-them, if 0 + (one where struck) > 0:
      told: figures gain gone
""",
    "some of both": """    both: (one + two) where not struck
    hit: both gain struck
    out: (one where struck) gain gone
""",
    "both but some": """    gone-before: one where keen
    both: (one + two) - gone-before
    hit: both gain struck
    out: (one where struck) gain gone
""",
}


@pytest.mark.parametrize("later", LATER)
def test_whom_of_two_draws_what_happens_later_concerns_is_told(later: str) -> None:
    shows = "  to show (unit):\n    hit: (figures where keen) gain struck\n" if "shows" in LATER[later] else ""
    draws = "    one: 1 of figures at random\n    two: 1 of figures at random\n"
    if "both" in later:  # nobody in common
        draws = "    one: 2 of figures at random\n    two: (figures - one) passing luck\n"
    text = f"{HEAD}{shows}  to work (unit):\n{draws}{LATER[later]}"
    game = Game((("toy", text),), "unit A:\n  figures: [3, 1 with keen]\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "not applicable"


@pytest.mark.parametrize("lines", BRANCHES.values(), ids=BRANCHES)
def test_a_name_on_two_branches_is_told(lines: str) -> None:
    text = f"{HEAD}  to work (unit):\n{lines}"
    game = Game((("toy", text),), "unit A:\n  figures: ['3']\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "not applicable"


def test_a_mark_that_is_taken_away_tells_nobody_apart() -> None:
    """Nobody has it, so those who lost it are as alike as before: who of them is drawn then, nobody follows."""
    lines = """\
    nad: figures passing luck
    eae: nad lose gone
    naf: 1 of figures at random
    eag: naf gain gone
    eah: nad gain struck
"""
    game = Game((("toy", f"{HEAD}  to work (unit):\n{lines}"),), "unit A:\n  figures: ['3']\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "not applicable"


SHOT = """\
  mark nocked of figure: until after volley
  to volley (unit):
    ready: 3 of figures at random
    string: ready gain nocked
    archers: figures where nocked
    hits: (figures where nocked) passing luck
  to work (unit):
    v: unit volleys
    hurt: v.archers gain struck
    both: (v.hits where struck) gain keen
"""


def test_whom_a_mark_told_apart_is_not_known_when_it_ends() -> None:
    """All hits are among the archers; what says so is gone when they are counted. Found in the name, they are known."""
    lines = SHOT
    game = Game((("toy", HEAD + lines),), "unit A:\n  figures: ['5']\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "not applicable"
    named = HEAD + lines.replace("(figures where nocked) passing", "archers passing")
    assert apply(TOLD_APART, Game((("toy", named),), game.situation, ASKS), Random(0)).outcome == "applied"


GONE = """\
    ones: 2 of figures at random
    left: ones gain gone
    turns, for each man in ones:
      hit: figures gain struck
      back: man loses gone
    whole: figures gain keen
"""


def test_who_comes_back_alone_is_not_the_one_whose_turn_is_to_come() -> None:
    """By hand: both come back, the second after the others were struck twice, himself never."""
    text = f"{HEAD}  to work (unit):\n{GONE}"
    game = Game((("toy", text),), "unit A:\n  figures: ['3']\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == "applied"
    each = dict(zip(ASKS, answers(game).each, strict=True))
    assert each["0 + A.figures"] == (("3", 1),)
    assert each["0 + (A.figures where struck)"] == (("2", 1),)


FEW = "  mark few of figure: up to 1 per unit\n  to work (unit):\n"
FEW_LINES = {
    "found before": "    ones: 2 of figures at random\n    all-of-us: figures gain few\n    told: (ones where few) gain struck\n",
    "found after": "    all-of-us: figures gain few\n    ones: 2 of figures at random\n    told: (ones where few) gain struck\n",
}


@pytest.mark.parametrize(("found", "outcome"), [("found before", "not applicable"), ("found after", "applied")])
def test_whoever_gets_a_mark_that_not_all_may_have_is_found_by_it(found: str, outcome: str) -> None:
    game = Game((("toy", f"{HEAD}{FEW}{FEW_LINES[found]}"),), "unit A:\n  figures: ['3']\ndo: A works\n", ASKS)
    assert apply(TOLD_APART, game, Random(0)).outcome == outcome
