"""`umpire sweep`: what it finds is what `umpire odds` says of each point; what is kept is right, whoever found it."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from typed import CliRunner, Result

from interpreter.source import Problems, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.bands import answer_situation
from interpreter.workbench.parallel import Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.sweep_points import Desks, answered, found_in
from interpreter.workbench.sweep_runs import run_sweep
from interpreter.workbench.sweeps import Sweep, read_sweep
from interpreter.workbench.trees import read_tree

GAME = """\
game: Skirmish
Shooting:
  dice high: d6 at or over
  kind unit:
    skill: number first 4
    reach: inches first 12"
  kind trooper, many to a unit:
  fact distance of unit (other unit): inches first 6"
  ruling cover: 1, or 2
  roll aim of unit (target unit):
    basic: needs skill
    far: needs +cover if unit.distance(target) > reach
  mark casualty of trooper: out of play
  to shoot (unit), (target unit):
    hits: unit.troopers dice meeting aim(target)
    loss: target suffers hits
  to suffer (unit), (hits number):
    dead: min(hits, troopers) of troopers at random
    gone: dead gain casualty
  roll nerve of unit:
    basic: needs 3
  to rally (unit):
    calm: unit passes nerve
"""
HOUSE = """\
game: Sharp eyes
over: skirmish
change:
  aim.far: needs +(cover + 1) if unit.distance(target) > reach
"""
SWEEP = """\
sweep: Eyes and distance
rules: [skirmish, skirmish + eyes]
readings:
  cover: 1, 2
vary:
  ours: 1 to 5
  gap: 6, 18
ask: [hits, hits >= 2]
situation volley:
  unit A: skill <3 to 5>, <ours> troopers
  unit B: 4 troopers
  facts: distance(A, B) is <gap>"
  do: A shoots B
situation after:
  unit A: 3 troopers
  do: A rallies
  ask: calm
"""
FIGHT = SWEEP.replace("ask: [hits, hits >= 2]", "ask: [A.troopers, B.troopers >= 2]").replace(
    "do: A shoots B", "do:\n    ours: A shoots B\n    theirs: B shoots A\n    ours-again: A shoots B"
)  # it takes more than one world
POINTS = 2 * 2 * (3 * 5 * 2 + 1)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "skirmish.yaml").write_text(GAME, "utf-8")
    (tmp_path / "eyes.yaml").write_text(HOUSE, "utf-8")
    (tmp_path / "eyes-sweep.yaml").write_text(SWEEP, "utf-8")
    return tmp_path


def read(path: Path) -> Sweep:
    problems = Problems()
    root = read_tree(str(path), problems)
    found = read_sweep(str(path), root, problems) if root is not None else None
    assert found is not None, render(problems)
    return found


def written(folder: Path, name: str, text: str) -> Sweep:
    (folder / name).write_text(text, "utf-8")
    return read(folder / name)


def kept(path: Path) -> list[dict[str, Any]]:
    base = sqlite3.connect(path)
    base.row_factory = sqlite3.Row
    rows = [dict(row) for row in base.execute("SELECT * FROM results")]
    base.close()
    return rows


def umpire(folder: Path, *words: str) -> Result:
    before = Path.cwd()
    os.chdir(folder)
    try:
        return CliRunner(env={"NO_COLOR": "1", "COLUMNS": "100"}).invoke(main, list(words))
    finally:
        os.chdir(before)


# ---- what is found
def test_every_point_is_what_odds_say_of_it(folder: Path) -> None:
    sweep = read(folder / "eyes-sweep.yaml")
    found = run_sweep(sweep, str(folder / "a.sqlite"), Workers(), Progress())
    assert len(found.found) == len(sweep.points) == POINTS
    for i, at in enumerate(sweep.points):
        problems = Problems()
        answer = answer_situation(sweep.sets[at.rules][1], sweep.body(at), problems)
        assert answer is not None, render(problems)
        for index, told in enumerate(found.found[i].told):
            value = answer.chance(index) if told.chance else answer.mean(index)
            assert told.exact == (value, value)
            assert told.how == "exact" and told.value == float(value)


def test_a_house_rule_and_a_reading_change_what_they_say(folder: Path) -> None:
    """By hand: one trooper of skill 4 hits on 4+; far off on 4 + cover, with the house rule on one more."""
    run_sweep(read(folder / "eyes-sweep.yaml"), str(folder / "a.sqlite"), Workers(), Progress())
    found = {
        (r["rules"], r["cover"], r["gap"]): Fraction(r["exact"])
        for r in kept(folder / "a.sqlite")
        if (r["ours"], r["A skill"], r["ask"]) == (1, 4, "hits")
    }
    sixths = {key: value * 6 for key, value in found.items()}
    assert sixths == {
        ("skirmish", "1", 6): 3, ("skirmish", "1", 18): 2, ("skirmish", "2", 6): 3, ("skirmish", "2", 18): 1,
        ("skirmish + eyes", "1", 6): 3, ("skirmish + eyes", "1", 18): 1,
        ("skirmish + eyes", "2", 6): 3, ("skirmish + eyes", "2", 18): 0,
    }  # fmt: skip


def test_no_answer_rests_on_who_was_asked_before(folder: Path) -> None:
    """Near the limit of worlds too: a point is given up, or is not, by itself."""
    sweep = written(folder, "near.yaml", FIGHT + "worlds: 30\nplays: none\n")
    one = dict(found_in(sweep, "", {}, frozenset(), Workers(), Progress()))
    hows = [told.how for each in one.values() for told in each.told]
    assert {"exact", "not asked"} == {*hows}
    for i, at in reversed(list(enumerate(sweep.points))):
        assert answered(sweep, "", frozenset(), Desks(), (at,)) == [one[i]]


# ---- estimates
def test_estimates_agree_with_exact_odds_within_their_errors(folder: Path) -> None:
    few = FIGHT.replace("1 to 5", "1, 3")
    exact = run_sweep(written(folder, "e.yaml", few), str(folder / "a.sqlite"), Workers(), Progress())
    rough = written(folder, "rough.yaml", few + "worlds: 1\nplays: 400\n")
    found = run_sweep(rough, str(folder / "b.sqlite"), Workers(), Progress())
    pairs = [
        (told, true)
        for i in found.found
        for told, true in zip(found.found[i].told, exact.found[i].told, strict=True)
        if told.how == "estimate"
    ]
    assert len(pairs) > 60
    within = 0
    for told, true in pairs:
        assert (
            true.value is not None and told.value is not None and told.least is not None and told.greatest is not None
        )
        assert told.plays == 400 and told.exact is None
        error = (told.greatest - told.least) / 2
        assert abs(told.value - true.value) <= 2.5 * error + 1e-12, (told, true)
        within += told.least - 1e-12 <= true.value <= told.greatest + 1e-12
    assert within >= 0.9 * len(pairs)


def test_an_estimate_ends_when_it_is_good_enough(folder: Path) -> None:
    text = FIGHT.replace("ask: [A.troopers, B.troopers >= 2]", "ask: B.troopers >= 2").replace("1 to 5", "3")
    text = text.replace("rules: [skirmish, skirmish + eyes]", "rules: skirmish")
    text += "worlds: 1\nplays: 50000\nerror: {}\n"
    rough = run_sweep(written(folder, "r.yaml", text.format("5%")), str(folder / "r.sqlite"), Workers(), Progress())
    fine = run_sweep(written(folder, "f.yaml", text.format("0.025")), str(folder / "f.sqlite"), Workers(), Progress())
    few, many = (
        [t for f in found.found.values() for t in f.told if t.how == "estimate" and t.chance] for found in (rough, fine)
    )
    for several, error in ((few, 0.05), (many, 0.025)):
        assert several
        for told in several:
            assert told.plays is not None and told.plays < 50_000
            assert told.greatest is not None and told.least is not None
            assert (told.greatest - told.least) / 2 <= error
    assert sum(t.plays or 0 for t in few) < sum(t.plays or 0 for t in many)


# ---- what is kept
def test_the_same_bytes_for_any_number_of_processes_and_any_resumption(folder: Path) -> None:
    text = SWEEP.replace("1 to 5", "1 to 12").replace("6, 18", "6 to 18 by 6")
    sweep = written(folder, "more.yaml", text)
    assert 400 < len(sweep.points) < 500
    paths = [folder / f"{n}.sqlite" for n in (1, 2, 3)]
    run_sweep(sweep, str(paths[0]), Workers(), Progress())
    run_sweep(sweep, str(paths[1]), Workers(2), Progress())
    written(folder, "fewer.yaml", text.replace("1 to 12", "3 to 7"))
    run_sweep(read(folder / "fewer.yaml"), str(paths[2]), Workers(), Progress())
    resumed = run_sweep(read(folder / "more.yaml"), str(paths[2]), Workers(), Progress())
    assert 0 < resumed.anew < len(sweep.points) - 100
    assert len({path.read_bytes() for path in paths}) == 1


def test_only_what_a_change_can_have_changed_is_asked_again(folder: Path) -> None:
    path = str(folder / "a.sqlite")
    first = run_sweep(read(folder / "eyes-sweep.yaml"), path, Workers(), Progress())
    assert first.anew == POINTS

    def again(old: str, new: str) -> int:
        text = (folder / "skirmish.yaml").read_text("utf-8")
        assert text.count(old) == 1
        (folder / "skirmish.yaml").write_text(text.replace(old, new), "utf-8")
        found = run_sweep(read(folder / "eyes-sweep.yaml"), path, Workers(), Progress())
        scratch = run_sweep(
            read(folder / "eyes-sweep.yaml"), str(folder / "s.sqlite"), Workers(), Progress(), anew=True
        )
        assert (folder / "a.sqlite").read_bytes() == (folder / "s.sqlite").read_bytes()
        assert scratch.anew == POINTS
        return found.anew

    assert again("game: Skirmish\n", "game: Skirmish  # a remark\n") == 0
    assert again("basic: needs 3", "basic: needs 2") == 2 * 2  # those who rally, of each set and reading
    assert again("to rally (unit):\n", "to rally (unit):  # calm\n") == 0
    assert again("basic: needs skill", "basic: needs skill + 0") == 2 * 2 * 30
    assert again("first 4", "first 5") == POINTS  # who has what skill is declared: it may matter anywhere


def test_how_hard_it_is_tried_changes_what_may_be_kept(folder: Path) -> None:
    path = str(folder / "a.sqlite")
    run_sweep(written(folder, "a.yaml", FIGHT), path, Workers(), Progress())
    same = run_sweep(written(folder, "b.yaml", FIGHT + "plays: 500\nerror: 1%\n"), path, Workers(), Progress())
    assert same.anew == 0  # all are exact
    other = run_sweep(written(folder, "c.yaml", FIGHT + "worlds: 1\nplays: 100\n"), path, Workers(), Progress())
    assert other.anew == POINTS
    more = run_sweep(written(folder, "d.yaml", FIGHT + "worlds: 1\nplays: 200\n"), path, Workers(), Progress())
    assert 0 < more.anew < POINTS
    assert {told.plays for each in more.found.values() for told in each.told} == {None, 200}


def test_a_file_that_is_not_ours_stays(folder: Path) -> None:
    (folder / "mine.sqlite").write_bytes(b"my own notes")
    done = umpire(folder, "sweep", "eyes-sweep.yaml", "--output", "mine.sqlite")
    assert done.exit_code == 2 and "holds no results of a sweep" in done.output
    assert (folder / "mine.sqlite").read_bytes() == b"my own notes"
    base = sqlite3.connect(folder / "other.sqlite")
    base.execute("CREATE TABLE results (mine TEXT)")
    base.commit()
    base.close()
    assert umpire(folder, "sweep", "eyes-sweep.yaml", "-o", "other.sqlite").exit_code == 2


# ---- stopped
LONG = FIGHT.replace("1 to 5", "1 to 8") + "worlds: 1\nplays: 200\n"


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "interpreter", "sweep", *words],
        cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(folder: Path) -> None:
    (folder / "long.yaml").write_text(
        LONG.replace("rules: [skirmish, skirmish + eyes]", "rules: skirmish").replace("plays: 200", "plays: 2000"),
        "utf-8",
    )
    sweep = read(folder / "long.yaml")
    first = command(folder, "long.yaml", "--jobs", "2")
    while not (folder / "long.sqlite").exists() and first.poll() is None:
        time.sleep(0.05)  # until some of it is kept
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=60)
    assert first.returncode == 130, out + err
    assert "are kept in long.sqlite; the same command goes on" in err
    points = {row["point"] for row in kept(folder / "long.sqlite")}
    assert 0 < len(points) < len(sweep.points)
    resumed = run_sweep(sweep, str(folder / "long.sqlite"), Workers(2), Progress())
    assert resumed.anew == len(sweep.points) - len(points)
    run_sweep(sweep, str(folder / "whole.sqlite"), Workers(), Progress())
    assert (folder / "whole.sqlite").read_bytes() == (folder / "long.sqlite").read_bytes()


# ---- a cluster
@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler of dask and two workers, each a process of its own."""
    told = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    asked = ["scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)]
    begun = [subprocess.Popen([*dask, *asked], env=env, **quiet)]
    try:
        address = ""
        for _ in range(600):
            time.sleep(0.1)
            if told.exists() and (text := told.read_text("utf-8")).strip().endswith("}"):
                address = json.loads(text)["address"]
                break
        worker = [
            "worker",
            address,
            "--no-nanny",
            "--nthreads",
            "1",
            "--no-dashboard",
            "--local-directory",
            str(folder),
        ]
        begun += [subprocess.Popen([*dask, *worker], env=env, **quiet) for _ in range(2)]
        yield address, begun[1:]
    finally:
        for process in reversed(begun):
            process.kill()
            process.wait()


def test_a_cluster_of_which_a_worker_is_killed_gives_the_same_bytes(folder: Path) -> None:
    sweep = written(folder, "more.yaml", FIGHT.replace("1 to 5", "1 to 9") + "worlds: 1\nplays: 40\n")
    assert 200 < len(sweep.points) < 400
    run_sweep(sweep, str(folder / "one.sqlite"), Workers(), Progress())
    with cluster(folder) as (address, workers):
        progress = Progress()
        done = dict[int, Any]()
        for i, found in found_in(sweep, "", {}, frozenset(), Workers(1, address), progress):
            done[i] = found
            if len(done) == len(sweep.points) // 2:
                workers[0].kill()
        assert len(done) == len(sweep.points) and workers[0].wait() != 0
        two = run_sweep(sweep, str(folder / "two.sqlite"), Workers(1, address), Progress())
    assert [each.told for _, each in sorted(done.items())] == [each.told for _, each in sorted(two.found.items())]
    assert (folder / "one.sqlite").read_bytes() == (folder / "two.sqlite").read_bytes()


# ---- what is told
def test_the_same_answers_in_every_form(folder: Path) -> None:
    done = umpire(folder, "sweep", "eyes-sweep.yaml", "--parquet", "a.parquet", "--html", "a.html")
    assert done.exit_code == 0, done.output
    assert f"{POINTS} points: {POINTS} exact" in done.output
    rows = kept(folder / "eyes-sweep.sqlite")
    assert pyarrow.parquet.read_table(folder / "a.parquet").to_pylist() == rows
    lines = list(csv.DictReader(io.StringIO(umpire(folder, "sweep", "eyes-sweep.yaml", "--csv").output)))
    assert lines == [{name: "" if value is None else str(value) for name, value in row.items()} for row in rows]
    plain = json.loads(umpire(folder, "sweep", "eyes-sweep.yaml", "--json").output)
    assert [(p["point"], a["ask"], a["exact"]["least"]) for p in plain["points"] for a in p["answers"]] == [
        (row["point"], row["ask"], row["exact"]) for row in rows
    ]
    page = (folder / "a.html").read_text("utf-8")
    assert "volley: hits, A skill 3, skirmish, cover 1" in page and page.count("<table>") == page.count("<svg")
    assert "://" not in page.replace("http://www.w3.org/", "")


def test_what_cannot_be_asked_is_told_and_the_rest_is_there(folder: Path) -> None:
    (folder / "none.yaml").write_text(FIGHT + "worlds: 3\nplays: none\n", "utf-8")
    done = umpire(folder, "sweep", "none.yaml")
    assert done.exit_code == 1
    assert "not asked at" in done.output and "E001" in done.output and "exact" in done.output


def test_all_mistakes_of_a_file_are_told_at_once(folder: Path) -> None:
    text = (
        SWEEP.replace("gap: 6, 18", "gap: 6, 18\n  wind: 1 to 3")
        .replace("ask: calm", "ask: calmer")
        .replace("cover: 1, 2", "cover: 1, 7")
        + "plays: plenty\nerorr: 1%\n"
    )
    (folder / "bad.yaml").write_text(text, "utf-8")
    done = umpire(folder, "sweep", "bad.yaml", "--json")
    assert done.exit_code == 1
    assert [each["code"] for each in json.loads(done.output)["problems"]] == ["B004"]
    (folder / "bad.yaml").write_text(text.replace("erorr", "error"), "utf-8")
    told = json.loads(umpire(folder, "check", "bad.yaml", "--json").output)["problems"]
    assert [(each["code"], each["line"]) for each in told] != []
    assert {"B001", "B002"} <= {each["code"] for each in told}
