"""A club's own file over a shipped set: what it changes counts, what it misses is told, and the rest stays as
printed.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.source import Problems, render
from interpreter.workbench import odds, open_rules, prepare, read_text

GARDEN = """\
game: Garden Club
extends: modern

change:
  weapons.lmg.shots: 4, was 3
  covers.hard.harder: 2, was 3
  shooting.aimed: roll +2 if unit is aiming, was roll +1 if unit is aiming

Firing:
  add to shooting:
    point-blank: roll +1 if distance(unit, target) <= 6"
  add to weapons:
    blunderbuss: 6", 5, small
"""

VOLLEY = """\
unit A: training veteran, 1 figures, weapon {weapon}{more}
unit B: training green, 9 figures
facts: distance(A, B) is {distance}
do: A shoots at B
odds: 1/1 mean volleys.hits
"""


def _file(folder: Path, text: str) -> Path:
    path = folder / "garden.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def _hits(name: str | Path, weapon: str, distance: str, more: str = "") -> Fraction:
    problems = Problems()
    rules = open_rules(name, problems)
    assert rules is not None, render(problems)
    tree = read_text("volley", VOLLEY.format(weapon=weapon, distance=distance, more=more), problems)
    assert tree is not None
    case = prepare(rules, tree, problems)
    assert not problems.has_errors, render(problems)
    assert case is not None
    answer = odds(case)
    assert answer is not None, render(problems)
    return answer.mean(0)


def test_a_changed_cell_a_changed_line_and_added_ones_count(tmp_path: Path) -> None:
    garden = _file(tmp_path, GARDEN)
    assert _hits("modern", "lmg", '20"') == Fraction(3, 2)
    assert _hits(garden, "lmg", '20"') == 4 * Fraction(1, 2)
    assert _hits(garden, "rifle", '20"', ", aiming") == Fraction(5, 6)
    assert _hits(garden, "rifle", '6"') == Fraction(2, 3)
    assert _hits(garden, "blunderbuss", '6"') == 5 * Fraction(2, 3)
    assert _hits("modern", "rifle", '6"') == Fraction(1, 2)


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        ("weapons.lmg.shots", "weapons.lgm.shots", "N001", "lgm"),
        ("weapons.lmg.shots", "weapens.lmg.shots", "N001", "weapens"),
        ("4, was 3", "4, was 5", "N011", "5"),
        ("was roll +1 if unit is aiming", "was roll +1 if aiming", "N011", "roll +1 if aiming"),
        ("shooting.aimed:", "shooting.aiming:", "N001", "aiming"),
        ("add to shooting", "add to shoting", "N001", "shoting"),
    ],
)
def test_a_change_that_misses_is_an_error_at_the_word(tmp_path: Path, old: str, new: str, code: str, at: str) -> None:
    assert GARDEN.count(old) == 1
    problems = Problems()
    open_rules(_file(tmp_path, GARDEN.replace(old, new)), problems)
    assert [(p.code, p.span and p.span.text) for p in problems] == [(code, at)]


def test_a_removed_definition_is_gone(tmp_path: Path) -> None:
    text = "game: No astray\nextends: modern\n\nUnit Training:\n  remove spot:\n"
    problems = Problems()
    open_rules(_file(tmp_path, text), problems)
    # The action that spots now says a verb that no procedure answers to.
    assert [p.code for p in problems] == ["N001"]
