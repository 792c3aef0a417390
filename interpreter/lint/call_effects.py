"""What a call reads and changes, seen from the call site.

Takes checked procedures, values and rolls; gives the attributes that the callee reads, and the figures that a call
changes, as expressions of its parameters in which the caller can substitute its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Kind, Procedure
from interpreter.source.values import Struct


class _Effects(Struct):
    """What steps do to figures without the procedures that they call, and which procedures these are."""

    writes: frozenset[Attribute | Kind | None]
    takes: frozenset[Attribute]
    calls: frozenset[Procedure]


def _direct_effects(steps: Any) -> _Effects:
    writes: set[Attribute | Kind | None] = set()
    takes: set[Attribute] = set()
    calls: set[Procedure] = set()
    for part in t.parts(steps):
        match part:
            case t.SetAttr(attribute=attribute, value=value):
                writes.add(attribute)
                if not (isinstance(value, t.Lit) and value.value):
                    takes.add(attribute)
                    if attribute.out_of_play:
                        writes.add(attribute.kind.root)
            case t.AddAttr(attribute=attribute):
                writes.add(attribute)
            case t.Rehome(figures=of) if of.type.of is not None:
                writes |= {None, of.type.of.root}
            case t.Call(procedure=called):
                calls.add(called)
    return _Effects(frozenset(writes), frozenset(takes), frozenset(calls))


class CallEffects:
    """The attributes that calls, values and rolls read and change; cached."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._direct: dict[Procedure, _Effects] = {}
        self._changes: dict[Procedure, list[tuple[t.Expr, Attribute | None, bool]]] = {}

    def reads(self, e: Any) -> frozenset[Attribute | None]:
        """The attributes that an expression reads, including through calls; None stands for the holder of figures."""
        found: set[Attribute | None] = set()
        left: list[Any] = [e]
        seen: set[Any] = set()
        while left:
            for part in t.parts(left.pop()):
                match part:
                    case t.Attr(attribute=attribute):
                        found.add(attribute)
                    case t.Holder():
                        found.add(None)
                    case t.CallValue(value=asked) | t.RollOf(roll=asked) if asked not in seen:
                        seen.add(asked)
                        changes = self.checker.pure(asked).changes
                        left += [tuple(e for e in (c.amount, c.per, c.condition) if e is not None) for c in changes]
                    case t.Call(procedure=called) if called not in seen:
                        seen.add(called)
                        left.append(self.checker.procedure(called).steps)
        return frozenset(found)

    def writes(self, steps: Any) -> frozenset[Attribute | Kind | None]:
        """The attributes of figures that steps may change, including through calls. None stands for their holder; a
        kind, for figures of it that may change holder or come back into play.
        """
        return frozenset[Attribute | Kind | None]().union(*[fates.writes for fates in self._through_calls(steps)])

    def takes(self, steps: Any) -> frozenset[Attribute]:
        """The marks that steps may take from figures, including through calls."""
        return frozenset[Attribute]().union(*[fates.takes for fates in self._through_calls(steps)])

    def _through_calls(self, steps: Any) -> list[_Effects]:
        """The direct effects of the steps, and of each procedure that they may call."""
        found = [_direct_effects(steps)]
        seen: set[Procedure] = set()
        for fates in found:
            for called in fates.calls - seen:
                seen.add(called)
                if called not in self._direct:
                    self._direct[called] = _direct_effects(self.checker.procedure(called).steps)
                found.append(self._direct[called])
        return found

    def moving(self, checked: t.Checked) -> frozenset[Kind]:
        """The kinds of figures that may be moved to another unit, here or in a called procedure."""
        found: set[Kind] = set()
        left: list[Any] = [checked.steps]
        seen: set[Procedure] = set()
        while left:
            for part in t.parts(left.pop()):
                match part:
                    case t.Rehome(figures=of) if of.type.of is not None:
                        found.add(of.type.of.root)
                    case t.Call(procedure=called) if called not in seen:
                        seen.add(called)
                        left.append(self.checker.procedure(called).steps)
        return frozenset(found)

    def changes(self, procedure: Procedure) -> list[tuple[t.Expr, Attribute | None, bool]]:
        """The figures that a call changes, as expressions of its parameters (the figures of a thing, or those passed),
        each with the attribute (None: the holder), and whether dice, lots or a choice selected them.
        """
        if procedure in self._changes:
            return self._changes[procedure]
        found = self._changes[procedure] = []
        checked = self.checker.procedure(procedure)
        lines = {step.variable: step.value for step in checked.inside[t.Assign]}
        for part in t.parts(checked.steps):
            match part:
                case t.SetAttr(of=of, attribute=attribute) | t.AddAttr(of=of, attribute=attribute):
                    self._trace_origin(of, attribute, False, lines, checked.params, found)
                case t.Rehome(figures=of):
                    self._trace_origin(of, None, False, lines, checked.params, found)
                case t.Call(procedure=callee, args=args) if callee is not procedure:
                    told = dict(zip(self.checker.procedure(callee).params, args, strict=True))
                    for e, what, drawn in list(self.changes(callee)):
                        self._trace_origin(substitute_arguments(e, told), what, drawn, lines, checked.params, found)
        return found

    def _trace_origin(
        self,
        e: t.Expr | None,
        attribute: Attribute | None,
        drawn: bool,
        lines: dict[t.Variable, t.Expr],
        params: Sequence[t.Variable],
        found: list[tuple[t.Expr, Attribute | None, bool]],
    ) -> None:
        """Trace a variable back to the expression it was selected from."""
        seen: set[t.Variable] = set()
        while e is not None:
            match e:
                case t.Var(variable=variable) if variable in params:
                    if variable.type.name in ("figure", "figures"):
                        found.append((e, attribute, drawn))
                    return
                case t.Var(variable=variable) if variable not in seen:
                    seen.add(variable)
                    e = lines.get(variable)
                case t.Bag(of=t.Var(variable=variable)) if variable in params:
                    found.append((e, attribute, drawn))
                    return
                case t.Lots(items=inner) | t.Choose(items=inner) | t.Sort(figures=inner):
                    e, drawn = inner, True
                case t.Filter(items=inner) | t.Extreme(items=inner) | t.Fitting(items=inner):
                    e = inner
                case t.Op(name="without" | "only" | "first-of-figures" as name, args=(inner, *_)):
                    e, drawn = inner, drawn or name == "without"
                case _:
                    return


def substitute_arguments(e: t.Expr, told: dict[t.Variable, t.Expr]) -> t.Expr | None:
    """A callee's expression of its parameters, with the caller's arguments substituted."""
    match e:
        case t.Var(variable=variable):
            return told[variable]
        case t.Bag(of=t.Var(variable=variable)):
            return t.Bag(told[variable], e.kind, e.gone, type=e.type)
    return None
