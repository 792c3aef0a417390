"""`umpire sheet`: what a printed page tells players, what of it a house rule changed, and that no file can write into it."""

from __future__ import annotations

import re
import sys
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from typed import CliRunner, Result

from interpreter.source import Problems
from interpreter.surfaces.as_sheet import html, pdf
from interpreter.surfaces.cli.group import main
from interpreter.workbench.reference_sheet import Block, ReferenceSheet, reference_sheet
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules

HOUSE = """game: Our Friday
over: modern

change:
  weapons.lmg.shots: 4, was 3
  shooting.aimed: roll +2 if unit is aiming

Friday:
  add to weapons after rifle:
    musket: 12", 1, small
  add to shooting:
    rushed [1]: roll -1 if unit is ducking
  remove able.inside:
  rule tired for each unit after move if guarding: unit loses guarding
"""


def rule_set(name: str | Path) -> RuleSet:
    found = open_rules(str(name), Problems())
    assert found is not None
    return found


def umpire(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture
def ours(tmp_path: Path) -> ReferenceSheet:
    (tmp_path / "friday.yaml").write_text(HOUSE, encoding="utf-8")
    return reference_sheet(rule_set(tmp_path / "friday.yaml"))


def block(sheet: ReferenceSheet, title: str) -> Block:
    return next(b for section in sheet.sections for b in section.blocks if b.title == title)


def test_tables_are_as_on_the_page() -> None:
    sheet = reference_sheet(rule_set("modern"))
    training = block(sheet, "Training")
    assert training.columns == ("", "activation", "expertise", "suppress")
    assert [row.cells for row in training.rows][1] == ("seasoned", "4+", "5+", "2")
    damage = block(sheet, "Damage")
    assert damage.rows[0].cells == ("1-2", "stunned", "")
    assert damage.rows[1].cells == ("3-4", "weapon destroyed", "if any working")


def test_a_roll_says_what_each_line_does_and_when() -> None:
    shooting = block(reference_sheet(rule_set("modern")), "Shooting")
    assert [row.cells for row in shooting.rows] == [
        ("basic", "needs unit.training.expertise", ""),
        ("cover", "needs +target.cover(weapon).harder", ""),
        ("aimed", "roll +1", "if unit is aiming"),
    ]


def test_a_printed_set_has_nothing_of_a_house() -> None:
    for name in ("modern", "imperial", "vsf", "vbcw"):
        sheet = reference_sheet(rule_set(name))
        assert not sheet.homemade and not sheet.gone
        assert not any(row.homemade for section in sheet.sections for b in section.blocks for row in b.rows)


def test_every_line_of_a_house_rule_is_marked_and_no_other(ours: ReferenceSheet) -> None:
    marked = {(b.title, row.cells) for s in ours.sections for b in s.blocks for row in b.rows if row.homemade}
    assert marked == {
        ("Weapons", ("lmg", '36"', "4", "small")),
        ("Weapons", ("musket", '12"', "1", "small")),
        ("Shooting", ("aimed", "roll +2", "if unit is aiming")),
        ("Shooting", ("rushed", "roll -1", "if unit is ducking")),
        ("Tired", ("rule tired for each unit after move if guarding: unit loses guarding",)),
    }
    assert [path for path, _ in ours.gone] == ["able.inside"]
    assert ours.homemade == ("Our Friday",)


class Seen(HTMLParser):
    """What a reader of the page meets: the tags, and the texts of the rows that are marked."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.inside = ("class", "homemade") in attrs
            if self.inside:
                self.rows.append([])

    def handle_data(self, data: str) -> None:
        if self.inside and data.strip():
            self.rows[-1].append(data)


def test_the_page_marks_what_the_sheet_marks(ours: ReferenceSheet) -> None:
    page = html(ours)
    assert ["musket", '12"', "1", "small"] in Seen(page).rows
    assert len(Seen(page).rows) == 5
    assert "the house rules of Our Friday" in page


def test_no_remark_is_on_the_page() -> None:
    page = re.sub(r"<style>.*?</style>", "", html(reference_sheet(rule_set("vbcw"))), flags=re.S)
    assert "#" not in unescape(page)


def test_a_strangers_text_is_a_text(tmp_path: Path) -> None:
    said = HOUSE.replace("Our Friday", "'<script>alert(1)</script> #panic(\"typst\") \\u{0}'")
    (tmp_path / "stranger.yaml").write_text(said, encoding="utf-8")
    sheet = reference_sheet(rule_set(tmp_path / "stranger.yaml"))
    page = html(sheet)
    assert "script" not in Seen(page).tags
    assert "&lt;script&gt;" in page
    assert pdf(sheet).startswith(b"%PDF-")


def test_the_same_sheet_is_the_same_bytes(ours: ReferenceSheet) -> None:
    assert html(ours) == html(ours)
    assert pdf(ours) == pdf(ours)


def test_the_command_writes_a_page_or_a_pdf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert umpire("sheet", "modern").exit_code == 0
    assert (tmp_path / "modern-sheet.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert umpire("sheet", "modern+morale", "both.pdf").exit_code == 0
    assert (tmp_path / "both.pdf").read_bytes().startswith(b"%PDF-")


def test_without_the_library_the_command_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "typst", None)
    ended = umpire("sheet", "modern", "modern.pdf")
    assert ended.exit_code == 2
    assert "pip install 'tabletop-umpire[pdf]'" in ended.stderr
    assert not list(tmp_path.iterdir())
