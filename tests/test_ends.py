"""An example that expects a change where something stands at its end is told what it came up against."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.source import CATALOGUE, Problems
from interpreter.workbench.running import run_all

GAME = """\
game: Toy
Firing:
  dice high: d6 at or over, always 6, never 1
  dice low: d10 at or under, always 1, never 10
  kind unit:
    skill: number first 4
    pins: number 0 to 3
  mark far, dug-in of unit:
  value shelter of unit:
    basic: 1
    dug:   +4 if dug-in
    most-of-all: at most 3
  roll aim of unit:
    basic: needs skill
    far:   needs +2 if far
  roll nerve of unit on low:
    basic: needs skill
    far:   needs -4 if far
  to try (unit):
    hit: unit passes aim
    calm: unit passes nerve
    hurt: unit gains 2 pins
    cover: shelter
  example one-of-them:
    unit A: {unit}
    do: A tries
    odds: {odds}
"""


def hint(folder: Path, unit: str, odds: str) -> str | None:
    (folder / "toy.yaml").write_text(GAME.format(unit=unit, odds=odds), encoding="utf-8")
    problems = Problems()
    _, (result,) = run_all(str(folder / "toy.yaml"), problems)
    (problem,) = result.problems
    assert problem.code == "X001"
    return problem.hint


@pytest.mark.parametrize(
    ("unit", "odds", "said"),
    [
        ("skill 5, far", "0/1 that hit", "`aim` comes to 7+ here, and a 6 always succeeds"),
        ("skill 0", "1/1 that hit", "`aim` comes to 0+ here, and a 1 never does"),
        ("skill 3, far", "0/1 that calm", "`nerve` comes to -1 or less here, and a 1 always succeeds"),
        ("pins 2", "1/1 that A.pins = 4", "`pins` goes no further: 3 is the most"),
        ("dug-in", "1/1 that cover = 5", "`shelter.most-of-all` keeps it: at most 3"),
    ],
)
def test_what_it_came_up_against(unit: str, odds: str, said: str, tmp_path: Path) -> None:
    assert (hint(tmp_path, unit, odds) or "").split("; ")[0] == said


def test_where_nothing_is_at_its_end_there_is_nothing_to_say(tmp_path: Path) -> None:
    usual = CATALOGUE["X001"].hint
    assert hint(tmp_path, "skill 4", "1/3 that hit") == usual
    assert hint(tmp_path, "skill 6", "1/3 that hit") == usual  # the 6 decides as its number does


@pytest.mark.parametrize(
    ("expected", "labels"),
    [
        ("A.pins = 3 and cover = 2", ["pins is 2", "cover is 1"]),
        ("hit and A.skill > A.pins + 2", ["", "skill is 4, pins is 2"]),
        ("A.pins = 2", []),
    ],
)
def test_what_does_not_hold_is_told_with_what_it_came_to(tmp_path: Path, expected: str, labels: list[str]) -> None:
    """A die that shows 1, which never hits: each part of the expectation is judged for itself."""
    text = (
        GAME.format(unit="", odds="")
        .replace("unit A: \n", "unit A:\n")
        .replace("odds: ", f"dice: 1 5\n    then: {expected}")
    )
    (tmp_path / "toy.yaml").write_text(text, encoding="utf-8")
    _, (result,) = run_all(str(tmp_path / "toy.yaml"), Problems())
    assert [p.label for p in result.problems] == labels
