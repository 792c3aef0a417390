"""Tables and procedures that lead back to themselves, and loops that nothing can bring to an end.

Enters: a checked book without errors and its checker. Leaves: chains that do not die out, with the way round.

A chain is a branching process: from each throw follow so many new ones, on average. As long as that is less than one
it dies out. What is counted here is what must follow at least: of a die whose faces are told apart, the mean over
its faces; of a condition that a situation decides, the lesser of both ways; of a loop over things, nothing. So
what is found does not hang on a situation. Procedures that lead to each other are one chain: with M the mean
numbers of calls from each to each, it dies out exactly where elimination of I - M has positive pivots alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, Where
from interpreter.source import Label, Problems
from interpreter.source.values import record
from interpreter.vocabulary.types import TRUTH

from .ranges import Ranges, ranges_of

Counts = dict[Procedure, Fraction]
State = dict[t.Variable, Any]
_FACES = 400  # combinations of faces that are told apart in one procedure
_NOTHING: Counts = {}


def check_chains(checker: ProcedureChecker, problems: Problems) -> None:
    calls = {p: list(_calls(checker.procedure(p))) for p in checker.book.procedures.values()}
    graph = {p: [called for called, _ in found] for p, found in calls.items()}
    circles = [c for c in _circles(graph) if len(c) > 1 or c[0] in graph[c[0]]]
    if circles:
        ranges = ranges_of(checker, played=True)
        for circle in circles:
            _check(circle, calls, checker, ranges, problems)
    for procedure in calls:
        _loops(procedure, checker, calls, problems)


def _check(
    circle: list[Procedure],
    calls: dict[Procedure, list[tuple[Procedure, Where]]],
    checker: ProcedureChecker,
    ranges: Ranges,
    problems: Problems,
) -> None:
    within = set(circle)
    for code, several in (("C002", _least), ("C001", _mean)):
        following = {p: _Following(p, within, checker, ranges, several).counts() for p in circle}
        mean = _returns(circle, following)
        if mean is not None:
            continue
        way = _way_round(circle, following)
        places = [min([w for called, w in calls[p] if called is q], key=_reading) for p, q in pairwise(way)]
        others = [Label(place.span, "and from here") for place in places[1:3]]
        loop = " → ".join(f"`{p.name}`" for p in way)
        once = following[circle[0]].get(circle[0], Fraction(0)) if len(circle) == 1 else None
        said = f"{once} on average" if once is not None else "one or more on average"
        hint = f"{said} for each time round" if code == "C001" else None
        problems.add(
            code, places[0].span, loop=loop, mean=said, label="it leads back from here", others=others, hint=hint
        )
        return


def _returns(circle: list[Procedure], following: dict[Procedure, Counts]) -> Fraction | None:
    """How many times a chain comes back to its first table on average; None where it does not die out."""
    order = circle[::-1]  # the first one is eliminated last
    left = [[Fraction(int(p is q)) - following[p].get(q, Fraction(0)) for q in order] for p in order]
    for i, row in enumerate(left):
        if row[i] <= 0:
            return None
        for other in left[i + 1 :]:
            share = other[i] / row[i]
            for j in range(i, len(order)):
                other[j] -= share * row[j]
    return 1 - left[-1][-1]


def _way_round(circle: list[Procedure], following: dict[Procedure, Counts]) -> list[Procedure]:
    """The shortest way from a procedure back to it, along calls that must follow."""
    for start in circle:
        ways = [[start]]
        seen: set[Procedure] = set()
        while ways:
            way = ways.pop(0)
            for following_on, count in following[way[-1]].items():
                if count and following_on is start:
                    return [*way, start]
                if count and following_on not in seen:
                    seen.add(following_on)
                    ways.append([*way, following_on])
    raise AssertionError("a chain without a way round")


# ---- how many calls must follow
def _mean(found: list[Counts]) -> Counts:
    return {p: sum((f.get(p, Fraction(0)) for f in found), Fraction(0)) / len(found) for f in found for p in f}


def _least(found: list[Counts]) -> Counts:
    return {p: min(f.get(p, Fraction(0)) for f in found) for p in found[0]}


@record()
class _Following:
    """The calls that one procedure makes at least, of those of its circle."""

    procedure: Procedure
    within: set[Procedure]
    checker: ProcedureChecker
    ranges: Ranges
    several: Callable[[list[Counts]], Counts]  # of the faces of a die: their mean, or the least
    worlds: int = 1

    def counts(self) -> Counts:
        checked = self.checker.procedure(self.procedure)
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
                state[step.variable] = self._worth(step.value, state)
            elif isinstance(step, t.If):
                yes = self._worth(step.condition, state)
                if yes is not None:
                    rest = (*(step.then if yes else step.other), *steps[i + 1 :])
                    return _plus(made, self._steps(rest, 0, state), 1)
                ways = [self._steps(way, 0, dict(state)) for way in (step.then, step.other)]
                made = _plus(made, _least(ways), 1)
                _forget((step,), state)
            else:
                made = _plus(made, self._round(step, state), 1)
                _forget((step,), state)
        return made

    def _round(self, step: t.Step, state: State) -> Counts:
        """What a loop makes at least."""
        match step:
            case t.Together(body=body):
                return self._steps(body, 0, dict(state))
            case t.Repeat(times=t.Lit(value=int() as times), body=body) if times > 0:
                inner = dict(state)
                _forget(body, inner)
                return _plus({}, self._steps(body, 0, inner), times)
        return _NOTHING

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


def _plus(a: Counts, b: Counts, times: int) -> Counts:
    return {p: a.get(p, Fraction(0)) + times * b.get(p, Fraction(0)) for p in (*a, *b)} if b else a


def _forget(steps: tuple[t.Step, ...], state: State) -> None:
    for step in t.parts(steps):
        if isinstance(step, t.Assign):
            state[step.variable] = None


# ---- the graph
def _reading(where: Where) -> tuple[str, int]:
    """In the order of the page."""
    return where.span.source.name, where.span.start


def _calls(checked: t.Checked) -> Iterable[tuple[Procedure, Where]]:
    """Every procedure that is called, with the line where it is."""
    for step in t.parts(checked.steps) if checked.inside[t.Call] else ():
        if isinstance(step, t.Step):
            for name in t.children(type(step)):
                held = getattr(step, name)
                if isinstance(held, t.Expr):
                    for part in t.parts(held):
                        if isinstance(part, t.Call):
                            yield part.procedure, part.where or step.line.where


def _circles(graph: dict[Procedure, list[Procedure]]) -> list[list[Procedure]]:
    """Procedures that lead to each other, those of one circle together (Tarjan, without recursion)."""
    number: dict[Procedure, int] = {}
    low: dict[Procedure, int] = {}
    waiting: list[Procedure] = []
    held: set[Procedure] = set()
    found: list[list[Procedure]] = []
    for root in graph:
        work = [(root, iter(graph[root]))] if root not in number else []
        while work:
            here, onward = work[-1]
            if here not in number:
                number[here] = low[here] = len(number)
                waiting.append(here)
                held.add(here)
            for other in onward:
                if other not in number:
                    work.append((other, iter(graph.get(other, []))))
                    break
                if other in held:
                    low[here] = min(low[here], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == number[here]:
                    cut = waiting.index(here)
                    found.append(waiting[cut:])
                    held.difference_update(waiting[cut:])
                    del waiting[cut:]
    return found


# ---- loops
def _loops(
    procedure: Procedure,
    checker: ProcedureChecker,
    calls: dict[Procedure, list[tuple[Procedure, Where]]],
    problems: Problems,
) -> None:
    """`repeat until` where no round changes, throws or asks anything that the end could hang on."""
    for step in checker.procedure(procedure).inside[t.RepeatUntil]:
        if step.limit is not None:
            continue
        asked = t.parts(step.condition)
        if any(not isinstance(p, t.Lit | t.Var | t.Attr | t.Op) or isinstance(p, t.SITES) for p in asked):
            continue
        body = t.parts(step.body)
        if any(isinstance(p, t.Call | t.Tell | t.New | t.Leave | t.Rehome) for p in body):
            continue
        set_here = {p.variable for p in body if isinstance(p, t.Assign)}
        set_here |= {p.total for p in body if isinstance(p, t.Accumulate)}
        written = {p.attribute for p in body if isinstance(p, t.SetAttr | t.AddAttr)}
        if any(
            (isinstance(p, t.Var) and p.variable in set_here) or (isinstance(p, t.Attr) and p.attribute in written)
            for p in asked
        ):
            continue
        where = step.condition.where or step.line.where
        problems.add("C003", where.span, step=step.line.address, label="this stays as it is")
