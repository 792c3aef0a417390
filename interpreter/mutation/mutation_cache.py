"""Verdicts on the mutants of a sheet, kept in the user's cache folder between calls.

Enters: the rule sets whose examples are asked, and verdicts as they are found. Leaves: the verdicts and records of an
earlier call that still hold. They hold while no rule and no code of Umpire has changed; after that they only say which
example to ask first. A comment or a new example changes no rule: of a survivor, only new examples are asked. Knows
nothing of how a mutant is tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from interpreter import cache, disk
from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.workbench.rule_sets import RuleSet

from .example_coverage import Noted, Record, mark_of
from .mutants import Mutant
from .trial import ENDLESS, NOTICED, SURVIVED, Verdict
from .witnesses import Shown

FORM = "mutation 3"


class Records:
    """What was noted of the examples of one rule set, whatever file of it is changed."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._question = (FORM, cache.here(), "examples", rules.name)
        self._state = _state([rules])
        self._found: dict[str, list[Any]] = {}
        found: dict[str, Any] = cache.recall(self._question, FORM) or {}
        if found.get("state") == self._state:
            names = found["names"]
            for mark, (*lists, seconds) in found["records"].items():
                self._found[mark] = [*([names[i] for i in part] for part in lists), seconds]

    @property
    def any(self) -> bool:
        return bool(self._found)

    def keep(self) -> None:
        names = _Numbers()
        records = {m: [*map(names.of, r[:-1]), r[-1]] for m, r in self._found.items()}
        _keep(self._question, {"state": self._state, "records": records, "names": names.all})

    def known(self, text: str) -> Noted | None:
        found = self._found.get(mark_of(self.rules, text))
        if found is None:
            return None
        touches, rows, lines, done, seconds = found
        pairs = frozenset((table, row) for table, _, row in (r.partition(".") for r in rows))
        return frozenset(touches), pairs, frozenset(lines), frozenset(done), seconds

    def note(self, record: Record) -> bool:
        """Whether it is new."""
        if record.mark in self._found:
            return False
        rows = sorted(f"{table}.{row}" for table, row in record.rows)
        lists = [sorted(found) for found in (record.touches, rows, record.lines, record.done)]
        self._found[record.mark] = [*lists, round(record.seconds, 3)]
        return True


class Memory:
    """What became of the slips of one sheet, as far as the examples of some rule sets see it."""

    def __init__(self, sets: Sequence[RuleSet], sheet: str, mutants: Sequence[Mutant]) -> None:
        self._question = (FORM, cache.here(), "slips", sheet, *(rules.name for rules in sets))
        self._state = _state(sets)
        self._keys = _keys(mutants)
        self._first: dict[str, str] = {}  # who noticed it last, by slip
        self._verdicts: dict[str, list[Any]] = {}
        self.marks: frozenset[str] = frozenset()  # of examples that were asked before
        found = cache.recall(self._question, FORM)
        if found is None:
            return
        self._first = found["first"]
        if found["state"] == self._state:
            names = found["names"]
            self.marks = frozenset(names)
            self._verdicts = {k: [v[0], [names[i] for i in v[1]], *v[2:]] for k, v in found["verdicts"].items()}

    def keep(self) -> None:
        names = _Numbers()
        verdicts = {k: [v[0], names.of(v[1]), *v[2:]] for k, v in self._verdicts.items()}
        _keep(
            self._question,
            {"state": self._state, "first": self._first, "verdicts": verdicts, "names": names.all},
        )

    def first(self, mutant: Mutant) -> str:
        """The mark of the example that noticed it the last time."""
        return self._first.get(self._keys[mutant.number], "")

    def survived(self, mutant: Mutant) -> Verdict | None:
        """That it survived, and whom; examples that are new may still notice it."""
        found = self._verdicts.get(self._keys[mutant.number])
        if found is None or found[0] != SURVIVED:
            return None
        shows = None
        if len(found) > 2:
            example, ask, *bounds = found[2:]
            a, b, c, d = map(Fraction, bounds)
            shows = Shown(example, ask, (a, b), (c, d))
        return Verdict(mutant.number, SURVIVED, vain=tuple(found[1]), shows=shows)

    def verdict(self, mutant: Mutant, names: dict[str, str]) -> Verdict | None:
        """What became of it, where nothing is to be asked again: `names` of the examples that there are, by mark."""
        found = self._verdicts.get(self._keys[mutant.number])
        if found is None:
            return None
        what, marks = found[0], found[1]
        if what in (NOTICED, ENDLESS):
            return Verdict(mutant.number, what, names[marks[0]], mark=marks[0]) if marks[0] in names else None
        if what == SURVIVED:
            return None
        return Verdict(mutant.number, what)

    def note(self, mutant: Mutant, verdict: Verdict) -> None:
        key = self._keys[mutant.number]
        made: list[Any] = [verdict.what, [verdict.mark] if verdict.mark else list(verdict.vain)]
        if verdict.shows is not None:
            made += [verdict.shows.example, verdict.shows.ask, *map(str, (*verdict.shows.now, *verdict.shows.then))]
        self._verdicts[key] = made
        if verdict.mark:
            self._first[key] = verdict.mark


class _Numbers:
    """Names that are said often, each written once."""

    def __init__(self) -> None:
        self.all: list[str] = []
        self._known: dict[str, int] = {}

    def of(self, names: Sequence[str]) -> list[int]:
        for name in names:
            if name not in self._known:
                self._known[name] = len(self.all)
                self.all.append(name)
        return [self._known[name] for name in names]


def _keep(question: tuple[str, ...], found: dict[str, Any]) -> None:
    cache.keep(question, disk.Watch(), found, FORM)


def _state(sets: Sequence[RuleSet]) -> str:
    return disk.digest("\n".join([cache.code(), *map(_said, sets)]).encode())


def _keys(mutants: Sequence[Mutant]) -> list[str]:
    """What each is called, whatever else stands in the file."""
    found: list[str] = []
    known: dict[str, int] = {}
    for m in mutants:
        said = f"{m.address}\n{m.now}\n{m.start} {m.end}\n{m.instead}"
        known[said] = known.get(said, 0) + 1
        found.append(disk.digest(f"{said}\n{known[said]}".encode())[:16])
    return found


def _said(rules: RuleSet) -> str:
    """All that the files of a set say but examples and comments."""
    return "\n".join(f"{sheet.name} {sheet.laid}\n{_text(sheet.root)}" for sheet in rules.sheets)


def _text(node: Node) -> str:
    if isinstance(node, Scalar):
        return repr(node.text)
    if isinstance(node, Mapping):
        entries = (e for e in node if not e.key.text.startswith("example "))
        return "{" + ", ".join(f"{e.key.text!r}: {_text(e.value)}" for e in entries) + "}"
    return "[" + ", ".join(map(_text, node.items)) + "]"
