"""Records the definitions that each example runs or depends on, and its run time.

Takes a checked rule set. Gives a `Record` for each example that passes. Only an example that ran a definition, or ran
something that refers to it, can detect a change of it. Knows nothing of mutants.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from math import log

from interpreter.document.nodes import scalars
from interpreter.program.trace_notes import Seen
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol
from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.workbench.dependencies import symbols
from interpreter.workbench.examples import Example, examples_of
from interpreter.workbench.passed_examples import mark_of
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.running import run


class Noted(Struct):
    """The definitions that an example uses: `touches`, names of definitions; `rows`, by table the rows looked up;
    `lines`, addresses that a play ran; `done`, those of them whose condition held; `seconds` of processor time.
    """

    touches: frozenset[str]
    rows: frozenset[tuple[str, str]]
    lines: frozenset[str]
    done: frozenset[str]
    seconds: float


class Record(Struct):
    """An example that passes. `words`: the words of its text and of the definitions that it touches; `own`: those of
    its text; `mark`: a digest that identifies it by content, whatever its name and place.
    """

    place: int
    name: str
    noted: Noted
    words: frozenset[str]
    size: int
    mark: str
    own: frozenset[str]

    @property
    def rank(self) -> tuple[int, int, int]:
        """A sort key, cheap examples first: by length rather than time, so that the order is reproducible, except that
        very slow ones come last.
        """
        return (self.slow, self.size, self.place)

    @property
    def slow(self) -> int:
        """The number of doublings of half a second in its time; 0 for a fast example."""
        return int(self.noted.seconds / 0.5).bit_length()


class Host(Struct, eq=False):
    """A rule set with its examples; `records` are those of passing examples, the cheapest first; `failed` are the names
    of the others.
    """

    rules: RuleSet
    examples: tuple[Example, ...]
    records: tuple[Record, ...]
    failed: tuple[str, ...]

    def rarity(self) -> dict[str, float]:
        """The weight of each word for ordering examples: the fewer examples contain it, the greater."""
        counts = Counter(word for record in self.records for word in record.own)
        return {word: log(len(self.records) / many) for word, many in counts.items()}


class Recorder:
    """Runs the examples of a rule set to record them; those with a `known` record are not run."""

    def __init__(
        self, rules: RuleSet, known: Callable[[str], Noted | None], examples: tuple[Example, ...] | None = None
    ) -> None:
        self.rules, self.book, self.known = rules, rules.book, known
        self.examples = examples if examples is not None else tuple(examples_of(rules, Problems()))
        self.limits = _closure(rules.checker, self.book.limits.values())
        firsts = set().union(*(symbols(first, types=False) for first in rules.checker.defaults.values()))
        self.firsts = _closure(rules.checker, (s for s in firsts if isinstance(s, PureDef)))  # for initial values
        self.words: dict[str, frozenset[str]] = {}
        for d in self.book.pages.definitions:
            texts = [d.key, *([d.text] if d.text is not None else [])]
            texts += [text for entry, _ in d.entries for text in (entry.key, *scalars(entry.value))]
            said = words_of(" ".join(text.text for text in texts))
            self.words |= dict.fromkeys(d.names, said)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the examples too, as the receiving process may not have their files."""
        return Recorder, (self.rules, self.known, self.examples)

    def of(self, place: int) -> Record | None:
        """The record of an example; None if it fails."""
        example = self.examples[place]
        text = example.body.span.text
        noted = self.known(text) or self._asked(example)
        if noted is None:
            return None
        own, mark = words_of(f"{example.key.text} {text}"), mark_of(self.rules, text)
        said = own.union(*(self.words.get(name, ()) for name in noted.touches))
        return Record(place, example.name, noted, said, len(text), mark, own)

    def _asked(self, example: Example) -> Noted | None:
        seen, checker = Seen(), self.rules.checker
        before = time.process_time()
        result = run(self.rules, example, alone=False, seen=seen)
        seconds = time.process_time() - before
        if not result.passed:
            return None
        touches = {p.name for p in seen.procedures} | names_in_lines(checker, seen.procedures) | self.firsts
        if example.body.get("force") is not None:
            touches |= self.limits
        rows = frozenset((table, self.book.tables[table].row_at(at)) for table, at in seen.rows)
        return Noted(frozenset(touches), rows, frozenset(result.lines), frozenset(result.done), seconds)

    def host(self, records: Iterable[Record | None]) -> Host:
        """The rule set with the records of its examples, in their order."""
        made = list(records)
        failed = tuple(e.name for e, r in zip(self.examples, made, strict=True) if r is None)
        found = sorted((r for r in made if r is not None), key=lambda r: r.rank)
        return Host(self.rules, self.examples, tuple(found), failed)


def words_of(text: str) -> frozenset[str]:
    """The words of a text, and the clauses that it cites: `[37]`."""
    cited = (f"[{clause.strip()}]" for some in re.findall(r"\[([^][]*)\]", text) for clause in some.split(","))
    return frozenset((*re.findall(r"[a-z][a-z0-9-]*", text), *cited))


def names_in_lines(checker: Checker, procedures: Iterable[Procedure]) -> set[str]:
    """The names in the lines of procedures, and of everything that these values are computed from; not those in called
    procedures.
    """
    found: set[Symbol] = set()
    for procedure in procedures:
        found |= symbols(checker.procedure(procedure).steps, types=False)
    return {s.name for s in found} | _closure(checker, (s for s in found if isinstance(s, PureDef)))


def _closure(checker: Checker, pure: Iterable[PureDef]) -> set[str]:
    """The names of these definitions and of everything that they are computed from."""
    left: list[Symbol] = list(pure)
    known: set[Symbol] = set(left)
    for symbol in left:
        if isinstance(symbol, PureDef):
            made = checker.pure(symbol)
            inside = {
                c
                for change in made.changes
                for c in symbols((change.amount, change.per, change.condition), types=False)
            }
            left += inside - known
            known |= inside
    return {s.name for s in known}
