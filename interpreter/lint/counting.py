"""How many calls must follow from a procedure, on average or at least.

Enters: a checked procedure, those that it may lead back to. Leaves: how often it calls each of them. What is counted is
what must follow: of a die whose faces are told apart, the mean over its faces; of a roll, the least of what its
chance can be; of dice that are counted or gone through, how many of them are expected; of a condition that a situation
decides, the lesser of both ways; of a loop over things, nothing. So what is found does not hang on a situation.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import Record, field
from interpreter.vocabulary.types import TRUTH

from .needed import chance_of
from .ranges import Ranges

Counts = dict[Procedure, Fraction]
State = dict[t.Variable, Any]
_FACES = 400  # combinations of faces that are told apart in one procedure
_DEEP = 20  # names that stand for names
_NOTHING: Counts = {}


def mean(found: list[Counts]) -> Counts:
    return {p: sum((f.get(p, Fraction(0)) for f in found), Fraction(0)) / len(found) for f in found for p in f}


def least(found: list[Counts]) -> Counts:
    return {p: min(f.get(p, Fraction(0)) for f in found) for p in found[0]}


class Following(Record):
    """The calls that one procedure makes at least, of those of its circle."""

    procedure: Procedure
    within: set[Procedure]
    checker: ProcedureChecker
    ranges: Ranges
    several: Callable[[list[Counts]], Counts]  # of the faces of a die: their mean, or the least
    worlds: int = 1
    judged: set[t.Variable] = field(default_factory=set)  # what conditions may go by: there its mean is another

    def counts(self) -> Counts:
        checked = self.checker.procedure(self.procedure)
        inside = checked.inside
        self._judge(*[part.condition for part in (*inside[t.If], *inside[t.IfElse])])
        self._judge(*[part.value for part in inside[t.Assign] if part.value.type == TRUTH])
        self._judge(*[part.value for part in inside[t.SetAttr]], *[part.amount for part in inside[t.AddAttr]])
        return self._params(list(checked.params), checked.steps, dict.fromkeys(checked.params))

    def _params(self, params: list[t.Variable], steps: tuple[t.Step, ...], state: State) -> Counts:
        for i, param in enumerate(params):
            told = [line.value for line in self.ranges.lines.get(param, [])]
            sides = {self._sides(e) for e in told if e is not None}
            if len(sides) == 1 and (faces := sides.pop()):
                rest = params[i + 1 :]
                return self._over(param, faces, state, lambda s, rest=rest: self._params(rest, steps, s))  # type: ignore[misc]
        return self._steps(steps, 0, state)

    def _over(self, variable: t.Variable, sides: int, state: State, on: Callable[[State], Counts]) -> Counts:
        if self.worlds * sides > _FACES:
            return on({**state, variable: None})
        self.worlds *= sides
        found = self.several([on({**state, variable: face}) for face in range(1, sides + 1)])
        self.worlds //= sides
        return found

    def _steps(self, steps: tuple[t.Step, ...], at: int, state: State) -> Counts:
        made: Counts = {}
        for i in range(at, len(steps)):
            step = steps[i]
            if isinstance(step, t.Assign):
                made = _plus(made, self._called(step.value), 1)
                sides = self._sides(step.value) if isinstance(step.value, t.Throw | t.Op) else None
                if sides:
                    onward = self._over(step.variable, sides, state, lambda s, i=i: self._steps(steps, i + 1, s))  # type: ignore[misc]
                    return _plus(made, onward, 1)
                chance = self._chance(step.value)
                if chance is not None:
                    onward = self._either(step.variable, chance, state, lambda s, i=i: self._steps(steps, i + 1, s))  # type: ignore[misc]
                    return _plus(made, onward, 1)
                state[step.variable] = self._worth(step.value, state)
            elif isinstance(step, t.If):
                yes = self._worth(step.condition, state)
                if yes is not None:
                    rest = (*(step.then if yes else step.other), *steps[i + 1 :])
                    return _plus(made, self._steps(rest, 0, state), 1)
                ways = [self._steps(way, 0, dict(state)) for way in (step.then, step.other)]
                made = _plus(made, least(ways), 1)
                _forget((step,), state)
            else:
                made = _plus(made, self._round(step, state), 1)
                _forget((step,), state)
        return made

    def _either(
        self, variable: t.Variable, chance: tuple[Fraction, Fraction], state: State, on: Callable[[State], Counts]
    ) -> Counts:
        """What follows from a roll that is passed or failed, at the least of its chances."""
        if self.worlds * 2 > _FACES:
            return on({**state, variable: None})
        self.worlds *= 2
        yes, no = (on({**state, variable: so}) for so in (True, False))
        self.worlds //= 2
        if self.several is least:
            return least([yes, no])
        return least([_plus(_plus({}, yes, p), no, 1 - p) for p in chance])

    def _round(self, step: t.Step, state: State) -> Counts:
        """What a loop makes at least."""
        match step:
            case t.Together(body=body):
                return self._steps(body, 0, dict(state))
            case t.Repeat(times=times, body=body) if (many := self._times(times, state)) > 0:
                inner = dict(state)
                _forget(body, inner)
                return _plus({}, self._steps(body, 0, inner), many)
            case t.ForEach(variable=face, items=items, body=body) if (dice := self._dice(items)) is not None:
                inner = dict(state)
                _forget(body, inner)
                count, throw, chosen = dice
                sides = range(1, throw + 1)
                if self.worlds * throw > _FACES:
                    return _NOTHING
                found = [self._steps(body, 0, {**inner, face: f}) if self._so(chosen, f) else {} for f in sides]
                return _plus({}, self.several(found), count)
        return _NOTHING

    def _times(self, e: t.Expr, state: State) -> Fraction:
        """How many rounds there are to expect."""
        worth = self._worth(e, state)
        if isinstance(worth, int):
            return Fraction(worth)
        if isinstance(e, t.Var) and e.variable in self.judged:
            return Fraction(0)
        e = self.ranges.meant(e)
        fair = self.several is mean
        if isinstance(e, t.Tally):
            low, high = chance_of(e.roll.roll, self.checker, self.ranges)
            many = self.ranges.number(e.count).low
            share = (low if e.passing else 1 - high) if fair else Fraction(0)
            return Fraction(int(many)) * share if 0 < many < _FACES else Fraction(0)
        total = isinstance(e, t.Op) and e.name == "sum-faces"
        if isinstance(e, t.Op) and e.name in ("count", "sum-faces"):
            e = e.args[0]
        dice = self._dice(e)
        if dice is None:
            return Fraction(0)
        count, sides, chosen = dice
        faces = [(f if total else 1) if self._so(chosen, f) else 0 for f in range(1, sides + 1)]
        return count * (Fraction(sum(faces), sides) if fair else Fraction(min(faces)))

    def _dice(self, e: t.Expr) -> tuple[Fraction, int, t.Filter | None] | None:
        """Several dice by which nothing is decided: how many at least, their sides, and which of them are meant."""
        chosen: t.Filter | None = None
        for _ in range(_DEEP):
            if isinstance(e, t.Var) and e.variable in self.judged:
                return None
            e = self.ranges.meant(e)
            if isinstance(e, t.Filter) and chosen is None:
                chosen, e = e, e.items
            elif isinstance(e, t.Op) and e.name == "faces":
                e = e.args[0]
            elif isinstance(e, t.Throw) and isinstance(e.sides, int) and e.barred is None:
                many = self.ranges.number(e.count).low
                return (Fraction(int(many)), e.sides, chosen) if 1 < many < _FACES else None
            else:
                return None
        return None

    def _so(self, chosen: t.Filter | None, face: int) -> bool:
        return chosen is None or self._worth(chosen.condition, {chosen.variable: face}) is True

    def _chance(self, e: t.Expr) -> tuple[Fraction, Fraction] | None:
        """From where to where the chance goes that one roll comes out as it is asked."""
        match e:
            case t.Op(name="some", args=(t.Tally(count=t.Lit(value=1), roll=roll, passing=passing),)):
                low, high = chance_of(roll.roll, self.checker, self.ranges)
                return (low, high) if passing else (1 - high, 1 - low)
        return None

    def _judge(self, *left: t.Expr) -> None:
        """Note what conditions go by, and what that is made of."""
        while left:
            asked = {part.variable for part in t.by_class(left)[t.Var]} - self.judged
            self.judged |= asked
            left = tuple([x.value for v in asked for x in self.ranges.lines.get(v, []) if x.value is not None])

    def _called(self, e: t.Expr) -> Counts:
        return {e.procedure: Fraction(1)} if isinstance(e, t.Call) and e.procedure in self.within else _NOTHING

    def _sides(self, e: t.Expr) -> int | None:
        throw = self.ranges.thrown(e)
        if throw is None or throw.barred is not None or not isinstance(throw.sides, int):
            return None
        return throw.sides if isinstance(throw.count, t.Lit) and throw.count.value == 1 else None

    def _worth(self, e: t.Expr, state: State) -> Any:
        """What an expression is, where the faces that are told apart decide it."""
        match e:
            case t.Lit(value=value):
                return value
            case t.Var(variable=variable):
                return state.get(variable, False if variable.type == TRUTH else None)  # no, until a line says yes
            case t.Op(name="sum-faces", args=(inner,)):
                return self._worth(inner, state)
            case t.Op(name="and" | "or" as name, args=args):
                parts = [self._worth(a, state) for a in args]
                if (name == "or") in parts:
                    return name == "or"
                return None if None in parts else name == "and"
            case t.Op(name=name, args=args):
                parts = [self._worth(a, state) for a in args]
                return _COMPUTED[name](*parts) if name in _COMPUTED and None not in parts else None
        return None


_COMPUTED: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "equal": lambda a, b: a == b,
    "same": lambda a, b: a == b,
    "at-least": lambda a, b: a >= b,
    "at-most": lambda a, b: a <= b,
    "more": lambda a, b: a > b,
    "less": lambda a, b: a < b,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "min": min,
    "max": max,
}


def _plus(a: Counts, b: Counts, times: int | Fraction) -> Counts:
    return {p: a.get(p, Fraction(0)) + times * b.get(p, Fraction(0)) for p in (*a, *b)} if b else a


def _forget(steps: tuple[t.Step, ...], state: State) -> None:
    state.update(dict.fromkeys(step.variable for step in t.by_class(steps)[t.Assign]))
