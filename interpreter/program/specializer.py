"""Specialization (partial evaluation) of the rules for one situation.

Takes the checker of a book, the kinds of the things that exist, and, by attribute, the few values that it has there.
Returns a checker of the same book whose procedures, values and rolls are shorter and equivalent from that state on. At
first every attribute is assumed constant; those that a remaining step changes are dropped, until a fixed point is
reached.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent, unstated_value
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Attribute, Kind, Procedure, PureDef
from interpreter.source.values import replace

from .constant_expressions import PLAIN, ConstantExpressions, Stays, always, has_site, never, nobody, nothing

Parts = dict[type[Any], list[Any]]
Made = dict[Any, tuple[Any, frozenset[Attribute]]]  # symbol → specialized form, and attributes assumed constant


def still_known(known: Stays, stays: Stays) -> Stays:
    """Return the known constants that also hold in another state."""
    return {x: values for x, values in known.items() if x in stays and stays[x] <= values}


def specialize(
    checker: Checker,
    root: Procedure,
    there: Iterable[Kind],
    stays: Stays,
    *,
    open_: Callable[[str], bool],
    outside: bool,
) -> Specializer:
    """Return the rules specialized from a procedure on, for these kinds and those created on the way.

    `stays` has the values of each attribute, as long as nothing changes it. `open_` tells for the address of a choice
    whether a player makes it; `outside`: policies of the situation, which are no part of the rules, read figures too.
    """
    sorts, stays = set(there), dict(stays)
    mine = Specializer(checker, frozenset(sorts), stays, open_)
    while True:
        done = mine.reached(root)
        made = {step.kind for step in _all(done, t.New)} - sorts
        changed = {a for step in _all(done, t.SetAttr, t.AddAttr, t.New) for a in _changed(step, stays, checker)}
        if not made and not changed:
            evaluated = [*done, *mine.evaluated(done)]
            mine.recalls = (outside and mine.book.reads_gone) or any(map(_recalls, _all(evaluated, t.Bag, t.SetAttr)))
            if not outside:
                mine.alike = frozenset([a for a in stays if _alike(a, stays)]) - mine.read(evaluated)
            return mine
        sorts |= made
        for attribute in changed:
            del stays[attribute]
        known = {} if made else mine.independent_of(changed)
        mine = Specializer(checker, frozenset(sorts), stays, open_, known)


def _all(done: list[Parts], *of: type[Any]) -> list[Any]:
    return [part for inside in done for one in of for part in inside[one]]


def _pure_calls(done: list[Parts]) -> list[PureDef]:
    return [*(e.value for e in _all(done, t.CallValue)), *(e.roll for e in _all(done, t.RollOf))]


def _changed(step: Any, stays: Stays, checker: Checker) -> list[Attribute]:
    """The attributes that a step may change to values not in `stays`."""
    match step:
        case t.SetAttr(attribute=attribute) | t.AddAttr(attribute=attribute):
            return [attribute] if attribute in stays else []
        case t.New(kind=kind, given=given):
            told = {a for a, _ in given}
            every = [a for sort in kind.root.sorts() for a in sort.attributes.values()]
            return [a for a in every if a in stays and (a in told or _initial_value(a, kind, checker) not in stays[a])]
    return []


def _initial_value(attribute: Attribute, kind: Kind, checker: Checker) -> Any:
    """The initial value of an attribute of a created thing."""
    first = checker.defaults.get(attribute) if kind.is_a(attribute.kind) else None
    return first.value if isinstance(first, t.Lit) and first.value is not None else unstated_value(attribute)


def _recalls(part: Any) -> bool:
    match part:
        case t.Bag(gone=gone):
            return bool(gone)
        case t.SetAttr(attribute=attribute, value=value):
            return attribute.out_of_play and not always(value)
    return False


def _alike(attribute: Attribute, stays: Stays) -> bool:
    """Whether an attribute of figures has one value, and cannot put figures out of play."""
    return attribute.kind.root.counted and not attribute.out_of_play and len(stays.get(attribute, ())) == 1


class Specializer:
    """The rules with specialized procedures, values and rolls; all else is as in the checker."""

    def __init__(
        self,
        checker: Checker,
        sorts: frozenset[Kind],
        stays: Stays,
        open_: Callable[[str], bool],
        known: Made | None = None,
    ) -> None:
        self.whole = checker
        self.book, self.defaults = checker.book, checker.defaults
        self.noted: dict[Any, Any] = {}
        self.recalls = True
        self.alike: frozenset[Attribute] = frozenset()
        self._facts = ConstantExpressions(sorts, stays, self.pure)
        self._open = open_
        self._results: Made = dict(known or {})

    def procedure(self, symbol: Procedure) -> t.Checked:
        found: t.Checked = self._memoized(symbol, lambda: self._specialize_procedure(self.whole.procedure(symbol)))
        return found

    def pure(self, symbol: PureDef) -> t.Pure:
        found: t.Pure = self._memoized(symbol, lambda: self._pure(self.whole.pure(symbol)))
        return found

    def _specialize_procedure(self, was: t.Checked) -> t.Checked:
        steps, inside = self._specialize_steps(was)
        made = t.Checked(was.params, steps, was.lines)
        made.__dict__["inside"] = inside  # already computed, so the cached property is preset
        return made

    def _pure(self, was: t.Pure) -> t.Pure:
        outer, self._facts.lines, self._facts.known = (self._facts.lines, self._facts.known), frozenset(), {}
        changes = [self._change(c) for c in was.changes]
        self._facts.lines, self._facts.known = outer
        return replace(was, changes=tuple([c for c in changes if not never(c.condition)]))

    def _memoized(self, symbol: Any, make: Callable[[], Any]) -> Any:
        """Memoize; the assumptions of the result become assumptions of every result that requests it."""
        if symbol not in self._results:
            outer, self._facts.assumed = self._facts.assumed, set()
            self._results[symbol] = make(), frozenset(self._facts.assumed)
            self._facts.assumed = outer
        made, rests = self._results[symbol]
        self._facts.assumed |= rests
        return made

    def holds_for(self, stays: Stays) -> bool:
        """Return whether the results so far also hold from another state on; if so, later ones will as well."""
        holds = still_known(self._facts.stays, stays)
        if not self._facts.assumed <= holds.keys() or not all(_alike(a, stays) for a in self.alike):
            return False
        self._facts.stays = holds
        return True

    def independent_of(self, changed: set[Attribute]) -> Made:
        """Return the results that do not depend on these attributes."""
        return {symbol: done for symbol, done in self._results.items() if not done[1] & changed}

    def reached(self, root: Procedure) -> list[Parts]:
        """Return the nodes, by class, of a procedure and of all that it calls."""
        todo = [root]
        for procedure in todo:
            inside = self.procedure(procedure).inside
            todo += [p for p in dict.fromkeys([call.procedure for call in inside[t.Call]]) if p not in todo]
        return [self.procedure(procedure).inside for procedure in todo]

    def evaluated(self, done: list[Parts]) -> list[Parts]:
        """Return the nodes, by class, of the values and rolls that these nodes evaluate, directly or through others."""
        todo = list(dict.fromkeys(_pure_calls(done)))
        found = []
        for symbol in todo:
            inside = t.by_class(tuple([(c.amount, c.per, c.condition) for c in self.pure(symbol).changes]))
            todo += [p for p in dict.fromkeys(_pure_calls([inside])) if p not in todo]
            found.append(inside)
        return found

    def read(self, done: list[Parts]) -> set[Attribute]:
        """Return the attributes that these nodes read, themselves or by the default of a fact."""
        asked = {e.fact for e in _all(done, t.FactOf)}
        defaults = [t.by_class(made) for fact in asked if (made := self.defaults.get(fact)) is not None]
        inside = [*done, *defaults, *self.evaluated(defaults)]
        return {e.attribute for e in _all(inside, t.Attr)} | {e.mark for e in _all(inside, t.Fitting)}

    def _change(self, c: t.Change) -> t.Change:
        amount, per, condition = [
            self._facts.fold(e) if e is not None else None for e in (c.amount, c.per, c.condition)
        ]
        return replace(c, amount=amount, per=per, condition=None if always(condition) else condition)

    # ---- steps
    def _specialize_steps(self, was: t.Checked) -> tuple[tuple[t.Step, ...], Parts]:
        """The specialized steps of a procedure, until no further line becomes constant; and their nodes by class."""
        outer = self._facts.lines, self._facts.known
        assigned = [s.variable for s in (*was.inside[t.Assign], *was.inside[t.New])]
        self._facts.lines = frozenset((*assigned, *[s.total for s in was.inside[t.Accumulate]]))
        self._facts.known = {}
        made = was.steps
        while True:
            made = self._steps(made)
            inside = t.by_class(made)
            known = _constant_lines(made, inside, self._facts.lines)
            if known.keys() == self._facts.known.keys():
                break
            self._facts.known = known
        self._facts.lines, self._facts.known = outer
        return made, inside

    def _part(self, part: Any) -> Any:
        if type(part) is tuple and part and isinstance(part[0], t.Step):
            return self._steps(part)
        return self._facts.fold_field(part)

    def _steps(self, steps: tuple[t.Step, ...]) -> tuple[t.Step, ...]:
        made = tuple([kept for step in steps for kept in self._step(step)])
        return steps if len(made) == len(steps) and all(map(operator.is_, made, steps)) else made

    def _step(self, step: t.Step) -> tuple[t.Step, ...]:
        if isinstance(step, t.If):
            condition = self._facts.fold(step.condition)
            if isinstance(condition, t.Lit):
                return self._steps(step.then if condition.value else step.other)
            then, other = self._steps(step.then), self._steps(step.other)
            if condition is step.condition and then is step.then and other is step.other:
                return (step,)
            return (replace(step, condition=condition, then=then, other=other),)
        if isinstance(step, t.Assign) and isinstance(step.value, t.Choose):
            return (replace(step, value=self._choice(t.rebuilt(step.value, self._part), step.line.address)),)
        made = t.rebuilt(step, self._part)
        match made:
            case t.ForEach(items=t.Lit(value=())) | t.Repeat(times=t.Lit(value=0 | None)):
                return ()
            case t.RepeatUntil(limit=t.Lit(value=0 | None)):
                return ()
            case t.SetAttr(of=of, attribute=attribute, value=value):
                if nobody(of) or attribute.kind not in self._facts.some:
                    return ()
                if isinstance(value, t.Lit) and self._facts.stays.get(attribute) == frozenset((value.value,)):
                    self._facts.assumed.add(attribute)
                    return ()
            case t.SetFact(of=of, fact=fact):
                if nobody(of) or fact.kind not in self._facts.some:
                    return ()
            case t.AddAttr(of=of, attribute=attribute, amount=amount):
                if nobody(of) or attribute.kind not in self._facts.some:
                    return ()
                if never(amount) and of.type.name == "thing" and attribute.low is None and not has_site(of):
                    return ()
            case t.Rehome(figures=of) | t.Leave(thing=of):
                if nobody(of):
                    return ()
        return (made,)

    def _choice(self, e: t.Choose, address: str) -> t.Expr:
        """The answer of a policy if it is certain: nothing, if the policy takes the fewest and the minimum is 0; or the
        row that it prefers, if that is always available. Else the choice itself.
        """
        if self._open(address):
            return e
        throws = any(has_site(part) for part in (e.who, e.high, e.items) if part is not None)
        if e.most is False and e.amount is None and never(e.low) and not throws:
            return nothing(e.type)
        if not (e.one and always(e.low) and always(e.high) and e.order):
            return e
        usual = e.order[0]
        match usual:
            case t.Op(name="same", args=(t.Var(variable=variable), t.Lit() as row)) if variable is e.variable:
                items: t.Expr | None = e.items
                if isinstance(items, t.Filter):
                    if not always(self._with(items.condition, items.variable, row)):
                        return e
                    items = items.items
                return replace(row, type=e.type) if isinstance(items, t.TableRows) else e
        return e

    def _with(self, e: t.Expr, variable: t.Variable, value: t.Expr) -> t.Expr:
        outer, self._facts.known = self._facts.known, {**self._facts.known, variable: value}
        made = self._facts.fold(e)
        self._facts.known = outer
        return made


def _constant_lines(steps: tuple[t.Step, ...], inside: Parts, lines: frozenset[t.Variable]) -> dict[t.Variable, t.Expr]:
    """The variables with a constant value: the null value, if no line ever sets another, or a constant that an
    unconditional line sets.
    """
    given: dict[t.Variable, list[t.Expr | t.Variable | None]] = {line: [] for line in lines}
    for line in inside[t.Assign]:
        given.setdefault(line.variable, []).append(line.value)
    for total in inside[t.Accumulate]:
        given.setdefault(total.total, []).append(total.value)
    for one in (*inside[t.ForEach], *inside[t.New]):
        given.setdefault(one.variable, []).append(None)
    found: dict[t.Variable, t.Expr] = {}
    for step in steps:
        if isinstance(step, t.Assign) and isinstance(step.value, t.Lit) and len(given[step.variable]) == 1:
            if step.variable.type == step.value.type and step.value.type.name in PLAIN:
                found[step.variable] = step.value
    empty = {
        v
        for v, values in given.items()
        if v not in found and v.type.name not in ("any", "block") and None not in values
    }
    while False in (kept := {v: all(_is_null(x, v, empty, found) for x in given[v]) for v in empty}).values():
        empty = {v for v in empty if kept[v]}
    return found | {v: nothing(v.type) for v in empty}


def _is_null(
    value: t.Expr | t.Variable | None, of: t.Variable, empty: set[t.Variable], found: dict[t.Variable, t.Expr]
) -> bool:
    if isinstance(value, t.Variable):
        return value in empty
    return isinstance(value, t.Lit) and type(value.value) is type(absent(of.type)) and value.value == absent(of.type)
