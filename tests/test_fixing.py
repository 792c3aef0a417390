"""`umpire check --fix`: safe fixes are made as edits of the text, told, and lose nothing."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typed import CliRunner

from interpreter.disk import overlay_texts
from interpreter.document.file_io import read_file
from interpreter.document.reader import read
from interpreter.folders import RULES
from interpreter.layout import with_fixes
from interpreter.source import Fix, Problem, Problems, Source, Span
from interpreter.surfaces.cli.group import main
from interpreter.workbench.fixes import ROUNDS, fix_files
from interpreter.workbench.rules import open_rules

MISTAKEN = """\
game: Toy
Firing:
  dice high: d6 at or over   # kept – as it “is”
  kind unit:
    reach: inches first 6”
\tskill: number first 4 # so
    name: one of levels
  table levels (hit):
    raw: –1
  value n of unit: 3 if reach >= 6 inches
  value m of unit: 3 if reach => 6″
  to go (unit): umpire ‘go on’
  value o of unit: 3 if raech > 6"
"""
MENDED = """\
game: Toy
Firing:
  dice high: d6 at or over   # kept – as it “is”
  kind unit:
    reach: inches first 6"
    skill: number first 4  # so
    name: one of levels
  table levels (hit):
    raw: -1
  value n of unit: 3 if reach >= 6"
  value m of unit: 3 if reach >= 6"
  to go (unit): umpire 'go on'
  value o of unit: 3 if raech > 6"
"""


def run(*args: str) -> tuple[int, bytes, str]:
    done = CliRunner().invoke(main, list(args), input=io.BytesIO())
    return done.exit_code, done.stdout_bytes, done.stderr


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "toy.yaml"
    path.write_bytes(("\ufeff" + MISTAKEN.replace("\n", "\r\n")).encode())
    path.chmod(0o640)
    return path


def test_what_is_safe_is_mended_and_the_rest_is_told(toy: Path) -> None:
    code, out, _ = run("check", "--fix", "toy.yaml")
    said = out.decode()
    assert toy.read_bytes().decode() == "\ufeff" + MENDED.replace("\n", "\r\n")
    assert toy.stat().st_mode & 0o777 == 0o640
    assert code == 1
    assert said.count("fixed  toy.yaml:") == 8
    assert "fixed  toy.yaml:10:34  L001" in said
    assert '  was  value n of unit: 3 if reach >= 6 inches\n  now  value n of unit: 3 if reach >= 6"\n' in said
    assert "error N001" in said and "fix (look first): write `reach`" in said
    again = run("check", "--fix", "toy.yaml")[1].decode()
    assert again.startswith("error N001")
    assert "1 marked (look first) left to you" in again
    assert toy.read_bytes().decode() == "\ufeff" + MENDED.replace("\n", "\r\n")


def test_a_diff_writes_nothing_and_patches(toy: Path) -> None:
    before = toy.read_bytes()
    code, out, _ = run("check", "--diff", "toy.yaml")
    assert code == 1
    assert toy.read_bytes() == before
    lines = out.decode().split("\n")
    assert lines[:2] == ["--- toy.yaml", "+++ toy.yaml"]
    minus = [line[1:] for line in lines[2:] if line[:1] in " -"]
    plus = [line[1:] for line in lines[2:] if line[:1] in " +"]
    assert "\n".join(minus) in before.decode() and "\n".join(plus) in "\ufeff" + MENDED.replace("\n", "\r\n")
    assert run("check", "--fix", "--diff", "toy.yaml")[0] == 2, "one or the other"
    assert toy.read_bytes() == before


def test_fixes_as_data(toy: Path) -> None:
    code, out, _ = run("check", "--fix", "--json", "toy.yaml")
    told = json.loads(out)
    assert code == 1
    assert told["fixed"][0] == {
        "file": "toy.yaml",
        "line": 5,
        "column": 26,
        "code": "Y011",
        "before": "reach: inches first 6”",
        "after": 'reach: inches first 6"',
    }
    assert [p["code"] for p in told["problems"]] == ["N001"]


def test_a_file_that_cannot_be_written_is_told(toy: Path) -> None:
    toy.chmod(0o440)
    before = toy.read_bytes()
    code, out, _ = run("check", "--fix", "toy.yaml")
    assert code == 2
    assert b"Y055" in out and b"fixed" not in out
    assert toy.read_bytes() == before


def test_a_file_of_umpires_own_is_written_by_its_path_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (RULES / "tabletop.yaml").read_text(encoding="utf-8")
    monkeypatch.setattr("interpreter.workbench.fixes.RULES", tmp_path)
    path = tmp_path / "toy.yaml"
    path.write_text(MISTAKEN, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("game: Other\nextends: toy\n", encoding="utf-8")
    assert fix_files([str(tmp_path / "other.yaml")]) == []
    assert [each.after for each in fix_files([str(path)])] == [MENDED]
    assert fix_files(["tabletop"]) == []
    assert (RULES / "tabletop.yaml").read_text(encoding="utf-8") == text


def test_what_a_file_extends_is_mended_with_it(toy: Path) -> None:
    Path("other.yaml").write_text("game: Other\nextends: toy\nFiring:\n  mark tired of unit: until  before go\n")
    assert [Path(each.path).name for each in fix_files(["other.yaml"])] == ["toy.yaml"]


def test_texts_that_are_not_in_their_files_yet(tmp_path: Path) -> None:
    path = tmp_path / "toy.yaml"
    path.write_text("game: Old\n")
    with overlay_texts({str(path): "game: New\n"}):
        source = read_file(path, Problems())
        assert source is not None and source.text == "game: New\n"
    source = read_file(path, Problems())
    assert source is not None and source.text == "game: Old\n"


def problem(source: Source, start: int, end: int, instead: str, safe: bool = True) -> Problem:
    span = Span(source, start, end)
    return Problem("Y001", "error", "m", span, fix=Fix(span, instead, safe, ""))


def test_fixes_that_meet_wait_for_each_other() -> None:
    source = Source("a.yaml", "game: abc\n")
    fixes = [
        problem(source, 6, 8, "x"),
        problem(source, 7, 9, "y"),  # meets the one before
        problem(source, 8, 9, "z"),
        problem(source, 8, 9, "z"),  # the same again
        problem(source, 5, 5, " ", safe=False),
    ]
    assert with_fixes(source, fixes) == ("game: xz\n", [fixes[0], fixes[2]])


def test_a_fix_that_would_break_the_file_is_not_made() -> None:
    source = Source("a.yaml", "game: abc\nabout: b\n")
    fixes = [problem(source, 6, 9, "[1"), problem(source, 17, 18, "c")]
    assert with_fixes(source, fixes) == ("game: abc\nabout: c\n", [fixes[1]])


@pytest.mark.parametrize(
    ("text", "code", "safe"),
    [
        ("game: T\nA:\n  mark tired of unit:\n\tkind unit:\n", "Y010", False),  # below the mark, or beside it?
        ("game: T\nA:\n\tkind unit:\n\t\ta: number\n", "Y010", True),  # tabs alone: their number says it
        ("game: T\nA:\n  kind unit:\n\ta: number\n    b: number\n", "Y010", True),
        ("game: T\nA:\n  kind unit:\n    b: number\n\ta: number\n", "Y010", False),
        ("game: T\nA:\n  kind unit:\n    a: – 1\n", "Y013", None),  # `- 1` would open a list
        ("game: T\nA:\n  kind unit:\n    a: \u200b[1]\n", "Y015", False),  # so would this
        ("game: T\nA:\n  kind unit:\n    a: one\u200b of b\n", "Y015", True),
        ("game: T\nA:\n  kind unit:\n    a:b\n    c: number\n", "Y022", True),
        ("game: T\nA:\n  kind unit:\n    a: number #2\n", "Y018", False),
        ("game: T\nA:\n  kind unit:\n    a: number # two\n", "Y018", True),
    ],
)
def test_what_is_safe(text: str, code: str, safe: bool | None) -> None:
    problems = Problems()
    read(Source("a.yaml", text), problems)
    fixes = [p.fix for p in problems if p.code == code]
    assert fixes, [p.code for p in problems]
    assert {fix.safe if fix is not None else None for fix in fixes} == {safe}


def test_a_misspelt_choice_is_a_choice(tmp_path: Path) -> None:
    text = MENDED.replace("raech", "reach") + "  mark lost of unit:\n  to seek (unit):\n"
    text += "    who: unit picks up to 1 from units usually mosst\n"
    (tmp_path / "toy.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    open_rules(str(tmp_path / "toy.yaml"), problems)
    (found,) = problems
    assert found.fix is not None
    assert (found.code, found.fix.replacement, found.fix.safe) == ("N001", "most", False)


PLANTED = ["“", "”", "″", "–", "\t", "\u00a0", "\u200b", " # x", " inches", "≥", "‘", "’", "\u2028", " in", "=="]


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 2**32))
def test_fixes_come_to_an_end_and_keep_remarks(seed: int) -> None:
    """Odd characters anywhere in a shipped file: rounds of fixes end, add no problem of YAML, and touch no remark."""
    chance = random.Random(seed)
    text = (RULES / f"{chance.choice(['modern', 'vbcw', 'morale'])}.yaml").read_text(encoding="utf-8")
    lines = text.split("\n")
    start = chance.randrange(12, len(lines) - 40)
    text = "\n".join([*lines[:2], "Rules:", "  # a “remark”\t–", *lines[start : start + 40]]) + "\n"
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(30, len(text))
        text = text[:at] + chance.choice(PLANTED) + text[at:]
    remarks = _remarks(text)
    source, codes = Source("a.yaml", text), _codes(text)
    could_be_read = read(source, Problems()) is not None
    for _ in range(ROUNDS):
        problems = Problems()
        read(source, problems)
        after, done = with_fixes(source, problems)
        if not done:
            break
        source = Source("a.yaml", after)
    else:
        pytest.fail("fixes go on and on")
    if could_be_read:  # else there may be more below what could not be
        assert set(_codes(source.text)) <= set(codes)
    assert _remarks(source.text) == remarks


def _codes(text: str) -> list[str]:
    problems = Problems()
    read(Source("a.yaml", text), problems)
    return [p.code for p in problems]


def _remarks(text: str) -> list[str]:
    """Those that have a line for themselves, less the unseen signs and odd blanks that are a mistake there too."""
    return [re.sub(r"[\s\u200b]", "", remark) for remark in re.findall(r"(?m)^[\s\u200b]*#.*$", text)]
