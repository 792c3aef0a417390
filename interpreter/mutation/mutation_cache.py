"""The cache of verdicts on the mutants of a sheet, in the user's cache folder.

Takes the rule sets whose examples run, and new verdicts. Gives the verdicts and records of an earlier call that are
still valid: as long as no rule and no code of Umpire has changed. Otherwise they only determine the first example to
run. A comment or a new example changes no rule: for a survivor, only new examples run. Knows nothing of how a mutant is
tried.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter import cache, disk
from interpreter.digests import digest
from interpreter.source.values import replace
from interpreter.workbench.passed_examples import digest_of_rules, mark_of
from interpreter.workbench.rule_sets import RuleSet

from .example_coverage import Noted, Record
from .mutants import Mutant
from .trial import ENDLESS, NOTICED, SURVIVED, Verdict

FORM = "mutation 4"


class RecordCache:
    """The records of the examples of one rule set, independent of which of its files is mutated."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._question = (FORM, cache.search_context(), "examples", rules.name)
        self._state = digest_of_rules([rules])
        state, found = cache.load(self._question, FORM) or ("", {})
        self._found: dict[str, Noted] = found if state == self._state else {}

    @property
    def any(self) -> bool:
        return bool(self._found)

    def keep(self) -> None:
        cache.store(self._question, disk.InputTracker(), (self._state, self._found), FORM)

    def known(self, text: str) -> Noted | None:
        return self._found.get(mark_of(self.rules, text))

    def note(self, record: Record) -> bool:
        """Add a record. Return whether it is new."""
        if record.mark in self._found:
            return False
        self._found[record.mark] = record.noted
        return True


class VerdictCache:
    """The verdicts on the mutants of one sheet by the examples of some rule sets."""

    def __init__(self, sets: Sequence[RuleSet], sheet: str, mutants: Sequence[Mutant]) -> None:
        self._question = (FORM, cache.search_context(), "slips", sheet, *(rules.name for rules in sets))
        self._state = digest_of_rules(sets)
        self._keys = _keys(mutants)
        self._first: dict[str, str]  # key of a mutant → mark of the example that detected it last
        state, self._first, verdicts = cache.load(self._question, FORM) or ("", {}, {})
        self._verdicts: dict[str, Verdict] = verdicts if state == self._state else {}
        asked = (mark for verdict in self._verdicts.values() for mark in (verdict.mark, *verdict.vain))
        self.marks = frozenset(filter(None, asked))  # marks of examples run before

    def keep(self) -> None:
        cache.store(self._question, disk.InputTracker(), (self._state, self._first, self._verdicts), FORM)

    def first(self, mutant: Mutant) -> str:
        """The mark of the example that detected the mutant last time; empty if none did."""
        return self._first.get(self._keys[mutant.number], "")

    def survived(self, mutant: Mutant) -> Verdict | None:
        """The verdict if the mutant survived last time; new examples may still detect it."""
        found = self._verdicts.get(self._keys[mutant.number])
        return found if found is not None and found.what == SURVIVED else None

    def verdict(self, mutant: Mutant, names: dict[str, str]) -> Verdict | None:
        """The verdict if no example needs to run again. `names`: the present examples, by mark."""
        found = self._verdicts.get(self._keys[mutant.number])
        if found is None or found.what == SURVIVED or (found.what in (NOTICED, ENDLESS) and found.mark not in names):
            return None
        return replace(found, mutant=mutant.number, by=names.get(found.mark, ""))

    def note(self, mutant: Mutant, verdict: Verdict) -> None:
        key = self._keys[mutant.number]
        self._verdicts[key] = verdict
        if verdict.mark:
            self._first[key] = verdict.mark


def _keys(mutants: Sequence[Mutant]) -> list[str]:
    """An identifier of each mutant that does not depend on the rest of the file."""
    found: list[str] = []
    known: dict[str, int] = {}
    for m in mutants:
        said = f"{m.address}\n{m.now}\n{m.start} {m.end}\n{m.instead}"
        known[said] = known.get(said, 0) + 1
        found.append(digest(f"{said}\n{known[said]}".encode())[:16])
    return found
