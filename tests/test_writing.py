"""Files of the user are written whole or not at all (`interpreter/document/writing.py`)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from interpreter.document.writing import write_file
from interpreter.source import Problems

MARKED = "\ufeffgame: Toy\r\n# ein Würfel\r\n"


def codes(problems: Problems) -> list[str]:
    return [p.code for p in problems]


def test_a_file_keeps_its_mark_its_line_ends_its_rights_and_its_name(tmp_path: Path) -> None:
    path, link = tmp_path / "toy.yaml", tmp_path / "link.yaml"
    path.write_bytes(MARKED.encode())
    path.chmod(0o640)
    link.symlink_to(path)
    problems = Problems()
    assert write_file(link, MARKED.replace("Toy", "Toys"), problems, was=MARKED)
    assert path.read_bytes() == MARKED.replace("Toy", "Toys").encode()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert not codes(problems)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.yaml", "toy.yaml"]


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "toy.yaml"
    path.write_text("game: Somebody was faster\n")
    problems = Problems()
    assert not write_file(path, "game: New\n", problems, was="game: Old\n")
    assert codes(problems) == ["Y056"]
    assert path.read_text() == "game: Somebody was faster\n"
    gone = Problems()
    assert not write_file(tmp_path / "gone.yaml", "x", gone, was="y")
    assert codes(gone) == ["Y056"]
    assert [p.name for p in tmp_path.iterdir()] == ["toy.yaml"]


def test_a_file_that_may_only_be_read_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "toy.yaml"
    path.write_text("game: Old\n")
    path.chmod(0o444)
    problems = Problems()
    assert not write_file(path, "game: New\n", problems, was="game: Old\n")
    assert codes(problems) == ["Y055"]
    assert path.read_text() == "game: Old\n"


def test_a_new_file_never_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "toy.yaml"
    problems = Problems()
    assert write_file(path, "game: New\n", problems)
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    assert not write_file(path, "game: Newer\n", problems)
    (tmp_path / "dangling.yaml").symlink_to(tmp_path / "nowhere.yaml")
    assert not write_file(tmp_path / "dangling.yaml", "x", problems)
    assert set(codes(problems)) == {"Y057"}
    assert not write_file(tmp_path / "no-folder" / "toy.yaml", "x", problems)
    assert "Y055" in codes(problems)
    assert path.read_text() == "game: New\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["dangling.yaml", "toy.yaml"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_breaks_off_leaves_the_old_file_and_nothing_else(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "toy.yaml"
    path.write_text("game: Old\n")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, full)
    problems = Problems()
    assert not write_file(path, "game: New\n", problems, was="game: Old\n")
    assert codes(problems) == ["Y055"]
    assert "no space left" in next(iter(problems)).message
    assert path.read_text() == "game: Old\n"
    assert [p.name for p in tmp_path.iterdir()] == ["toy.yaml"]
