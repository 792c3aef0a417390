"""Musters a force: a roster of its things with values, and the verdicts on its limits.

Takes the case of a force. Gives a `Muster` of plain texts and places. The rule set names the values on a roster
(`roster:` in its head). Knows nothing of how a roster is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter.program.words import Words
from interpreter.rulebook import typed as t
from interpreter.rulebook.situation import Ask, Group, Thing
from interpreter.rulebook.symbols import Attribute, Kind, Value
from interpreter.source import Problems, Span
from interpreter.source.values import Struct

from .cases import Case
from .histories import resolve
from .limits import Verdict, report_breaches, verdicts
from .rule_sets import RuleSet
from .run_setup import Ready, run_guarded, set_up


class Shown(Struct):
    """A value of the roster, for one figure and for all in its row, as text."""

    name: str
    each: str
    all: str


class Row(Struct):
    """Equal figures; `said` is their number and kind: `4 figures`."""

    kind: str
    count: int
    said: str
    traits: tuple[str, ...]
    values: tuple[Shown, ...]
    where: Span


class Listed(Struct):
    """A thing with its figures; `owner` is the name of its owner."""

    name: str
    kind: str
    owner: str | None
    traits: tuple[str, ...]
    values: tuple[Shown, ...]
    rows: tuple[Row, ...]
    where: Span


class Muster(Struct):
    """`problems` are breaches that were not agreed on, and failed expectations; the force is `kept` without them."""

    rules: RuleSet
    force: str
    things: tuple[Listed, ...]
    limits: tuple[Verdict, ...]
    agreed: tuple[str, ...]
    then: tuple[tuple[Ask, bool], ...]
    problems: Problems

    @property
    def kept(self) -> bool:
        return not self.problems.has_errors


def muster(case: Case) -> Muster | None:
    """The muster of a case; None with problems in the case."""
    ready = set_up(case, False)
    if ready is None:
        return None
    words = Words(case.rules.book, ready.start.names)
    roll = _Roster(case, ready, words)
    made = run_guarded(case, lambda: (tuple(roll.things()), tuple(verdicts(case, ready, words))))
    if made is None:
        return None
    things, limits = made
    situation, problems = case.situation, Problems()
    report_breaches(limits, situation.breaks, problems)
    then: tuple[tuple[Ask, bool], ...] = ()
    if any(a.kind == "then" for a in situation.asks):
        outcome = resolve(case)
        if outcome is None:
            return None
        then = tuple(outcome.then)
    for ask, held in then:
        if not held:
            problems.add("X001", ask.where.span, expected=f"`{ask.text}`", found="not so")
    force = situation.force.text if situation.force is not None else ""
    agreed = tuple(name for name, _ in situation.breaks)
    return Muster(case.rules, force, things, limits, agreed, then, problems)


class _Roster:
    def __init__(self, case: Case, ready: Ready, words: Words) -> None:
        self.case, self.ready, self.words = case, ready, words
        self.figures = {id(g): figure for figure, groups in ready.start.groups.items() for g in groups}

    def things(self) -> Iterator[Listed]:
        """The things: owners first, otherwise in the order of the file."""
        found = self.case.situation.things
        yield from (self._listed(x) for x in sorted(found, key=lambda x: x.kind.owner is not None))

    def _listed(self, thing: Thing) -> Listed:
        place = self.ready.start.places[thing.name]
        owner = _owner(thing.kind)
        mine = {a: v for a, v in thing.values.items() if a is not owner}
        values = [Shown(v.name, text, text) for v, _, text in self._values(thing.kind, place)]
        rows = tuple(self._row(g) for g in thing.groups)
        said = self._traits(mine, thing.kind)
        whose = thing.values.get(owner) if owner is not None else None
        return Listed(thing.name, thing.kind.name, whose, said, tuple(values), rows, thing.where.span)

    def _row(self, group: Group) -> Row:
        values = []
        for worth, amount, text in self._values(group.kind, self.figures[id(group)]):
            type_ = self.case.rules.checker.pure(worth).type
            many = isinstance(amount, int | Fraction) and type_.name in ("number", "target")
            values.append(Shown(worth.name, text, self.words.say(amount * group.count, type_) if many else text))
        traits = self._traits(group.values, group.kind)
        said = f"{group.count} {group.kind.name if group.count == 1 else group.kind.plural}"
        return Row(group.kind.name, group.count, said, traits, tuple(values), group.where.span)

    def _values(self, kind: Kind, subject: Any) -> Iterator[tuple[Value, Any, str]]:
        for worth in self.case.rules.book.roster:
            if worth.subject is not None and kind.is_a(worth.subject):
                pure = self.case.rules.checker.pure(worth)
                one = t.Variable("it", pure.params[0].type)
                called = t.CallValue(worth, (t.Var(one, type=one.type),), type=pure.type)
                amount = self.ready.program.function(called, (one,))(self.ready.start.state, subject)
                yield worth, amount, self.words.say(amount, pure.type)

    def _traits(self, values: Mapping[Attribute, Any], kind: Kind) -> tuple[str, ...]:
        """The traits as they would be written in a description."""
        said = []
        for attribute, one in values.items():
            type_ = attribute.type
            if type_.name == "truth":
                said += [attribute.name] if one else []
            elif type_.name == "row" and one >= 0:
                word = type_.of.row_at(one)
                said.append(f"{attribute.name} {word}" if self._common(kind, attribute, word) else word)
            elif type_.name == "thing" and isinstance(one, str):
                said.append(f"{attribute.name} {one}")
            elif type_.name in ("number", "inches", "rows"):
                said.append(f"{attribute.name} {self.words.say(one, type_)}")
        return tuple(said)

    @staticmethod
    def _common(kind: Kind, mine: Attribute, word: str) -> bool:
        """Whether a bare row name would be ambiguous, so that the attribute must be named."""
        holder = kind.held_in()
        cards = [*(holder.all_attributes() if holder is not None else ()), *kind.all_attributes()]
        rows = [a for a in cards if a.type.name == "row"]
        earlier = rows[: rows.index(mine)]
        return any(word in a.type.of.rows for a in rows if a.type.of is not mine.type.of or a in earlier)


def _owner(kind: Kind) -> Attribute | None:
    return kind.find(kind.owner.name) if kind.owner is not None and not kind.counted else None
