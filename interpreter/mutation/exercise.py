"""Which examples can notice a change of which definition, and what each of them costs.

Enters: a checked rule set. Leaves: a `Record` for each of its examples that holds. An example can notice a change of
what its plays and odds have run, and of what these lines speak of: no more is claimed than that. Knows nothing of
mutants.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from interpreter.document import Mapping, Node, Scalar
from interpreter.program.seen import Seen
from interpreter.rulebook import typed as t
from interpreter.rulebook.definitions import Definition
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol
from interpreter.source import Problems
from interpreter.workbench.examples import Example, examples_of, run
from interpreter.workbench.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Record:
    """`touches` are names of definitions, `rows` of tables with their rows that were looked up, `words` all that its
    text and those of what it touches say, `lines` addresses that a play ran; `seconds` of the processor's time.
    """

    place: int
    name: str
    touches: frozenset[str]
    rows: frozenset[tuple[str, str]]
    words: frozenset[str]
    lines: frozenset[str]
    seconds: float
    size: int


@dataclass(frozen=True, eq=False, slots=True)
class Host:
    """A rule set with its examples; `records` are of those that hold, the cheapest first."""

    rules: RuleSet
    examples: tuple[Example, ...]
    records: tuple[Record, ...]
    failed: tuple[str, ...]


def recorded(rules: RuleSet) -> Host:
    examples = tuple(examples_of(rules, Problems()))
    book = rules.book
    limits = _closure(rules.checker, book.limits.values())
    words: dict[str, frozenset[str]] = {}
    for d in book.definitions:
        texts = [d.key.text, *(e.key.text for e, _ in d.entries), *_texts(d)]
        for name in d.title.names:
            words[name.text] = _words(" ".join(texts))
    found, failed = [], []
    for place, example in enumerate(examples):
        seen = Seen()
        result = run(rules, example, seen=seen)  # first with its lines, then for its price
        if not result.passed:
            failed.append(example.name)
            continue
        before = time.process_time()
        run(rules, example, shown=False)
        seconds = time.process_time() - before
        touches = {p.name for p in seen.procedures} | _spoken(rules.checker, seen.procedures)
        if example.body.get("force") is not None:
            touches |= limits
        rows = frozenset((table, book.tables[table].row_at(at)) for table, at in seen.rows)
        text = example.body.span.text
        said = _words(text).union(*(words.get(name, ()) for name in touches))
        lines = frozenset(result.lines)
        found.append(Record(place, example.name, frozenset(touches), rows, said, lines, seconds, len(text)))
    found.sort(key=lambda r: (r.size, r.place))  # not by the clock: the order is to be the same every time
    return Host(rules, examples, tuple(found), tuple(failed))


def _texts(definition: Definition) -> Iterator[str]:
    left: list[Node] = [e.value for e, _ in definition.entries]
    if definition.text is not None:
        yield definition.text.text
    for node in left:
        if isinstance(node, Scalar):
            yield node.text
        elif isinstance(node, Mapping):
            for entry in node:
                yield entry.key.text
                left.append(entry.value)


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z][a-z0-9-]*", text))


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
