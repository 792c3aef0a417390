"""`umpire check --format …`: what other programs are given is what they have agreed on, by their own schemas."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from typed import CliRunner

from interpreter.source import CATALOGUE, Fix, Label, Problem, Source, Span
from interpreter.surfaces.as_findings import github, junit, sarif
from interpreter.surfaces.cli.group import main
from interpreter.workbench.checked import Checked

SCHEMAS = Path(__file__).parent / "data" / "schemas"
SARIF = jsonschema.Draft202012Validator(json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8")))
JUNIT = xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))

TEXT = "game: Ours\n# \U0001f3b2\U0001f3b2\nFiring: \U0001f3b2 100%, a:b\n"
SOURCE = Source("ours/rules one.yaml", TEXT)


def at(words: str, start: int = 0) -> Span:
    where = TEXT.index(words, start)
    return Span(SOURCE, where, where + len(words))


def found() -> list[Problem]:
    """One of every sort: warning, error with everything, style, one over two lines, one at nothing, one nowhere."""
    odd = "100%, [a](b) {c}\n\x1b[31m::error::x\ufffe"
    fix = Fix(at("100%"), "\U0001f3b2", True, "")
    unsafe = Fix(at("a:b"), "c", False, "write `c`")
    return [
        Problem("D009", "warning", "a warning", at("Ours")),
        Problem("N001", "error", odd, at("100%"), "here", (Label(at("Ours"), "and here"),), "did you?", fix),
        Problem("N002", "style", "a remark", at("a:b"), fix=unsafe),
        Problem("N003", "error", "over two lines", Span(SOURCE, 2, TEXT.index("Firing") + 3)),
        Problem("N003", "error", "at the end", Span(SOURCE, len(TEXT), len(TEXT))),
        Problem("Y050", "error", "there is no file `x`", None),
    ]


def fails(problem: Problem) -> bool:
    return problem.severity != "style"


def valid(log: dict[str, Any]) -> dict[str, Any]:
    assert not [e.message for e in SARIF.iter_errors(log)]
    (run,) = log["runs"]
    made: dict[str, Any] = run
    return made


# ---- SARIF
def test_sarif_of_every_sort_of_finding() -> None:
    run = valid(sarif(found()))
    assert [r["ruleId"] for r in run["results"]] == ["D009", "N001", "N002", "N003", "N003"]
    assert [r["level"] for r in run["results"]] == ["warning", "error", "note", "error", "error"]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in run["results"])
    named = run["results"][1]
    place = named["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "ours/rules%20one.yaml", "uriBaseId": "SRCROOT"}
    assert run["columnKind"] == "utf16CodeUnits"
    column = len("Firing: \U0001f3b2 ".encode("utf-16-le")) // 2 + 1
    region = {"startLine": 3, "startColumn": column, "endLine": 3, "endColumn": column + 4}
    assert place["region"] == {**region, "snippet": {"text": "100%"}}
    assert named["relatedLocations"][0]["message"]["text"] == "and here"
    assert "{{c}}" in named["message"]["text"], "as SARIF writes a brace"
    (change,) = named["fixes"][0]["artifactChanges"]
    assert change["replacements"] == [{"deletedRegion": region, "insertedContent": {"text": "\U0001f3b2"}}]
    assert "fixes" not in run["results"][2], "only those that are safe"
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["toolExecutionNotifications"][0]["descriptor"]["id"] == "Y050"


def test_sarif_of_what_a_file_allows() -> None:
    first, second, *_ = found()
    run = valid(sarif([second], [(first, "the page says it so")]))
    assert [r.get("suppressions") for r in run["results"]] == [
        None,
        [{"kind": "inSource", "justification": "the page says it so"}],
    ]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["N001", "D009"]


def test_sarif_of_nothing() -> None:
    run = valid(sarif([]))
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_knows_every_code() -> None:
    every = [Problem(code, entry.severity, "x", at("Ours")) for code, entry in CATALOGUE.items()]
    for rule in valid(sarif(every))["tool"]["driver"]["rules"]:
        assert CATALOGUE[rule["id"]].meaning in rule["help"]["markdown"]
        assert "{" not in rule["shortDescription"]["text"]


# ---- JUnit
def test_junit_of_every_sort_of_finding() -> None:
    told = junit([Checked("ours", "Ours: 1 table", tuple(found())), Checked("modern", "clean as <glass>", ())], fails)
    JUNIT.validate(ElementTree.ElementTree(ElementTree.fromstring(told)))
    ours, modern = ElementTree.fromstring(told)
    assert (ours.get("tests"), ours.get("failures"), ours.get("errors")) == ("6", "4", "1")
    assert len(ours.findall("testcase/failure")) == 4
    assert len(ours.findall("testcase/error")) == 1
    assert "N002" in (ours.findtext("testcase/system-out") or ""), "what does not fail is told"
    named = ours.findall("testcase")[1]
    assert (named.get("name") or "").startswith("ours/rules one.yaml:3:11: N001 100%")
    assert "did you?" in (named.findtext("failure") or "")
    (case,) = modern
    assert (case.get("name"), len(case)) == ("clean as <glass>", 0)


# ---- GitHub
COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\r\n]*,?)+)::(.*)")


def commands(told: str) -> list[tuple[str, dict[str, str], str]]:
    """As the runner of GitHub reads them: https://github.com/actions/toolkit, packages/core, command.ts."""
    read = []
    for line in told.split("\n"):
        if line.startswith("::"):
            got = COMMAND.fullmatch(line)
            assert got is not None, line
            pairs = dict(pair.split("=", 1) for pair in got[2].split(","))
            read.append((got[1], {k: unescaped(v, True) for k, v in pairs.items()}, unescaped(got[3], False)))
    return read


def unescaped(text: str, inside: bool) -> str:
    pairs = [("%0D", "\r"), ("%0A", "\n"), *([("%3A", ":"), ("%2C", ",")] if inside else []), ("%25", "%")]
    for written, meant in pairs:
        text = text.replace(written, meant)
    return text


def test_annotations_of_every_sort_of_finding() -> None:
    told = github(found(), "1 checked: much")
    assert told.split("\n")[-1] == "1 checked: much"
    read = commands(told)
    assert [kind for kind, _, _ in read] == ["error"] * 4 + ["warning", "notice"], "the gravest first"
    where, message = read[0][1:]
    assert where == {
        "file": "ours/rules one.yaml", "line": "3", "endLine": "3", "col": "11", "endColumn": "15", "title": "umpire N001",
    }  # fmt: skip
    assert message.startswith("100%, [a](b) {c}")
    assert "\x1b" not in message
    assert "ours/rules one.yaml:1:7: and here" in message
    assert {"line": "1", "endLine": "3"}.items() <= read[1][1].items()
    assert "col" not in read[1][1], "GitHub takes columns of one line only"
    assert read[3][1] == {"title": "umpire Y050"}


def test_a_comma_or_a_colon_in_the_name_of_a_file() -> None:
    span = Span(Source("a,b:c%.yaml", "x"), 0, 1)
    ((_, where, _),) = commands(github([Problem("N001", "error", "m", span)], "1"))
    assert where["file"] == "a,b:c%.yaml"


def test_past_what_github_shows_the_count_is_an_annotation() -> None:
    many = [Problem("N001", "style" if i % 2 else "error", f"m{i}", at("Ours")) for i in range(30)]
    read = commands(github(many, "1 checked: 15 errors, 15 remarks"))
    assert [kind for kind, _, _ in read[:16]] == ["error"] * 15 + ["notice"]
    assert read[15][2].startswith("1 checked: 15 errors"), "before other notices, or it would be dropped with them"


# ---- the command
@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "slip.yaml").write_text(
        "game: Slip\nextends: modern\nchange:\n  weapons.lgm.shots: 4, was 3\n", "utf-8"
    )
    return tmp_path


@pytest.mark.parametrize("name", ["ours/slip.yaml", "./ours/../ours/slip.yaml", "whole"])
def test_files_are_named_from_here(name: str, folder: Path) -> None:
    file = str(folder / "ours" / "slip.yaml") if name == "whole" else name
    done = CliRunner().invoke(main, ["check", file, "--format", "github"])
    assert done.exit_code == 1
    ((_, where, _),) = commands(done.output)
    assert (where["file"], where["line"], where["col"]) == ("ours/slip.yaml", "4", "11")
    log = json.loads(CliRunner().invoke(main, ["check", file, "--format", "sarif"]).output)
    place = valid(log)["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "ours/slip.yaml"


def test_elsewhere_the_whole_path(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    log = valid(json.loads(CliRunner().invoke(main, ["check", "../ours/slip.yaml", "--format", "sarif"]).output))
    location = log["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (folder / "ours" / "slip.yaml").as_uri()}


def test_what_a_file_allows_is_suppressed(folder: Path) -> None:
    bad = CATALOGUE["D009"].bad
    (folder / "odd.yaml").write_text(bad, "utf-8")
    row = json.loads(CliRunner().invoke(main, ["check", "odd", "--json"]).output)["problems"][0]["line"]
    lines = bad.splitlines()
    lines[row - 1] += "  # umpire: allow D009 because the page says it so"
    (folder / "odd.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    done = CliRunner().invoke(main, ["check", "odd", "--format", "sarif"])
    (result,) = valid(json.loads(done.output))["results"]
    assert (done.exit_code, result["ruleId"]) == (0, "D009")
    assert result["suppressions"] == [{"kind": "inSource", "justification": "the page says it so"}]


def test_into_a_file(folder: Path) -> None:
    done = CliRunner().invoke(main, ["check", "ours/slip.yaml", "nowhere", "--format", "junit", "-o", "out.xml"])
    assert (done.exit_code, done.output) == (2, "")
    JUNIT.validate("out.xml")
    assert CliRunner().invoke(main, ["check", "ours/slip.yaml", "-o", "x"]).exit_code == 2
    assert CliRunner().invoke(main, ["check", "--format", "json", "-o", "no/such/folder"]).exit_code == 2
