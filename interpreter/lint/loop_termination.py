"""Checks of loops that never run, or that never end because each round moves away from the end condition.

Takes the checker of a checked book without errors; adds findings at the bound or the end condition of the loop.

A round may leave what the end condition reads unchanged, only raise it, or only lower it (True counts as more than
False); anything else is unknown, and then nothing is reported. If all that changes moves away from the end, the loop
ends after its first round or never. A rule that is woven in at several places is reported only if all of them agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, LineInfo, Symbol, Where
from interpreter.source import Label, Problems
from interpreter.source.values import Struct
from interpreter.vocabulary.intervals import ZERO, Interval
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import TRUTH

from .comparisons import describe_interval
from .ranges import Ranges, ranges_of

Key = t.Variable | Attribute
Direction = int | None  # 1 up, 0 unchanged, -1 down; None: unknown
UP, UNCHANGED, DOWN = 1, 0, -1
_UNPREDICTABLE = (t.Tell, t.New, t.Leave, t.Rehome, t.SetFact)  # steps after which anything may have changed
_PURE = (
    t.Lit | t.Op | t.Cell | t.BandAt | t.TableRows | t.RulingOf | t.IsKind | t.Covered | t.IfElse | t.Field | t.Holder
)
_QUERIES = t.All | t.Filter | t.Extreme | t.Each
_CONSTANT_CONDITIONS = ("I004", "P018", "P019")
_WORDS = {TRUTH: {UP: "from no to yes", DOWN: "from yes to no"}}
_NUMBER = {UP: "up", DOWN: "down"}


class Finding(Struct):
    """A problem of a loop that is not reported yet: its code, its place, the `facts` of its message, a label, and a
    hint.
    """

    code: str
    where: Where
    facts: dict[str, Any]
    label: str
    hint: str | None = None
    others: tuple[Label, ...] = ()


def check_loop_termination(checker: Checker, problems: Problems) -> None:
    """Report loops that never run (I005), and those that make no progress towards their end (C003, C004)."""
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
            found.setdefault(_place(where), []).append(_check_bound(line, times, where, ranges))
        for loop in inside[t.RepeatUntil]:
            if loop.limit is None:
                where = loop.condition.where or loop.line.where
                found.setdefault(_place(where), []).append(_LoopAnalysis(loop, checker, ranges).judge(where))
    for first, *more in found.values():
        if first is not None and all(f is not None and f.code == first.code for f in more):
            _report(first, problems)


def _report(found: Finding, problems: Problems) -> None:
    """Add a finding, unless a part of the condition was reported as constant, which is then the reason."""
    here = found.where.span
    reported = [p.span for p in problems if p.code in _CONSTANT_CONDITIONS and p.span is not None]
    if not any(s.source == here.source and here.start <= s.start and s.end <= here.end for s in reported):
        others = list(found.others)
        problems.add(found.code, here, label=found.label, hint=found.hint, others=others, **found.facts)


def _place(where: Where) -> tuple[int, int, int]:
    return id(where.scalar), where.start, where.end


def _check_bound(line: LineInfo, times: t.Expr, where: Where, ranges: Ranges) -> Finding | None:
    many = ranges.interval_of(times)
    if many.high > 0:
        return None
    name = line.address.rsplit(".", 1)[-1]
    hint = None if isinstance(times, t.Lit) else f"`{where.text}` {describe_interval(many, False)}"
    return Finding("I005", where, {"name": name}, "never one round", hint)


class _LoopAnalysis:
    """The direction in which one round of a loop changes the inputs of its end condition."""

    def __init__(self, loop: t.RepeatUntil, checker: Checker, ranges: Ranges) -> None:
        self.loop = loop
        self.checker = checker
        self.ranges = ranges
        self.moves: dict[Key, list[tuple[Direction, LineInfo]]] = {}
        self.here = t.by_class(loop.body)
        self.open = False  # whether a step may change anything
        self.takes_out = False  # whether figures may leave play
        for step in self.here[t.Assign]:
            self._note(
                step.variable,
                self._direction_of_change(step.value, t.Var(step.variable, type=step.variable.type)),
                step.line,
            )
        for step in self.here[t.ForEach]:
            self._note(step.variable, None, step.line)
        for step in self.here[t.Reset]:
            for variable in step.variables:
                self._note(variable, None, step.line)
        for step in self.here[t.Accumulate]:
            self._note(step.total, self._direction_of_total(step), self._line_that_sets(step.value) or step.line)
        for inside in self._all():
            self.open = self.open or any(inside[sort] for sort in _UNPREDICTABLE)
            for change in [c for c in inside[t.AddAttr] if not c.attribute.type.many]:
                by = ranges.summand(change.amount)
                self._note(change.attribute, _direction_of_interval(by, change.sign), change.line)
            for change in inside[t.SetAttr]:
                self._note(change.attribute, self._direction_of_set(change), change.line)
                self.takes_out = self.takes_out or change.attribute.out_of_play

    def _all(self) -> Iterable[dict[type[Any], list[Any]]]:
        """The typed nodes of the body, and of every procedure that it calls, by class."""
        left, seen = [self.here], set()
        while left:
            inside = left.pop()
            yield inside
            for call in inside[t.Call]:
                if call.procedure not in seen:
                    seen.add(call.procedure)
                    left.append(self.checker.procedure(call.procedure).inside)

    # ---- changes
    def _note(self, key: Key, way: Direction, line: LineInfo) -> None:
        self.moves.setdefault(key, []).append((way, line))

    def _direction_of_set(self, step: t.SetAttr) -> Direction:
        """The direction of an attribute that is set."""
        attribute, value = step.attribute, step.value
        if isinstance(value, t.Lit) and isinstance(value.value, bool):
            return UP if value.value else DOWN
        if attribute.type.name not in ("number", "inches") or self.ranges.may_be_none(value):
            return None
        becomes = self.ranges.interval_of(value)
        if attribute.high is not None and becomes.low >= attribute.high:
            return UP
        if attribute.low is not None and becomes.high <= attribute.low:
            return DOWN
        return self._direction_of_change(value, t.Attr(step.of, attribute, type=attribute.type))

    def _direction_of_change(self, e: t.Expr, before: t.Expr) -> Direction:
        """The direction of something that is set to itself plus or minus an amount."""
        match e:
            case t.Op(name=name, args=(same, by)) if OPERATIONS[name].sums and _is_same_variable(same, before):
                return _direction_of_interval(self.ranges.summand(by), OPERATIONS[name].way(1))
        return None

    def _direction_of_total(self, step: t.Accumulate) -> Direction:
        """The direction of the total of all rounds; a boolean total is True once any round is."""
        if step.total.type.name in ("number", "inches"):
            return _direction_of_interval(self.ranges.variable(step.value, {}))
        return UP if step.total.type == TRUTH else None

    def _line_that_sets(self, variable: t.Variable) -> LineInfo | None:
        """The line of the body that sets a variable."""
        return next((step.line for step in self.here[t.Assign] if step.variable is variable), None)

    # ---- the end condition
    def judge(self, where: Where) -> Finding | None:
        way = None if self.open else self._direction(self.loop.condition)
        if way == UNCHANGED:
            return Finding("C003", where, {"step": self.loop.line.address}, "this stays as it is")
        return self._report_wrong_direction(where) if way == DOWN else None

    def _direction(self, e: t.Expr) -> Direction:
        match e:
            case t.Var(variable=variable) if variable in self.moves:
                return None if self.ranges.may_be_none(e) else self._direction_of_lines(variable)
            case t.Attr(of=of, attribute=attribute) if attribute in self.moves and self._is_unchanged(of):
                return None if attribute.optional and attribute.type != TRUTH else self._direction_of_lines(attribute)
            case t.Op(name=name, args=args) if (row := OPERATIONS[name]).rises:
                ways = [(self._direction(a), row.way(i)) for i, a in enumerate(args)]
                return _combine(way if rises > 0 else _reversed(way) for way, rises in ways)
            case t.Op(name=name, args=(a, b)) if OPERATIONS[name].bounds is not None and not self._is_unchanged(e):
                left, right = self.ranges.summand(a), self.ranges.summand(b)
                if left.low >= right.high:  # the sides can be equal at most at this end
                    return _combine((_reversed(self._direction(a)), self._direction(b)))
                return _combine((self._direction(a), _reversed(self._direction(b)))) if left.high <= right.low else None
        return UNCHANGED if self._is_unchanged(e) else None

    def _direction_of_lines(self, key: Key) -> Direction:
        return _combine(way for way, _ in self.moves[key])

    def _is_unchanged(self, e: t.Expr) -> bool:
        """Whether no round changes anything that an expression is computed from."""
        left: list[Any] = [e]
        seen: set[Symbol] = set()
        while left:
            for part in t.parts(left.pop()):
                match part:
                    case t.Var(variable=variable):  # a variable keeps figures that leave play
                        still = variable not in self.moves
                    case t.Attr(attribute=attribute):
                        still = attribute not in self.moves
                    case t.Bag():
                        still = not self.takes_out
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
                        still = isinstance(part, _PURE | _QUERIES)
                if not still:
                    return False
        return True

    def _report_wrong_direction(self, where: Where) -> Finding | None:
        """The finding for the last part of the condition that moves, with the first line that moves it."""
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
            hint = _hint_for_total(said, key.type == TRUTH, where.text) if total else None
            facts = {"name": said, "way": words[way], "other": words[-way]}
            here = (Label(line.where.span, f"`{said}` goes {words[way]} here"),)
            return Finding("C004", where, facts, "each round leads away from this", hint, here)
        return None


def _hint_for_total(name: str, truth: bool, asked: str) -> str:
    whole = "yes once it was yes in any round" if truth else "the sum of all rounds"
    return f"behind `until`, `{name}` is {whole}: give the round a line `settled: {asked}`, and say `until settled`"


def _direction_of_interval(by: Interval, sign: int = 1) -> Direction:
    if by == ZERO:
        return UNCHANGED
    return sign if by.low >= 0 else -sign if by.high <= 0 else None


def _reversed(way: Direction) -> Direction:
    return None if way is None else -way


def _combine(directions: Iterable[Direction]) -> Direction:
    """The direction of all that move, if it is the same; UNCHANGED if none moves."""
    found = {way for way in directions if way != UNCHANGED}
    return UNCHANGED if not found else found.pop() if len(found) == 1 else None


def _is_same_variable(a: t.Expr, b: t.Expr) -> bool:
    """Whether both are the same variable, or the same attribute of it."""
    match a, b:
        case t.Var(variable=one), t.Var(variable=other):
            return one is other
        case t.Attr(of=one, attribute=mine), t.Attr(of=other, attribute=theirs):
            return mine is theirs and _is_same_variable(one, other)
    return False
