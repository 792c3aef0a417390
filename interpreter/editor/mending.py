"""The code actions for problems: the fixes of the catalogue, and allowances with a reason.

Takes an analysis. Gives `Mend`s, as edits of its text. The reason of an allowance is a placeholder for the author to
replace. Knows nothing of how a problem was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.document.reader import read
from interpreter.layout import with_fixes
from interpreter.layout.text_edits import Edit, apply_edits
from interpreter.source import Problem, Problems, Source
from interpreter.source.values import Struct

from .analysis import Analysis

MOST = 8  # most allowances offered at a time, as each is tried
REASON = "it is meant"  # a placeholder


class Mend(Struct):
    """`edits` of the file of `problem`; `sure` if the meaning is preserved, so that it may be applied unasked."""

    title: str
    problem: Problem
    edits: tuple[Edit, ...]
    sure: bool = False


def mends(analysis: Analysis, start: int, end: int) -> list[Mend]:
    """The actions for the problems that overlap a range of the file."""
    found = []
    asked = 0
    for problem in analysis.problems:
        span = problem.span
        if span is None or span.source != analysis.source or not (span.start <= end and start <= span.end):
            continue
        fix = problem.fix
        if fix is not None and fix.span.source == analysis.source:
            edit = Edit(fix.span.start, fix.span.end, fix.replacement)
            found.append(Mend(fix.text[:1].upper() + fix.text[1:], problem, (edit,), fix.safe))
        if problem.severity != "error" and not problem.more and asked < MOST:
            asked += 1
            allowance = _allowance(analysis.source, problem)
            if allowance is not None:
                found.append(Mend(f"Allow {problem.code} here, for a reason", problem, (allowance,)))
    return found


def all_mended(analysis: Analysis) -> str:
    """The text with every safe fix that can be applied at once."""
    return with_fixes(analysis.source, _here(analysis))[0]


def _here(analysis: Analysis) -> Iterable[Problem]:
    return [p for p in analysis.problems if p.fix is not None and p.fix.span.source == analysis.source]


def _allowance(source: Source, problem: Problem) -> Edit | None:
    """A comment at the end of the line, or above it: the first that allows the problem."""
    span = problem.span
    if span is None:
        return None
    row = span.place[0]
    line = source.line(row)
    words = f"# umpire: allow {problem.code} because {REASON}"
    begin = source.offset(row, 1)
    end = begin + len(line)
    indent = re.match(r" *", line)
    above = Edit(begin, begin, f"{indent.group() if indent else ''}{words}\n")
    behind = Edit(begin + len(line.rstrip()), end, f"  {words}")
    return next((edit for edit in (behind, above) if _reaches(source, edit, problem)), None)


def _reaches(source: Source, edit: Edit, problem: Problem) -> bool:
    """Whether an allowance, once written, is valid and applies to the problem."""
    assert problem.span is not None
    problems = Problems()
    after = Source(source.name, apply_edits(source.text, [edit]))
    if read(after, problems) is None or any(p.code.startswith("A") or p.severity == "error" for p in problems):
        return False
    shift = problem.span.start + (len(edit.text) if edit.start <= problem.span.start else 0)
    place = type(problem.span)(after, shift, shift)
    return any(each.concerns(problem.code, place) for each in problems.allowances)
