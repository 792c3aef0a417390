"""Files of the user are written whole or not at all (`interpreter/document/file_io.py`)."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.document.file_io import put_file, write_file
from interpreter.source import Problems
from interpreter.surfaces.cli.group import main

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


VOLLEY = (
    "odds",
    "modern",
    "shoot",
    "A: veteran, 6 figures, rifle",
    "B: green, 8 figures",
    'distance 11"',
    "--ask",
    "hits",
)
WRITING = (
    (*VOLLEY, "--svg", "out.svg"),
    (*VOLLEY, "--html", "out.html"),
    ("schema", "rules", "-o", "out.json"),
    ("check", "modern", "--format", "sarif", "-o", "out.json"),
)


@pytest.mark.parametrize("words", WRITING, ids=lambda words: f"{words[0]} {words[-1]}")
@pytest.mark.parametrize("old", [None, "what was there"])
def test_every_command_writes_its_file_whole_or_not_at_all(
    words: tuple[str, ...], old: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    out = tmp_path / words[-1]
    if old is not None:
        out.write_text(old)
    before = [(p.name, p.read_text()) for p in tmp_path.iterdir()]
    monkeypatch.setattr(os, "fsync", full_disk)
    full = CliRunner().invoke(main, words, env={"UMPIRE_DEBUG": ""})
    assert full.exit_code == 2, full.output
    assert "no space left" in full.output
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == before
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, words).exit_code == 0
    assert [p.name for p in tmp_path.iterdir()] == [out.name]
    assert out.stat().st_size


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_what_is_no_ordinary_file_is_written_as_it_comes(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    put_file(pipe, "whole\n")
    assert os.read(reading, 100) == b"whole\n"
    os.close(reading)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
