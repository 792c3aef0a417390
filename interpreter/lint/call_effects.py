"""The effects of a call, seen from the call site: what it reads and changes.

Takes checked procedures, values and rolls; gives the attributes that the callee reads, and the figures that a call
changes, as expressions of its parameters in which the caller can substitute its arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Holding, Kind, Needed, Procedure, Roll, Value
from interpreter.source.values import Struct

Called = Procedure | Value | Holding | Needed | Roll


class _Effects(Struct):
    """What steps or expressions read, change and move without what they call, and what that is."""

    reads: frozenset[Attribute | None]
    writes: frozenset[Attribute | Kind | None]
    takes: frozenset[Attribute]
    moves: frozenset[Kind]
    calls: frozenset[Called]


def _direct_effects(steps: Any) -> _Effects:
    reads: set[Attribute | None] = set()
    writes: set[Attribute | Kind | None] = set()
    takes: set[Attribute] = set()
    moves: set[Kind] = set()
    calls: set[Called] = set()
    for part in t.parts(steps):
        match part:
            case t.Attr(attribute=attribute):
                reads.add(attribute)
            case t.Holder():
                reads.add(None)
            case t.SetAttr(attribute=attribute, value=value):
                writes.add(attribute)
                if not (isinstance(value, t.Lit) and value.value):
                    takes.add(attribute)
                    if attribute.out_of_play:
                        writes.add(attribute.kind.root)
            case t.AddAttr(attribute=attribute):
                writes.add(attribute)
            case t.Rehome(figures=of) if of.type.of is not None:
                moves.add(of.type.of.root)
                writes |= {None, of.type.of.root}
            case t.CallValue(value=called) | t.RollOf(roll=called) | t.Call(procedure=called):
                calls.add(called)
    return _Effects(frozenset(reads), frozenset(writes), frozenset(takes), frozenset(moves), frozenset(calls))


class CallEffects:
    """The attributes that calls, values and rolls read and change; cached."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._direct: dict[Called, _Effects] = {}
        self._changes: dict[Procedure, list[tuple[t.Expr, Attribute | None, bool]]] = {}

    def reads(self, e: Any) -> frozenset[Attribute | None]:
        """The attributes that an expression reads, including through calls; None stands for the holder of figures."""
        return frozenset[Attribute | None]().union(*[effects.reads for effects in self._through_calls(e)])

    def writes(self, steps: Any) -> frozenset[Attribute | Kind | None]:
        """The attributes of figures that steps may change, including through calls. None stands for their holder; a
        kind, for figures of it that may change holder or come back into play.
        """
        return frozenset[Attribute | Kind | None]().union(*[effects.writes for effects in self._through_calls(steps)])

    def takes(self, steps: Any) -> frozenset[Attribute]:
        """The marks that steps may take from figures, including through calls."""
        return frozenset[Attribute]().union(*[effects.takes for effects in self._through_calls(steps)])

    def moving(self, checked: t.Checked) -> frozenset[Kind]:
        """The kinds of figures that may be moved to another unit, here or in a called procedure."""
        return frozenset[Kind]().union(*[effects.moves for effects in self._through_calls(checked.steps)])

    def _through_calls(self, steps: Any) -> list[_Effects]:
        """The direct effects of the steps, and of each procedure, value and roll that they may call."""
        found = [_direct_effects(steps)]
        seen: set[Called] = set()
        for effects in found:
            for called in effects.calls - seen:
                seen.add(called)
                if called not in self._direct:
                    self._direct[called] = _direct_effects(self._inside(called))
                found.append(self._direct[called])
        return found

    def _inside(self, called: Called) -> Any:
        """The steps of a procedure, or the expressions in the lines of a value or roll."""
        if isinstance(called, Procedure):
            return self.checker.procedure(called).steps
        changes = self.checker.pure(called).changes
        return tuple(e for c in changes for e in (c.amount, c.per, c.condition) if e is not None)

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
                    given = dict(zip(self.checker.procedure(callee).params, args, strict=True))
                    for e, what, drawn in list(self.changes(callee)):
                        self._trace_origin(substitute_arguments(e, given), what, drawn, lines, checked.params, found)
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


def substitute_arguments(e: t.Expr, given: dict[t.Variable, t.Expr]) -> t.Expr | None:
    """A callee's expression of its parameters, with the caller's arguments substituted."""
    match e:
        case t.Var(variable=variable):
            return given[variable]
        case t.Bag(of=t.Var(variable=variable)):
            return t.Bag(given[variable], e.kind, e.gone, type=e.type)
    return None
