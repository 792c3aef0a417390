"""What can be done about a problem: the fixes of the catalogue, and to allow it for a reason.

Enters: an analysis. Leaves: `Mend`s, as edits of its text. Whether a reason is a good one is the author's to say: it
stands there to be written over. Must not know how a problem was found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.document.reader import read
from interpreter.layout import with_fixes
from interpreter.layout.text_edits import Edit, edited
from interpreter.source import Problem, Problems, Source
from interpreter.source.values import Struct

from .analysis import Analysis

MOST = 8  # allowances that are offered at a time: each is read, to see whether it reaches what was found
REASON = "it is meant"  # to be written over


class Mend(Struct):
    """`edits` of the file of `problem`; `sure` where it loses no meaning, and may be done unasked."""

    title: str
    problem: Problem
    edits: tuple[Edit, ...]
    sure: bool = False


def mends(analysis: Analysis, start: int, end: int) -> list[Mend]:
    """What can be done about the problems that a range of the file touches."""
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
    """The text with every fix that loses no meaning and can be made at once."""
    return with_fixes(analysis.source, _here(analysis))[0]


def _here(analysis: Analysis) -> Iterable[Problem]:
    return [p for p in analysis.problems if p.fix is not None and p.fix.span.source == analysis.source]


def _allowance(source: Source, problem: Problem) -> Edit | None:
    """A comment at the end of its line, or above it: the first that reaches what was found."""
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
    """Whether an allowance, once written, can be read and is said of the problem."""
    assert problem.span is not None
    problems = Problems()
    after = Source(source.name, edited(source.text, [edit]))
    if read(after, problems) is None or any(p.code.startswith("A") or p.severity == "error" for p in problems):
        return False
    shift = problem.span.start + (len(edit.text) if edit.start <= problem.span.start else 0)
    place = type(problem.span)(after, shift, shift)
    return any(each.concerns(problem.code, place) for each in problems.allowances)
