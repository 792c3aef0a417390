"""Which clauses of a register the rules implement, and which of those an example exercises.

Enters: a rule set and the results of its examples. Leaves: every clause with its status. A clause is implemented if a
line cites it; it is exercised only if a passed example ran such a line or cites the clause.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.source.values import Struct

from .registers import Clause
from .rule_sets import RuleSet
from .running import Result

EXERCISED, CARRIED_OUT, TABLE_TALK, NOT_YET, MISSING = (
    "exercised",
    "carried out",
    "table talk",
    "not yet",
    "missing",
)
STATUSES = (EXERCISED, CARRIED_OUT, TABLE_TALK, NOT_YET, MISSING)


class Covered(Struct):
    """A clause with its status; `places` cite it (file, row), `examples` exercise it."""

    clause: Clause
    status: str
    places: tuple[tuple[str, int], ...]
    examples: tuple[str, ...]


class Coverage(Struct):
    rules: RuleSet
    clauses: tuple[Covered, ...]

    def counts(self, clauses: Iterable[Covered] | None = None) -> dict[str, int]:
        found = [c.status for c in (self.clauses if clauses is None else clauses)]
        return {status: found.count(status) for status in STATUSES}

    def by_heading(self) -> dict[str, list[Covered]]:
        found: dict[str, list[Covered]] = {}
        for c in self.clauses:
            found.setdefault(c.clause.heading, []).append(c)
        return found


def clause_coverage(rules: RuleSet, results: Iterable[Result]) -> Coverage:
    places: dict[str, list[tuple[str, int]]] = {}
    for clause, where in rules.book.cites:
        span = where.span
        places.setdefault(clause, []).append((span.source.name, span.place[0]))
    shown: dict[str, list[str]] = {}
    for result in results:
        if result.passed:
            for clause in result.clauses:
                shown.setdefault(clause, []).append(result.example.name)
    found = []
    talk = {clause for sheet in rules.sheets for clause in sheet.head.table_talk}
    for clause_ in rules.clauses.values():
        at = tuple(dict.fromkeys(places.get(clause_.id, ())))
        by = tuple(shown.get(clause_.id, ()))
        found.append(Covered(clause_, _status(clause_, talk, bool(at), bool(by)), at, by))
    return Coverage(rules, tuple(found))


def _status(clause: Clause, talk: set[str], cited: bool, shown: bool) -> str:
    if cited:
        return EXERCISED if shown else CARRIED_OUT
    if clause.id in talk or clause.kind == "judgement":
        return TABLE_TALK
    return NOT_YET if clause.table else MISSING
