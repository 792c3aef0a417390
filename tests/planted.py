"""Mistakes planted in copies of the shipped rule files, as `mistakes/` says them, and what is told of a changed text."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from interpreter.document.shape import check_situation_shape
from interpreter.folders import RULES
from interpreter.layout import with_fixes
from interpreter.source import Problem, Problems
from interpreter.source.values import replace
from interpreter.workbench.answers import odds
from interpreter.workbench.cases import prepare
from interpreter.workbench.files import check_file
from interpreter.workbench.histories import resolve
from interpreter.workbench.rules import open_rules
from interpreter.workbench.trees import read_text
from tests import shipped

CASES = sorted((Path(__file__).parent / "mistakes").glob("*.yaml"))


class Planted:
    """One planted mistake: its file, as text and as data, and the text that has the mistake."""

    def __init__(self, case: Path) -> None:
        self.said: dict[str, Any] = yaml.load(case.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
        self.text: str = self.said.get("situation") or self.said.get("file") or self._changed(case.name)

    def _changed(self, name: str) -> str:
        text = (RULES / f"{self.said['rules']}.yaml").read_text(encoding="utf-8")
        old, new = self.said["change"]["old"], self.said["change"]["new"]
        assert text.count(old) == 1, f"the anchor of {name} stands {text.count(old)} times, not once:\n{old}"
        return text.replace(old, new)

    @property
    def mended(self) -> Iterator[str]:
        """The text in which the hint is obeyed by hand, where the file says how."""
        text = self.text
        for each in self.said.get("mended", ()):
            assert text.count(each["old"]) == 1, f"{each['old']} stands {text.count(each['old'])} times there"
            text = text.replace(each["old"], each["new"])
        if text != self.text:
            yield text

    def told(self, text: str, folder: Path) -> Problems:
        """What is found where `text` stands in the place of the mistaken one; the working directory is `folder`."""
        problems = Problems()
        if self.said.get("do") == "check":
            (folder / "planted.yaml").write_text(text, encoding="utf-8")
            check_file("./planted.yaml", problems)
            return problems
        if "situation" in self.said:
            _ask(self.said["rules"], text, self.said.get("do"), problems)
            return problems
        if "change" in self.said:
            for path in RULES.glob("*.yaml"):
                shutil.copy(path, folder)
        (folder / f"{self.said['rules']}.yaml").write_text(text, encoding="utf-8")
        open_rules(f"./{self.said['rules']}.yaml", problems)
        return problems


def _ask(name: str, text: str, do: str | None, problems: Problems) -> None:
    rules = shipped.opened(name)
    root = read_text("situation", text, problems)
    if root is None:
        return
    check_situation_shape(root, problems)
    case = prepare(rules, root, problems) if not problems.has_errors else None
    if case is not None and do == "resolve":
        resolve(case)
    elif case is not None and do == "odds":
        odds(case)


# What is offered to be said in the place that is pointed at, to the end of the hint: `say `a.b` or `c.b``.
_OFFERED = re.compile(
    r"(?<!and )(?:did you mean|\bsay|say which of its lines:|one of its lines[:,]|whose, as|here say|lower case:|one row of it is) "
    r"(`[^`]+`(?:(?:, | or )`[^`]+`)*)\??$"
)
_ROWS = re.compile(r"^(?:rows of [\w-]+|a column has rows of one table): (.*)$")


def obeyed(problem: Problem) -> Iterator[str]:
    """The texts in which what a message offers is done: its fix, else each word that its hint names to be said."""
    if problem.span is None:
        return
    source = problem.span.source
    if problem.fix is not None:
        whole = replace(problem, fix=replace(problem.fix, safe=True))
        text, done = with_fixes(source, [whole])
        assert done, "a fix that cannot be made"
        at_once = problem.fix.span == problem.span  # a word for a word: it is meant at every place
        yield _instead(source.text, problem, problem.fix.replacement) if at_once else text
        return
    offered, rows = _OFFERED.search(problem.hint or ""), _ROWS.search(problem.hint or "")
    words = re.findall(r"`([^`]+)`", offered[1]) if offered is not None else rows[1].split(", ")[:1] if rows else []
    for word in words:
        if "…" not in word and not re.search(r"\b[A-Z]{3,}\b", word):
            yield _instead(source.text, problem, word)


def _instead(text: str, problem: Problem, word: str) -> str:
    """The text with another word at every place that a problem shows."""
    assert problem.span is not None
    again = [label.span for label in problem.others if label.text == "and here"]
    for span in sorted((problem.span, *again), key=lambda span: -span.start):
        text = text[: span.start] + word + text[span.end :]
    return text
