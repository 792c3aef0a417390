"""`--cluster`: the same bytes from a real dask scheduler with two workers as from one process, though one of the workers is
killed half-way; who cannot be reached is told in words.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from processes import ROOT
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli import options
from interpreter.surfaces.cli.group import main
from interpreter.workbench import cluster
from interpreter.workbench.cluster import NoCluster, client_at
from interpreter.workbench.locks import text_of
from interpreter.workbench.parallel import Workers, spread_over
from interpreter.workbench.progress import Progress
from interpreter.workbench.rules import open_rules
from tests.mutated import TOY, tried
from tests.mutated import toy as toy

GAME = """\
game: Coin
Things:
  dice high: d6 at or over
  kind unit:
    skill: number 0 to 99
    pins: number 0 to 999
  ruling heavy: 1, or 2
Doing:
  to toss (unit):
    faces, repeat unit.skill times:
      face: d6
      pinned: unit gains (face * heavy) pins
Worked:
  typical a-toss:
    unit A: skill <1 to 24>
    do: A tosses
    ask: A.pins > 50
"""
EXAMPLE = """\
  example skill-{0}:
    unit A: skill {0}
    do: A tosses
    odds: 1/2 that A.pins > 7/2 * A.skill
"""
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "CI": "", "NO_COLOR": "1"}


class Machines:
    """A scheduler and its workers, as processes of this machine."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
        self.workers = [self.worker(), self.worker()]
        while not self.file.exists() or not self.file.read_text("utf-8").endswith("}"):
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text("utf-8"))["address"]

    def worker(self) -> subprocess.Popen[bytes]:
        return self._start("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard")

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "dask", *words, "--scheduler-file", str(self.file)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=ENVIRONMENT, cwd=self.file.parent, **quiet)
        self.processes.append(process)
        return process


@pytest.fixture(scope="module")
def machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    made = Machines(tmp_path_factory.mktemp("machines"))
    client = client_at(made.address)
    client.wait_for_workers(2, timeout=60)
    yield made
    client.close()
    client_at.cache_clear()
    for process in made.processes:
        process.kill()
        process.wait()


@pytest.fixture
def coin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    examples = [EXAMPLE.format(skill) for skill in range(1, 20)]
    (tmp_path / "coin.yaml").write_text(GAME + "".join(examples), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def umpire(*words: str) -> str:
    command = [sys.executable, "-m", "interpreter", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**ENVIRONMENT, "UMPIRE_CACHE": "off"}, timeout=120
    )
    assert done.returncode in (0, 1) and not done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("test", "coin", "--json"),
        ("rulings", "coin", "--json"),
        ("sample", "coin", "toss", "A: skill <3 to 5>", "--ask", "A.pins", "--plays", "600", "--json"),
        ("odds", "coin", "toss", "A: skill <1 to 20>", "--ask", "A.pins", "--json"),
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_the_same_bytes(words: tuple[str, ...], coin: Path, machines: Machines) -> None:
    alone = umpire(*words)
    assert umpire(*words, "--cluster", machines.address) == alone
    assert umpire(*words, "--jobs", "2") == alone


def test_mutants_are_tried_there(machines: Machines, toy: Callable[..., str]) -> None:
    there = tried(toy(TOY), workers=Workers(cluster=machines.address))
    alone = tried(toy(TOY, "again.yaml"))  # of another name: what is kept of the first is not of this one
    assert [(v.mutant, v.what, v.by) for v in there.verdicts] == [(v.mutant, v.what, v.by) for v in alone.verdicts]
    assert there.counts()["noticed"] > 3


def test_what_a_piece_raises_is_raised_here(machines: Machines) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        list(spread_over(int, ["1", "2", "x"], Workers(cluster=machines.address)))


def test_a_worker_that_runs_something_else_is_refused(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "digest_of_code", lambda: "another")
    with pytest.raises(NoCluster, match="another version"):
        list(spread_over(int, ["1"], Workers(cluster=machines.address)))


def test_a_worker_is_killed_half_way(coin: Path, machines: Machines) -> None:
    """The last of the tests that need both: the one that is left does what was given to the other."""
    rules = open_rules("coin", Problems())
    assert rules is not None
    progress, found = Progress(), Problems()
    killed: list[int] = []

    def kill() -> None:
        while not progress.done:
            time.sleep(0.01)
        killed.append(progress.done)
        machines.workers[0].send_signal(signal.SIGKILL)

    threading.Thread(target=kill).start()
    there = text_of(rules, found, progress, Workers(cluster=machines.address))
    assert 0 < killed[0] < progress.done == progress.of == 24
    assert there == text_of(rules, Problems())
    assert machines.workers[0].wait(60) == -signal.SIGKILL


# ---- nobody there
@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "http://"])
def test_nobody_answers(address: str, coin: Path) -> None:
    command = [sys.executable, "-m", "interpreter", "lock", "coin", "--cluster", address]
    environment = {**ENVIRONMENT, "UMPIRE_CACHE": "off"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"error E014: the cluster at `{address}` does no work for us: nobody answers there\n")
    assert "Traceback" not in done.stderr
    assert not (coin / "coin.lock").exists()


def test_the_library_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "find_spec", lambda name: None)
    done = CliRunner().invoke(main, ["lock", "modern", "--cluster", "tcp://127.0.0.1:8786"])
    assert done.exit_code == 2
    assert "pip install 'tabletop-umpire[cluster]'" in done.output


def test_one_or_the_other(coin: Path) -> None:
    done = CliRunner().invoke(main, ["lock", "coin", "--jobs", "2", "--cluster", "tcp://127.0.0.1:8786"])
    assert done.exit_code == 2
    assert "--jobs and --cluster cannot both be done" in done.output
