"""What the manual says in half a sentence: the engine and the reference, each by itself, come to the number worked out here."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import interpreter
from tests.reference import odds

RULES = """\
game: Small print
Things:
  dice high: d3 at or over
  kind side:
  kind unit of side:
    friend: a unit or none
    mood: one of moods first calm
    pins: number 0 to 3
    stride: inches first 3"
    keen: yes or no
  kind figure, many to a unit:
  table moods (brave):
    calm: none
    wild: 2
  mark tired of unit: until after turn
  mark away of unit: out of play
  roll nerve of unit:
    needed: needs 3
{roll}
  to act (unit):
{lines}
"""
SITUATION = "rules: small\nunit A: {traits}\nunit B: wild, pins 2\ndo: A acts\nask: [told]\n"


def both(tmp_path: Path, lines: list[str], roll: tuple[str, ...] = (), traits: str = "") -> dict[Any, Fraction]:
    """The law of the line `told`, as both find it."""
    text = RULES.format(lines="\n".join(f"    {x}" for x in lines), roll="\n".join(f"    {x}" for x in roll))
    (tmp_path / "small.yaml").write_text(text, "utf-8")
    path = tmp_path / "one.yaml"
    path.write_text(SITUATION.format(traits=traits), "utf-8")
    answer = interpreter.odds(str(path))
    engine = {answer.words.plain(v, answer.asks[0].type): Fraction(w, answer.total) for (v,), w in answer.joint}
    engine = {None if v == "none" else v: p for v, p in engine.items()}
    other = {None if v == "none" else v: p for v, p in odds(path)[0].law.items()}
    assert engine == other
    return engine


@pytest.mark.parametrize(
    ("said", "worth"),
    [
        ("unit.mood.brave", None),
        ("unit.mood.brave + 1", 1),
        ("unit.mood.brave * 2", 0),
        ("min(2, unit.mood.brave)", 0),
        ("max(0 - 1, unit.mood.brave)", 0),
        ("half(unit.mood.brave)", 0),
        ("whole(unit.mood.brave / 2)", 0),
        ("unit.mood.brave >= 0", False),
        ("half(unit.mood.brave) >= 0", True),
        ("unit.friend.pins", 0),
        ("unit.friend.pins >= 0", True),
        ("unit.friend.keen", False),
        ("unit.friend.mood.brave", None),
        ("first(units where it.pins > 2).pins - units", -2),
    ],
)
def test_none_counts_as_0_where_it_is_reckoned_with_and_nobody_has_0(said: str, worth: Any, tmp_path: Path) -> None:
    assert both(tmp_path, [f"told: {said}"]) == {worth: 1}


@pytest.mark.parametrize(
    ("roll", "passed"),
    [
        (("first-line: best of 2",), Fraction(5, 9)),
        (("first-line: worst of 2",), Fraction(1, 9)),
        (("first-line: worst of 2", "second-line: best of 2"), Fraction(5, 9)),
        (("first-line: best of 2", "second-line: worst of 2"), Fraction(1, 9)),
        (("first-line: best of 2", "second-line: worst of 2 if tired"), Fraction(5, 9)),
    ],
)
def test_of_best_and_worst_the_last_counts(roll: tuple[str, ...], passed: Fraction, tmp_path: Path) -> None:
    assert both(tmp_path, ["told: unit passes nerve"], roll) == {True: passed, False: 1 - passed}


@pytest.mark.parametrize(("traits", "worth"), [("pins 2", 10), ("pins 1", 20), ("", 30)])
def test_otherwise_is_what_none_of_the_lines_before_it_was(traits: str, worth: int, tmp_path: Path) -> None:
    """With 2 pins the first line is run and the second is not; the third is not run for that."""
    lines = [
        "first-line, if pins = 2: 10",
        "second-line, otherwise, if pins = 1: 20",
        "third-line, otherwise: 30",
        "told: first-line + second-line + third-line",
    ]
    assert both(tmp_path, lines, traits=traits) == {worth: 1}


WEARY = ["weary: unit gains tired", "ends: turn ends", "told: unit is tired"]
AWAY = ["weary: unit gains tired", "out: unit gains away", "ends: turn ends", "back: unit loses away", WEARY[-1]]


@pytest.mark.parametrize(("lines", "tired"), [(WEARY, False), (AWAY, True)])
def test_no_turn_ends_the_marks_of_who_is_out_of_play(lines: list[str], tired: bool, tmp_path: Path) -> None:
    """Who comes back has them still."""
    assert both(tmp_path, lines) == {tired: 1}


@pytest.mark.parametrize(("pins", "stays"), [(0, True), (3, False)])
@pytest.mark.parametrize("ending", ["rests", "works"])
def test_an_if_behind_two_ends_of_a_mark_governs_both(tmp_path: Path, ending: str, pins: int, stays: bool) -> None:
    rules = RULES.replace("until after turn", "until after rest, before work if pins = 3")
    rules += "  to rest (unit): nothing\n  to work (unit): nothing\n"
    lines = ["tires: unit gains tired", f"done: unit {ending}", "told: unit is tired"]
    (tmp_path / "small.yaml").write_text(rules.format(lines="\n".join(f"    {x}" for x in lines), roll=""), "utf-8")
    path = tmp_path / "one.yaml"
    path.write_text(SITUATION.format(traits=f"pins {pins}"), "utf-8")
    answer = interpreter.odds(str(path))
    assert [(answer.words.plain(v, answer.asks[0].type), w) for (v,), w in answer.joint] == [(stays, answer.total)]
    assert odds(path)[0].law == {stays: 1}
