"""Which examples can notice a change of which definition, and what each of them costs.

Enters: a checked rule set. Leaves: a `Record` for each of its examples that holds. An example can notice a change of
what its plays and odds have run, and of what these lines speak of: no more is claimed than that. Knows nothing of
mutants.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol
from interpreter.source import Problems
from interpreter.workbench.examples import Example, examples_of, run
from interpreter.workbench.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Record:
    """`touches` are names of definitions, `lines` addresses that a play ran; `seconds` of the processor's time."""

    place: int
    name: str
    touches: frozenset[str]
    lines: frozenset[str]
    seconds: float
    text: str

    def speaks_of(self, word: str) -> bool:
        return word in self.touches or word in self.text


@dataclass(frozen=True, eq=False, slots=True)
class Host:
    """A rule set with its examples; `records` are of those that hold, the cheapest first."""

    rules: RuleSet
    examples: tuple[Example, ...]
    records: tuple[Record, ...]
    failed: tuple[str, ...]


def recorded(rules: RuleSet) -> Host:
    examples = tuple(examples_of(rules, Problems()))
    limits = _closure(rules.checker, rules.book.limits.values())
    found, failed = [], []
    for place, example in enumerate(examples):
        result = run(rules, example)  # first with its lines, then for its price
        if not result.passed:
            failed.append(example.name)
            continue
        before = time.process_time()
        run(rules, example, shown=False)
        seconds = time.process_time() - before
        touches = {p.name for p in result.procedures} | _spoken(rules.checker, result.procedures)
        if example.body.get("force") is not None:
            touches |= limits
        text = example.body.span.text
        found.append(Record(place, example.name, frozenset(touches), frozenset(result.lines), seconds, text))
    found.sort(key=lambda r: (len(r.text), r.place))  # not by the clock: the order is to be the same every time
    return Host(rules, examples, tuple(found), tuple(failed))


def _spoken(checker: ProcedureChecker, procedures: Iterable[Procedure]) -> set[str]:
    """What the lines of procedures speak of, but not what the procedures that they call do."""
    found: set[Symbol] = set()
    for procedure in procedures:
        found |= _symbols(checker.procedure(procedure).steps)
    return {s.name for s in found} | _closure(checker, (s for s in found if isinstance(s, PureDef)))


def _closure(checker: ProcedureChecker, pure: Iterable[PureDef]) -> set[str]:
    """Names of everything that values and rolls are worked out from, and their own."""
    left: list[Symbol] = list(pure)
    known: set[Symbol] = set(left)
    for symbol in left:
        if isinstance(symbol, PureDef):
            made = checker.pure(symbol)
            inside = {c for change in made.changes for c in _symbols((change.amount, change.per, change.condition))}
            left += inside - known
            known |= inside
    return {s.name for s in known}


def _symbols(tree: object) -> set[Symbol]:
    found: set[Symbol] = set()
    for node in t.parts(tree):
        left: list[object] = [getattr(node, name) for name in t.children(type(node))]
        for each in left:
            if isinstance(each, Symbol):
                found.add(each)
            elif isinstance(each, tuple):
                left += each
    return found
