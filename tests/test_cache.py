"""What was found is kept, and never lies: whatever changes on the disk or in Umpire, the answer is that of a check anew."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typed import CliRunner

from interpreter import cache, disk, places
from interpreter.source import Problem, Problems
from interpreter.source.values import replace
from interpreter.surfaces.cli.group import main
from interpreter.workbench import trees
from interpreter.workbench.checked import Checked, checked
from interpreter.workbench.rules import open_rules

ROOT = Path(__file__).parent.parent

BASE = """\
game: Base
clauses: HOU
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number
Firing:
  roll shooting of unit: needs 5
  to shoot (unit) at (target unit):
    hits: unit.strength passing unit.shooting [1]
"""
HOUSE = """\
game: House
extends: base
clauses: HOU
Saves:
  roll save of unit: needs 4
  add to shoot:
    dead: hits failing target.save [2]
"""
MORE = """\
game: More
over: house
Panic:
  rule panic after shoot:
    lost: dead
"""
SHOT = """\
rules: house
unit A: strength 3
unit B: strength 4
do: A shoots at B
ask: hits
"""
REGISTER = """\
clauses:
  Firing:
    HOU-001: {kind: rule, says: dice hit}
    HOU-002: {kind: rule, says: saves fail}
"""
FILES = {
    "base.yaml": BASE,
    "house.yaml": HOUSE,
    "more.yaml": MORE,
    "shot.yaml": SHOT,
    "home/rules/clauses/house.yaml": REGISTER,
}
ASKED = ("house.yaml", "more.yaml", "house.yaml + more.yaml", "shot.yaml", "house", "nothing.yaml", "base.yaml")


def lay_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small stack of every kind of file, in a home of its own, and a cache of its own."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    monkeypatch.delenv("UMPIRE_CACHE", raising=False)
    monkeypatch.setattr(places, "HOME", str(folder / "home"))
    monkeypatch.setattr(places, "SHIPPED", str(folder / "home" / "rules"))


@pytest.fixture
def stack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    lay_out(tmp_path, monkeypatch)
    return tmp_path


def entries(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "umpire").glob("*.cache"))


def recalled(name: str) -> bool:
    return cache.load(("check", cache.search_context(), name)) is not None


# ---- it never lies
@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str, int, str]:
    """A file and what is done to it."""
    done = draw(st.sampled_from(["digit", "drop", "double", "gone", "empty", "new", "word", "latin"]))
    return (
        draw(st.sampled_from(sorted(FILES))),
        done,
        draw(st.integers(0, 200)),
        draw(st.sampled_from(list("0123456789"))),
    )


def edit(folder: Path, name: str, done: str, at: int, digit: str) -> None:
    path = folder / name
    if done == "gone":
        path.unlink(missing_ok=True)
    elif done == "new":  # a file that was looked for and was not there
        (folder / ("nothing.yaml" if at % 2 else "home/rules/base.yaml")).write_text(FILES[name], "utf-8")
    elif done == "latin":
        path.write_bytes(b"game: \xe9t\xe9\n")
    else:
        text = path.read_text("utf-8", errors="replace") if path.exists() else FILES[name]
        lines = text.splitlines(keepends=True) or [""]
        line = at % len(lines)
        if done == "digit":
            digits = [i for i, c in enumerate(text) if c.isdigit()]
            if digits:
                i = digits[at % len(digits)]
                text = text[:i] + digit + text[i + 1 :]
            path.write_text(text, "utf-8")
            return
        new = {"drop": [], "double": [lines[line]] * 2, "empty": ["\n"], "word": [lines[line].replace("shoot", "shot")]}
        path.write_text("".join([*lines[:line], *new[done], *lines[line + 1 :]]), "utf-8")


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(edits(), st.sampled_from(ASKED)), min_size=1, max_size=4))
def test_whatever_is_edited_warm_is_cold(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[tuple[str, str, int, str], str]]
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        folder = tmp_path_factory.mktemp("stack")
        lay_out(folder, monkeypatch)
        for name in ASKED:
            checked(name)
        for change, name in steps:
            edit(folder, *change)
            assert checked(name) == checked(name, anew=True)
            assert checked(name) == checked(name, anew=True), "also from what was kept just now"
        for name in ASKED:
            assert checked(name) == checked(name, anew=True)


def test_what_does_not_change_is_recalled(stack: Path) -> None:
    for name in ASKED:
        assert not recalled(name)
        cold = checked(name)
        assert recalled(name), name
        assert checked(name) == cold


@pytest.mark.parametrize("name", ["imperial", "modern", "vbcw", "vsf"])
def test_the_rules_that_come_along_are_recalled(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A volley never asked of rules that are known neither reads nor checks them."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("UMPIRE_CACHE", raising=False)
    assert open_rules(name, Problems(), to_run=True) is not None
    assert cache.load(("book", name, str(None), cache.search_context())) is not None


@pytest.mark.parametrize("name", sorted(set(FILES) - {"more.yaml", "shot.yaml"}))
def test_every_file_of_a_stack_counts(stack: Path, name: str) -> None:
    checked("house.yaml + more.yaml")
    (stack / name).write_text(FILES[name] + "# a remark\n", "utf-8")
    assert not recalled("house.yaml + more.yaml")


def test_the_same_name_in_another_folder_is_another_file(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stack / "base.yaml").write_text(BASE.replace("needs 5", "neds 5"), "utf-8")
    (stack / "inner").mkdir()
    (stack / "inner" / "base.yaml").write_text("\n" + BASE.replace("needs 5", "neds 5"), "utf-8")
    (first,) = checked("base.yaml")
    monkeypatch.chdir(stack / "inner")
    (second,), (third,) = checked("base.yaml"), checked("../base.yaml")
    found = [c.problems[0].span for c in (first, second, third)]
    assert [(s.source.name, s.place) for s in found if s] == [
        ("base.yaml", (9, 26)),
        ("base.yaml", (10, 26)),
        ("../base.yaml", (9, 26)),
    ]


def test_another_umpire_asks_anew(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = stack / "code"
    code.mkdir()
    (code / "rules.lark").write_text("a", "utf-8")
    monkeypatch.setattr(places, "CODE", (str(code),))
    monkeypatch.setattr(cache, "_codes", [])
    checked("house.yaml")
    assert recalled("house.yaml")
    (code / "rules.lark").write_text("ab", "utf-8")
    assert recalled("house.yaml"), "a process keeps to the code that it began with"
    monkeypatch.setattr(cache, "_codes", [])
    assert not recalled("house.yaml")
    checked("house.yaml")
    monkeypatch.setattr(cache, "_codes", [])
    monkeypatch.setattr(sys, "version", "4.0")
    assert not recalled("house.yaml")


def test_all_of_umpire_is_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of any source, of the grammar or of a schema is another code; one of the rules is a look."""
    for folder in ("interpreter", "grammar"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert (str(ROOT / "interpreter"), str(ROOT / "grammar")) == places.CODE
    monkeypatch.setattr(places, "CODE", (str(tmp_path / "interpreter"), str(tmp_path / "grammar")))
    told = {cache.code_fingerprint()}
    files = [
        p for p in tmp_path.rglob("*") if p.is_file() and p.suffix not in (".md", ".js")
    ]  # a script of the studio's page
    for i, path in enumerate(files, 1):
        os.utime(path, ns=(0, 1))
        told.add(cache.code_fingerprint())
        assert len(told) == i + 1, path


# ---- nothing on the disk can break it
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(at=st.integers(0, 5000), how=st.sampled_from(["cut", "flip", "noise"]), name=st.sampled_from(ASKED))
def test_damage_is_as_if_nothing_were_kept(stack: Path, at: int, how: str, name: str) -> None:
    for path in entries(stack):
        path.unlink()
    cold = checked(name, anew=True)
    for path in entries(stack):
        sound = path.read_bytes()
        i = at % len(sound)
        flipped = sound[:i] + bytes([sound[i] ^ 1]) + sound[i + 1 :]
        path.write_bytes({"cut": sound[:i], "flip": flipped, "noise": os.urandom(50)}[how])
    assert not recalled(name)
    assert checked(name) == cold


class Runs:
    """What a file of somebody else might hold: made again, it runs a command."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.path}",)


def test_what_is_read_runs_nothing(stack: Path) -> None:
    cold = checked("house.yaml", anew=True)
    with disk.tracking() as watch:
        disk.kind("house.yaml")
    for answer in (Runs(stack / "ran"), [Runs(stack / "ran")], Path("x"), cache.without_cache, cache._Reader):
        cache.store(("check", cache.search_context(), "house.yaml"), watch, answer)
        assert entries(stack), "it was written as any other"
        assert not recalled("house.yaml")
        assert checked("house.yaml") == cold
    assert not (stack / "ran").exists()


@pytest.mark.parametrize("answer", ["", {}, ["house"], ("house",), 7])
def test_an_answer_of_another_shape_is_none(stack: Path, answer: object) -> None:
    cold = checked("house.yaml", anew=True)
    with disk.tracking() as watch:
        disk.kind("house.yaml")
    cache.store(("check", cache.search_context(), "house.yaml"), watch, answer)
    assert checked("house.yaml") == cold


def test_the_folder_may_be_anything(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = checked("house.yaml")
    for path in entries(stack):
        path.unlink()
        path.mkdir()
    assert checked("house.yaml") == cold
    (stack / "taken").write_text("a file", "utf-8")
    for home in ("taken", "not/absolute"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(stack / home) if home == "taken" else home)
        assert checked("house.yaml") == cold
    assert not (stack / "not").exists()


def test_a_pipe_or_a_link_is_as_if_nothing_were_kept(stack: Path) -> None:
    """Nobody waits for who never writes, nor reads or writes through a link to elsewhere."""
    cold = checked("house.yaml")
    sound = {path: path.read_bytes() for path in entries(stack)}
    for put in (os.mkfifo, lambda path: os.symlink(stack / "elsewhere", path)):
        for path, whole in sound.items():
            (stack / "elsewhere").write_bytes(whole)
            path.unlink()
            put(path)
        assert not recalled("house.yaml")
        assert checked("house.yaml") == cold
        assert recalled("house.yaml"), "it was kept anew, in the place of that"
        assert (stack / "elsewhere").read_bytes() in sound.values()


def test_a_write_follows_no_link(stack: Path) -> None:
    target, beside = stack / "target", stack / "beside"
    target.write_bytes(b"of somebody else")
    for to in (target, stack / "not there yet"):
        beside.symlink_to(to)
        with pytest.raises(FileExistsError):
            disk.write_cache_file(str(stack / "kept"), str(beside), b"ours")
        beside.unlink()
    assert target.read_bytes() == b"of somebody else"
    assert not (stack / "not there yet").exists()
    assert not (stack / "kept").exists()


def test_nothing_is_kept_in_a_folder_of_somebody_else(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked("house.yaml")
    for path in entries(stack):
        path.unlink()
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    checked("house.yaml")
    assert entries(stack) == []


def test_it_can_be_left_off(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_CACHE", "off")
    checked("house.yaml")
    assert entries(stack) == []
    monkeypatch.delenv("UMPIRE_CACHE")
    checked("house.yaml")
    (one,) = [p for p in entries(stack) if b"'check'" in p.read_bytes()]
    one.write_text("damaged", "utf-8")
    assert CliRunner().invoke(main, ["check", "house.yaml", "--no-cache"]).exit_code == 0
    assert recalled("house.yaml"), "checked anew, and kept"


def test_nothing_is_written_beside_the_rules(stack: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in stack.rglob("*") if "cache" not in p.parts}
    for name in ASKED:
        checked(name)
    assert {p: p.stat().st_mtime_ns for p in stack.rglob("*") if "cache" not in p.parts} == before


def test_it_stays_small(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 4)
    monkeypatch.setattr(cache, "SELDOM", 1)
    with disk.tracking() as watch:
        disk.kind("house.yaml")
    for i in range(12):
        cache.store((str(i),), watch, "answer")
        for path in entries(stack):  # a clock that ticks
            found = path.stat()
            os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns - 1_000_000_000))
    assert len(entries(stack)) == 4
    assert [i for i in range(12) if cache.load((str(i),))] == [8, 9, 10, 11]
    monkeypatch.setattr(cache, "LARGEST", 1000)
    cache.store(("long",), watch, "x" * 1000)
    assert cache.load(("long",)) is None


def test_many_at_once_read_all_or_nothing(stack: Path) -> None:
    with disk.tracking() as watch:
        disk.kind("house.yaml")

    def one(i: int) -> bool:
        cache.store(("same",), watch, str(i % 10) * 20_000)
        found = cache.load(("same",))
        return found is None or (len(found) == 20_000 and len(set(found)) == 1)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(200)))


def test_a_file_that_changes_while_it_is_checked_is_not_kept(stack: Path) -> None:
    with disk.tracking() as watch:
        disk.content("house.yaml", 10_000)
        (stack / "house.yaml").write_text("game: Other\n", "utf-8")
        disk.content("house.yaml", 10_000)
    assert watch.accesses is None
    cache.store(("torn",), watch, "answer")
    assert cache.load(("torn",)) is None


def test_a_name_that_no_line_can_hold(stack: Path) -> None:
    odd = "odd\nname.yaml"
    (stack / odd).write_text(BASE, "utf-8")
    assert checked(odd) == checked(odd, anew=True)
    assert not recalled(odd)


# ---- every look is noted
def _looks(path: Path) -> Iterator[str]:
    """What a module asks the disk by itself."""
    asking = {"is_file", "is_dir", "exists", "glob", "rglob", "iterdir", "read_text", "read_bytes", "stat", "lstat",
              "listdir", "scandir", "open", "isfile", "isdir", "getmtime"}  # fmt: skip
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            base = node.func.value if isinstance(node.func, ast.Attribute) else None
            if name in asking - ({"read_text"} if base is None else set()) and not (
                isinstance(base, ast.Name) and base.id in ("disk", "self")
            ):
                yield f"{path.relative_to(ROOT)}:{node.lineno}: {name}"


def test_nobody_but_disk_asks_the_disk() -> None:
    """A look that is not noted is a change that is not seen: the rooms of a check go through disk.py."""
    rooms = ("source", "document", "language", "vocabulary", "rulebook", "lint", "program", "engines", "workbench")
    found = [
        look for room in rooms for path in sorted((ROOT / "interpreter" / room).rglob("*.py")) for look in _looks(path)
    ]
    # The schemas, the words of brackets and the grammar's tables are code; `open` is a method of programs; the others write files or tell recipes, and nothing is kept of that.
    other = ("document/shape.py", "document/alternatives.py", "language/table_files.py", "program/choice_codegen.py", "program/liveness.py", "program/odds_paths.py",
             "document/file_io.py", "workbench/starting.py", "workbench/formatting.py", "workbench/fixes.py", "workbench/questionnaire.py", "workbench/recipes.py")  # fmt: skip
    assert [look for look in found if not look.startswith(tuple(f"interpreter/{each}:" for each in other))] == []


# ---- what is told
def _all_mistakes() -> list[Problem]:
    found = Problems()
    for path in sorted((ROOT / "examples").glob("*.yaml")):
        for each in checked(str(path), anew=True):
            found.extend(each.problems)
    for text in (BASE.replace("needs 5", "neds 5"), BASE + BASE, "a: [f(a, b)]\n", HOUSE, "game: x\ngame: y\n", "\t"):
        problems = Problems()
        tree = trees.read_text("mistake", text, problems)
        assert tree is not None or len(problems)
        found.extend(problems)
    return list(found)


def test_problems_come_back_as_they_were(stack: Path) -> None:
    found = _all_mistakes()
    assert len(found) > 3
    assert any(p.fix for p in found) and any(p.others for p in found)
    odd = replace(found[0], hint="„Größe“ \ud83c \0 \x1b")
    cache.store(("all",), disk.InputTracker(), [*found, odd])
    assert cache.load(("all",)) == [*found, odd]


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_form_is_told_alike(stack: Path, form: str) -> None:
    (stack / "house.yaml").write_text(HOUSE.replace("needs 4", "neds 4"), "utf-8")
    words = ["check", "house.yaml", "base.yaml", "more.yaml", "shot.yaml", "--format", form]
    cold = CliRunner().invoke(main, [*words, "--no-cache"])
    warm = CliRunner().invoke(main, words)
    assert cold.exit_code == warm.exit_code == 1
    assert warm.output == cold.output
    assert "neds" in warm.output
    assert form == "text" or json.loads(warm.output)["errors"] >= 1


# ---- what is imported
HEAVY = {"numpy", "shapely", "rich", "dask"}


def imported(*words: str, **settings: str) -> set[str]:
    """The modules that a command imports, as Python itself tells them."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **settings}
    command = [sys.executable, "-X", "importtime", "-m", "interpreter", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if line.startswith("import time:")}


def test_a_warm_check_neither_reads_nor_checks(tmp_path: Path) -> None:
    home = str(tmp_path)
    cold = imported("check", "modern", XDG_CACHE_HOME=home)
    assert {"yaml", "interpreter.rulebook"} <= cold
    warm = imported("check", "modern", XDG_CACHE_HOME=home)
    assert "argparse" in warm
    assert not {name.split(".")[0] for name in warm} & {"yaml", "lark", "jsonschema", *HEAVY}
    rooms = {name.split(".")[1] for name in warm if name.startswith("interpreter.")}
    assert not rooms & {"document", "language", "rulebook", "lint", "program", "engines"}


def test_nothing_heavy_is_imported_for_right_files(tmp_path: Path) -> None:
    home = str(tmp_path)
    shot = ("modern", "shoot", "A: 6 figures, seasoned, rifle", "B: 8 figures, green", "distance 20", "--seed", "1")
    for words in (("check", "--no-cache", "modern"), ("resolve", *shot), ("--help",)):
        found = {name.split(".")[0] for name in imported(*words, XDG_CACHE_HOME=home)}
        assert not found & {"lark", "jsonschema", *HEAVY}, words


def test_checked_is_a_value() -> None:
    assert Checked("a", "b", ()) == Checked("a", "b", ())


def test_what_a_file_allows_is_allowed_however_often_it_is_opened(stack: Path) -> None:
    (stack / "allows.yaml").write_text("# umpire: allow Y018 because it is a test\n" + BASE, "utf-8")
    first, second = Problems(), Problems()
    for problems in (first, second):
        assert trees.read_tree(Path("allows.yaml"), problems) is not None
        problems.report_unused("allows.yaml")
    assert len(first) == 1
    assert list(first) == list(second)


def test_what_is_allowed_is_told_with_its_reason_however_often_it_is_checked(stack: Path) -> None:
    own = (
        "# umpire: allow P015 in this file because it is a\ttest\n"
        + BASE
        + "  to wait (unit):\n    calm: unit.strength = 0\n"
    )
    (stack / "allows.yaml").write_text(own, "utf-8")
    told = [checked("allows.yaml") for _ in range(3)]
    assert told[0] == told[1] == told[2]
    assert [(p.code, why) for each in told[2] for p, why in each.allowed] == [("P015", "it is a\ttest")]


def test_another_search_path_is_another_question(stack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (stack / "shared").mkdir()
    (stack / "shared" / "lent.yaml").write_text(BASE.replace("game: Base", "game: Lent"), "utf-8")
    (stack / "club.yaml").write_text("game: Club\nextends: lent\n", "utf-8")
    assert [p.code for each in checked("club.yaml") for p in each.problems] == ["F015"]
    monkeypatch.setenv("UMPIRE_PATH", str(stack / "shared"))
    assert [p.code for each in checked("club.yaml") for p in each.problems] == []
    monkeypatch.delenv("UMPIRE_PATH")
    assert [p.code for each in checked("club.yaml") for p in each.problems] == ["F015"]
