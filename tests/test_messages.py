"""What is said of whole stacks and on the command line: where a mistake has no one place in a shipped file."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest
from typed import CliRunner

from interpreter.source import Problems, render
from interpreter.surfaces.cli.group import main
from interpreter.workbench.clause_coverage import Coverage
from interpreter.workbench.flat import flat
from interpreter.workbench.parallel import Workers
from interpreter.workbench.rules import open_rules
from interpreter.workbench.running import run_all
from interpreter.workbench.why import why

TOY = """\
# What this is
# in two lines.

game: Toy
Toys:
  dice high: d6 at or over
  kind unit:
    pins: number
  kind figure, many to a unit:
  mark hurt of figure:
  table mishaps of unit (face) by face:
    1-3 loss:
      who: unit picks 1 from figures usually most
      fall: who gain hurt
    4-6 luck: nothing
  to slip (unit):
    face: d6
    mishap: unit.mishaps(face)
  to spin (unit):
    going, repeat until five < 0:
      five: half(d6)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "toy.yaml").write_text(TOY, encoding="utf-8")
    return tmp_path


def told(name: str) -> str:
    problems = Problems()
    open_rules(name, problems)
    return " ".join(render(problems).split())


def examples(folder: Path, lines: str) -> str:
    """What the one example of a game that extends the toy is told."""
    text = "game: More\nextends: toy\nMore:\n  example asked:\n    unit A: 2 figures\n" + lines
    (folder / "more.yaml").write_text(text, encoding="utf-8")
    problems = Problems()
    results = run_all("./more.yaml", problems)[1]
    (result,) = results
    return " ".join(render(result.problems).split())


def test_a_stack_that_says_a_layer_twice() -> None:
    assert "it is said twice: say `fubar`" in told("fubar + fubar")
    assert "it is said twice: say `modern + morale`" in told("modern + morale + modern")


def test_files_in_a_circle_show_it(folder: Path) -> None:
    (folder / "one.yaml").write_text("game: One\nextends: two\n", encoding="utf-8")
    (folder / "two.yaml").write_text("game: Two\nextends: one\n", encoding="utf-8")
    said = told("./one.yaml")
    assert "N017" in said and "`one` → `two` → `one`" in said
    assert said.count("error ") == 1


def test_a_line_inside_an_outcome_row_is_asked_by_its_row(folder: Path) -> None:
    row = "`who` is a line inside a row of mishaps: say `mishaps.loss.who`"
    assert row in examples(folder, "    do: A slips\n    odds: 1/2 that any who\n")
    assert "N001" not in examples(folder, "    do: A slips\n    odds: 1/2 that any mishaps.loss.who\n")
    assert examples(folder, "    do: A slips\n    odds: 1/2 that mishap is loss\n") == ""


def test_a_loop_without_a_way_out_is_called_that_though_its_sums_grow(folder: Path) -> None:
    assert "error E002: `spin.going` may never end" in examples(folder, "    do: A spins\n    odds: 2/1 mean five\n")


def test_why_of_several_lines_shows_each_with_its_place(folder: Path) -> None:
    problems = Problems()
    rules = open_rules("./toy.yaml", problems)
    assert rules is not None
    found = why(rules, "slip", problems)
    assert found is not None
    lines = TOY.splitlines()
    assert [(o.row, o.text.strip()) for o in found.origins] == [
        (row, lines[row - 1].strip())
        for row in range(lines.index("  to slip (unit):") + 1, lines.index("  to spin (unit):") + 1)
    ]
    inner = why(rules, "spin.going", problems)
    assert inner is not None
    assert [o.text.strip() for o in inner.origins] == ["going, repeat until five < 0:", "five: half(d6)"]


def test_a_flattened_file_keeps_the_remark_at_its_head(folder: Path) -> None:
    rules = open_rules("./toy.yaml", Problems())
    assert rules is not None
    assert flat(rules).startswith("# toy.yaml:\n# What this is\n# in two lines.\n\ngame: Toy\n")


def test_coverage_of_a_supplement_goes_over_the_stacks_it_is_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def covered(stack: str, as_json: bool, workers: Workers) -> Coverage:
        return Coverage(stack, stack, ())

    monkeypatch.setattr(importlib.import_module("interpreter.surfaces.cli.coverage"), "_covered", covered)
    done = CliRunner().invoke(main, ["coverage", "morale", "--json"])
    told = [each["rules"] for each in json.loads(done.output)["stacks"]]
    assert told == ["modern + morale", "vsf + morale", "imperial + morale"]


def test_a_list_that_names_no_rules_is_told_so_at_its_place(folder: Path) -> None:
    done = CliRunner().invoke(main, ["muster", "toy.yaml"])
    assert done.exit_code == 2 or done.exit_code == 1
    assert "toy.yaml:4:1" in done.output
    assert "a rule file" in " ".join(done.output.split())
