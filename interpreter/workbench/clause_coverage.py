"""The status of each clause of a register, and the examples that depend on the lines that cite it.

Takes a rule set and its recorded evidence. Gives every clause with its status. A clause is carried out if a line cites
it, unless its register declares it told by the table or without effect. It is shown in company only if an example in
company passes now and is recorded to fail without such a line.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter import cache, disk
from interpreter.source import Problems
from interpreter.source.values import Struct

from .examples import examples_of
from .parallel import HERE, Workers
from .passed_examples import PassedExamples
from .progress import Progress
from .rule_sets import Clause, RuleSet
from .rules import open_rules
from .running import run_examples
from .shown_clauses import COMPANY, Evidence, recorded

SHOWN, CARRIED_OUT, TOLD, TABLE_TALK, NOT_YET = (
    "shown in company",
    "carried out",
    "told by the table",
    "table talk",
    "not yet",
)
STATUSES = (SHOWN, CARRIED_OUT, TOLD, TABLE_TALK, NOT_YET)
_SAID = {"told": TOLD, "talk": TABLE_TALK, "not yet": NOT_YET}


class Covered(Struct):
    """A clause with its status. `places` are the (file, row) of its citations; `evidence` are recorded examples that
    depend on it. `missing`: no line cites it, and its register gives no other status.
    """

    clause: Clause
    status: str
    places: tuple[tuple[str, int], ...] = ()
    evidence: tuple[Evidence, ...] = ()
    missing: bool = False


class Coverage(Struct):
    """The coverage of one stack: its clauses, the stale entries of its record, and the recorded examples that fail."""

    name: str
    title: str
    clauses: tuple[Covered, ...]
    stale: tuple[Evidence, ...] = ()
    failed: tuple[str, ...] = ()

    def counts(self, clauses: Iterable[Covered] | None = None) -> dict[str, int]:
        """The number of clauses with each status, among `clauses` or all."""
        found = [c.status for c in (self.clauses if clauses is None else clauses)]
        return {status: found.count(status) for status in STATUSES}

    def by_heading(self) -> dict[str, list[Covered]]:
        """The clauses below each heading of the page, in page order."""
        found: dict[str, list[Covered]] = {}
        for c in self.clauses:
            found.setdefault(c.clause.heading, []).append(c)
        return found


def coverage_of(
    stack: str, problems: Problems, workers: Workers = HERE, progress: Progress | None = None
) -> Coverage | None:
    """The coverage of the rules with that name; None with problems. Cached while no file that it depends on changes."""
    question = ("coverage", cache.search_context(), stack)
    known = cache.load(question)
    if isinstance(known, Coverage):
        return known
    with disk.tracking() as tracker:
        rules = open_rules(stack, problems, to_run=True)
        found = _asked(rules, problems, workers, progress) if rules is not None and not problems.has_errors else None
        cache.stamp_libraries()
    if found is not None and not len(problems):
        cache.store(question, tracker, found)
    return found


def _asked(rules: RuleSet, problems: Problems, workers: Workers, progress: Progress | None) -> Coverage | None:
    """The coverage with all evidence whose example passes; runs the examples that are not known to pass."""
    examples = examples_of(rules, problems)
    record = recorded(rules, examples, problems)
    if problems.has_errors:
        return None
    named = {each.example for each in record.evidence}
    known = PassedExamples(rules)
    left = [e for e in examples if e.name in named and e not in known]
    results = run_examples(rules, left, workers, progress, whole=False)
    failed = tuple(result.example.name for result in results if not result.passed)
    held = tuple(each for each in record.evidence if each.example not in failed)
    return clause_coverage(rules, held, record.stale, failed)


def clause_coverage(
    rules: RuleSet, evidence: Iterable[Evidence], stale: tuple[Evidence, ...] = (), failed: tuple[str, ...] = ()
) -> Coverage:
    """Every clause of the register, with its citations and its `evidence`."""
    places: dict[str, list[tuple[str, int]]] = {}
    for clause, where in rules.book.pages.cites:
        span = where.span
        places.setdefault(clause, []).append((span.source.name, span.place[0]))
    talk = {clause for sheet in rules.sheets for clause in sheet.head.table_talk}
    evidence, found = tuple(evidence), []
    for one in rules.clauses.values():
        at = tuple(dict.fromkeys(places.get(one.id, ())))
        own = tuple(each for each in evidence if each.clause == one.id)
        status = _status(one, talk, bool(at), own)
        missing = status == NOT_YET and one.status not in _SAID
        found.append(Covered(one, status, at, own if status in (SHOWN, CARRIED_OUT) else (), missing))
    return Coverage(rules.name, rules.title, tuple(found), stale, failed)


def _status(clause: Clause, talk: set[str], cited: bool, evidence: Iterable[Evidence]) -> str:
    if clause.status in _SAID:
        return _SAID[clause.status]
    if cited:
        return SHOWN if any(each.where == COMPANY for each in evidence) else CARRIED_OUT
    return TABLE_TALK if clause.id in talk or clause.kind == "judgement" else NOT_YET
