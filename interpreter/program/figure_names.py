"""Alias analysis of variables that hold figures: which variable's figures are certainly a subset of which other's.

A name is a variable, or a line of the record that a variable holds (`harm.dead`). Takes typed steps in order; returns a
`Names` with every name assigned so far, and its stocks: the names of which it is a subset (`who`, picked from `men`, is
a subset of `men`). `Aliases` has the stocks of every procedure, and the figures that it may change, by the parameter
through which it does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Kind, Procedure
from interpreter.source.values import Struct, field
from interpreter.vocabulary.types import Type

if TYPE_CHECKING:
    from .rules import Rules

OTHERS = -1  # figures of no parameter
Touched = dict[Kind, set[int]]


class Name(Struct, eq=False):
    """A variable, or a line of the record in it: `path` has the index of the line, and of nested lines."""

    variable: t.Variable
    path: tuple[int, ...] = ()
    type: Type = field(kw_only=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.variable is other.variable and self.path == other.path

    def __hash__(self) -> int:
        return hash((self.variable, self.path))


class Names:
    """`stocks` maps each name assigned so far to the names of which it is certainly a subset."""

    def __init__(self, aliases: Aliases, params: Iterable[t.Variable]) -> None:
        self.aliases = aliases
        self.checker = aliases.checker
        self.stocks: dict[Name, set[Name]] = {}
        self._disjoint: set[tuple[Name, Name]] = (
            set()
        )  # disjoint pairs: the first was assigned something minus the second
        for variable in params:
            if _counted(variable.type):
                self.stocks[Name(variable, type=variable.type)] = set()

    def name(self, e: t.Expr) -> Name | None:
        match e:
            case t.Var(variable=variable):
                return Name(variable, type=variable.type)
            case t.Field(record=record, procedure=procedure, address=address):
                of = self.name(record)
                if of is not None:
                    place = list(self.checker.procedure(procedure).lines).index(address)
                    return Name(of.variable, (*of.path, place), type=e.type)
        return None

    def supersets(self, e: t.Expr) -> set[Name]:
        """The names of which an expression is certainly a subset; the empty collection is a subset of all names."""
        match e:
            case t.Lit():
                return set(self.stocks)
            case t.Var() | t.Field():
                name = self.name(e)
                return set() if name is None else self.with_stocks(name)
            case t.Op(name="without"):
                return self.supersets(e.args[0])
            case t.Op(name="join"):
                return self.supersets(e.args[0]) & self.supersets(e.args[1])
            case t.IfElse():
                return self.supersets(e.value) & self.supersets(e.other)
        inner = _source(e)
        return set() if inner is None else self.supersets(inner)

    def are_disjoint(self, one: t.Expr, other: t.Expr) -> bool:
        """Return whether two expressions are certainly disjoint, as after `rest: men - first`."""
        return self.apart(self.supersets(one), self.supersets(other))

    def apart(self, mine: set[Name], theirs: set[Name]) -> bool:
        """Return whether a subset of all of `mine` is certainly disjoint from a subset of all of `theirs`."""
        return any((a in mine and b in theirs) or (b in mine and a in theirs) for a, b in self._disjoint)

    def with_stocks(self, name: Name) -> set[Name]:
        """Return a name, and the names of which it is certainly a subset."""
        return {name, *self.stocks.get(name, ())}

    def subsets(self, e: t.Expr) -> set[Name]:
        """Return the names that are certainly subsets of an expression."""
        match e:
            case t.Op(name="join"):
                return self.subsets(e.args[0]) | self.subsets(e.args[1])
            case t.Op(name="only", args=(one,)):
                return self.subsets(one)
        name = self.name(e)
        if name is None:
            return set()
        return {name, *(n for n, stock in self.stocks.items() if name in stock)}

    # ---- assignments
    def assign(self, variable: t.Variable, value: t.Expr) -> list[Name]:
        """Record an assignment, and return the names that it sets; of several assignments, only common stocks remain.
        """
        if isinstance(value, t.Call) and variable.type.name == "record":
            return self._assign_record(variable, value)
        if not _counted(variable.type):
            return []
        name = Name(variable, type=variable.type)
        found = self.supersets(value) & set(self.stocks) - {name}
        first = name not in self.stocks
        self.stocks[name] = found if first else self.stocks[name] & found
        apart = self._disjoint_from(value)
        if not first:
            apart &= {other for one, other in self._disjoint if one == name}
        self._disjoint = {pair for pair in self._disjoint if name not in pair}
        self._disjoint |= {(name, other) for other in apart if other != name}
        if not first:  # it is assigned elsewhere too, so no name is certainly a subset of it
            for stock in self.stocks.values():
                stock.discard(name)
        elif value.type == variable.type and (same := self.name(value)) in self.stocks:  # an alias
            self.stocks[same] |= {name, *found} - {same}
        if first and isinstance(value, t.Op) and value.name == "join" and value.type == variable.type:
            for part in value.args:
                inner = self.name(part)
                if inner in self.stocks:
                    self.stocks[inner] |= {name, *found}
        return [name]

    def _disjoint_from(self, value: t.Expr) -> set[Name]:
        """The names that are certainly disjoint from an expression: for `(men - first) where hurt`, `first` and its
        aliases.
        """
        supersets = self.supersets(value)
        found = {other for one, other in self._disjoint if one in supersets}
        while (inner := _source(value)) is not None:
            value = inner
        if isinstance(value, t.Op) and value.name == "without":
            out = value.args[1]
            name = self.name(out.args[0] if isinstance(out, t.Op) and out.name == "only" else out)
            if name in self.stocks:
                found.add(name)
        return found

    def _assign_record(self, variable: t.Variable, call: t.Call) -> list[Name]:
        """Record the names in the record that a call returns, for the lines that are read."""
        checked = self.checker.procedure(call.procedure)
        wanted = self.aliases.wanted(call.procedure)
        lines = {v: i for i, (address, v) in enumerate(checked.lines.items()) if address in wanted}
        arguments = dict(zip(checked.params, call.args, strict=True))
        made = []
        for inner, stock in list(self.aliases.stocks(call.procedure).items()):
            if inner.variable not in lines:
                continue
            name = Name(variable, (lines[inner.variable], *inner.path), type=inner.type)
            found: set[Name] = set()
            for of in stock:
                if of.variable in lines:
                    found.add(Name(variable, (lines[of.variable], *of.path), type=of.type))
                elif of.variable in arguments and not of.path:
                    found |= self.supersets(arguments[of.variable]) & set(self.stocks)
            self.stocks[name] = found if name not in self.stocks else self.stocks[name] & found
            made.append(name)
        return made

    def totals(self, body: Sequence[t.Step], known: dict[Name, set[Name]]) -> list[Name]:
        """Record the totals of a loop: a subset of what all rounds are subsets of. `known` are the stocks at its end.
        """
        parts = t.parts(tuple(body))
        mine = {p.variable for p in parts if isinstance(p, t.Assign | t.ForEach)}
        mine |= {p.total for p in parts if isinstance(p, t.Accumulate)}
        made = []
        for step in body:
            if isinstance(step, t.Accumulate):
                for name, stock in list(known.items()) if step.rounds else ():
                    if name.variable is step.value:
                        total = Name(step.total, name.path, type=name.type)
                        self.stocks[total] = {n for n in stock if n.variable not in mine}
                        made.append(total)
        return made

    def joined(self, step: t.Accumulate) -> list[Name]:
        """Record a total over runs of a rule: it has the common stocks of all runs, and each run is a subset of it."""
        made = []
        for name, stock in list(self.stocks.items()) if not step.rounds else ():
            if name.variable is step.value:
                total = Name(step.total, name.path, type=name.type)
                self.stocks[total] = (self.stocks[total] & stock if total in self.stocks else set(stock)) - {total}
                stock.add(total)
                made.append(total)
        return made

    @contextmanager
    def nested(self) -> Iterator[None]:
        """The context of a branch or a loop's body. Names assigned inside may be empty or stale after it, so no earlier
        name keeps them as stocks.
        """
        before = set(self.stocks)
        yield
        for name in before:
            self.stocks[name] &= before

    def walk(self, steps: Sequence[t.Step]) -> None:
        for step in steps:
            match step:
                case t.Assign():
                    self.assign(step.variable, step.value)
                case t.Accumulate():
                    self.joined(step)
                case t.If():
                    with self.nested():
                        self.walk(step.then)
                    with self.nested():
                        self.walk(step.other)
                case t.ForEach() | t.Repeat() | t.RepeatUntil():
                    with self.nested():
                        if isinstance(step, t.ForEach):
                            self.assign(step.variable, step.items)
                        self.walk(step.body)
                    self.totals(step.body, self.stocks)
                case t.Together():
                    self.walk(step.body)


def _source(e: t.Expr) -> t.Expr | None:
    """The operand of which an expression is a subset; None if there is none."""
    match e:
        case t.Filter(items=inner) | t.Extreme(items=inner) | t.Fitting(items=inner) | t.Lots(items=inner):
            return inner
        case t.Sort(figures=inner):
            return inner
        case t.Choose(items=inner) if inner is not None:
            return inner
        case t.Op(name="only" | "first-of-figures", args=(inner, *_)):
            return inner
    return None


def _counted(type_: Type) -> bool:
    return type_.name in ("figure", "figures")


class Aliases:
    """The results of alias analysis for the figure variables of all procedures of a program.

    `wanted` returns the lines of a procedure's record that a rule or a question reads. Other lines are not names, so
    that no updates are generated for them.
    """

    def __init__(self, checker: Rules, wanted: Callable[[Procedure], Collection[str]]) -> None:
        self.checker = checker
        self.wanted = wanted
        self._stocks: dict[Procedure, dict[Name, set[Name]]] = {}
        self._touched: dict[Procedure, Touched] = {}

    def clear(self) -> None:
        """Discard the stocks, because more lines are wanted."""
        self._stocks.clear()

    def stocks(self, procedure: Procedure) -> dict[Name, set[Name]]:
        """Return the stocks of all names at the end of a procedure; within recursion, those found so far."""
        if procedure not in self._stocks:
            checked = self.checker.procedure(procedure)
            names = Names(self, checked.params)
            self._stocks[procedure] = names.stocks
            names.walk(checked.steps)
        return self._stocks[procedure]

    def touched(self, procedure: Procedure) -> Touched:
        """Return the figures that a procedure may change, itself or through calls: kind → parameters, or `OTHERS`."""
        if procedure not in self._touched:
            calls: dict[Procedure, list[tuple[Procedure, tuple[set[int], ...]]]] = {}
            found: dict[Procedure, Touched] = {}
            todo = [procedure]
            for p in todo:
                found[p], calls[p] = self._touching(p)
                todo += [callee for callee, _ in calls[p] if callee not in todo]
            before = -1
            while before != (size := sum(len(whose) for mine in found.values() for whose in mine.values())):
                before = size
                for p, inner in calls.items():
                    for callee, args in inner:
                        for kind, whose in list(found[callee].items()):
                            mine = found[p].setdefault(kind, set())
                            for i in list(whose):
                                mine |= args[i] if i != OTHERS else {OTHERS}
            self._touched.update(found)
        return self._touched[procedure]

    def _touching(self, procedure: Procedure) -> tuple[Touched, list[tuple[Procedure, tuple[set[int], ...]]]]:
        """The figures that a procedure's own steps change, and its calls with the parameters behind each argument."""
        checked = self.checker.procedure(procedure)
        names = Names(self, ())
        names.stocks = self.stocks(procedure)
        places = {v: i for i, v in enumerate(checked.params)}

        def whose(e: t.Expr) -> set[int]:
            return {places[n.variable] for n in names.supersets(e) if n.variable in places and not n.path} or {OTHERS}

        found: Touched = {}
        calls = []
        for part in t.parts(checked.steps):
            match part:
                case t.SetAttr(of=of) | t.AddAttr(of=of) | t.Rehome(figures=of) if _counted(of.type):
                    found.setdefault(of.type.of.root, set()).update(whose(of))
                case t.Call(procedure=callee, args=args):
                    calls.append((callee, tuple([whose(a) for a in args])))
        return found, calls
