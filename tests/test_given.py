"""`given:` of an example: its odds are those of the ways alone in which what is known comes to be so."""

import json
from pathlib import Path

import pytest
from small_games import hold, told
from typed import CliRunner

from interpreter.surfaces.cli.group import main

GAME = """\
game: Known
Firing:
  kind unit:
    pins: number 0 to 9
  to roll-two (unit):
    one-die: d6
    other: d6
    both: one-die + other
    third, if both > 10: d6
  to choose-one (unit):
    plain: d6
    anew: unit wishes
    second, if anew: d6
    face: second if anew else plain
"""


def example(lines: str, deed: str = "rolls-two") -> str:
    said = "".join(f"    {line}\n" for line in lines.splitlines())
    return f"{GAME}  example known:\n    unit A:\n    do: A {deed}\n{said}"


@pytest.mark.parametrize(
    "lines",
    [
        "given: both >= 10\nodds: [1/6 that both = 12, 1/2 that one-die = 6, 32/3 mean both]",
        "given: [both >= 10, one-die = 6]\nodds: [1/3 that both = 12, 5/1 mean other]",
        "given: both >= 10 and one-die = 6\nodds: [1/3 that both = 12]",
        "given: ran(third)\nodds: [1/3 that both = 12, 7/2 mean third]",
        "given: both = 12\nthen: [one-die = 6, other = 6]",
        "given: both = 11\ndice: [5, 6, 1]\nthen: third = 1",
    ],
)
def test_odds_of_what_is_known(tmp_path: Path, lines: str) -> None:
    hold(tmp_path, example(lines))


def test_a_band_of_what_is_known(tmp_path: Path) -> None:
    """Whoever chooses to throw again wants a 6, or wants none; of what lies there already it is known that it is low."""
    hold(tmp_path, example("given: plain <= 3\nodds: [0/1 to 1/6 that face = 6]", "chooses-one"))
    hold(tmp_path, example("given: [plain <= 3, plain > 1]\nodds: [5/2 to 7/2 mean face]", "chooses-one"))


@pytest.mark.parametrize(
    ("lines", "code", "at"),
    [
        ("given: both > 12\nodds: 1/1 that both = 12", "X031", "both > 12"),
        ("given: both = 12\nodds: 1/2 that one-die = 6", "X001", "one-die = 6"),
        ("given: both = 12\nthen: one-die = 5", "X001", "one-die = 5"),
        ("given: both = 12\ndice: [5, 6, 1]\nthen: third = 1", "X001", "both = 12"),
        ("given: both\nodds: 1/2 that one-die = 6", "T001", "both"),
        ("given: both = 12", "X005", "unit A:\n    do: A rolls-two\n    given: both = 12"),
    ],
)
def test_what_does_not_hold_is_told(tmp_path: Path, lines: str, code: str, at: str) -> None:
    assert told(tmp_path, example(lines)) == [(code, at)]


def test_the_command_says_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "known.yaml").write_text(example("given: both >= 10\nodds: 1/6 that both = 12"), "utf-8")
    monkeypatch.chdir(tmp_path)
    said = CliRunner().invoke(main, ["odds", "known.yaml", "known", "--fraction"])
    assert "given both >= 10, which is so in 1/6" in said.output
    assert said.exit_code == 0
    plain = json.loads(
        CliRunner().invoke(main, ["odds", "known.yaml", "known", "--given", "other = 6", "--json"]).output
    )
    assert [each["text"] for each in plain["known"]] == ["both >= 10"]
    assert plain["given"]["text"] == "other = 6"
    played = CliRunner().invoke(main, ["resolve", "known.yaml", "known", "--dice", "1,1"])
    assert "which is so" not in played.output


def test_a_typical_situation_takes_nothing_as_known(tmp_path: Path) -> None:
    text = f"{GAME}  typical known:\n    unit A:\n    do: A rolls-two\n    given: both > 3\n    ask: both\n"
    (tmp_path / "known.yaml").write_text(text, "utf-8")
    said = CliRunner().invoke(main, ["check", str(tmp_path / "known.yaml")])
    assert "error X021: a typical situation has no `given:`" in said.output
