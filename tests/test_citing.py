"""Clauses that are cited where no rule stands: in files of examples, in a head; and ranges of them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml
from typed import CliRunner

from interpreter.source import Problems
from interpreter.surfaces.cli.group import main
from interpreter.workbench.changed_clauses import NoCommit, changed_clauses
from interpreter.workbench.files import check_file
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules

SHOT = """\
  unit A: seasoned, 1 figures, weapon rifle
  unit B: green, 8 figures
  facts: distance(A, B) is 20"
  do: A shoots at B
"""


def told(problems: Problems) -> list[tuple[str, str, str | None]]:
    return [(p.code, p.span.text, p.hint) for p in problems if p.span is not None]


@pytest.mark.parametrize(
    ("cites", "expected"),
    [
        ("38", []),
        ("MOD-038, 37..39", []),
        ("XYZ-1", []),  # that has no register
        ("999", [("R001", "999", "did you mean `99`?")]),
        ("38, MOD-388", [("R001", "MOD-388", "did you mean `MOD-088`?")]),
        ("98..103", [("R001", "98..103", "the last clause there is `MOD-100`")]),
    ],
)
@pytest.mark.parametrize("what", ["example", "typical"])
def test_in_a_file_of_examples(
    what: str, cites: str, expected: list[tuple[str, str, str | None]], tmp_path: Path
) -> None:
    shown = "  odds: 1/3 mean hits\n" if what == "example" else "  ask: hits\n"
    path = tmp_path / "modern-more.yaml"
    path.write_text(f"rules: modern\n{what} a-shot [{cites}]:\n{SHOT}{shown}", encoding="utf-8")
    problems = Problems()
    check_file(str(path), problems)
    assert told(problems) == expected


def test_in_a_head(tmp_path: Path) -> None:
    (tmp_path / "ours.yaml").write_text("game: Ours\nextends: modern\nclauses: MOD\ntable talk: [1, 777]\n", "utf-8")
    problems = Problems()
    open_rules(str(tmp_path / "ours.yaml"), problems)
    assert [(code, text) for code, text, _ in told(problems)] == [("R001", "777")]


CITED = """\
game: Cited
clauses: CIT
Firing:
  dice high: d6 at or over
  kind unit:
  mark aiming of unit:
  roll aim of unit:
    basic: needs 4 [1]
    aimed: roll +1 if unit is aiming [2]
  to shoot (unit) [3]:
    hits: 2 passing aim [4, 5]
    hurt, if hits > 0 [6]:
      one-hit: nothing [7]
"""


@pytest.mark.parametrize(
    ("change", "cited"),
    [
        ("aim.aimed: roll +2 if unit is aiming", "1 2 3 4 5 6 7"),
        ("aim.aimed: roll +2 if unit is aiming [9]", "1 3 4 5 6 7 9"),
        ("shoot.hits: 3 passing aim, was 2 passing aim", "1 2 3 4 5 6 7"),
        ("shoot.hits:\n    faces: 2 dice\n    hits: faces meeting aim", "1 2 3 4 5 6 7"),
        ("shoot.hits:\n    faces: 2 dice\n    hits: faces meeting aim [8]", "1 2 3 6 7 8"),
        ("shoot.hurt:\n    sore, if hits > 1: nothing", "1 2 3 4 5 6 7"),
        ("shoot.hurt.one-hit: umpire 'ouch'", "1 2 3 4 5 6 7"),
    ],
)
def test_a_changed_line_carries_out_what_it_did(tmp_path: Path, change: str, cited: str) -> None:
    (tmp_path / "cited.yaml").write_text(CITED, "utf-8")
    (tmp_path / "ours.yaml").write_text(f"game: Ours\nextends: cited\nchange:\n  {change}\n", "utf-8")
    problems = Problems()
    rules = open_rules(tmp_path / "ours.yaml", problems)
    assert rules is not None and not problems.has_errors, list(problems)
    assert sorted({clause for clause, _ in rules.book.pages.cites}) == [f"CIT-{int(n):03}" for n in cited.split()]


def test_the_clauses_that_an_edit_touches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that cites something, one that stands in one that does, one that is gone; a remark touches nothing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cited.yaml").write_text(CITED, "utf-8")
    git("init", "--quiet")
    git("add", "--all")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-m", "As it was")
    rules = opened(tmp_path)
    assert changed_clauses(rules, "HEAD") == frozenset()
    for old, new, clauses in (
        ("needs 4 [1]", "needs 5 [1]", {1}),
        ("one-hit: nothing [7]", "one-hit: umpire 'ouch'", {6, 7}),
        ("    hits: 2 passing aim [4, 5]\n", "    hits: 2 passing aim [4, 8]\n", {4, 5, 8}),
        ("      one-hit: nothing [7]\n", "      one-hit: nothing [7]\n      two-hits: nothing\n", {6}),
        ("  mark aiming of unit:\n", "  mark aiming of unit:   # it stands still\n", set()),
        ("  to shoot (unit) [3]:\n", "  # a remark\n\n  to shoot (unit) [3]:\n", set()),
    ):
        (tmp_path / "cited.yaml").write_text(CITED.replace(old, new), "utf-8")
        assert changed_clauses(opened(tmp_path), "HEAD") == {f"CIT-{each:03}" for each in clauses}, new
    (tmp_path / "cited.yaml").write_text(CITED, "utf-8")
    (tmp_path / "ours.yaml").write_text(
        "game: Ours\nover: cited\nchange:\n  aim.aimed: roll +2 if unit is aiming\n", "utf-8"
    )
    git("add", "--all")
    assert changed_clauses(opened(tmp_path, "cited + ours"), "HEAD") == {"CIT-002"}
    with pytest.raises(NoCommit, match="no commit `nowhere`"):
        changed_clauses(opened(tmp_path), "nowhere")


def opened(folder: Path, name: str = "cited") -> RuleSet:
    rules = open_rules(" + ".join(str(folder / f"{part}.yaml") for part in name.split(" + ")), Problems())
    assert rules is not None
    return rules


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def test_the_coverage_of_an_edit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git("init", "--quiet")
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--allow-empty", "-m", "Nothing")
    (tmp_path / "ours.yaml").write_text(
        "game: Ours\nover: modern\nchange:\n  shooting.aimed: roll +2 if unit is aiming\n", "utf-8"
    )
    git("add", "--all")
    said = CliRunner().invoke(main, ["coverage", "modern+ours", "--since", "HEAD"])
    assert said.exit_code == 0, said.output
    assert "MOD-028" in said.output and "MOD-038" not in said.output
    assert "1  clauses" in said.output
    cell = "game: Ours\nover: modern\nchange:\n  weapons.lmg.shots: 4\n"
    (tmp_path / "ours.yaml").write_text(cell, "utf-8")
    git("add", "--all")
    said = CliRunner().invoke(main, ["coverage", "modern+ours", "--since", "HEAD"])
    assert "MOD-047" in said.output and "MOD-049" in said.output and "2  clauses" in said.output
    (tmp_path / "elsewhere").mkdir()
    assert CliRunner().invoke(main, ["coverage", "modern+ours", "--since", "no-such"]).exit_code == 2


def test_a_register_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each clause that is cited, and the numbers between them; from then on another id is an error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cited.yaml").write_text(
        CITED.replace("[6]:", "[8]:").replace("CIT\n", "CIT\ntable talk: [6]\n"), "utf-8"
    )
    assert CliRunner().invoke(main, ["new", "clauses", "cited"]).exit_code == 0
    made = yaml.safe_load((tmp_path / "clauses" / "cited.yaml").read_text("utf-8"))["clauses"]
    assert list(made) == ["Firing"] and list(made["Firing"]) == [f"CIT-{n:03}" for n in range(1, 9)]
    assert made["Firing"]["CIT-002"] == {"kind": "check", "says": "aimed: roll +1 if unit is aiming"}
    assert made["Firing"]["CIT-003"] == {"kind": "procedure", "says": "to shoot (unit)"}
    assert made["Firing"]["CIT-006"]["status"] == "talk"
    said = CliRunner().invoke(main, ["coverage", "cited"]).output
    assert "8  clauses" in said
    assert CliRunner().invoke(main, ["check", "."]).exit_code == 0
    text = (tmp_path / "cited.yaml").read_text("utf-8")
    (tmp_path / "cited.yaml").write_text(text.replace("[4, 5]", "[4, 9]"), "utf-8")
    assert "CIT-009" in CliRunner().invoke(main, ["check", "cited"]).output
    (tmp_path / "cited.yaml").write_text(text, "utf-8")
    again = CliRunner().invoke(main, ["new", "clauses", "cited"])
    assert again.exit_code == 2 and "stays as it is" in again.output
