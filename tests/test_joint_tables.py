"""Tables under `odds:` of an example: several questions at once, a row an outcome, and together they are everything."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_games import hold
from small_games import told as told_all
from typed import CliRunner

from interpreter.source import Problem, Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.examples import examples_of
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run
from tests.reference.questions import failures
from tests.reference.situations import cases

GAME = """\
game: Tables
Firing:
  table fates:
    stands:
    falls:
    flees:
  kind unit:
    pins: number 0 to 9
    fate: one of fates or none
  to try (unit):
    one: d4
    two: d4
    high: one > 2
    far: 8" if high else 2"
    third, if one = 4: d2
    kept, if high: unit.fate becomes falls
  to choose (unit):
    taken: unit picks 0 to 1
    one: d2 + taken
"""


def told(folder: Path, text: str) -> list[tuple[str, str]]:
    """Without what is said of a line that no rule reads."""
    return [found for found in told_all(folder, text) if found[0] != "P020"]


def example(table: str, deed: str = "tries") -> str:
    lines = "".join(f"      {line}\n" for line in table.splitlines())
    return f"{GAME}  example tabled:\n    unit A: pins 1\n    do: A {deed}\n    odds:\n{lines}"


def unlike(folder: Path) -> list[str]:
    """What the reference finds otherwise in the examples of the game."""
    return [said for case in cases(folder / "game.yaml") for said in failures(case, 1_000)]


@pytest.mark.parametrize(
    "table",
    [
        "one:\n  1: 1/4\n  2: 1/4\n  3-4: 1/2",
        "one:\n  2 or less: 1/2\n  3 or more: 2/4",
        "one:\n  4: 1/4\n  otherwise: 3/4",
        "one, high:\n  1, no: 1/4\n  2, no: 1/4\n  3, yes: 1/4\n  4, yes: 1/4",
        "high, two:\n  yes, 1-4: 1/2\n  no, 1: 1/8\n  otherwise: 3/8",
        "high, A.fate:\n  yes, falls: 1/2\n  no, none: 1/2",
        "one, third:\n  4, 1: 1/8\n  4, 2: 1/8\n  1-3, not run: 3/4",
        'far, one > 3:\n  8", yes: 1/4\n  8", no: 1/4\n  6" or less, no: 1/2',
        "max(one, two), min(one, two):\n  4, 4: 1/16\n  otherwise: 15/16",
        "one: {1: 1/4, otherwise: 3/4}\none, high: {4, yes: 1/4, otherwise: 3/4}".replace("4, yes", "'4, yes'"),
        "one - 2:\n  -1: 1/4\n  0-2: 3/4",
        "one * 1/2:\n  1/2: 1/4\n  1: 1/4\n  1.5: 1/4\n  2: 1/4".replace("1/2:", "1 / 2:", 1),
        "high:\n  yes: 1/2\n  no: 1/2",
        "one:\n  5: 0\n  1 or more: 1".replace("1 or more", "1-4"),
    ],
)
def test_a_table_holds(tmp_path: Path, table: str) -> None:
    hold(tmp_path, example(table))
    assert unlike(tmp_path) == []


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ("one:\n  1: 1/4\n  2: 1/4", [("X032", "one")]),
        ("one:\n  1: 1/4\n  otherwise: 1/4", [("X032", "one")]),
        ("one:\n  1-4: 5/4", [("X032", "one"), ("X001", "5/4")]),
        ("one, two:\n  1, 1: 1/2\n  otherwise: 1/2", [("X001", "1/2"), ("X001", "1/2")]),
        ("one:\n  1-3: 1/1", [("X001", "1/1"), ("X001", "one")]),
        ("one:\n  1-3: 1/2\n  3-4: 1/2", [("K002", "3-4")]),
        ("one, high:\n  1-3, no: 1/2\n  2, no: 1/2", [("K002", "2, no")]),
        ("one:\n  otherwise: 1/1\n  1: 0", [("X001", "1/1"), ("X001", "0")]),
        ("one, high:\n  1: 1/4\n  otherwise: 3/4", [("X033", "1")]),
        ("one:\n  many: 1/1", [("F010", "many")]),
        ("high:\n  1: 1/1", [("F010", "1")]),
        ("far:\n  1: 1/4\n  otherwise: 3/4", [("F010", "1")]),
        ("A.fate:\n  fals: 1/2\n  none: 1/2", [("N001", "fals")]),
        ("ones:\n  1: 1/4", [("N001", "ones")]),
        ("one:\n  1: 0.25\n  otherwise: 75%", [("L001", "0.25"), ("L001", "75%")]),
        ("one:\n  1:\n  otherwise: 3/4", [("F016", "1")]),
        ("one: {}", [("F016", "one")]),
        ("one: 1/4", [("S003", "1/4")]),
    ],
)
def test_what_is_told_of_a_table(tmp_path: Path, table: str, found: list[tuple[str, str]]) -> None:
    assert sorted(told(tmp_path, example(table))) == sorted(found)
    if {code for code, _ in found} <= {"X001", "X032"}:
        assert unlike(tmp_path)


def test_a_table_where_somebody_chooses(tmp_path: Path) -> None:
    table = "one:\n  1: 1/2\n  2: 1/2"
    assert told(tmp_path, example(table, "chooses")) == [("X034", "one")]
    hold(tmp_path, example(table, "chooses").replace("    odds:", "    choose: {taken: 0}\n    odds:"))


def test_a_table_of_what_is_known(tmp_path: Path) -> None:
    table = example("one, high:\n  3, yes: 1/2\n  4, yes: 1/2")
    hold(tmp_path, table.replace("    odds:", "    given: high\n    odds:"))
    assert told(tmp_path, table) == [("X001", "one, high"), ("X001", "1/2"), ("X001", "1/2")]


def _problems(folder: Path, text: str) -> list[Problem]:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    rules = open_rules(str(folder / "game.yaml"), Problems())
    assert rules is not None
    return [p for e in examples_of(rules, Problems()) for p in run(rules, e).problems]


@pytest.mark.parametrize(
    "table", ["one:\n  1: 1/4  # a remark\n  2: 1/4", "one: {1: 1/4, 2: 1/4}", "one:\n  1: 1/4\n  otherwise: 1/4"]
)
def test_the_missing_share_is_told_and_mended(tmp_path: Path, table: str) -> None:
    (problem,) = _problems(tmp_path, example(table))
    assert problem.message == "the chances of this table sum to 1/2: 1/2 is missing"
    assert problem.fix is not None
    text, span = example(table), problem.fix.span
    hold(tmp_path, text[: span.start] + problem.fix.replacement + text[span.end :])


def test_missing_rows_are_told_with_their_chances(tmp_path: Path) -> None:
    (problem,) = _problems(tmp_path, example("one, high:\n  1, no: 1/4\n  4, yes: 1/4"))
    assert problem.hint == "add `2, no: 1/4`, `3, yes: 1/4`; or say all others in one row, `otherwise: 1/2`"
    (problem,) = _problems(tmp_path, example("one, two:\n  1, 1: 1/16"))
    assert problem.hint == "add the rows that are missing; or say all others in one row, `otherwise: 15/16`"


def test_odds_of_an_example_with_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right = "one, high:\n  1-2, no: 1/2\n  3-4, yes: 1/2"
    for table, code, said in (
        (right, 0, "one, high: 2 rows  as expected"),
        (right.replace("yes: 1/2", "yes: 1/4").replace("no: 1/2", "no: 3/4"), 1, "expects 3/4 (0.7500), and it is 1/2"),
        (right.replace("yes: 1/2", "yes: 1/4"), 1, "sum to 3/4: 1/4 is missing"),
    ):
        Path("game.yaml").write_text(example(table), encoding="utf-8")
        shown = CliRunner().invoke(main, ["odds", "game.yaml", "tabled"])
        assert (shown.exit_code, said in shown.output) == (code, True), shown.output


def test_check_tells_it_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(example("one:\n  1: 1/4"), encoding="utf-8")
    shown = CliRunner().invoke(main, ["check", "game.yaml"])
    assert shown.exit_code == 1 and "X032" in shown.output and "3/4 is missing" in shown.output


def test_the_questions_of_a_table_are_among_those_of_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(GAME, encoding="utf-8")
    own = "game: Ours\nextends: game\nchange:\n  try.two: d6, was d4\n"
    own += (
        example("one, two:\n  1, 1: 1/24\n  otherwise: 23/24")
        .removeprefix(GAME)
        .replace("  example", "Ours:\n  example")
    )
    Path("ours.yaml").write_text(own, encoding="utf-8")
    shown = CliRunner().invoke(main, ["diff", "game.yaml", "ours.yaml", "--odds"])
    assert "two, mean" in shown.output, shown.output


def test_a_table_is_laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.yaml").write_text(example("one,two>3:\n  1 or more,yes: 1/4\n  otherwise: 3/4"), encoding="utf-8")
    shown = CliRunner().invoke(main, ["fmt", "game.yaml"])
    assert shown.exit_code == 0, shown.output
    assert "one, two > 3:" in Path("game.yaml").read_text(encoding="utf-8")
