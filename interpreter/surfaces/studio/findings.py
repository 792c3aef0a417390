"""Checks a file while it is edited: its problems with their places and fixes, and the printed clauses of its lines.

Takes the name of a file of the folder and its unsaved text. Gives picklable plain values. Knows nothing of how they are
shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.source import Problem, Problems
from interpreter.source.values import Struct
from interpreter.workbench.effect import below
from interpreter.workbench.patches import Patches
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.why import why

MOST = 60  # most problems to report


class Mend(Struct):
    """A fix for a button: the characters from `start` to `end` become `text`. `safe`: the meaning is preserved."""

    says: str
    start: int
    end: int
    text: str
    safe: bool

    def applied(self, whole: str) -> str:
        return whole[: self.start] + self.text + whole[self.end :]


class Finding(Struct):
    """A problem. `line` is 0 if it has no place in this file; `file` then names its place elsewhere."""

    severity: str
    code: str
    says: str
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    start: int = 0
    end: int = 0
    shown: str = ""
    mend: Mend | None = None

    @property
    def place(self) -> str:
        """`line 5, characters 12 to 15`."""
        if not self.line:
            return self.file
        many = max(self.end - self.start, 1)
        last = self.column + many - 1
        return f"line {self.line}, character {self.column}" + (f" to {last}" if many > 1 else "")


class Clause(Struct):
    """The content of a printed clause that a line cites, in our own words."""

    line: int
    id: str
    says: str


class Checkup(Struct):
    """The findings of a check; `more` is the number of those left out."""

    findings: tuple[Finding, ...]
    more: int = 0

    @property
    def clean(self) -> bool:
        return not self.findings

    @property
    def errors(self) -> int:
        return sum(f.severity == "error" for f in self.findings)


def checkup(problems: Iterable[Problem], name: str) -> Checkup:
    """The problems of a file, in the order of its text; those of other files last."""
    found = sorted((_finding(p, name) for p in problems), key=lambda f: (not f.line, f.start))
    return Checkup(tuple(found[:MOST]), len(found[MOST:]))


def told(problems: Problems, name: str) -> tuple[Finding, ...]:
    """The problems of an operation other than a check."""
    return tuple(_finding(p, name) for p in problems)


def _finding(problem: Problem, name: str) -> Finding:
    span = problem.span
    says = problem.message + (f" ({problem.label})" if problem.label else "")
    if span is None:
        return Finding(problem.severity, problem.code, says, problem.hint or "")
    line, column = span.place
    here = span.source.name == name
    fix = problem.fix
    mend = None
    if fix is not None and fix.span.source.name == name:
        what = fix.text or (f"write `{fix.replacement}`" if fix.replacement else f"take away `{fix.span.text}`")
        mend = Mend(what, fix.span.start, fix.span.end, fix.replacement, fix.safe)
    if not here:
        return Finding(problem.severity, problem.code, says, problem.hint or "", f"{span.source.name}, line {line}")
    end = span.end if span.end > span.start else span.start
    shown = span.source.line(line)
    return Finding(
        problem.severity, problem.code, says, problem.hint or "", "", line, column, span.start, end, shown, mend
    )


def clauses(rules: RuleSet, name: str) -> tuple[Clause, ...]:
    """The clauses that each line of the file cites, and those of the lines that it changes, in text order."""
    known = rules.clauses
    found: dict[tuple[int, str], str] = {}
    for id_, where in rules.book.pages.cites:
        if where.span.source.name == name and id_ in known:
            found[where.span.place[0], id_] = known[id_].says
    base = below(rules) if len(rules.sheets) > 1 else None
    for change in Patches(base, rules).changes if base is not None else ():
        for id_, says in _changed(base, change.path).items() if base is not None and change.acts else ():
            found.setdefault((change.place.place[0], id_), says)
    return tuple(Clause(line, id_, says) for (line, id_), says in sorted(found.items()))


def _changed(base: RuleSet, path: str) -> dict[str, str]:
    """The clauses of the line that a house rule changes, else those of its title."""
    for address in dict.fromkeys((path, path.split(".")[0])):
        found = why(base, address, Problems())
        cited = found.origins[0].clauses if found is not None and found.origins else ()
        if found is not None and cited:
            return {id_: found.clauses[id_] for id_ in cited if id_ in found.clauses}
    return {}
