"""Alike figures answer as figures that are told apart do, wherever `check` says nothing of them: games made up at random.

One of these games in a thousand found something that P033 did not tell, or that the engines had wrong; those found are
tried again by their seeds.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from alike_games import both, games, is_told
from metamorphic.answers import Mistaken, TooLarge, Unanswered
from worked import agreed

from tests.sampled import THOROUGH

SEEDS = range(20_000 if THOROUGH else 150)
FOUND = (222, 287, 424, 892, 931, 1023, 1062, 1256, 1571, 3692, 3962, 8882, 13683, 14791, 22646, 23524, 23775)


def outcome(seed: int) -> str:
    one, other = games(seed)
    try:
        if is_told(one):
            return "told"
        first, second = both(one, other)
    except (Mistaken, Unanswered, TooLarge):
        return "not answered"
    assert first == second, f"{seed}\n{one.files[0][1]}\n{other.situation}\n{one.asks}"
    return "same"


def test_alike_figures_answer_as_those_that_are_told_apart() -> None:
    found = Counter(map(outcome, SEEDS))
    assert found["same"] > 0.8 * len(SEEDS)
    assert found["told"] > 0.02 * len(SEEDS)


@pytest.mark.parametrize("seed", FOUND)
def test_what_was_found_once_is_told_or_right(seed: int) -> None:
    outcome(seed)


def test_of_those_without_others_nobody_is_taken_out_twice(tmp_path: Path) -> None:
    """One of three is not among two that were drawn: taken out of him, these two are nobody."""
    text = """
game: Drawn
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark seen of figure:
  to draw (unit):
    two: 2 of unit.figures at random
    one: unit.figures - two
    still: one - two
    end: still gain seen
"""
    agreed(tmp_path, text, "unit A: 3 figures\ndo: A draws\n", {"still": 1, "A.figures where seen": 1})


def test_another_name_that_was_not_given_says_nothing_of_the_first(tmp_path: Path) -> None:
    """Nobody is down, so `same` is never said; the three of `all-of-them` are hit one after the other all the same."""
    text = """
game: Renamed
Things:
  kind side:
  kind unit of side:
  kind figure, many to a unit:
  mark down, seen of figure:
  to look (unit):
    three: 3 of unit.figures at random
    other, if (unit.figures where down) >= 1:
      same: three
    turns, for each man in three:
      hit: unit.figures gain down
      mine: man gains seen
    seen-ones: three where seen
"""
    agreed(tmp_path, text, "unit A: 4 figures\ndo: A looks\n", {"seen-ones": 3, "A.figures where seen": 3})
