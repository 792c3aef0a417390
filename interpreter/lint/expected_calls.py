"""Counts the calls that must follow from a procedure, on average or at least.

Takes a checked procedure and the procedures of its cycle; gives a count for each of these. The count is a lower bound
that holds in every situation: over the faces of a die it is the mean (or the least); over a roll, that for the least
chance; over dice that are counted or looped over, that for the expected number; over a condition that depends on the
situation, the lesser of both branches; a loop over anything else counts as no round.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import Record, field
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import TRUTH

from .ranges import Ranges
from .roll_targets import chance_of

Counts = dict[Procedure, Fraction]
State = dict[t.Variable, Any]
_MOST_WORLDS = 400  # combinations of faces enumerated in one procedure
_MOST_ALIASES = 20  # length of a chain of variables that is followed
_NO_CALLS: Counts = {}


def mean(found: list[Counts]) -> Counts:
    """The mean of equally likely counts, for each procedure."""
    return {p: sum((f.get(p, Fraction(0)) for f in found), Fraction(0)) / len(found) for f in found for p in f}


def least(found: list[Counts]) -> Counts:
    """The least of several counts, for each procedure."""
    return {p: min(f.get(p, Fraction(0)) for f in found) for p in found[0]}


class CallCounter(Record):
    """Counts the calls that one procedure makes to those `within` its cycle; `combine` is `mean` or `least`."""

    procedure: Procedure
    within: set[Procedure]
    checker: Checker
    ranges: Ranges
    combine: Callable[[list[Counts]], Counts]
    worlds: int = 1
    decisive: set[t.Variable] = field(default_factory=set)  # variables that conditions depend on: not averaged alone

    def counts(self) -> Counts:
        """The calls that a run of the procedure makes, on average or at least, by procedure."""
        checked = self.checker.procedure(self.procedure)
        inside = checked.inside
        self._note_decisive(*[part.condition for part in (*inside[t.If], *inside[t.IfElse])])
        self._note_decisive(*[part.value for part in inside[t.Assign] if part.value.type == TRUTH])
        kept = [*inside[t.SetAttr], *inside[t.SetFact]]
        self._note_decisive(*[part.value for part in kept], *[part.amount for part in inside[t.AddAttr]])
        return self._params(list(checked.params), checked.steps, dict.fromkeys(checked.params))

    def _params(self, params: list[t.Variable], steps: tuple[t.Step, ...], state: State) -> Counts:
        for i, param in enumerate(params):
            values = [line.value for line in self.ranges.lines.get(param, [])]
            sides = {self._sides(e) for e in values if e is not None}
            if len(sides) == 1 and (faces := sides.pop()):
                return self._for_each_face(param, faces, state, partial(self._params, params[i + 1 :], steps))
        return self._steps(steps, 0, state)

    def _for_each_face(self, variable: t.Variable, sides: int, state: State, on: Callable[[State], Counts]) -> Counts:
        if self.worlds * sides > _MOST_WORLDS:
            return on({**state, variable: None})
        self.worlds *= sides
        found = self.combine([on({**state, variable: face}) for face in range(1, sides + 1)])
        self.worlds //= sides
        return found

    def _steps(self, steps: tuple[t.Step, ...], at: int, state: State) -> Counts:
        made: Counts = {}
        for i in range(at, len(steps)):
            step = steps[i]
            if isinstance(step, t.Assign):
                made = _add(made, self._calls_of(step.value), 1)
                sides = self._sides(step.value) if isinstance(step.value, t.Throw | t.Op) else None
                if sides:
                    onward = self._for_each_face(step.variable, sides, state, partial(self._steps, steps, i + 1))
                    return _add(made, onward, 1)
                chance = self._chance(step.value)
                if chance is not None:
                    onward = self._for_both_results(step.variable, chance, state, partial(self._steps, steps, i + 1))
                    return _add(made, onward, 1)
                state[step.variable] = self._evaluate(step.value, state)
            elif isinstance(step, t.If):
                yes = self._evaluate(step.condition, state)
                if yes is not None:
                    rest = (*(step.then if yes else step.other), *steps[i + 1 :])
                    return _add(made, self._steps(rest, 0, state), 1)
                ways = [self._steps(way, 0, dict(state)) for way in (step.then, step.other)]
                made = _add(made, least(ways), 1)
                _forget((step,), state)
            else:
                made = _add(made, self._loop(step, state), 1)
                _forget((step,), state)
        return made

    def _for_both_results(
        self, variable: t.Variable, chance: tuple[Fraction, Fraction], state: State, on: Callable[[State], Counts]
    ) -> Counts:
        """The calls that follow a roll that passes or fails, at the end of its chance with fewer calls."""
        if self.worlds * 2 > _MOST_WORLDS:
            return on({**state, variable: None})
        self.worlds *= 2
        yes, no = (on({**state, variable: so}) for so in (True, False))
        self.worlds //= 2
        if self.combine is least:
            return least([yes, no])
        return least([_add(_add({}, yes, p), no, 1 - p) for p in chance])

    def _loop(self, step: t.Step, state: State) -> Counts:
        """The calls of a loop, or of any step with nested steps."""
        match step:
            case t.Together(body=body):
                return self._steps(body, 0, dict(state))
            case t.Repeat(times=times, body=body) if (many := self._times(times, state)) > 0:
                inner = dict(state)
                _forget(body, inner)
                return _add({}, self._steps(body, 0, inner), many)
            case t.ForEach(variable=face, items=items, body=body) if (dice := self._dice(items)) is not None:
                inner = dict(state)
                _forget(body, inner)
                count, throw, chosen = dice
                sides = range(1, throw + 1)
                if self.worlds * throw > _MOST_WORLDS:
                    return _NO_CALLS
                found = [self._steps(body, 0, {**inner, face: f}) if self._is_chosen(chosen, f) else {} for f in sides]
                return _add({}, self.combine(found), count)
        return _NO_CALLS

    def _times(self, e: t.Expr, state: State) -> Fraction:
        """The expected number of rounds of a loop."""
        worth = self._evaluate(e, state)
        if isinstance(worth, int):
            return Fraction(worth)
        if isinstance(e, t.Var) and e.variable in self.decisive:
            return Fraction(0)
        e = self.ranges.resolve(e)
        fair = self.combine is mean
        if isinstance(e, t.Tally):
            low, high = chance_of(e.roll.roll, self.checker, self.ranges)
            many = self.ranges.summand(e.count).low
            share = (low if e.passing else 1 - high) if fair else Fraction(0)
            return Fraction(int(many)) * share if 0 < many < _MOST_WORLDS else Fraction(0)
        total = isinstance(e, t.Op) and e.name == "sum-faces"
        if isinstance(e, t.Op) and OPERATIONS[e.name].added_unsaid:
            e = e.args[0]
        dice = self._dice(e)
        if dice is None:
            return Fraction(0)
        count, sides, chosen = dice
        faces = [(f if total else 1) if self._is_chosen(chosen, f) else 0 for f in range(1, sides + 1)]
        return count * (Fraction(sum(faces), sides) if fair else Fraction(min(faces)))

    def _dice(self, e: t.Expr) -> tuple[Fraction, int, t.Filter | None] | None:
        """Several dice that no condition depends on: their least number, their sides, and a filter on them."""
        chosen: t.Filter | None = None
        for _ in range(_MOST_ALIASES):
            if isinstance(e, t.Var) and e.variable in self.decisive:
                return None
            e = self.ranges.resolve(e)
            if isinstance(e, t.Filter) and chosen is None:
                chosen, e = e, e.items
            elif isinstance(e, t.Op) and e.name == "faces":
                e = e.args[0]
            elif isinstance(e, t.Throw) and isinstance(e.sides, int) and e.barred is None:
                many = self.ranges.summand(e.count).low
                return (Fraction(int(many)), e.sides, chosen) if 1 < many < _MOST_WORLDS else None
            else:
                return None
        return None

    def _is_chosen(self, chosen: t.Filter | None, face: int) -> bool:
        return chosen is None or self._evaluate(chosen.condition, {chosen.variable: face}) is True

    def _chance(self, e: t.Expr) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest chance that a condition on a single roll holds; None for anything else."""
        match e:
            case t.Op(name="some", args=(t.Tally(count=t.Lit(value=1), roll=roll, passing=passing),)):
                low, high = chance_of(roll.roll, self.checker, self.ranges)
                return (low, high) if passing else (1 - high, 1 - low)
        return None

    def _note_decisive(self, *left: t.Expr) -> None:
        """Note the variables of some expressions as decisive, with all that those are computed from."""
        while left:
            asked = {part.variable for part in t.by_class(left)[t.Var]} - self.decisive
            self.decisive |= asked
            left = tuple([x.value for v in asked for x in self.ranges.lines.get(v, []) if x.value is not None])

    def _calls_of(self, e: t.Expr) -> Counts:
        return {e.procedure: Fraction(1)} if isinstance(e, t.Call) and e.procedure in self.within else _NO_CALLS

    def _sides(self, e: t.Expr) -> int | None:
        throw = self.ranges.resolve_dice(e)
        if throw is None or throw.barred is not None or not isinstance(throw.sides, int):
            return None
        return throw.sides if isinstance(throw.count, t.Lit) and throw.count.value == 1 else None

    def _evaluate(self, e: t.Expr, state: State) -> Any:
        """The value of an expression, where literals and the faces in `state` decide it; else None."""
        match e:
            case t.Lit(value=value):
                return value
            case t.Covered():
                return True
            case t.Var(variable=variable):
                return state.get(variable, False if variable.type == TRUTH else None)  # booleans begin as False
            case t.Op(name="sum-faces", args=(inner,)):
                return self._evaluate(inner, state)
            case t.Op(name="and" | "or" as name, args=args):
                parts = [self._evaluate(a, state) for a in args]
                if (name == "or") in parts:
                    return name == "or"
                return None if None in parts else name == "and"
            case t.Op(name=name, args=args):
                parts = [self._evaluate(a, state) for a in args]
                row = OPERATIONS[name]
                plain = row.evaluate is not None and (row.numbers or row.test)
                return row.evaluate(*parts) if plain and row.evaluate and None not in parts else None
        return None


def _add(a: Counts, b: Counts, times: int | Fraction) -> Counts:
    return {p: a.get(p, Fraction(0)) + times * b.get(p, Fraction(0)) for p in (*a, *b)} if b else a


def _forget(steps: tuple[t.Step, ...], state: State) -> None:
    state.update(dict.fromkeys(step.variable for step in t.by_class(steps)[t.Assign]))
