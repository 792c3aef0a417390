"""`was`: what a patch says stood there; a base that says something else now, and supplements that know each other."""

from pathlib import Path

import pytest

from interpreter.rulebook.edits import piece
from interpreter.source import Problems
from interpreter.workbench.rules import open_rules
from interpreter.workbench.texts import scalar
from tests.toys import toy

TABLE = "Ours:\n  table arms (shots):\n    bow: 3\n"


def problems_of(name: str) -> list[str]:
    problems = Problems()
    open_rules(name, problems)
    return [problem.code for problem in problems]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("was", ["needs skill", "needs skill + 1"])
def test_was_beside_over_is_what_stood_there_before_or_after_the_other(here: Path, was: str) -> None:
    toy(
        here,
        one="change:\n  hitting.basic: needs skill + 1, was needs skill\n",
        two=f"change:\n  hitting.basic: needs skill + 2, was {was}, over one\n",
    )
    assert problems_of("toy + one + two") == []


def test_so_it_is_with_cells(here: Path) -> None:
    for was in ("3", "4"):
        toy(
            here,
            base=TABLE,
            one="change:\n  arms.bow.shots: 4, was 3\n",
            two=f"change:\n  arms.bow.shots: 5, was {was}, over one\n",
        )
        for name in ("one", "two"):
            file = here / f"{name}.yaml"
            file.write_text(file.read_text("utf-8").replace("over: toy", "over: toy + base"), "utf-8")
        assert "N011" not in problems_of("toy + base + one + two")


def test_anything_else_is_still_told(here: Path) -> None:
    toy(
        here,
        one="change:\n  hitting.basic: needs skill + 1, was needs skill\n",
        two="change:\n  hitting.basic: needs skill + 2, was needs skill + 7, over one\n",
    )
    assert problems_of("toy + one + two") == ["N011"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("hitting.basic: needs skill + 1, was needs skill + 9", "hitting.basic: needs skill + 1, was needs skill"),
        ("wounding: needs 2, was needs 3", "wounding: needs 2, was needs toughness"),
    ],
)
def test_the_fix_writes_what_stands_there_now(here: Path, wrong: str, right: str) -> None:
    toy(here, one=f"change:\n  {wrong}\n")
    problems = Problems()
    open_rules("toy + one", problems)
    fix = next(iter(problems)).fix
    assert fix is not None and not fix.safe
    text = (here / "one.yaml").read_text("utf-8")
    (here / "one.yaml").write_text(text[: fix.span.start] + fix.replacement + text[fix.span.end :], "utf-8")
    assert right in (here / "one.yaml").read_text("utf-8")
    assert problems_of("toy + one") == []


def test_was_and_over_stand_in_either_order(tmp_path: Path) -> None:
    for said in ("4, was 3, over garden", "4, over garden, was 3"):
        found = [piece(scalar("said", said), part) for part in ("new", "was", "over")]
        assert [each.text for each in found if each is not None] == ["4", "3", "garden"]
