"""Rounds that are never run, and such as never come to their end, for each leads away from it or leaves it as it is.

Enters: a checked book without errors and its checker. Leaves: findings at what the rounds are counted by or wait for.

Of what the end hangs on, each round may leave it as it is, only raise it, or only lower it (a yes is more than a no);
anything else is not known, and then nothing is said. Where all that moves leads away from the end, the rounds stop
after the first one or never. A rule that sets in at many places is judged by all of them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Attribute, LineInfo, Symbol, Where
from interpreter.source import Label, Problems
from interpreter.source.values import Struct
from interpreter.vocabulary.types import TRUTH

from .decided import between
from .ranges import NOTHING, Ranges, Stretch, ranges_of

Key = t.Variable | Attribute
Way = int | None  # -1 down, 0 as it is, 1 up; None: who knows
UP, STILL, DOWN = 1, 0, -1
_OUTSIDE = (t.Tell, t.New, t.Leave, t.Rehome)  # whatever the table does may change all that it is asked for
_PLAIN = t.Lit | t.Op | t.Cell | t.BandAt | t.TableRows | t.RulingOf | t.IsKind | t.IfElse | t.Field | t.Holder
_SEVERAL = t.All | t.Filter | t.Extreme | t.Each
_DECIDED = ("I004", "P018", "P019")
_WORDS = {TRUTH: {UP: "from no to yes", DOWN: "from yes to no"}}
_NUMBER = {UP: "up", DOWN: "down"}


class Finding(Struct):
    code: str
    where: Where
    facts: dict[str, Any]
    label: str
    hint: str | None = None
    others: tuple[Label, ...] = ()


def check_rounds(checker: ProcedureChecker, problems: Problems) -> None:
    found: dict[tuple[int, int, int], list[Finding | None]] = {}
    for procedure in checker.book.procedures.values():
        inside = checker.procedure(procedure).inside
        if not inside[t.Repeat] and not inside[t.RepeatUntil]:
            continue
        ranges = ranges_of(checker)
        bounds = [(loop.line, loop.times) for loop in inside[t.Repeat]]
        bounds += [(loop.line, loop.limit) for loop in inside[t.RepeatUntil] if loop.limit is not None]
        for line, times in bounds:
            where = times.where or line.where
            found.setdefault(_place(where), []).append(_never(line, times, where, ranges))
        for loop in inside[t.RepeatUntil]:
            if loop.limit is None:
                where = loop.condition.where or loop.line.where
                found.setdefault(_place(where), []).append(_Rounds(loop, checker, ranges).judged(where))
    for first, *more in found.values():
        if first is not None and all(f is not None and f.code == first.code for f in more):
            _tell(first, problems)


def _tell(found: Finding, problems: Problems) -> None:
    """Say it, where nothing was said of a part of it: what never holds has its own reason."""
    here = found.where.span
    told = [p.span for p in problems if p.code in _DECIDED and p.span is not None]
    if not any(s.source == here.source and here.start <= s.start and s.end <= here.end for s in told):
        others = list(found.others)
        problems.add(found.code, here, label=found.label, hint=found.hint, others=others, **found.facts)


def _place(where: Where) -> tuple[int, int, int]:
    return id(where.scalar), where.start, where.end


def _never(line: LineInfo, times: t.Expr, where: Where, ranges: Ranges) -> Finding | None:
    many = ranges.of(times)
    if many.high > 0:
        return None
    name = line.address.rsplit(".", 1)[-1]
    hint = None if isinstance(times, t.Lit) else f"`{where.text}` {between(many, False)}"
    return Finding("I005", where, {"name": name}, "never one round", hint)


class _Rounds:
    """What one round of a loop does to what its end hangs on."""

    def __init__(self, loop: t.RepeatUntil, checker: ProcedureChecker, ranges: Ranges) -> None:
        self.loop = loop
        self.checker = checker
        self.ranges = ranges
        self.moves: dict[Key, list[tuple[Way, LineInfo]]] = {}
        self.here = t.by_class(loop.body)
        self.open = False  # whether something is done that nobody follows
        self.leaving = False  # whether figures may leave play
        for step in self.here[t.Assign]:
            self._note(step.variable, self._grown(step.value, t.Var(step.variable, type=step.variable.type)), step.line)
        for step in self.here[t.ForEach]:
            self._note(step.variable, None, step.line)
        for step in self.here[t.Reset]:
            for variable in step.variables:
                self._note(variable, None, step.line)
        for step in self.here[t.Accumulate]:
            self._note(step.total, self._added(step), self._said(step.value) or step.line)
        for inside in self._all():
            self.open = self.open or any(inside[sort] for sort in _OUTSIDE)
            for change in inside[t.AddAttr]:
                by = ranges.number(change.amount)
                self._note(change.attribute, _sign(by, change.sign), change.line)
            for change in inside[t.SetAttr]:
                self._note(change.attribute, self._set(change), change.line)
                self.leaving = self.leaving or change.attribute.out_of_play

    def _all(self) -> Iterable[dict[type[Any], list[Any]]]:
        """The parts of its rounds, and of all that they call."""
        left, seen = [self.here], set()
        while left:
            inside = left.pop()
            yield inside
            for call in inside[t.Call]:
                if call.procedure not in seen:
                    seen.add(call.procedure)
                    left.append(self.checker.procedure(call.procedure).inside)

    # ---- what a line does
    def _note(self, key: Key, way: Way, line: LineInfo) -> None:
        self.moves.setdefault(key, []).append((way, line))

    def _set(self, step: t.SetAttr) -> Way:
        """Which way an attribute goes that becomes something."""
        attribute, value = step.attribute, step.value
        if isinstance(value, t.Lit) and isinstance(value.value, bool):
            return UP if value.value else DOWN
        if attribute.type.name not in ("number", "inches") or self.ranges.lacks(value):
            return None
        becomes = self.ranges.of(value)
        if attribute.high is not None and becomes.low >= attribute.high:
            return UP
        if attribute.low is not None and becomes.high <= attribute.low:
            return DOWN
        return self._grown(value, t.Attr(step.of, attribute, type=attribute.type))

    def _grown(self, e: t.Expr, before: t.Expr) -> Way:
        """Which way something goes that becomes more or less than it was."""
        match e:
            case t.Op(name="add" | "subtract" as name, args=(same, by)) if _alike(same, before):
                return _sign(self.ranges.number(by), 1 if name == "add" else -1)
        return None

    def _added(self, step: t.Accumulate) -> Way:
        """Which way a total goes; a yes of any round is a yes of all."""
        if step.total.type.name in ("number", "inches"):
            return _sign(self.ranges.variable(step.value, {}))
        return UP if step.total.type == TRUTH else None

    def _said(self, variable: t.Variable) -> LineInfo | None:
        """The line of the rounds that gives a name its worth."""
        return next((step.line for step in self.here[t.Assign] if step.variable is variable), None)

    # ---- what the end hangs on
    def judged(self, where: Where) -> Finding | None:
        way = None if self.open else self._way(self.loop.condition)
        if way == STILL:
            return Finding("C003", where, {"step": self.loop.line.address}, "this stays as it is")
        return self._wrong_way(where) if way == DOWN else None

    def _way(self, e: t.Expr) -> Way:
        match e:
            case t.Var(variable=variable) if variable in self.moves:
                return None if self.ranges.lacks(e) else self._by_lines(variable)
            case t.Attr(of=of, attribute=attribute) if attribute in self.moves and self._still(of):
                return None if attribute.optional and attribute.type != TRUTH else self._by_lines(attribute)
            case t.Op(name="add" | "min" | "max" | "and" | "or", args=args):
                return _all_of(self._way(a) for a in args)
            case t.Op(name="half" | "whole" | "some", args=(inner,)):
                return self._way(inner)
            case t.Op(name="not", args=(inner,)):
                return _turned(self._way(inner))
            case t.Op(name="subtract" | "at-least" | "more", args=(a, b)):
                return _all_of((self._way(a), _turned(self._way(b))))
            case t.Op(name="at-most" | "less", args=(a, b)):
                return _all_of((_turned(self._way(a)), self._way(b)))
            case t.Op(name="equal", args=(a, b)) if not self._still(e):
                left, right = self.ranges.number(a), self.ranges.number(b)
                if left.low >= right.high:  # equal is as much as: at most
                    return _all_of((_turned(self._way(a)), self._way(b)))
                return _all_of((self._way(a), _turned(self._way(b)))) if left.high <= right.low else None
        return STILL if self._still(e) else None

    def _by_lines(self, key: Key) -> Way:
        return _all_of(way for way, _ in self.moves[key])

    def _still(self, e: t.Expr) -> bool:
        """Whether no round changes anything that this is worked out from."""
        left: list[Any] = [e]
        seen: set[Symbol] = set()
        while left:
            for part in t.parts(left.pop()):
                match part:
                    case t.Var(variable=variable):  # a name keeps those that leave play
                        still = variable not in self.moves
                    case t.Attr(attribute=attribute):
                        still = attribute not in self.moves
                    case t.Bag():
                        still = not self.leaving
                    case t.FactOf(fact=asked):
                        still = True
                        if asked not in seen:
                            seen.add(asked)
                            left.append((self.checker.defaults.get(asked),))
                    case t.CallValue(value=called):
                        still = True
                        if called not in seen:
                            seen.add(called)
                            changes = self.checker.pure(called).changes
                            left.append(tuple(e for c in changes for e in (c.amount, c.per, c.condition)))
                    case _:
                        still = isinstance(part, _PLAIN | _SEVERAL)
                if not still:
                    return False
        return True

    def _wrong_way(self, where: Where) -> Finding | None:
        """The first of what moves, as the condition says it, and the line that moves it."""
        for part in reversed(t.parts(self.loop.condition)):
            key = part.variable if isinstance(part, t.Var) else part.attribute if isinstance(part, t.Attr) else None
            turns = [(way, line) for way, line in self.moves.get(key, ()) if way] if key is not None else []
            if key is None or not turns:
                continue
            way, line = turns[0]
            assert way is not None
            words = _WORDS.get(key.type, _NUMBER)
            said = part.where.text if part.where is not None else key.name.rsplit(".", 1)[-1]
            total = any(step.total is key for step in self.here[t.Accumulate])
            hint = _of_one_round(said, key.type == TRUTH, where.text) if total else None
            facts = {"name": said, "way": words[way], "other": words[-way]}
            here = (Label(line.where.span, f"`{said}` goes {words[way]} here"),)
            return Finding("C004", where, facts, "each round leads away from this", hint, here)
        return None


def _of_one_round(name: str, truth: bool, asked: str) -> str:
    whole = "yes once it was yes in any round" if truth else "the sum of all rounds"
    return f"behind `until`, `{name}` is {whole}: give the round a line `settled: {asked}`, and say `until settled`"


def _sign(by: Stretch, sign: int = 1) -> Way:
    if by == NOTHING:
        return STILL
    return sign if by.low >= 0 else -sign if by.high <= 0 else None


def _turned(way: Way) -> Way:
    return None if way is None else -way


def _all_of(ways: Iterable[Way]) -> Way:
    """The one way that all of them go, as far as they move at all."""
    found = {way for way in ways if way != STILL}
    return STILL if not found else found.pop() if len(found) == 1 else None


def _alike(a: t.Expr, b: t.Expr) -> bool:
    """Whether both are the same name, or the same attribute of it."""
    match a, b:
        case t.Var(variable=one), t.Var(variable=other):
            return one is other
        case t.Attr(of=one, attribute=mine), t.Attr(of=other, attribute=theirs):
            return mine is theirs and _alike(one, other)
    return False
