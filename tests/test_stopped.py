"""Ctrl-C, as it comes from a keyboard, in commands that may take long: exit code 130, no traceback, and what is done is
kept, so that the same command goes on from there. Progress is shown within a second on a terminal, and in CI by the line.
"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import ROOT

from interpreter.mutation import clause_witnesses
from interpreter.mutation.example_coverage import Host
from interpreter.mutation.mutation_cache import RecordCache
from interpreter.source import Problems
from interpreter.source.values import replace
from interpreter.workbench.examples import examples_of
from interpreter.workbench.locks import text_of
from interpreter.workbench.passed_examples import PassedExamples
from interpreter.workbench.pricing import Found
from interpreter.workbench.rules import open_rules
from interpreter.workbench.shown_clauses import Evidence
from interpreter.workbench.situation_cache import SituationCache
from interpreter.workbench.typical import points_of, typical_of

# Each unit throws dice until it is tired: every situation is another one, and each takes a while.
GAME = """\
game: Coin
clauses: COI
Things:
  kind unit:
    skill: number 0 to 999
    pins: number 0 to 2000
Doing:
  to toss (unit) [1]:
    faces, repeat unit.skill times:
      face: d6
      pinned: unit gains face pins [2]
Worked:
  typical a-toss:
    unit A: skill <141 to 180>
    do: A tosses
    ask: A.pins > 500
"""
REGISTER = """\
clauses:
  Doing:
    COI-001: {kind: step, says: whoever tosses throws dice}
    COI-002: {kind: step, says: each die pins}
"""
EXAMPLE = """\
example toss-{0}:
  unit A: skill {0}
  do: A tosses
  odds: {1} that A.pins > 1500
"""
MANY = 40
GOES_ON = "umpire: stopped; what is done is kept, and the same command goes on from there"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("UMPIRE_CACHE", "on")
    here = tmp_path / "club"
    (here / "tests").mkdir(parents=True)
    (here / "coin.yaml").write_text(GAME, encoding="utf-8")
    (here / "clauses").mkdir()
    (here / "clauses" / "coin.yaml").write_text(REGISTER, encoding="utf-8")
    tests = [EXAMPLE.format(n, "0/1") for n in range(141, 141 + MANY)]
    (here / "tests" / "coin.yaml").write_text("rules: coin\n" + "".join(tests), encoding="utf-8")
    monkeypatch.chdir(here)
    return here


def at_work(*words: str) -> subprocess.Popen[str]:
    """A command in a process group of its own, as of a terminal, which has done some of its work."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CI": "1"}
    going = subprocess.Popen(
        [sys.executable, "-m", "interpreter", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True,
    )  # fmt: skip
    assert going.stderr is not None
    for line in going.stderr:
        if " of " in line and not line.startswith("0 of "):
            return going
    raise AssertionError(f"it ended before it told anything: {going.communicate()}")


def stopped(going: subprocess.Popen[str]) -> None:
    """Ctrl-C reaches every process of the group; soon none of them is left."""
    os.killpg(going.pid, signal.SIGINT)
    _, error = going.communicate(timeout=60)
    assert going.returncode == 130
    assert error.splitlines()[-1] == GOES_ON
    assert "Traceback" not in error
    with pytest.raises(ProcessLookupError):
        os.killpg(going.pid, 0)


def umpire(*words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CI": ""}
    command = [sys.executable, "-m", "interpreter", *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_examples_that_held_are_not_run_again(folder: Path) -> None:
    stopped(at_work("test", "coin"))
    rules = open_rules("coin", Problems())
    assert rules is not None
    known = PassedExamples(rules)
    held = [example in known for example in examples_of(rules, Problems())]
    assert 0 < sum(held) < len(held) == MANY


def test_a_lock_goes_on_and_is_the_same(folder: Path) -> None:
    stopped(at_work("lock", "coin", "--jobs", "2"))
    assert not Path("coin.lock").exists()
    rules = open_rules("coin", Problems())
    assert rules is not None
    kept: SituationCache[Found] = SituationCache("laws", rules)
    known = [kept.get(point.body) for point in points_of(rules, typical_of(rules, Problems()), Problems())]
    assert 0 < sum(each is not None for each in known) < len(known) == MANY
    assert umpire("lock", "coin") == f"written  coin.lock  {MANY} typical situations\n"
    resumed = Path("coin.lock").read_bytes()
    os.environ["XDG_CACHE_HOME"] = str(folder.parent / "another")
    assert text_of(rules, Problems()) == resumed.decode()


def test_what_the_examples_run_is_kept_for_coverage(folder: Path) -> None:
    stopped(at_work("coverage", "coin", "--refresh"))
    rules = open_rules("coin", Problems())
    assert rules is not None
    records = RecordCache(rules)
    known = [records.known(example.body.span.text) for example in examples_of(rules, Problems())]
    assert 0 < sum(each is not None for each in known) < len(known) == MANY


def test_a_search_that_is_stopped_keeps_what_was_known(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clause that was looked at has its evidence anew, those that were left the evidence they had."""
    rules = open_rules("coin", Problems())
    assert rules is not None
    before = [Evidence(f"COI-00{n}", "alone", "toss-61", "toss.faces", "left out", "") for n in (1, 2)]
    monkeypatch.setattr(clause_witnesses, "recorded_host", lambda rules, *_: Host(rules, (), (), ()))
    looked = []

    def of(self: object, clause: str) -> Evidence | None:
        looked.append(clause)
        if clause == "COI-002":
            raise KeyboardInterrupt
        return replace(before[0], digest="new")

    monkeypatch.setattr(clause_witnesses._Search, "of", of)
    with pytest.raises(clause_witnesses.Stopped) as stop:
        clause_witnesses.witnesses(rules, before)
    assert looked == ["COI-001", "COI-002"]
    assert stop.value.evidence == [replace(before[0], digest="new"), before[1]]


# ---- progress
def shown(*words: str, enough: str) -> str:
    """What a command says on a terminal, until it has said this; then it is stopped."""
    ours, its = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "CI": ""}
    command = [sys.executable, "-m", "interpreter", *words]
    going = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True)
    os.close(its)
    said = b""
    while enough.encode() not in said:
        said += os.read(ours, 1000)
    os.killpg(going.pid, signal.SIGINT)
    going.wait(60)
    os.close(ours)
    return said.decode()


@pytest.mark.parametrize("words", [("test", "coin"), ("lock", "coin"), ("coverage", "coin", "--refresh")])
def test_a_terminal_is_told_how_far_it_is(folder: Path, words: tuple[str, ...]) -> None:
    assert f" of {MANY} " in shown(*words, enough=f" of {MANY} ")
