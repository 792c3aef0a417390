"""`arm is gun or bow`: a row said outright is no condition; the hint, obeyed, says what was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import _opened as opened
from small_games import hold, told

from interpreter.source import Problems

GAME = """\
game: Arms
Things:
  dice high: d6 at or over
  kind side:
  kind unit of side:
    pins: number
  kind figure, many to a unit:
    arm: one of arms or none
    coat: number
  table arms (bite):
    gun: 2
    bow: 1
    sling: 0
  value those of unit: figures where {said}
  example counted:
    unit A:
      figures: [2 with arm gun and coat 5, 1 with arm bow and coat 6, 3, 4 with arm sling]
    then: A.those = {count}
"""


@pytest.mark.parametrize(
    ("said", "word", "again", "count"),
    [
        ("arm is gun or bow", "bow", "arm is gun or arm is bow", 3),
        ("arm is not gun or bow", "bow", "arm is not gun and arm is not bow", 7),
        ("arm is gun or arm is bow or sling", "sling", "arm is bow or arm is sling", 5),
        ("coat = 5 or 6", "6", "coat = 5 or coat = 6", 3),
    ],
)
def test_what_is_asked_is_said_of_each(said: str, word: str, again: str, count: int, tmp_path: Path) -> None:
    problems = Problems()
    opened(tmp_path, GAME.format(said=said, count=0), {}, problems)
    (problem,) = problems
    assert problem.span is not None
    assert (problem.code, problem.span.text) == ("T001", word)
    assert problem.hint is not None and f"`{again}`" in problem.hint
    hold(tmp_path, GAME.format(said=again, count=count))


@pytest.mark.parametrize("said", ["any bow", "no bow", "arm is gun or any bow", "not any bow"])
def test_a_row_said_outright_is_always_there(said: str, tmp_path: Path) -> None:
    assert told(tmp_path, GAME.format(said=said, count=0)) == [("T001", "bow")]


def test_a_row_that_may_be_none_is_asked_for(tmp_path: Path) -> None:
    hold(tmp_path, GAME.format(said="any arm", count=7))
