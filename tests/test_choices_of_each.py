"""`choose:` by the name of a unit: where several meet the same choice, each has its own answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import hold, told
from typed import CliRunner

from interpreter.surfaces.cli.group import main
from tests.reference.questions import failures
from tests.reference.situations import cases

GAME = """\
game: Closing
Fight:
  kind side:
  kind unit of side:
    pins: number 0 to 9
    foes: number 0 to 9 first 0
  to charge (unit):
    targets: units where not it is unit
    met, for each foe in targets:
      stands: foe answers against unit
  to answer (unit) against (enemy unit):
    closes: owner wishes usually no
    face, if closes: d6
    back, if not closes: unit gains 1 pin
    many: unit.owner picks 0 to 3 usually fewest
    noted: unit gains many foes
    gives, if closes, enemy.owner picks one usually holds:
      holds: nothing
      parts: enemy gains 1 pin
  to turn (side):
    next: side picks up to 1 from units usually most
    pinned: next gains 2 pins
"""


def example(choose: str, odds: str, do: str = "A charges") -> str:
    return (
        f"{GAME}  example of-each:\n    side Red:\n    side Blue:\n    unit A: side Blue, pins 0\n"
        f"    unit B: side Red, pins 0\n    unit C: side Red, pins 0\n    do: {do}\n"
        f"    choose: {choose}\n    odds: {odds}\n"
    )


@pytest.mark.parametrize(
    ("choose", "odds"),
    [
        ("{B.closes: yes, C.closes: no}", "[1/1 that B.pins = 0, 1/1 that C.pins = 1]"),
        ("{B.closes: yes}", "[1/1 that B.pins = 0, 1/1 that C.pins = 1]"),
        ("{closes: yes, C.closes: no}", "[1/1 that B.pins = 0, 1/1 that C.pins = 1]"),
        ("{B.closes: no, closes: yes}", "[1/1 that B.pins = 1, 1/1 that C.pins = 0]"),
        ("{Red.closes: yes, B.closes: no}", "[1/1 that B.pins = 1, 1/1 that C.pins = 0]"),
        ("{Blue.closes: yes}", "[1/1 that B.pins = 1, 1/1 that C.pins = 1]"),
        ("{A.closes: yes}", "[1/1 that B.pins = 1, 1/1 that C.pins = 1]"),
        ("{B.answer.closes: yes, B.many: 2, C.many: 1}", "[1/1 that B.foes = 2, 1/1 that C.foes = 1]"),
        ("[B.closes yes, C.many most]", "[1/1 that B.pins = 0, 1/1 that C.foes = 3]"),
        ("{B.closes: any, C.closes: no}", "[0/1 to 1/1 that B.pins = 0, 1/1 that C.pins = 1]"),
        ("{closes: yes, A.gives: parts}", "1/1 that A.pins = 2"),
        ("{closes: yes, B.gives: parts}", "1/1 that A.pins = 0"),
        ("{Red.closes: any, B.closes: yes}", "[1/1 that B.pins = 0, 0/1 to 1/1 that C.pins = 1]"),
    ],
)
def test_each_has_its_own_answer(tmp_path: Path, choose: str, odds: str) -> None:
    hold(tmp_path, example(choose, odds))
    assert [said for case in cases(tmp_path / "game.yaml") for said in failures(case, 1_000)] == []


def test_what_a_side_chooses_for_itself(tmp_path: Path) -> None:
    hold(tmp_path, example("{Red.next: C}", "1/1 that C.pins = 2", "Red turns"))
    hold(tmp_path, example("{Blue.next: A}", "1/1 that B.pins = 2", "Red turns"))


@pytest.mark.parametrize(
    ("choose", "found"),
    [
        ("{D.closes: yes}", ("N001", "D")),
        ("{C.close: yes}", ("F009", "close")),
        ("{C.closes: most}", ("F010", "most")),
        ("{c.closes: yes}", ("F009", "c.closes")),
        ("{everybody.closes: yes}", ("F009", "everybody.closes")),
        ("{C: {closes: yes}}", ("S003", "{closes: yes}")),
    ],
)
def test_what_is_told(tmp_path: Path, choose: str, found: tuple[str, str]) -> None:
    assert told(tmp_path, example(choose, "1/1 that B.pins = 1")) == [found]


def test_a_choice_that_is_never_that_of_a_unit(tmp_path: Path) -> None:
    assert told(tmp_path, example("{C.next: B}", "1/1 that B.pins = 2", "Red turns")) == [("F009", "next")]


def test_it_is_played_and_asked_of_the_others_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(GAME, encoding="utf-8")
    unit = ["unit A: side Blue, pins 0", "unit B: side Red, pins 0", "unit C: side Red, pins 0"]
    asked = [
        "resolve",
        "game.yaml",
        "charge",
        *unit,
        "side Red",
        "side Blue",
        "--choose",
        "B.closes=yes",
        "--seed",
        "1",
    ]
    shown = CliRunner().invoke(main, [a for a in asked if not a.startswith("side ")])
    assert shown.exit_code == 0, shown.output
    assert "closes: Red chooses yes" in shown.output and "C gains 1 pin" in shown.output
