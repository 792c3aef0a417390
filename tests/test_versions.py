"""`schema:` in the head of a rule file: the version of the language that it is written in."""

from __future__ import annotations

from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.surfaces.cli.group import main


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "page.yaml"


def checked(name: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["check", name])
    return done.exit_code, done.output


def test_todays_version_is_what_a_file_means_that_says_none(page: Path) -> None:
    page.write_text("game: New\nextends: modern\n", "utf-8")
    unsaid = checked("page.yaml")
    page.write_text("game: New\nschema: 1\nextends: modern\n", "utf-8")
    assert unsaid[0] == 0
    assert checked("page.yaml") == unsaid


@pytest.mark.parametrize(
    ("said", "code"), [("2", "S010"), ("9999", "S010"), ("0", "S009"), ("1.2", "S009"), ("one", "S009"), ("-1", "S009")]
)
def test_what_is_no_version_here_is_not_read(said: str, code: str, page: Path) -> None:
    page.write_text(f"game: New\nschema: {said}\nextends: modern\nWhatever: is new in it\n", "utf-8")
    ended, told = checked("page.yaml")
    assert ended == 1
    assert f"error {code}" in told
    assert "page.yaml:2:9" in told
    assert "S005" not in told, "nothing else of it is looked at"
    assert ("`pip install --upgrade tabletop-umpire`" in told) == (code == "S010")


def test_a_base_of_another_version_is_refused_where_it_is(page: Path) -> None:
    page.write_text("game: New\nschema: 7\n", "utf-8")
    Path("mine.yaml").write_text("game: Mine\nextends: page\n", "utf-8")
    ended, told = checked("mine.yaml")
    assert ended == 1
    assert "page.yaml:2:9" in told
