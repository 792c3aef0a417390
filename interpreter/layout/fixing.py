"""Applies safe fixes.

Takes the text of a file and its problems. Gives the text with those safe fixes that can be applied at once, and their
problems; others wait for the next round. A fix that would make the file invalid YAML is left out. Knows nothing of the
meaning of problems.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.document.reader import read
from interpreter.layout.text_edits import Edit, apply_edits
from interpreter.source import Problem, Problems, Source


def with_fixes(source: Source, problems: Iterable[Problem]) -> tuple[str, list[Problem]]:
    """The text with every safe fix of `source` that overlaps no earlier one, and the problems fixed."""
    chosen: list[tuple[Edit, Problem]] = []
    for problem in sorted(problems, key=_place):
        fix = problem.fix
        if fix is None or not fix.safe or fix.span.source != source:
            continue
        edit = Edit(fix.span.start, fix.span.end, fix.replacement)
        if fix.span.text != fix.replacement and not (chosen and _meet(chosen[-1][0], edit)):
            chosen.append((edit, problem))
    text = apply_edits(source.text, (edit for edit, _ in chosen))
    if chosen and _can_be_read(source) and not _can_be_read(Source(source.name, text)):
        chosen = _one_by_one(source, chosen)
        text = apply_edits(source.text, (edit for edit, _ in chosen))
    return text, [problem for _, problem in chosen]


def _place(problem: Problem) -> tuple[int, int]:
    return (problem.fix.span.start, problem.fix.span.end) if problem.fix is not None else (0, 0)


def _meet(one: Edit, two: Edit) -> bool:
    """Whether two edits overlap, or insert at the same position."""
    return two.start < one.end or two.start == one.start


def _can_be_read(source: Source) -> bool:
    return read(source, Problems()) is not None


def _one_by_one(source: Source, chosen: list[tuple[Edit, Problem]]) -> list[tuple[Edit, Problem]]:
    kept: list[tuple[Edit, Problem]] = []
    for each in chosen:
        tried = [edit for edit, _ in (*kept, each)]
        if _can_be_read(Source(source.name, apply_edits(source.text, tried))):
            kept.append(each)
    return kept
