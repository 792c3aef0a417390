"""`umpire migrate`: a file of an older language in today's words, and nothing else of it changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.document.nodes import Scalar
from interpreter.document.reader import read
from interpreter.source import Problems, Source, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.examples import examples_of
from interpreter.workbench.migrating import CURRENT, STEPS, Edit, can_be_read, migrated
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run

ROOT = Path(__file__).parent.parent
SHIPPED = sorted(p for folder in ("rules", "examples") for p in (ROOT / folder).rglob("*.yaml"))

# A file from before there were versions: it calls things by names that are words of the language now.
OLD = """\
game: The old limit                     # all of it is mine
schema: 0
extends: tabletop
about: the limit of all that we know

House Rules:
  add to unit:
    limit: number first 2               # a limit of its own
    nerve: number first 4
  mark evenly, tired of unit:
  value room of unit:
    whole: limit
    down:  -1 per (figures where weary)   # the limit is what is left
  mark weary of figure:
  to rest (unit), (deals number):
    all, if limit > deals: room
    except, otherwise: umpire 'all of them? the limit is 2'
    sum-of-all: all + deals
  example an-old-one:
    unit A:
      is: limit 3, nerve 5, evenly
      figures: [2, 1 with weary]
    do: A rests 1
    then: ['all = 2', A.limit = 3, A is evenly]
"""
NEW = """\
game: The old limit                     # all of it is mine
schema: 1
extends: tabletop
about: the limit of all that we know

House Rules:
  add to unit:
    the-limit: number first 2               # a limit of its own
    nerve: number first 4
  mark the-evenly, tired of unit:
  value room of unit:
    whole: the-limit
    down:  -1 per (figures where weary)   # the limit is what is left
  mark weary of figure:
  to rest (unit), (the-deals number):
    the-all, if the-limit > the-deals: room
    the-except, otherwise: umpire 'all of them? the limit is 2'
    sum-of-all: the-all + the-deals
  example an-old-one:
    unit A:
      is: the-limit 3, nerve 5, the-evenly
      figures: [2, 1 with weary]
    do: A rests 1
    then: ['the-all = 2', A.the-limit = 3, A is the-evenly]
"""


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "old.yaml"
    path.write_text(OLD, "utf-8")
    return path


def umpire(code: int, *words: str) -> str:
    done = CliRunner().invoke(main, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == code, done.output
    return done.output


def source(path: Path) -> Source:
    return Source(str(path), path.read_bytes().decode("utf-8"))


def test_names_that_became_words(old: Path) -> None:
    umpire(0, "migrate", "old.yaml")
    assert old.read_text("utf-8") == NEW
    problems = Problems()
    rules = open_rules("./old.yaml", problems)
    assert rules is not None
    assert not problems.has_errors, render(problems)
    assert [run(rules, e).passed for e in examples_of(rules, problems)] == [True]


def test_a_file_that_must_be_migrated_is_refused_with_the_command(old: Path) -> None:
    out = umpire(1, "check", "old.yaml")
    assert "error S011" in out
    assert "old.yaml:2:9" in out
    assert "`umpire migrate old.yaml`" in out
    assert out.count("error ") == 1


def test_an_older_file_that_means_the_same_is_read(old: Path) -> None:
    old.write_text("game: Old\nschema: 0\nextends: modern\nHouse Rules:\n  mark lucky of unit:\n", "utf-8")
    assert "clean" in umpire(0, "check", "old.yaml")


@pytest.mark.parametrize(
    ("said", "code"), [("2", "S010"), ("9999", "S010"), ("1.2", "S009"), ("one", "S009"), ("-1", "S009")]
)
def test_what_is_no_version_here(said: str, code: str, old: Path) -> None:
    old.write_text(f"game: New\nschema: {said}\nextends: modern\nWhatever: is new in it\n", "utf-8")
    for words in (("check", "old.yaml"), ("migrate", "old.yaml")):
        done = CliRunner().invoke(main, list(words))
        assert f"error {code}" in done.output
        assert "old.yaml:2:9" in done.output
        assert "S005" not in done.output
    if code == "S010":
        assert "`pip install --upgrade tabletop-umpire`" in done.output
    assert "schema: " + said in old.read_text("utf-8")


def test_a_base_of_another_version_is_refused_where_it_is(old: Path) -> None:
    (old.parent / "mine.yaml").write_text("game: Mine\nextends: old\nHouse Rules:\n  mark lucky of unit:\n", "utf-8")
    assert "`umpire migrate" in umpire(1, "check", "mine.yaml")


def test_nothing_is_written_that_is_only_asked_for(old: Path) -> None:
    assert "would change  old.yaml  schema 0 to 1" in umpire(1, "migrate", "--check", "old.yaml")
    shown = umpire(0, "migrate", "--diff", "old.yaml")
    assert "-    limit: number first 2" in shown
    assert "+    the-limit: number first 2" in shown
    assert old.read_text("utf-8") == OLD
    umpire(0, "migrate", "old.yaml")
    assert "as it is  old.yaml" in umpire(0, "migrate", "--check", "old.yaml")


def test_a_file_from_before_there_were_versions(old: Path) -> None:
    unsaid = OLD.replace("schema: 0\n", "")
    old.write_text(unsaid, "utf-8")
    assert "as it is" in umpire(0, "migrate", "old.yaml")
    assert old.read_text("utf-8") == unsaid
    umpire(0, "migrate", "--from", "0", "old.yaml")
    assert old.read_text("utf-8") == NEW.replace("schema: 1\n", "")


def test_line_ends_and_marks_of_order_stay(old: Path) -> None:
    old.write_bytes(b"\xef\xbb\xbf" + OLD.replace("\n", "\r\n").encode())
    umpire(0, "migrate", "old.yaml")
    assert old.read_bytes() == b"\xef\xbb\xbf" + NEW.replace("\n", "\r\n").encode()


def test_what_cannot_be_read_is_left(old: Path) -> None:
    old.write_text("game: [\n", "utf-8")
    umpire(1, "migrate", "old.yaml")
    assert old.read_text("utf-8") == "game: [\n"
    umpire(2, "migrate", "no-such.yaml")
    assert "the newest version of the language here is 1" in umpire(2, "migrate", "--to", "7", "old.yaml")


def test_a_fresh_name_is_fresh(old: Path) -> None:
    old.write_text("game: T\nschema: 0\nextends: tabletop\nH:\n  mark limit, the-limit of unit:\n", "utf-8")
    umpire(0, "migrate", "old.yaml")
    assert "mark the-limit-too, the-limit of unit:" in old.read_text("utf-8")


@pytest.mark.parametrize("path", SHIPPED, ids=lambda p: p.stem)
def test_shipped_files_are_as_they_are(path: Path) -> None:
    problems = Problems()
    text = source(path).text
    assert migrated(source(path), 0, CURRENT, problems) == text
    assert not len(problems)


@pytest.mark.parametrize("step", STEPS.values(), ids=lambda step: step.__name__)
def test_a_step_done_twice_is_done_once(step, old: Path) -> None:  # type: ignore[no-untyped-def]
    version = next(v for v, s in STEPS.items() if s is step)
    once = migrated(source(old), version, version + 1, Problems(), {version: step})
    assert once is not None
    assert once != OLD
    root = read(Source("old.yaml", once), Problems())
    assert root is not None
    assert step(root) == []


def test_steps_follow_each_other() -> None:
    """The machinery with steps of its own: each reads what the one before it wrote, and one that is not there is none."""

    def louder(root) -> list[Edit]:  # type: ignore[no-untyped-def]
        about = root.get("about")
        assert isinstance(about, Scalar)
        return [Edit(about.span, about.text + "!")] if about.text.count("!") < 3 else []

    text = "game: T\nschema: 3\nabout: quiet   # a remark\n"
    steps = {3: louder, 5: louder}
    made = migrated(Source("t.yaml", text), 3, 7, Problems(), steps)
    assert made == "game: T\nschema: 7\nabout: quiet!!   # a remark\n"
    root = read(Source("t.yaml", text.replace("schema: 3", "schema: 0")), Problems())
    assert root is not None
    problems = Problems()
    assert not can_be_read(root, problems, {0: louder})
    assert [p.code for p in problems] == ["S011"]
    assert can_be_read(root, Problems(), {})
