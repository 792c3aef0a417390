"""Expressions with sites: every die, choice and call hoisted, left to right, into a numbered site of its own.

A die under `and`, `or` or `if` becomes a guarded site. Enters: typed expressions. Leaves: the same without sites.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo
from interpreter.rulebook.verbs import returned
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from .code import NOTHING, Uses
from .following import Following


class Hoisting(Following):
    def hoist(self, e: t.Expr, line: LineInfo) -> t.Expr:
        if not _has_site(e):
            return e
        match e:
            case t.Throw():
                count = self.count(self.hoist(e.count, line))
                sides = (str(e.sides), NOTHING) if isinstance(e.sides, int) else self.text(e.sides)
                return self._asked("throw", line, e.type, [count, sides])
            case t.Tally():
                count = self.count(self.hoist(e.count, line))
                asks = [count, self.text(e.roll)]
                return self._asked("tally", line, NUMBER, asks, passing=e.passing, note=e.roll)
            case t.Sort():
                return self._sort(e, line)
            case t.Wish():
                policy = self.text(e.policy) if e.policy is not None else ("None", NOTHING)
                return self._asked("wish", line, TRUTH, [self.text(e.who), policy], note=e)
            case t.Choose():
                return self._choose(e, line)
            case t.Call():
                return self._call(e, line)
            case t.Op(name="and" | "or"):
                return self._guarded(e, line)
            case t.IfElse():
                condition = self.hoist(e.condition, line)
                made = self.temp("either", e.type)
                self.branch(condition, lambda: self._keep(made, e.value, line), lambda: self._keep(made, e.other, line))
                return t.Var(made, type=e.type)
            case t.Op():
                return replace(e, args=tuple(self.hoist(a, line) for a in e.args))
            case t.Attr() | t.Holder() | t.IsKind():
                return replace(e, of=self.hoist(e.of, line))
            case t.Field():
                return replace(e, record=self.hoist(e.record, line))
            case t.Cell():
                return replace(e, row=self.hoist(e.row, line))
            case t.BandAt():
                return replace(e, row=self.hoist(e.row, line), at=self.hoist(e.at, line))
            case t.CallValue() | t.FactOf() | t.RollOf():
                return replace(e, args=tuple(self.hoist(a, line) for a in e.args))
            case t.Filter() | t.Extreme() | t.Each():
                return replace(e, items=self.hoist(e.items, line))
        raise TypeError(f"a site inside {type(e).__name__}")

    def _asked(self, kind: str, line: LineInfo, type_: Type, asks: list[tuple[str, Uses]], **more: Any) -> t.Expr:
        made = self.temp(kind, type_)
        self.site(kind, line, made, asks, **more)
        return t.Var(made, type=type_)

    def _keep(self, variable: t.Variable, e: t.Expr, line: LineInfo) -> None:
        self.let(variable, *self.text(self.hoist(e, line)))

    def _guarded(self, e: t.Op, line: LineInfo) -> t.Expr:
        made = self.temp(e.name, TRUTH)
        self._keep(made, e.args[0], line)
        var = t.Var(made, type=TRUTH)
        if e.name == "and":
            self.branch(var, lambda: self._keep(made, e.args[1], line), lambda: None)
        else:
            self.branch(var, lambda: None, lambda: self._keep(made, e.args[1], line))
        return var

    def _sort(self, e: t.Sort, line: LineInfo) -> t.Expr:
        figures = self.hoist(e.figures, line)
        name, count = self.emitter.fresh("i"), self.emitter.fresh("n")
        items, uses = self.text(figures)
        self.emitter.slots[e.variable] = name
        roll, more = self.text(e.roll)
        asks = [(f"tuple([({name}, {count}, {roll}) for {name}, {count} in {items}])", uses | more)]
        return self._asked("sort", line, e.type, asks, passing=e.passing, note=e.roll)

    def _choose(self, e: t.Choose, line: LineInfo) -> t.Expr:
        low, high = self.hoist(e.low, line), self.hoist(e.high, line)
        items = self.hoist(e.items, line) if e.items is not None else None
        kind = e.items.type.name if e.items is not None else "number"
        nothing = ("None", NOTHING)
        parts = [
            self.text(e.who),
            self.count(low),
            self.count(high),
            self.text(items) if items is not None else nothing,
            nothing,
            self.count(e.amount) if e.amount is not None else nothing,
        ]
        if e.order:
            name = self.emitter.fresh("i")
            self.emitter.slots[e.variable] = name
            wishes = [self.text(w) for w in e.order]
            tests = ", ".join(f"not ({text})" for text, _ in wishes)
            parts[4] = (f"lambda {name}: ({tests},)", _all(wishes))
        who, least, most, of, rank, amount = (text for text, _ in parts)
        asked = f"({kind!r}, {e.one}, {who}, {least}, {most}, {of}, {rank}, {e.most}, {amount})"
        return self._asked("choose", line, e.type, [(asked, _all(parts))], note=e)

    def _call(self, e: t.Call, line: LineInfo) -> t.Expr:
        args = [self.hoist(a, line) for a in e.args]
        record = Type("record", e.procedure)
        made = self.temp("record", record)
        unsure = tuple(
            i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.emitter._sure(a)
        )
        asks = [self.text(a) for a in args]
        before: dict[t.Variable, t.Variable] = {}
        for arg in args:
            if arg.type.name == "figure" and isinstance(arg, t.Var) and self.others(arg, related=True):
                before[arg.variable] = self.temp("as told", arg.type)
                self.let(before[arg.variable], *self.text(arg))
        self.site("call", line, made, asks, callee=e.procedure, snapshot=self.snapshot, unsure=unsure)
        var = t.Var(made, type=record)
        for arg, param in zip(args, e.procedure.params, strict=True):
            if arg.type.name == "figure" and isinstance(arg, t.Var):
                back = t.Field(var, e.procedure, returned(param.name), type=arg.type)
                kept, whole = self.name(arg.variable), self.name(made)
                text, uses = self.text(back)
                self.let(arg.variable, f"{kept[0]} if {whole[0]} is None else {text}", kept[1] | uses)
                if arg.variable in before:
                    told, more = self.name(before[arg.variable])
                    for variable, _ in self.others(arg, related=True):
                        self.follow(variable, f"only_figure({told})", kept[0], kept[1] | more)
        if e.procedure.table is None:
            return var
        return t.Field(var, e.procedure, "row", type=e.type)


def _all(parts: list[tuple[str, Uses]]) -> Uses:
    found = NOTHING
    for _, uses in parts:
        found |= uses
    return found


def _has_site(e: Any) -> bool:
    if isinstance(e, t.SITES):
        return True
    match e:
        case t.Op() | t.CallValue() | t.FactOf() | t.RollOf():
            return any(_has_site(a) for a in e.args)
        case t.Attr() | t.Holder() | t.IsKind():
            return _has_site(e.of)
        case t.IfElse():
            return _has_site(e.condition) or _has_site(e.value) or _has_site(e.other)
        case t.Field():
            return _has_site(e.record)
        case t.Cell():
            return _has_site(e.row)
        case t.BandAt():
            return _has_site(e.row) or _has_site(e.at)
        case t.Filter() | t.Extreme() | t.Each():
            return _has_site(e.items)
    return False
