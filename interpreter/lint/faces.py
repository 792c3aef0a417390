"""Whether cases and outcome tables answer all that they are asked for, and no more.

Enters: a checked book without errors and its checker. Leaves: gaps at the ends, ends that nothing limits, and cases
that nothing reaches. What is asked for is followed back to the dice, through lines, sums and calls; where that
cannot be told, or where a condition has already chosen among the faces, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from interpreter.rulebook import typed as t
from interpreter.rulebook.cases import Cases
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure, Where
from interpreter.source import Label, Problems
from interpreter.source.values import Record, field

from .ranges import ENDLESS, Ranges, Stretch, ranges_of


class Asked(Record):
    """All that the cases of one place are asked for, wherever it is asked from."""

    cases: Cases
    stretch: Stretch | None = None
    plain: bool = True  # each time with what one die shows
    endless: Where | None = None  # what nothing limits

    def add(self, e: t.Expr, told: bool, ranges: Ranges) -> None:
        stretch = ranges.of(e) if told else ENDLESS
        self.stretch = stretch if self.stretch is None else self.stretch | stretch
        self.plain = self.plain and _one_face(e, ranges, set())
        self.endless = self.endless or (_endless(e, ranges) if told else None)


class _Sites(Record):
    """The places of one rule set where a number is asked for, with the conditions that they stand under."""

    checker: ProcedureChecker
    forks: list[tuple[t.Assign, tuple[t.Expr, ...]]] = field(default_factory=list)
    calls: dict[Procedure, list[tuple[t.Call, tuple[t.Expr, ...]]]] = field(default_factory=dict)

    def walk(self, steps: tuple[t.Step, ...], under: tuple[t.Expr, ...]) -> None:
        for step in steps:
            if isinstance(step, t.Assign) and step.variable in self.checker.definitions.found.forks:
                self.forks.append((step, under))
            for name in t.children(type(step)):
                held = getattr(step, name)
                if isinstance(held, tuple) and held and isinstance(held[0], t.Step):
                    self.walk(held, (*under, step.condition) if isinstance(step, t.If) else under)
                elif isinstance(held, t.Expr):
                    self._calls(held, under)

    def _calls(self, e: t.Expr, under: tuple[t.Expr, ...]) -> None:
        for part in t.parts(e):
            if isinstance(part, t.Call):
                self.calls.setdefault(part.procedure, []).append((part, under))


def check_faces(checker: ProcedureChecker, problems: Problems) -> None:
    if not checker.definitions.found.forks:
        return
    ranges = ranges_of(checker, played=True)
    sites = _Sites(checker)
    params: dict[t.Variable, tuple[Procedure, int]] = {}
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        sites.walk(checked.steps, ())
        params |= {param: (procedure, i) for i, param in enumerate(checked.params)}
    for step, above in sites.forks:
        asked = Asked(checker.definitions.found.forks[step.variable])
        for e, conditions in _origins(step.value, above, params, sites, ranges):
            told = _told(e, conditions, params, sites, ranges)
            asked.add(e, told, ranges)
        if asked.stretch is not None:
            _compare(asked, problems)


def _told(
    e: t.Expr,
    conditions: tuple[t.Expr, ...],
    params: dict[t.Variable, tuple[Procedure, int]],
    sites: _Sites,
    ranges: Ranges,
) -> bool:
    """Whether a range is all that can come, and no condition on the way has chosen from it."""
    if ranges.of(e) == ENDLESS and _endless(e, ranges) is None:
        return False
    made_of: set[object] = set()
    if not ranges.made_of(e, made_of):
        return False
    for procedure, _ in [params[leaf] for leaf in made_of if leaf in params]:
        conditions += tuple([c for _, under in sites.calls.get(procedure, []) for c in under])
    chosen: set[object] = set()
    for condition in dict.fromkeys(conditions):
        ranges.made_of(condition, chosen)
    return made_of.isdisjoint(chosen)


def _origins(
    e: t.Expr,
    under: tuple[t.Expr, ...],
    params: dict[t.Variable, tuple[Procedure, int]],
    sites: _Sites,
    ranges: Ranges,
) -> Iterator[tuple[t.Expr, tuple[t.Expr, ...]]]:
    """What a case is asked for: where it is what a procedure was told, what each of its callers says there."""
    if not (isinstance(e, t.Var) and e.variable in params):
        yield e, under
        return
    procedure, place = params[e.variable]
    for call, conditions in sites.calls.get(procedure, []):
        if place < len(call.args):
            yield call.args[place], (*under, *conditions)


def _compare(asked: Asked, problems: Problems) -> None:
    cases = asked.cases
    assert asked.stretch is not None
    if not cases.stretches or cases.place is None:
        return
    low, high = asked.stretch
    first, last = min(s.low for s in cases.stretches), max(s.high for s in cases.stretches)
    gaps = [(low, min(first - 1, high)), (max(last + 1, low), high)]
    missing = [str(int(a)) if a == b else f"{int(a)}-{int(b)}" for a, b in gaps if -inf < a <= b < inf]
    if missing:
        hint = f"it is asked with {int(low)} to {int(high)}" if asked.stretch.known else None
        cases.missing(", ".join(missing), hint)
    elif asked.endless is not None and last < inf and cases.sides is None:
        where = asked.endless
        others = [] if where.span == cases.place else [Label(where.span, "nothing limits this")]
        hint = f"say `{int(last)} or more`, or keep what is asked for within it: `min({int(last)}, …)`"
        problems.add("K011", cases.place, name=where.text, last=int(last), others=others, hint=hint)
    for stretch in cases.stretches:
        above, below = high < stretch.high < inf, -inf < stretch.low < low
        if asked.plain and cases.sides is None and (above or below) and low == 1:
            face = int(stretch.high if above else stretch.low)
            problems.add("K003", stretch.place, face=face, die=f"d{int(high)}", label="no die shows this")
        elif not asked.plain and (stretch.low > high or stretch.high < low):
            hint = f"it is asked with {int(low)} to {int(high)}" if asked.stretch.known else None
            problems.add("K010", stretch.place, label="nothing that is asked for is in here", hint=hint)


def _endless(e: t.Expr, ranges: Ranges) -> Where | None:
    """What lets a sum grow without end: a number on a card that has no bounds, or a count."""
    e = ranges.meant(e)
    match e:
        case t.Attr(attribute=attribute) if e.type.name == "number" and attribute.high is None:
            return e.where
        case t.Op(name="count", args=(t.Bag() | t.All() | t.Filter(items=t.Bag() | t.All()),)):
            return e.where
        case t.Op(name="add", args=(left, right)):
            return _endless(left, ranges) or _endless(right, ranges)
        case t.Op(name="subtract", args=(left, _)):
            return _endless(left, ranges)
    return None


def _one_face(e: t.Expr, ranges: Ranges, seen: set[t.Variable]) -> bool:
    """Whether this is what one die shows, as it fell or picked from several."""
    match e:
        case t.Throw(count=t.Lit(value=1), barred=None) | t.Op(name="lowest" | "highest", args=(t.Throw(),)):
            return True
        case t.Op(name="sum-faces" | "lowest" | "highest", args=(inner,)):
            return _one_face(inner, ranges, seen)
        case t.Var(variable=variable) if variable not in seen:
            seen.add(variable)
            lines = ranges.lines.get(variable, [])
            return bool(lines) and all(x.value is not None and _one_face(x.value, ranges, seen) for x in lines)
    return False
