"""Runs all mutants of one rule file against every rule set that includes it.

Takes the name of a rule set, and the workers. Gives a `Campaign`: verdicts in source order, independent of the number
of processes. Knows nothing of how a mutant is tried or displayed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from interpreter.folders import RULES
from interpreter.places import rule_file, stem
from interpreter.source import Problems
from interpreter.source.values import Record, Struct
from interpreter.workbench.examples import examples_of
from interpreter.workbench.parallel import HERE, Workers, spread_over
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.stacks import parts_of, stacks_of

from .example_coverage import Host, Recorder
from .example_coverage import Record as Recorded
from .mutants import Mutant, Mutants
from .mutation_cache import RecordCache, VerdictCache
from .substitutes import Substitutes
from .trial import PATIENCE, SURVIVED, UNREAD, Trial, Verdict

CODE = "X010"  # the problem code of a survivor


class Campaign(Struct, eq=False):
    """`mutants` are all mutants; `verdicts` those of the mutants tried, except the `unread` ones that do not
    compile.
    """

    hosts: list[Host]
    sheet: str
    mutants: list[Mutant]
    verdicts: list[Verdict]
    unread: int

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for verdict in self.verdicts:
            found[verdict.what] = found.get(verdict.what, 0) + 1
        return found

    @property
    def survivors(self) -> list[tuple[Mutant, Verdict]]:
        return [(self.mutants[v.mutant], v) for v in self.verdicts if v.what == SURVIVED]


def survivor_problems(found: Iterable[tuple[Mutant, Verdict]], opened: Problems | None = None) -> Problems:
    """A problem for each survivor that is not allowed. `opened`: the problems of reading the files, with their
    allowances.
    """
    problems = Problems()
    if opened is not None:
        problems.allow_as(opened)
    for mutant, verdict in found:
        if verdict.what == SURVIVED:
            problems.add(CODE, mutant.span, change=mutant.change, label=mutant.label, hint=verdict.hint)
    return problems


def hosts_of(name: str, problems: Problems) -> list[RuleSet]:
    """The rule sets whose examples can detect a mutant of the named file: the set itself or, if it has stacks, all
    of them; for a set without examples, the sets in the same folder that build on it.
    """
    opened = [open_rules(stack, problems) for stack in stacks_of(name)]
    found = [r for r in opened if r is not None]
    own = [examples_of(rules, problems) for rules in found]  # reports examples that cannot be read
    if problems.has_errors or len(found) != 1 or own[0]:
        return found
    beneath, own_name = [], found[0].sheets[-1].name
    folder = Path(found[0].path).parent
    for path in sorted(folder.glob("*.yaml")):
        if path.stem == own_name:
            continue
        quiet = Problems()
        rules = open_rules(path if folder != RULES else path.stem, quiet)
        stands = rules is not None and own_name in [s.name for s in rules.sheets if not s.laid]
        if rules is not None and stands and not quiet.has_errors and not rules.sheets[-1].laid:
            beneath.append(rules)
    return beneath or found


def sheet_of(name: str) -> str:
    """The name of the sheet to mutate: the topmost of a stack."""
    last = parts_of(name)[-1]
    path = rule_file(last)
    return stem(path) if path is not None else last


def mutants_of(sets: Sequence[RuleSet], sheet: str) -> list[Mutant]:
    """The mutants of a sheet, in the order of its file."""
    root = next(s.root for s in sets[0].sheets if s.name == sheet)
    return Mutants(root, map(Substitutes, sets)).all()


def campaign(
    sets: Sequence[RuleSet],
    sheet: str,
    *,
    workers: Workers = HERE,
    only: Callable[[Mutant], bool] | None = None,
    sample: int | None = None,
    seed: int = 1,
    quick: bool = False,
    told: Callable[[list[tuple[Mutant, Verdict]]], None] | None = None,
    progress: Progress | None = None,
) -> Campaign:
    """Try the mutants of a sheet: all, those for which `only` holds, or a random `sample` of that size drawn with
    `seed`.

    `told` is called with the verdicts since the last call. Verdicts are cached as they are found, so that an
    interrupted campaign resumes where it stopped. If several sets include the sheet, they run in turn, each only on the
    mutants that the previous ones did not detect. Each mutant first runs a few examples; survivors run the remaining
    ones afterwards, unless `quick` is set.
    """
    mutants = mutants_of(sets, sheet)
    memory = VerdictCache(sets, sheet, mutants)
    chosen = [m for m in mutants if only is None or only(m)]
    if sample is not None and sample < len(chosen):
        kept = set(random.Random(seed).sample([m.number for m in chosen], sample))
        chosen = [m for m in chosen if m.number in kept]
    hosts = [Host(rules, (), (), ()) for rules in sets]
    verdicts: list[Verdict] = []
    progress = progress if progress is not None else Progress()
    left = chosen
    order = sorted(range(len(sets)), key=lambda at: not RecordCache(sets[at]).any)  # sets with cached records first
    rounds: list[tuple[int | None, float | None]] = [(at, PATIENCE) for at in order]
    if not quick:
        rounds.append((None, None))
    for number, (at, patience) in enumerate(rounds, 1):
        if at is not None:
            hosts[at] = recorded_host(sets[at], workers, progress)
        all_there = at in (None, order[-1])
        again: list[Mutant] = []
        progress.part, progress.done, progress.of = "slips", len(chosen) - len(left), len(chosen)
        for found in _tried(_grouped(left), mutants, hosts, sheet, workers, memory, all_there, patience):
            for verdict in found:
                memory.note(mutants[verdict.mutant], verdict)
            memory.keep()
            if number < len(rounds):
                unsure = {v.mutant for v in found if v.what == SURVIVED and (v.left or not all_there)}
                again += [mutants[n] for n in sorted(unsure)]
                found = [v for v in found if v.mutant not in unsure]
            progress.done += len(found)
            verdicts += found
            if told is not None:
                told([(mutants[v.mutant], v) for v in found])
        left = again
        if not left:
            break
    verdicts.sort(key=lambda v: v.mutant)
    tried = [v for v in verdicts if v.what != UNREAD]
    return Campaign([h for h in hosts if h.examples], sheet, mutants, tried, len(verdicts) - len(tried))


def _grouped(mutants: Sequence[Mutant]) -> list[list[int]]:
    """Group mutants by definition. One process tries a group in order, so that the outcome does not depend on
    `workers`.
    """
    found: dict[str, list[int]] = {}
    for mutant in mutants:
        found.setdefault(mutant.definition, []).append(mutant.number)
    return list(found.values())


def recorded_host(rules: RuleSet, workers: Workers, progress: Progress | None = None) -> Host:
    """The rule set with the records of its examples, which are cached as they are made."""
    progress = progress if progress is not None else Progress()
    records = RecordCache(rules)
    recorder = Recorder(rules, records.known)
    progress.part, progress.done, progress.of = f"examples of {rules.name}", 0, len(recorder.examples)
    found: list[Recorded | None] = []
    try:
        for record in spread_over(recorder.of, range(len(recorder.examples)), workers):
            found.append(record)
            progress.done += 1
            if record is not None and records.note(record) and len(found) % 50 == 0:
                records.keep()
    finally:
        records.keep()
    return recorder.host(found)


def _tried(
    work: list[list[int]],
    mutants: list[Mutant],
    hosts: list[Host],
    sheet: str,
    workers: Workers,
    memory: VerdictCache,
    last: bool,
    patience: float | None,
) -> Iterator[list[Verdict]]:
    names = {record.mark: record.name for host in hosts for record in host.records}
    return spread_over(_Tries(hosts, sheet, mutants, memory, names, last, patience).of, work, workers)


class _Tries(Record):
    """A task for a worker: tries some mutants of a sheet, given by number. Pickled without the mutants, which the
    receiving process recreates with the same numbers.
    """

    hosts: list[Host]
    sheet: str
    mutants: list[Mutant]
    memory: VerdictCache
    names: dict[str, str]
    last: bool
    patience: float | None

    def __reduce__(self) -> tuple[object, ...]:
        return _tries, (self.hosts, self.sheet, self.memory, self.names, self.last, self.patience)

    def of(self, numbers: list[int]) -> list[Verdict]:
        """The verdicts of the mutants of one definition; of mutants with the same `choice`, only the first that
        compiles.
        """
        trial = Trial(self.hosts, self.sheet, self.memory.marks)
        found: list[Verdict] = []
        chosen: set[tuple[int, int]] = set()
        for number in numbers:
            mutant = self.mutants[number]
            if mutant.choice is not None and mutant.choice in chosen:
                continue
            verdict = self.memory.verdict(mutant, self.names)
            if verdict is None:
                first, before = self.memory.first(mutant), self.memory.survived(mutant)
                verdict = trial.of(mutant, first, before, self.last, self.patience)
            if mutant.choice is not None and verdict.what != UNREAD:
                chosen.add(mutant.choice)
            found.append(verdict)
        return found


def _tries(hosts: list[Host], sheet: str, *rest: Any) -> _Tries:
    return _Tries(hosts, sheet, mutants_of([host.rules for host in hosts], sheet), *rest)
