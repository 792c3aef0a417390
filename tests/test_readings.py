"""`umpire rulings`: every alternative reading, priced over what is typical and over the examples that meet it."""

import json
from fractions import Fraction as F
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.progress import Progress
from interpreter.workbench.rules import open_rules
from interpreter.workbench.ruling_impact import Readings, readings_of
from tests.toys import GAME, toy

BLIND = """\
  typical a-blind-volley:
    unit A: skill 4
    unit B: hidden
    do: A volleys at B
    ask: hits >= 1
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def found(folder: Path, more: str = "") -> Readings:
    toy(folder)
    (folder / "toy.yaml").write_text(GAME + more, encoding="utf-8")
    rules = open_rules("toy", Problems())
    assert rules is not None
    problems = Problems()
    looked = Progress()
    made = readings_of(rules, problems, looked)
    assert looked.done == looked.of == made.typical + made.examples
    assert not len(problems)
    return made


def test_an_example_that_meets_it(tmp_path: Path) -> None:
    """Needs 3 and 1 for hiding, so 1/2 a shot: one shot or two."""
    made = found(tmp_path)
    assert (made.typical, made.examples) == (3, 1)
    (reading,) = made.readings
    (option,) = reading.options
    (shift,) = option.shifts
    assert (reading.ruling.name, option.word, shift.point.name, shift.ask) == ("unseen-shots", "2", "unseen", "hits")
    assert (shift.before.mean, shift.after.mean) == ((F(1, 2),) * 2, (F(1),) * 2)


def test_a_typical_situation_that_meets_it(tmp_path: Path) -> None:
    """Needs 4 and 1: 1/3 a shot; of two at least one hits in 5/9."""
    (reading,) = found(tmp_path, BLIND).readings
    by_name = {s.point.name: s for s in reading.options[0].shifts}
    assert by_name.keys() == {"unseen", "a-blind-volley"}
    blind = by_name["a-blind-volley"]
    assert (blind.before.yes, blind.after.yes) == ((F(1, 3),) * 2, (F(5, 9),) * 2)


def test_one_that_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "toy.yaml").write_text(GAME.replace("unit B: hidden", "unit B: skill 4"), encoding="utf-8")
    said = CliRunner().invoke(main, ["rulings", "toy"])
    assert said.exit_code == 0
    assert "changes nothing in 3 typical situations and 1 examples with odds" in said.output


def test_as_json(tmp_path: Path) -> None:
    found(tmp_path, BLIND)
    said = CliRunner().invoke(main, ["rulings", "toy", "--json"])
    data = json.loads(said.output)
    assert said.exit_code == 0 and data["problems"] == [] and data["exact"] is True
    (ruling,) = data["rulings"]
    assert (ruling["name"], ruling["first"], ruling["row"]) == ("unseen-shots", "1", 12)
    (option,) = ruling["options"]
    assert option["option"] == "2"
    first = option["changes"][0]
    assert first.keys() == {"situation", "at", "file", "row", "column", "ask", "differs", "before", "after"}
    assert first["before"]["values"][0].keys() == {"value", "least", "greatest"}


def test_no_rulings_at_all(tmp_path: Path) -> None:
    (tmp_path / "bare.yaml").write_text("game: Bare\nOne:\n  kind unit:\n    skill: number first 4\n", encoding="utf-8")
    said = CliRunner().invoke(main, ["rulings", "bare"])
    assert said.exit_code == 0 and "no alternative readings" in said.output


STORM = """\
  to storm (unit) at (target unit):
    one-of: d100
    two-of: d100
    three-of: d100
    four-of: d100
    all-of: (one-of * 100 + two-of) * (three-of * unseen-shots + four-of)
  typical a-storm:
    unit A: skill 4
    unit B: skill 4
    do: A storms at B
    ask: all-of
"""
NOBODY = """\
  typical of-nobody:
    unit A: skill 4
    unit B: skil 4
    do: A volleys at B
    ask: hits
"""


@pytest.mark.parametrize(
    ("more", "name", "code", "ends"), [(STORM, "a-storm", "E001", 2), (NOBODY, "of-nobody", "F002", 1)]
)
def test_what_could_not_be_asked_is_told_and_not_taken_for_unchanged(
    tmp_path: Path, more: str, name: str, code: str, ends: int
) -> None:
    toy(tmp_path)
    (tmp_path / "toy.yaml").write_text(GAME + more, encoding="utf-8")
    rules = open_rules("toy", Problems())
    assert rules is not None
    (reading,) = readings_of(rules, Problems()).readings
    assert [(point.name, why.code) for point, why in reading.refused] == [(name, code)]
    assert {s.point.name for option in reading.options for s in option.shifts} == {"unseen"}
    said = CliRunner().invoke(main, ["rulings", "toy"])
    assert f"not asked: {name} ({code}" in said.output
    assert said.exit_code == ends
    plain = json.loads(CliRunner().invoke(main, ["rulings", "toy", "--json"]).output)
    assert [each["situation"] for each in plain["rulings"][0]["not asked"]] == [name]
