"""Searches for each clause of a rule set an example that fails when the line that cites the clause is disabled.

Takes a rule set with its examples, and optionally the evidence of an earlier search. Gives `Evidence`, at most one per
clause; an example with several things in play (`company`) is preferred to one without (`alone`). Coverage is no
evidence: the example must fail when the line is deleted or its condition is made false, or, if the rules cannot be read
without the line, when the line is changed. Knows nothing of files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from interpreter.document.nodes import Entry, Mapping
from interpreter.rulebook.definitions import line_name
from interpreter.source.values import Struct, replace
from interpreter.workbench.parallel import HERE, Workers, spread_over
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.shown_clauses import ALONE, COMPANY, Evidence, Site, digest_of, in_company, sites_of

from .campaigns import mutants_of, recorded_host
from .example_coverage import Host, Record, Recorder
from .mutants import Mutant
from .trial import NOTICED, SURVIVED, UNREAD, Trial, Verdict, concerns, mutated, ran_line

MOST = 6  # mutants of one line that no example notices before the search gives up
ASKED = 10  # examples that are run against one mutant
NEVER = "1 > 2"  # a condition that is always false
_NAME = re.compile(r"[^,\[\s]+")
_KEY_CONDITION = re.compile(r"(?<![\w-])if (.+?)(?=, (?:for|repeat|by|together|otherwise)\b|\s*\[[^\]]*\]\s*$|$)")
# Deleting a condition makes a line run more often: an example that fails then need not run the line itself.
_CONDITION = re.compile(r",? ?if\b")


class _Line(Struct, eq=False):
    """The mutants of one place that cites a clause, in the sheet of that name.

    `without`: for each line of the place (several below a title), the mutants that disable it, in order of preference;
    the first that can be read counts. `changed`: mutants that change the place, for rules that cannot be read without
    it. `shared`: the place cites several clauses, so an example is evidence only for those that it cites itself.
    """

    sheet: str
    without: tuple[tuple[Mutant, ...], ...]
    changed: tuple[Mutant, ...]
    shared: bool


def witnesses(
    rules: RuleSet,
    known: Iterable[Evidence] = (),
    workers: Workers = HERE,
    progress: Progress | None = None,
) -> list[Evidence]:
    """Search evidence for every clause of the register that some line implements.

    Takes the rule set; `known`, the evidence of an earlier search, which is tried first; `workers`; and `progress`,
    which counts the clauses. Returns the evidence found, in the order of the register, without clauses that have none.
    Raises `Stopped` on an interrupt, with the evidence known so far.
    """
    progress = progress if progress is not None else Progress()
    before = {each.clause: each for each in known}
    search = _Search(rules, recorded_host(rules, workers, progress), before)
    clauses = [c.id for c in rules.clauses.values() if c.id in search.sites and not c.status]
    progress.part, progress.done, progress.of = "clauses", 0, len(clauses)
    found: list[Evidence] = []
    try:
        for evidence in spread_over(search.of, clauses, workers):
            progress.done += 1
            found += [evidence] if evidence is not None else []
    except KeyboardInterrupt:
        left = (before.get(clause) for clause in clauses[progress.done :])
        raise Stopped([*found, *(each for each in left if each is not None)]) from None
    return found


class Stopped(Exception):
    """Raised when a search is stopped: `evidence` is what it found, and the known evidence of the remaining clauses."""

    def __init__(self, evidence: list[Evidence]) -> None:
        super().__init__(evidence)
        self.evidence = evidence


def confirmed(rules: RuleSet, evidence: Iterable[Evidence]) -> list[Evidence]:
    """The items of `evidence` that still hold: the example passes, and fails with the recorded change. Runs only the
    examples that they name.
    """
    evidence = tuple(evidence)
    names, recorder = {each.example for each in evidence}, Recorder(rules, lambda _: None)
    records = [recorder.of(i) if e.name in names else None for i, e in enumerate(recorder.examples)]
    search = _Search(rules, recorder.host(records), {})
    return [each for each in evidence if search.again(each) == each]


class _Search:
    """One search: the mutants of each sheet, and the records of the examples, in company and alone."""

    def __init__(self, rules: RuleSet, host: Host, known: dict[str, Evidence]) -> None:
        self.rules, self.host, self.known = rules, host, known
        self.sites = sites_of(rules)
        self.shared = Counter(id(site) for clause in rules.clauses for site in self.sites.get(clause, ()))
        self.cited = {id(site.entry) for sites in self.sites.values() for site in sites}
        self.mutants = {sheet.name: mutants_of([rules], sheet.name) for sheet in rules.sheets}
        together = {record.place for record in host.records if in_company(rules, host.examples[record.place])}
        self.records = {
            COMPANY: [record for record in host.records if record.place in together],
            ALONE: [record for record in host.records if record.place not in together],
        }
        self._lines: dict[int, _Line] = {}

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the arguments, as the search identifies entries by object identity."""
        return _Search, (self.rules, self.host, self.known)

    def of(self, clause: str) -> Evidence | None:
        """Evidence for one clause, or None: in company if possible, known evidence before new."""
        lines = [self._line(site) for site in self.sites[clause]]
        known = self.known.get(clause)
        again = self.again(known) if known is not None else None
        if again is not None and again.where == COMPANY:
            return again
        return self._among(COMPANY, clause, lines) or again or self._among(ALONE, clause, lines)

    def _line(self, site: Site) -> _Line:
        if id(site) not in self._lines:
            here = [m for m in self.mutants[site.sheet] if site.span.start <= m.span.start < site.span.end]
            changed = [m for m in here if m.instead is not None and not _CONDITION.match(m.now[m.start : m.end])]
            without = self._without(site, here) if here else ()
            self._lines[id(site)] = _Line(site.sheet, tuple(without), tuple(changed), self.shared[id(site)] > 1)
        return self._lines[id(site)]

    def _without(self, site: Site, here: Sequence[Mutant]) -> Iterator[tuple[Mutant, ...]]:
        """The disabling mutants of each line at a site; lines that cite clauses of their own come last."""
        lines = list(_addresses(site.definition, here[0].definition))
        if site.entry is not site.definition:
            lines = [(entry, address) for entry, address in lines if entry is site.entry]
        for entry, address in sorted(lines, key=lambda line: id(line[0]) in self.cited and line[0] is not site.entry):
            gone = [m for m in here if m.instead is None and m.scalar is entry.key]
            done = address.split(".")[0] in self.rules.book.procedures
            yield (*gone, _never(entry, here[0], address)) if done else tuple(gone)

    def again(self, known: Evidence) -> Evidence | None:
        """Known evidence with a new digest if its example still fails with the same change; else None."""
        for where, records in self.records.items():
            only = [record for record in records if record.name == known.example]
            for line in map(self._line, self.sites.get(known.clause, ()) if only else ()):
                for mutant in (*chain.from_iterable(line.without), *line.changed):
                    if (mutant.address, _change(mutant)) == (known.address, known.change):
                        verdict = self._tried(line.sheet, mutant, only)
                        return self._evidence(where, known.clause, mutant, verdict)
        return None

    def _among(self, where: str, clause: str, lines: Sequence[_Line]) -> Evidence | None:
        """Evidence from the examples in company, or from those alone (`where`); None if there is none within the
        limits.
        """
        citing = {e.name for e in self.host.examples if clause in e.cites}
        for line in lines:
            records = [r for r in self.records[where] if not line.shared or r.name in citing]
            read = 0
            for options in (*line.without, *((m,) for m in line.changed)) if records else ():
                if (read and options and options[0] in line.changed) or read >= MOST:
                    break  # some mutant that disables the line could be read, or the limit is reached
                for mutant in options:
                    asked = [r for r in records if self._could_notice(r, mutant)]
                    if not asked:
                        continue
                    asked.sort(key=lambda r: (r.name not in citing, r.rank))
                    verdict = self._tried(line.sheet, mutant, asked[:ASKED])
                    if verdict.what == NOTICED:
                        return self._evidence(where, clause, mutant, verdict)
                    if verdict.what != UNREAD:
                        read += 1
                        break
        return None

    def _could_notice(self, record: Record, mutant: Mutant) -> bool:
        """Whether an example can run the mutated line, judged by what it ran without the mutation."""
        if not concerns(record, mutant, self.rules.book):
            return False
        if mutant.what in ("value", "roll"):
            return ran_line(record, mutant)
        within = f"{mutant.address}."
        return mutant.what != "to" or any(
            line == mutant.address or line.startswith(within) for line in record.noted.done
        )

    def _tried(self, sheet: str, mutant: Mutant, records: Sequence[Record]) -> Verdict:
        """Run the examples of `records` against a mutant. Gives the verdict: NOTICED by an example, SURVIVED, or UNREAD
        if the mutated rules have errors. Equivalence is not examined: an equivalent mutant survives anyway.
        """
        trial = Trial([Host(self.rules, self.host.examples, tuple(records), ())], sheet)
        verdict = trial.of(mutant, before=Verdict(mutant.number, SURVIVED), last=False)
        if verdict.what == SURVIVED and mutated(self.rules, sheet, mutant) is None:
            return Verdict(mutant.number, UNREAD)
        return verdict

    def _evidence(self, where: str, clause: str, mutant: Mutant, verdict: Verdict) -> Evidence | None:
        if verdict.what != NOTICED:
            return None
        said = Evidence(clause, where, verdict.by, mutant.address, _change(mutant))
        named = next(each for each in self.host.examples if each.name == verdict.by)
        return replace(said, digest=digest_of(said, named, self.sites[clause]))


def _never(entry: Entry, like: Mutant, address: str) -> Mutant:
    """The mutant whose line never runs: its condition is replaced by a false one, or such a condition is added. The
    mutated file may be unreadable.
    """
    text = entry.key.text
    condition, name = _KEY_CONDITION.search(text), _NAME.match(text)
    start, end = condition.span(1) if condition is not None else (name.end(), name.end()) if name else (0, 0)
    instead = NEVER if condition is not None else f", if {NEVER}"
    return replace(
        like, address=address, span=entry.key.at(start, end), scalar=entry.key, start=start, end=end, instead=instead,
        choice=(id(entry.key), 1),
    )  # fmt: skip


def _addresses(entry: Entry, above: str) -> Iterator[tuple[Entry, str]]:
    """An entry and all entries below it, each with its address."""
    yield entry, above
    for inner in entry.value if isinstance(entry.value, Mapping) else ():
        yield from _addresses(inner, f"{above}.{line_name(inner.key.text)}")


def _change(mutant: Mutant) -> str:
    """A mutant's change as the record of evidence writes it: `left out`, `never`, or the words before and after."""
    if mutant.instead is None:
        return "left out"
    if mutant.instead.endswith(NEVER):
        return "never"
    return " ".join(mutant.change.replace("`", "").split())
