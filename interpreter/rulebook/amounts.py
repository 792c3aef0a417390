"""Checks that counts are whole numbers: dice, picks, rounds, numeric attributes. Only division makes fractions.

Input: checked definitions. Output: a problem where a count may be a fraction, with the place of the division. It does
not know the actual numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from interpreter.source import Label, Span
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import NUMBER

from . import typed as t
from .procedures import Checker
from .symbols import Attribute, Fact, Procedure, PureDef

Source = t.Expr  # the division that a fraction comes from
Given = dict[t.Variable, Source | None]  # for each parameter of a value, the division in its argument
_WHOSE = r"(?:[A-Za-z][\w-]*\.)+$"


class Amounts:
    """Finds the divisions that may make an expression a fraction, in the definitions of a checker. Reports where a
    whole number is required (T012), and a cell of several numbers by distance that is read without one (T015).
    """

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self._lines: dict[t.Variable, list[t.Expr | t.Variable]] = {}
        self._gathered: set[Procedure] = set()
        self._known: dict[object, Source | None] = {}
        self._asking: set[object] = set()
        self._on_cycle: set[object] = set()  # keys that were requested again while being computed

    # ---- where a whole number is required
    def check_book(self, limits: Iterable[t.Expr | None]) -> None:
        """Check every definition of the book. `limits` are the limit expressions of marks; None for a mark without one.
        """
        book = self.checker.book
        for most in limits:
            if most is not None:
                self._require_whole(most, "how many")
        for procedure in book.procedures.values():
            self.check_steps(self.checker.procedure(procedure).steps)
        for pure in book.pure_definitions():
            for change in self.checker.pure(pure).changes:
                self._check_nodes((change.amount, change.per, change.condition))
                row = change.what == "add" and self.checker.pure(pure).type.name == "row"
                if change.amount is not None and (row or change.what in ("best", "worst")):
                    self._require_whole(change.amount, "how many rows" if row else "how many dice")
        for steps in self.checker.definitions.found.woven.values():
            self.check_steps(tuple(steps))
        for symbol, first in self.checker.defaults.items():
            if first is not None and isinstance(symbol, Attribute | Fact) and symbol.type == NUMBER:
                self._require_whole(first, f"`{symbol.name}`")

    def check_steps(self, steps: tuple[t.Step, ...]) -> None:
        """Check the steps of a procedure or a situation."""
        self._gather(steps)
        self._check_nodes(steps)

    def _check_nodes(self, parts: object) -> None:
        looked_for = set[int]()  # ids of cells that are only tested for being empty
        for part in t.parts(parts):
            if isinstance(part, t.Op) and part.name == "absent":
                looked_for.add(id(part.args[0]))
            if isinstance(part, t.Assign) and part.variable in self.checker.definitions.found.forks:
                self._require_whole(part.value, "what cases are for")
            if isinstance(part, t.Cell) and part.column.by is not None and id(part) not in looked_for:
                self._check_banded_cell(part)
            for e, what in _whole_operands(part):
                self._require_whole(e, what)

    def _check_banded_cell(self, e: t.Cell) -> None:
        """Report a cell with several numbers by distance that is read without `at`."""
        several = next((row for row in e.table.rows.values() if isinstance(row.cells.get(e.column.name), tuple)), None)
        if several is None or (place := _span_of(e)) is None:
            return
        others = [Label(several.cell_places[e.column.name].span, "it is several numbers")]
        text = place.text
        hint = f"say `{text} at DISTANCE`, such as `{text} at unit.distance(target)`"
        self.checker.problems.add("T015", place, what=e.column.name, hint=hint, others=others)

    def _require_whole(self, e: t.Expr, what: str) -> None:
        if isinstance(e, t.Lit) or e.type != NUMBER or (source := self.fraction(e)) is None:
            return
        if (place := _span_of(e)) is None:  # synthesized: it has no source position
            return
        division = _span_of(source)
        others = [Label(division, "it is divided here")] if division is not None and division != place else []
        text, halved = place.text, _halved(source) if source is e else None
        hint = f"say `whole({text})`, rounded down"
        hint += f", or `half({halved})`, rounded up" if halved else "; `half(n)` is half of a number, rounded up"
        self.checker.problems.add("T012", place, what=what, label="maybe no whole number", hint=hint, others=others)

    # ---- which expressions may be fractions
    def fraction(self, e: t.Expr, given: Given | None = None) -> Source | None:
        """Return the division that may make `e` a fraction, or None. `given` has the same for parameters."""
        match e:
            case t.Lit(value=Fraction() as value):
                return e if value.denominator != 1 else None
            case t.Op(name=name, args=(left, right)) if OPERATIONS[name].fractions == "makes":
                if isinstance(right, t.Lit) and right.value in (1, -1):
                    return self.fraction(left, given)
                if isinstance(left, t.Lit) and isinstance(right, t.Lit) and right.value:
                    return None if Fraction(left.value or 0) % right.value == 0 else e
                return e
            case t.Op(name=name, args=args) if OPERATIONS[name].fractions == "operands":
                return self._first_fraction(args, given)
            case t.Op(name=name, args=(listed,)) if OPERATIONS[name].fractions == "members":
                return self._list_fraction(listed, given)
            case t.IfElse(value=value, other=other):
                return self._first_fraction((value, other), given)
            case t.Var(variable=variable):
                return given[variable] if given and variable in given else self._variable_fraction(variable)
            case t.Field(procedure=procedure, address=address):
                self._gather_procedure(procedure)
                line = self.checker.procedure(procedure).lines.get(address)
                return self._variable_fraction(line) if line is not None and line.type == NUMBER else None
            case t.CallValue(value=value, args=args):
                return self._value_fraction(
                    value, [self.fraction(a, given) if a.type == NUMBER else None for a in args]
                )
        return None

    def _first_fraction(self, parts: Iterable[t.Expr], given: Given | None) -> Source | None:
        return next((found for part in parts if (found := self.fraction(part, given)) is not None), None)

    def _list_fraction(self, e: t.Expr, given: Given | None) -> Source | None:
        match e:
            case t.Each(value=value):
                return self.fraction(value, given)
            case t.Filter(items=items) | t.Extreme(items=items):
                return self._list_fraction(items, given)
            case t.Var():
                return self.fraction(e, given)
        return None

    def _variable_fraction(self, variable: t.Variable) -> Source | None:
        return self._memoized(variable, lambda: self._assigned_fraction(variable))

    def _assigned_fraction(self, variable: t.Variable) -> Source | None:
        """The first division among the values assigned to a variable."""
        for value in self._lines.get(variable, ()):
            found = self._variable_fraction(value) if isinstance(value, t.Variable) else self._fraction_or_list(value)
            if found is not None:
                return found
        return None

    def _memoized(self, key: object, find: Callable[[], Source | None]) -> Source | None:
        """Memoize `find` by `key`. On a cycle, None is not cached until the whole cycle has been visited."""
        if key in self._known:
            return self._known[key]
        if key in self._asking:
            self._on_cycle.add(key)
            return None
        self._asking.add(key)
        found = find()
        self._asking.discard(key)
        self._on_cycle.discard(key)
        if found is not None or not self._on_cycle:
            self._known[key] = found
        return found

    def _fraction_or_list(self, e: t.Expr) -> Source | None:
        return self._list_fraction(e, None) if e.type.name == "list" else self.fraction(e)

    def _value_fraction(self, value: PureDef, args: list[Source | None]) -> Source | None:
        fractional = tuple([a is not None for a in args])
        return self._memoized(
            (value, fractional) if any(fractional) else value, lambda: self._pure_fraction(value, args)
        )

    def _pure_fraction(self, value: PureDef, args: list[Source | None]) -> Source | None:
        pure = self.checker.pure(value)
        if pure.type != NUMBER:
            return None
        parts = [part for c in pure.changes for part in (c.amount, c.per) if part is not None and part.type == NUMBER]
        return self._first_fraction(parts, dict(zip(pure.params, args, strict=False)))

    # ---- lines
    def _gather_procedure(self, procedure: Procedure) -> None:
        if procedure not in self._gathered:
            self._gathered.add(procedure)
            self._gather(self.checker.procedure(procedure).steps)

    def _gather(self, steps: tuple[t.Step, ...]) -> None:
        """Collect the values assigned to each variable; parameters are left out, as arguments are checked at call
        sites.
        """
        for part in t.parts(steps):
            match part:
                case t.Assign(variable=variable, value=value) if variable.type.name in ("number", "list"):
                    self._lines.setdefault(variable, []).append(value)
                case t.Accumulate(total=variable, value=value) if variable.type == NUMBER:
                    self._lines.setdefault(variable, []).append(value)
                case t.ForEach(variable=variable, items=items) if items.type.name == "list":
                    self._lines.setdefault(variable, []).append(items)


def _whole_operands(part: object) -> Iterator[tuple[t.Expr, str]]:
    """Operands of a step or expression that must be whole, each with the phrase for the message."""
    match part:
        case t.Throw(count=count) | t.Tally(count=count):
            yield count, "how many dice"
        case t.Lots(count=count):
            yield count, "how many"
        case t.Choose(low=low, high=high, amount=amount):
            yield high, "how many"
            yield low, "how many"
            if amount is not None:
                yield amount, "how many"
        case t.Fitting(most=most):
            yield most, "how many"
        case t.Repeat(times=limit) | t.RepeatUntil(limit=t.Expr() as limit):
            yield limit, "how often"
        case t.AddAttr(attribute=attribute, amount=value) | t.SetAttr(attribute=attribute, value=value):
            if attribute.type == NUMBER:
                yield value, f"`{attribute.name}`"
        case t.SetFact(fact=fact, value=value):
            if fact.type == NUMBER:
                yield value, f"`{fact.name}`"
        case t.New(given=given):
            for attribute, value in given:
                if attribute.type == NUMBER:
                    yield value, f"`{attribute.name}`"
        case t.Call(procedure=procedure, args=args):
            for param, value in zip(procedure.params, args, strict=True):
                if param.type == NUMBER:
                    yield value, f"`{param.name}`"
        case t.Op(name="row-up" | "row-down", args=(_, by)):
            yield by, "how many rows"
        case t.Assign(variable=variable, value=value) if variable.name in ("left?", "pool?"):
            yield value, "how many are dealt"


def _span_of(e: t.Expr) -> Span | None:
    """The source span of an expression, including the path before it: `unit.share`; None if it has none."""
    if e.where is None:
        return None
    at = e.where.scalar
    whose = re.search(_WHOSE, at.text[: e.where.start])
    return at.at(e.where.start - (len(whose.group()) if whose is not None else 0), e.where.end)


def _halved(e: t.Expr) -> str | None:
    """The source text of what is divided by two, for `figures / 2`; else None."""
    if isinstance(e, t.Op) and e.name == "divide" and isinstance(e.args[1], t.Lit) and e.args[1].value == 2:
        place = _span_of(e.args[0])
        return place.text if place is not None else None
    return None
