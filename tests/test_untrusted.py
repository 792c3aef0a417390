"""What a stranger's file says is shown, and commands nobody: no terminal, no workflow, no reader of a report."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter import cache
from interpreter.document.allowance_comments import MOST_COMMENTS as COMMENTS
from interpreter.source import Problems
from interpreter.source.problems import MOST
from interpreter.source.rendering import UNSEEN
from interpreter.surfaces.cli.group import main
from interpreter.surfaces.cli.terminal import harmless
from interpreter.workbench.files import check_file

HEAD = "game: Toy\nT:\n  dice low: d6 at or over\n  kind unit:\n    skill: number first 3\n"
EVIL = "\x1b]0;owned\x07\u202e\u2066::error::x%0A\r::warning::y\x9b31m\u2028::set-output name=a::b"
SAID = json.dumps(EVIL)
FORMATS = ["text", "json", "sarif", "github", "junit"]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


# ---- a hundred are told
def wrong(lines: int) -> str:
    return HEAD + "  to try (unit):\n" + "".join(f"    line{i}x: unit gains of {i} the skill\n" for i in range(lines))


@pytest.mark.parametrize("form", FORMATS)
def test_a_hundred_are_told_and_the_rest_is_counted(form: str, here: Path) -> None:
    (here / "it.yaml").write_text(wrong(250), encoding="utf-8")
    code, said = told("check", "it.yaml", "--format", form)
    assert code == 1
    assert "150 more errors here that I do not tell" in said
    assert said.count("L001") >= MOST
    assert told("check", "it.yaml", "--format", form) == (code, said), "the same from what was kept"
    if form == "text":
        assert said.count("error L001: ") == MOST
        assert said.rstrip().endswith("1 checked: 250 errors")
        assert said.index("error E011") > said.rindex("error L001")
    if form == "json":
        data = json.loads(said)
        assert (len(data["problems"]), data["errors"]) == (MOST + 1, 250)
        assert data["problems"][-1]["more"] == 150
        assert data["problems"][-1]["line"] == HEAD.count("\n") + 1 + MOST + 1
    if form == "sarif":
        assert len(json.loads(said)["runs"][0]["results"]) == MOST + 1
    if form == "junit":
        assert len(ET.fromstring(said.encode()).findall(".//failure")) == MOST + 1


def test_a_hundred_of_a_severity(here: Path) -> None:
    """What a file allows takes nobody's room, and warnings do not take that of errors."""
    text = HEAD + "".join(f"    # umpire: ignore {i}\n" for i in range(150)) + "  kidn x:\n"
    (here / "odd.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    check_file("./odd.yaml", problems)
    codes = [p.code for p in problems]
    assert (codes.count("A002"), codes.count("S006"), codes[-1]) == (MOST, 1, "E011")
    assert [(p.severity, p.more) for p in problems][-1] == ("warning", 50)
    (here / "odd.yaml").write_text(f"# umpire: allow A002 in this file because it is a test\n{text}", encoding="utf-8")
    problems = Problems()
    check_file("./odd.yaml", problems)
    assert [p.code for p in problems] == ["S006"]
    assert len(problems.allowed) == 150


def test_nobody_reads_comments_without_end(here: Path) -> None:
    comments = "".join(f"    # umpire: allow P015 because of {i}\n    a{i}: number\n" for i in range(COMMENTS + 10))
    (here / "it.yaml").write_text(HEAD + comments, encoding="utf-8")
    problems = Problems()
    check_file("./it.yaml", problems)
    assert "A005" in [p.code for p in problems]


def test_a_fix_reaches_all_of_a_file(here: Path) -> None:
    text = HEAD + "  to try (unit):\n" + "".join(f"    a{i}: unit.skill\u00a0+ {i}\n" for i in range(MOST + 50))
    (here / "it.yaml").write_text(text, encoding="utf-8")
    told("check", "--fix", "it.yaml")
    assert "\u00a0" not in (here / "it.yaml").read_text(encoding="utf-8")


# ---- what is shown
PLACES = {
    "a title": HEAD.replace("Toy", SAID),
    "a heading": f"game: x\n{SAID}:\n  a: 1\n",
    "a line": f"{HEAD}  to try (unit):\n    {SAID}: unit.skill\n",
    "a sentence": f"{HEAD}  to try (unit):\n    a: {SAID}\n",
    "a name of rules": f"rules: {SAID}\ndo: x\n",
    "what is extended": f"game: x\nextends: {SAID}\n",
    "a situation": f"rules: modern\nunit {SAID}: green\ndo: {SAID}\n",
    "an example": f"rules: modern\nexample a:\n  do: {SAID}\n  odds: {SAID}\n",
    "a reason": f'{HEAD}    # umpire: allow P015 because \u202e ::error::x\n    reach: inches first 6"\n',
    "a text": f"{HEAD}  to try (unit):\n    a: umpire '\u202eturn \u2066 it ::error::x'\n",
}


def raw(said: str) -> set[str]:
    return {hex(ord(c)) for c in said if c != "\n" and not c.isprintable()}


@pytest.mark.parametrize("place", PLACES)
def test_nothing_drives_a_terminal_or_a_workflow(place: str, here: Path) -> None:
    (here / "it.yaml").write_text(PLACES[place], encoding="utf-8", newline="")
    asked = [("check", "it.yaml", "--format", form) for form in FORMATS]
    for words in [*asked, ("show", "it.yaml"), ("test", "it.yaml"), ("resolve", "it.yaml"), ("odds", "it.yaml")]:
        _, said = told(*words)
        if words[-1] != "sarif":  # its pages of codes show zero-width blanks, as our own texts do
            assert not raw(said), words
        if words[-1] == "github":
            for line in said.split("\n"):
                assert not line.lstrip().startswith("::") or re.match(r"::(error|warning|notice) (file|title)=", line)
        if words[-1] in ("json", "sarif"):
            json.loads(said)
        if words[-1] == "junit":
            ET.fromstring(said.encode())


@pytest.mark.parametrize("name", ["a\n::error::b.yaml", "a\x1b[2Jb.yaml", "a\u202eb.yaml", "%0A::error::a.yaml"])
def test_a_name_of_a_file_is_no_command(name: str, here: Path) -> None:
    for text in (HEAD, HEAD + "  kidn x:\n"):
        (here / name).write_text(text, encoding="utf-8")
        for form in FORMATS:
            _, said = told("check", name, "--format", form)
            assert not raw(said)
            commands = [line for line in said.split("\n") if line.lstrip().startswith("::")]
            assert all(line.startswith("::error file=") for line in commands), said


def test_what_can_be_printed_drives_no_screen() -> None:
    """`harmless` looks no further at a text of such characters alone."""
    assert not [c for c in map(chr, range(0x110000)) if c.isprintable() and re.match(UNSEEN, c)]


def test_colours_stay() -> None:
    assert harmless("\x1b[1;31merror\x1b[0m\n") == "\x1b[1;31merror\x1b[0m\n"
    assert harmless("\x1b[2J\x1b]0;x\x07") == "<U+001B>[2J<U+001B>]0;x<U+0007>"


def test_an_escape_is_told_at_its_place(here: Path) -> None:
    (here / "it.yaml").write_text(HEAD.replace("Toy", r'"To\e[2Jy"'), encoding="utf-8")
    problems = Problems()
    check_file("./it.yaml", problems)
    assert [(p.code, p.span.text if p.span else "") for p in problems] == [("Y017", "\\e")]


# ---- what is kept
def test_what_somebody_else_keeps_is_nobodys(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "cache"))
    (here / "it.yaml").write_text(HEAD, encoding="utf-8")
    told("check", "it.yaml")
    question = ("check", cache.search_context(), "it.yaml")
    assert cache.load(question) is not None
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert cache.load(question) is None


def test_no_folder_of_a_project_is_a_cache(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UMPIRE_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(here / "home"))
    (here / "it.yaml").write_text(HEAD, encoding="utf-8")
    told("check", "it.yaml")
    assert not (here / "cache").exists()
