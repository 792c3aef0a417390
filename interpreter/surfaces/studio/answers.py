"""Answers one situation: its odds as pictures, before and after a house rule, and the effect of each of its lines.

Takes checked rules, and the text of a situation. Gives a picklable `Reply`. Knows nothing of how it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.source import Problems
from interpreter.source.digits import format_number, format_share
from interpreter.source.values import Record, Struct, replace
from interpreter.surfaces.as_charts import Bars, Page, Picture, Series, describe_charts
from interpreter.surfaces.as_tables import describe_difference, describe_grid
from interpreter.workbench.bands import answer_case, format_bounds
from interpreter.workbench.cases import prepare
from interpreter.workbench.default_questions import EXPECTATIONS, asking_all, worth_asking
from interpreter.workbench.difference import Row
from interpreter.workbench.effect import effect
from interpreter.workbench.file_kinds import action_line, description_lines
from interpreter.workbench.grids import answer_alternatives
from interpreter.workbench.menus import asking, points_in
from interpreter.workbench.patches import Patches
from interpreter.workbench.pricing import Law, Measure
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.texts import Asks, asked, with_entries
from interpreter.workbench.typical import Point

from .commands import command_of
from .findings import Finding, told

NAMES = ("before", "with the house rule")
WORLDS = 200_000
_MOST = 6  # most questions if none are given


class Worth(Struct):
    """The effect of one line of the house rule alone: a text for each question that it changes."""

    path: str
    line: int
    does: tuple[str, ...]


class Reply(Struct):
    """`page` is shown and shared. `compares`: it has odds before and after; then `changes` tells whether any differ.
    `worth` has the effect of each patch; `command` gives the same answer in a terminal.
    """

    page: Page
    compares: bool = False
    changes: bool = False
    worth: tuple[Worth, ...] = ()
    command: str = ""
    findings: tuple[Finding, ...] = ()


class _Asked(Record):
    """A request. `root` is the tree of the situation without its expectations."""

    rules: RuleSet
    patches: Patches | None
    root: Any
    points: Sequence[Point]
    asks: Sequence[str]
    problems: Problems
    progress: Progress

    @property
    def questions(self) -> Asks:
        return asked("show", "ask", list(self.asks))


def reply(rules: RuleSet, patches: Patches | None, name: str, text: str, progress: Progress) -> Reply:
    """The odds of a situation; with `patches`, before and after them."""
    problems = Problems()
    found = points_in(rules, text, problems)
    if found is None or problems.has_errors or not found[1]:
        return Reply(Page(rules.title, "", (), (), ()), findings=told(problems, name))
    root, points = found
    asks = _questions(rules, points[0], problems)
    bare = with_entries(root, (), EXPECTATIONS)
    work = _Asked(rules, patches, bare, points, asks, problems, progress)
    shown: tuple[Picture, ...] = ()
    changes, worth = False, tuple[Worth, ...]()
    compares = patches is not None and bool(patches.changes)
    if asks and compares:
        shown, changes, worth = _grids(work) if len(points) > 1 else _compared(work)
    elif asks:
        shown = _plain(work)
    remarks = () if asks or problems.has_errors else ("Nothing here depends on dice.",)
    page = Page(rules.title, action_line(root), tuple(description_lines(root)), shown, remarks)
    command = command_of(rules, name, text, root, asks)
    return Reply(page, compares and bool(shown), changes, worth, command, told(problems, name))


def _questions(rules: RuleSet, point: Point, problems: Problems) -> list[str]:
    """The situation's own questions; without any, those worth asking that have several outcomes."""
    case = prepare(rules, point.body, problems)
    if case is None:
        return []
    own = [ask.text for ask in case.asks if ask.kind not in ("then", "known")]
    if own:
        return own
    root = with_entries(point.body, (), EXPECTATIONS)
    texts = worth_asking(case)
    whole = asking_all(case, root, texts, [])
    answer = answer_case(whole, limit=WORLDS) if whole is not None else None
    if answer is None:
        return [text for text in texts[:_MOST] if asking_all(case, root, [text], []) is not None]
    return [ask.text for i, ask in enumerate(answer.asks) if len(answer.of(i)) > 1][:_MOST]


def _plain(work: _Asked) -> tuple[Picture, ...]:
    """A distribution for each question; for alternatives, bars or a heat map."""
    if len(work.points) > 1:
        found = answer_alternatives(work.rules, work.root, work.problems, work.questions, limit=WORLDS)
        return describe_grid(found, range(len(found.asks))) if found is not None else ()
    case = prepare(work.rules, work.root, work.problems, work.questions)
    if case is None:
        return ()
    case.progress = work.progress
    answer = answer_case(case, limit=WORLDS)
    if answer is None:
        work.problems.extend(case.problems)
        return ()
    return describe_charts([(answer, i, []) for i in range(len(answer.asks))], False, True)


def _compared(work: _Asked) -> tuple[tuple[Picture, ...], bool, tuple[Worth, ...]]:
    patches = work.patches
    assert patches is not None
    rows, refused = effect(patches, [asking(work.points[0], work.asks)], work.progress)
    work.problems.extend(problem for _, problem in refused)
    shown = tuple(
        replace(p, title=p.title.removeprefix(": ") or "How likely") for p in describe_difference(rows, NAMES)
    )
    return shown, any(not row.before.same(row.after) for row in rows), _worth(patches, rows)


def _grids(work: _Asked) -> tuple[tuple[Picture, ...], bool, tuple[Worth, ...]]:
    """The same picture before and after, question by question."""
    assert work.patches is not None
    sides = []
    for rules in (work.patches.none(), work.patches.ours):
        found = answer_alternatives(rules, work.root, work.problems, work.questions, limit=WORLDS)
        sides.append(describe_grid(found, range(len(found.asks))) if found is not None else ())
    before, after = sides
    shown = [picture for pair in zip(before, after, strict=False) for picture in _beside(*pair)]
    return tuple(shown), before != after, ()


def _beside(before: Picture, after: Picture) -> tuple[Picture, ...]:
    """Bars with the same rows side by side; other pictures one after the other."""
    if isinstance(before, Bars) and isinstance(after, Bars):
        was = {row.label: row.values for row in before.rows}
        rows = tuple(replace(row, values=(*was[row.label], *row.values)) for row in after.rows if row.label in was)
        if len(rows) == len(before.rows) == len(after.rows):
            return (replace(after, series=tuple(map(Series, NAMES)), rows=rows, table=rows),)
    pair = zip((before, after), NAMES, strict=True)
    return tuple(replace(picture, title=f"{picture.title}, {name}") for picture, name in pair)


def _worth(patches: Patches, rows: Sequence[Row]) -> tuple[Worth, ...]:
    found = []
    for i, patch in enumerate(patches.patches):
        does = [said_ for row in rows if (said_ := _step(row, row.alone[i])) is not None]
        found.append(Worth(patch.name, patch.place.place[0], tuple(does)))
    return tuple(found)


def _step(row: Row, alone: Law | None) -> str | None:
    """The change of a question by one patch, such as `hits, mean: 1 → 2`; None if nothing changes."""
    if alone is None:
        return f"{row.ask}: cannot be asked with it alone"
    if row.before.same(alone):
        return None
    how = row.measure
    what = f"{row.ask}, mean" if how.what == "mean" else row.ask if how.value is None else f"{row.ask} is {how.value}"
    return f"{what}: {_said(row.before, how)} → {_said(alone, how)}"


def _said(law: Law, how: Measure) -> str:
    bounds = how.of(law)
    return "?" if bounds is None else format_bounds(bounds, format_number if how.what == "mean" else format_share)
