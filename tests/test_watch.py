"""`umpire check --watch`, as a process: it checks again when a file changes that it read, and ends quietly."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import started, stop

BASE = "game: Base\nFiring:\n  dice high: d6 at or over\n  kind unit:\n    skill: number first 4\n"
PATIENCE = 120  # seconds, on a machine that does much else


class Watcher:
    """The process, and what it says, line by line."""

    def __init__(self, folder: Path) -> None:
        self.process = started("check", "ours", "--watch", cwd=folder)
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip())

    def check(self) -> str:
        """Everything that is said of one check."""
        said = []
        while not said or not said[-1].startswith("watching"):
            said.append(self.lines.get(timeout=PATIENCE))
        return "\n".join(said)


@pytest.fixture
def watcher(tmp_path: Path) -> Iterator[Watcher]:
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")
    (tmp_path / "ours.yaml").write_text("game: Ours\nextends: base\n", "utf-8")
    made = Watcher(tmp_path)
    yield made
    made.process.kill()
    made.process.wait()
    for pipe in (made.process.stdin, made.process.stdout, made.process.stderr):
        assert pipe is not None
        pipe.close()


def test_it_checks_again_when_a_file_changes_that_it_read(watcher: Watcher, tmp_path: Path) -> None:
    first = watcher.check()
    assert "clean  ours" in first
    assert "watching 2 files" in first
    (tmp_path / "ours.yaml").write_text("game: Ours\nextends: base\nMore:\n  value good of unit: skil > 3\n", "utf-8")
    assert "did you mean `skill`" in watcher.check()
    (tmp_path / "base.yaml").write_text(BASE.replace("skill", "skil"), "utf-8")  # a file that it extends
    assert "1 checked: no problems" in watcher.check()
    (tmp_path / "base.yaml").unlink()
    assert "F015" in watcher.check()
    (tmp_path / "base.yaml").write_text(BASE, "utf-8")  # one that was missed has come
    assert "did you mean `skill`" in watcher.check()
    stop(watcher.process)
    assert watcher.process.wait(PATIENCE) == 0
    assert watcher.process.stderr is not None
    assert watcher.process.stderr.read().strip() == ""
