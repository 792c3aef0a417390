"""The table of statistics: one row and its functions add an option of `umpire odds`, which all forms of an answer know.

`--most-likely` is added here: of two dice the sum 7, with a chance of 6/36; of one die with three sides, each of them.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typed import CliRunner

from interpreter.surfaces import as_statistics as statistics
from interpreter.surfaces.as_statistics import Statistic
from interpreter.surfaces.cli.group import main

DICE = "rules: modern\nunit A: green, 2 figures\ndo:\n  red: d6\n  blue: d6\n"
SEVERAL = "rules: modern\nunit A: green, 2 figures\ndo:\n  red: <2, 3>d6\n"


def _most_likely(answer: Any, index: int, wished: Any) -> list[Any]:
    law = answer.of(index)
    return [value for value, chance in law.items() if chance == max(law.values())]


def _said(found: list[Any]) -> str:
    return " or ".join(map(str, found))


ROW = Statistic(
    "most-likely",
    "The likeliest value as well.",
    False,
    "most likely",
    _most_likely,
    lambda answer, index, found, form: f"most likely {_said(found)}, in {form(answer.of(index)[found[0]])}",
    lambda answer, index, found: [f"mode {_said(found)}"],
    lambda answer, index, found: found,
)


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = importlib.import_module("interpreter.surfaces.cli.odds")
    with monkeypatch.context() as patch:
        patch.setattr(statistics, "STATISTICS", (*statistics.STATISTICS, ROW))
        importlib.reload(module)
        yield
    importlib.reload(module)


def said(folder: Path, text: str, *args: str) -> str:
    path = folder / "dice.yaml"
    path.write_text(text, encoding="utf-8")
    found = CliRunner().invoke(main, ["odds", str(path), *args])
    assert found.exit_code == 0, found.output
    return found.output


@pytest.mark.usefixtures("added")
def test_a_row_of_the_table_is_an_option_that_every_form_of_an_answer_knows(tmp_path: Path) -> None:
    assert "The likeliest value as well." in said(tmp_path, DICE, "--help")
    assert "  most likely 7, in 1/6\n" in said(tmp_path, DICE, "--ask", "red + blue", "--most-likely", "--fraction")
    (question,) = json.loads(said(tmp_path, DICE, "--ask", "red + blue", "--json"))["questions"]
    assert question["most likely"] == [7]
    rows = [line for line in said(tmp_path, SEVERAL, "--ask", "red", "--most-likely").splitlines() if "mode" in line]
    assert [line.split()[0] for line in rows] == ["2", "3"]
    assert rows[0].endswith("mode 7") and rows[1].endswith("mode 10 or 11")


def test_what_nobody_asks_for_is_not_told(tmp_path: Path) -> None:
    out = said(tmp_path, DICE, "--ask", "red + blue")
    assert "deviation" not in out and "at most" not in out
    (question,) = json.loads(said(tmp_path, DICE, "--ask", "red = 6", "--json", "--quantiles", "50"))["questions"]
    assert question["variance"] is None and question["quantiles"] == []  # yes or no has neither


UNRUN = "rules: modern\nunit A: green, 2 figures\ndo:\n  red: d6\n  blue, if red > 2: d6\n"


def test_of_what_may_be_not_run_it_is_said_why_there_are_no_statistics(tmp_path: Path) -> None:
    """And obeyed, what is said gives them."""
    (tmp_path / "two.yaml").write_text(UNRUN, "utf-8")
    asked = ["odds", str(tmp_path / "two.yaml"), "--ask", "blue"]
    for option in (["--deviation"], ["--quantiles", "50"], ["--table"]):
        said = CliRunner().invoke(main, [*asked, *option]).output
        assert "it may be not run, and then it is no number; where it is run, --given 'ran(blue)' tells all" in said
    assert "may be not run" not in CliRunner().invoke(main, asked).output
    every = ["--deviation", "--quantiles", "50", "--table", "--given", "ran(blue)"]
    said = CliRunner().invoke(main, [*asked, *every]).output
    assert "deviation 1.71" in said and "at most 3 in 50% of all ways" in said and "at least" in said
    assert "may be not run" not in said


def test_what_was_not_run_is_not_so_much_or_more_on_a_page(tmp_path: Path) -> None:
    (tmp_path / "two.yaml").write_text(UNRUN, "utf-8")
    page = tmp_path / "two.html"
    CliRunner().invoke(main, ["odds", str(tmp_path / "two.yaml"), "--ask", "blue", "--html", str(page)])
    rows = re.findall(r"<tr><th[^>]*>(.*?)</th>(.*?)</tr>", page.read_text("utf-8"))
    cells = {name: re.findall(r"<td[^>]*>(.*?)</td>", row) for name, row in rows}
    assert cells["not run"] == ["33.3%", "", "1/3"]
    assert cells["1"] == ["11.1%", "66.7%", "1/9"]
    assert cells["6"] == ["11.1%", "11.1%", "1/9"]
