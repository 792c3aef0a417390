"""What a club's repository asks of the commands: locks of several sets, reports of examples, examples by name, stacks."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typed import CliRunner

from interpreter.surfaces.cli.group import main
from tests.toys import toy

HOUSE = (
    "change:\n  hitting.basic: needs skill - 1, was needs skill\n"
    "Kept:\n  example a-shot-here:\n    unit A: skill 4\n    unit B:\n    do: A shoots at B\n    odds: 2/3 that hit\n"
)
OTHER = "change:\n  hitting.basic: needs skill - 2, was needs skill\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return toy(tmp_path, house=HOUSE, other=OTHER)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    return done.exit_code, done.output


def test_several_sets_in_one_lock_each_compared_with_its_own_part(here: Path) -> None:
    assert run("lock", "toy", "toy+house", "--output", "evening.lock")[0] == 0
    assert run("lock", "--check", ".") == run("lock", "--check", "toy", "toy+house", "--output", "evening.lock")
    code, said = run("lock", "--check", ".")
    assert code == 0 and "of toy:" in said and "of toy + house:" in said
    text = (here / "house.yaml").read_text("utf-8")
    (here / "house.yaml").write_text(text.replace("skill - 1", "skill - 2"), "utf-8")
    code, said = run("lock", "--check", ".")
    assert code == 1 and "typical situations of toy: no problems" in said and "evening.lock:" in said


def test_a_folder_without_locks_is_told(here: Path) -> None:
    assert run("lock", "--check", ".")[0] == 2


def test_examples_that_fail_are_reported_where_they_stand(here: Path) -> None:
    assert run("test", "house", "--format", "github")[0] == 0
    text = (here / "house.yaml").read_text("utf-8")
    (here / "house.yaml").write_text(text.replace("2/3 that", "1/3 that"), "utf-8")
    row = text.splitlines().index("    odds: 2/3 that hit") + 1
    code, said = run("test", "house", "--format", "github")
    assert code == 1 and f"::error file=house.yaml,line={row}," in said
    code, said = run("test", "house", "--format", "sarif")
    assert code == 1 and f'"startLine": {row}' in said and json.loads(said)["version"] == "2.1.0"
    code, said = run("test", ".", "--format", "junit")
    suites = {suite.get("name"): suite for suite in ElementTree.fromstring(said)}
    assert code == 1 and suites["house.yaml"].get("failures") == "1" and suites["toy.yaml"].get("failures") == "0"
    case = suites["house.yaml"][0]
    assert case.get("name") == "a-shot-here" and case[0].get("type") == "X001"


def test_an_example_is_run_by_its_name(here: Path) -> None:
    code, said = run("odds", "toy+house", "a-shot-here")
    assert code == 0 and "66.7%" in said
    assert run("resolve", "toy.yaml", "unseen", "--seed", "1")[0] == 0
    assert run("odds", "toy", "no-such-thing")[0] == 2


def test_an_example_that_is_called_like_a_procedure_is_run_by_its_name(here: Path) -> None:
    """Nobody stands behind the name, and without somebody no procedure can be carried out."""
    text = (here / "house.yaml").read_text("utf-8")
    (here / "house.yaml").write_text(text.replace("example a-shot-here", "example shoot"), "utf-8")
    code, said = run("odds", "toy+house", "shoot")
    assert code == 0 and "66.7%" in said
    assert run("odds", "toy+house", "shoot", "A: skill 4", "B:")[0] == 0


def test_declared_stacks_are_checked_with_the_folder(here: Path) -> None:
    (here / "umpire.yaml").write_text("stacks:\n  - toy + house\n", "utf-8")
    assert run("check", ".")[0] == 0
    (here / "umpire.yaml").write_text("stacks:\n  - toy + house + other\n", "utf-8")
    code, said = run("check", ".")
    assert code == 1 and "N013" in said
    assert run("check", "umpire.yaml")[0] == 1
    (here / "umpire.yaml").write_text("stack: toy + house\n", "utf-8")
    assert run("check", ".")[0] != 0


def test_a_budget_for_the_odds_of_examples(here: Path) -> None:
    (here / "long.yaml").write_text(
        "rules: toy\nunit A: skill 4\nunit B:\n"
        "do:\n  one-volley: A volleys at B\n  another: A volleys at B\n"
        "odds: 3/1 mean one-volley.hits + another.hits\n",
        "utf-8",
    )
    assert run("test", "long.yaml")[0] == 0
    code, said = run("test", "long.yaml", "--limit", "1")
    assert code != 0 and "E001" in said
