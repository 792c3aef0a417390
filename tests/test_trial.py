"""What a first-time author got wrong in a trial, in house rules of his own: the place is his file, and the hint works."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.source import Problem

CASES = {
    "a whole table changed where one row was meant": (
        "  change:\n    damage:\n      «1 scratch»: nothing\n      2 stunned: vehicle gains stunned",
        "K001",
        "to change one row, name it",
    ),
    "lines for a mark": (
        "  add to «firing»:\n    far: roll -1 if unit is aiming",
        "N001",
        "`firing` is a mark, and has no lines of its own",
    ),
    "a mark of nobody": (
        "  mark medic of figure:\n  add to shoot.men after unsaved:\n    healed, if any «medic»: 1",
        "N001",
        "say whose, as `….medic` or `… where medic`",
    ),
    "a rule of no unit": (
        "  mark weary of unit:\n  rule tiring after move: «unit» gains weary\n"
        "  add to shooting:\n    weary: roll -1 if unit is weary",
        "N001",
        "say `actor`",
    ),
    "readings of yes and no": ("  ruling prone-fire: «no», or yes", "L001", "for yes or no write `0, or 1`"),
    "a fact of two": (
        '  add to shooting:\n    far: roll -1 if «distance» > 18"',
        "N001",
        "as `distance(unit, other)`",
    ),
    "a colon forgotten": (
        "  «add to training»\n    conscript: 6+, 6+, 1",
        "Y031",
        "it ends in a colon: `add to training:`",
    ),
    "a name of three words": (
        "  example they «cannot» hit:\n    unit A: green, 6 figures\n    then: A.figures = 6",
        "L001",
        "`they-cannot-hit`",
    ),
    "six rifles": (
        "  example six:\n    unit A: green, 6 «rifles»\n    then: A.figures = 6",
        "F002",
        "`6 figures, rifle`",
    ),
    "some of them": (
        "  example some:\n    unit A: green, 7 figures, «1 blind»\n    then: A.figures = 7",
        "F010",
        "`figures: [6, 1 with blind]`",
    ),
    "several sorts in one text": (
        "  example sorts:\n    unit A:\n      is: green\n      figures: 7, 1 «with» blind\n    then: A.figures = 8",
        "L001",
        "in square brackets: `[6, 1 with …]`",
    ),
}


def checked(text: str, tmp_path: Path) -> tuple[Problem, ...]:
    file = tmp_path / "ours.yaml"
    file.write_text(f"game: Ours\nover: modern\n\nOur rules:\n{text}\n", encoding="utf-8")
    return tuple(interpreter.check(str(file)))


@pytest.mark.parametrize("name", CASES)
def test_a_slip_of_the_trial(name: str, tmp_path: Path) -> None:
    text, code, hint = CASES[name]
    before, marked, after = text.replace("»", "«").split("«")
    (problem,) = checked(before + marked + after, tmp_path)
    assert problem.code == code
    assert hint in (problem.hint or "")
    assert problem.span.text == marked


def test_nobody_is_told_of_a_mark_that_he_did_not_write(tmp_path: Path) -> None:
    """`until after next P` makes a second mark; only the first must be read."""
    text = "  mark weary of unit: until after next try\n  add to shooting:\n    weary: roll -1 if unit is weary"
    assert checked(text, tmp_path) == ()
