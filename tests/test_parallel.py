"""Work spread over processes: the same results in the same order, however many there are and whoever is killed."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from interpreter.source import Problems
from interpreter.workbench.bands import MOST_WORLDS
from interpreter.workbench.files import test_file as run_file
from interpreter.workbench.parallel import Workers, spread_over

ROOT = Path(__file__).parent.parent
FILE = str(ROOT / "rules" / "tests" / "modern-melee.yaml")


@pytest.fixture(autouse=True)
def _keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What held is run again each time."""
    monkeypatch.setenv("UMPIRE_CACHE", "off")


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_come_in_the_order_of_the_work(jobs: int) -> None:
    assert list(spread_over(lambda n: (n * n, "x" * n), range(20), Workers(jobs))) == [
        (n * n, "x" * n) for n in range(20)
    ]


def test_two_jobs_are_two_processes() -> None:
    assert os.getpid() not in set(spread_over(lambda n: os.getpid(), range(20), Workers(2)))


def test_a_killed_process_loses_nothing(tmp_path: Path) -> None:
    dead = tmp_path / "dead"

    def one(n: int) -> int:
        if n == 7 and not dead.exists():
            dead.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return n + 1

    assert list(spread_over(one, range(20), Workers(2))) == list(range(1, 21))
    assert dead.exists()


def test_what_a_piece_raises_is_raised_here() -> None:
    def one(n: int) -> float:
        return 1 / (3 - n)

    with pytest.raises(ZeroDivisionError):
        list(spread_over(one, range(20), Workers(2)))


def told(path: str, jobs: int) -> list[tuple[object, ...]]:
    found = run_file(path, Problems(), Workers(jobs), None, MOST_WORLDS)
    assert found is not None
    return [
        (r.example.name, [(p.code, p.message, p.span) for p in r.problems], r.lines, r.done, r.clauses)
        for r in found[1]
    ]


def test_examples_come_out_the_same_in_two_processes() -> None:
    assert told(FILE, 1) == told(FILE, 2)


def test_a_failing_example_is_told_at_its_place_from_another_process(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    path.write_text(
        "rules: modern\n"
        + "".join(
            f'example e{i}:\n  unit A: green, {i} figures\n  do: A moves 1"\n  then: A.figures = {min(i, 3)}\n'
            for i in range(1, 6)
        ),
        encoding="utf-8",
    )
    one, two = told(str(path), 1), told(str(path), 2)
    assert one == two
    assert [bool(problems) for _, problems, *_ in two] == [False, False, False, True, True]
