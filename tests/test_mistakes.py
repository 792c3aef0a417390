"""Mistakes planted in copies of the shipped rule files: each gives one problem, of its code, at its character.

A case is a file of `mistakes/`:

    rules: modern                    the shipped file that is copied, with those that it extends beside it
    change: {old: …, new: …}         `old` stands in it exactly once, and is replaced
    file: …                          or, for a file of one's own: its text; `rules` is its name
    situation: …                     or, for a mistake in a situation: its text, asked of the shipped rules
    do: resolve                      whether the situation is carried out (resolve, odds) or only read; check: as the
                                     command reads a file of one's own, with the examples in it
    code: L001
    at: 'basic: «neds» training'     a text of the changed file, once in it; the marks are the place reported
    hint: did you mean               what the message must say, besides
    also: 'pistol: «8"», 1'          a second place that the message shows
    mended: [{old: …, new: …}]       what is written where its hint is obeyed: the file is clean then
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from interpreter.layout import with_fixes
from interpreter.source import CATALOGUE, Problem, Span, render
from tests.planted import CASES, Planted

KEYS = {"rules", "change", "file", "situation", "do", "code", "at", "hint", "also", "mended"}


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_a_mistake(case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    planted = Planted(case)
    said, text = planted.said, planted.text
    assert set(said) <= KEYS
    problems = planted.told(text, tmp_path)
    shown = render(problems)
    assert [p.code for p in problems] == [said["code"]], shown or "nothing was found"
    (problem,) = problems
    assert problem.span is not None, shown
    assert _where(problem.span) == _marked(text, said["at"]), shown
    assert said["hint"] in " ".join(shown.split()), shown
    if "also" in said:
        assert _marked(text, said["also"]) in [_where(label.span) for label in problem.others], shown
    _reads_well(problem, shown)
    if problem.fix is not None and problem.fix.safe:
        _fixes_well(planted, problem, tmp_path)


def _fixes_well(planted: Planted, problem: Problem, folder: Path) -> None:
    """What is called safe mends the mistake, makes no other, and keeps every remark; a second time there is nothing."""
    assert problem.span is not None
    mended, done = with_fixes(problem.span.source, [problem])
    assert done == [problem]
    remarks = r"(?:^|(?<=\s))# .*"
    assert re.findall(remarks, mended, re.MULTILINE) == re.findall(remarks, planted.text, re.MULTILINE)
    left = planted.told(mended, folder)
    assert not len(left), render(left)


def _marked(text: str, at: str) -> tuple[int, int]:
    """Start and end of the stretch between the marks; the text without them stands once in the file."""
    before, stretch, after = at[: at.index("«")], at[at.index("«") + 1 : at.index("»")], at[at.index("»") + 1 :]
    whole = before + stretch + after
    assert text.count(whole) == 1, f"the place stands {text.count(whole)} times in the changed file: {whole}"
    start = text.index(whole) + len(before)
    return start, start + len(stretch)


def _where(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _reads_well(problem: Problem, shown: str) -> None:
    """What every message keeps to: it says what mends it, no blanks of a template left, nothing of Python, one screen."""
    assert "None" not in shown
    assert problem.hint or problem.fix, shown
    assert "{" not in problem.message or "{" in CATALOGUE[problem.code].message
    assert len(shown.splitlines()) <= 14
    assert len(problem.others) <= 2


def test_there_are_enough_of_every_family() -> None:
    codes = [yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)["code"] for path in CASES]
    assert len(codes) >= 45
    assert {code[0] for code in codes} >= set("YSLNTKDPMRF")
