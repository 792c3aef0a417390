"""Expressions with sites: every die, choice and call hoisted, left to right, into a numbered site of its own.

A die under `and`, `or` or `if` becomes a guarded site. Enters: typed expressions. Leaves: the same without sites.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo
from interpreter.rulebook.verbs import returned
from interpreter.vocabulary.types import NUMBER, TRUTH, Type

from .graph import Graph


class Hoisting(Graph):
    def hoist(self, e: t.Expr, line: LineInfo) -> t.Expr:
        if not _has_site(e):
            return e
        match e:
            case t.Throw():
                count = self.hoist(e.count, line)
                made = self.temp("dice", e.type)
                sides = e.sides
                self.site("throw", line, made, lambda: f"({self.text(count)}, {self._sides(sides)})")
                return t.Var(made, type=e.type)
            case t.Tally():
                count = self.hoist(e.count, line)
                made = self.temp("tally", NUMBER)
                self.site(
                    "tally",
                    line,
                    made,
                    lambda: f"({self.text(count)}, {self.text(e.roll)})",
                    passing=e.passing,
                    note=e.roll,
                )
                return t.Var(made, type=NUMBER)
            case t.Sort():
                return self._sort(e, line)
            case t.Wish():
                made = self.temp("wish", TRUTH)
                policy = e.policy
                self.site(
                    "wish",
                    line,
                    made,
                    lambda: f"({self.text(e.who)}, {self.text(policy) if policy is not None else None})",
                    note=e,
                )
                return t.Var(made, type=TRUTH)
            case t.Choose():
                return self._choose(e, line)
            case t.Call():
                return self._call(e, line)
            case t.Op(name="and" | "or"):
                return self._guarded(e, line)
            case t.IfElse():
                condition = self.hoist(e.condition, line)
                made = self.temp("either", e.type)
                self._split(condition, lambda: self._keep(made, e.value, line), lambda: self._keep(made, e.other, line))
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
            case t.Filter() | t.Each():
                return replace(e, items=self.hoist(e.items, line))
        raise TypeError(f"a site inside {type(e).__name__}")

    def _sides(self, sides: int | t.Expr) -> str:
        return str(sides) if isinstance(sides, int) else self.text(sides)

    def _keep(self, variable: t.Variable, e: t.Expr, line: LineInfo) -> None:
        self.assign(variable, self.text(self.hoist(e, line)))

    def _guarded(self, e: t.Op, line: LineInfo) -> t.Expr:
        made = self.temp(e.name, TRUTH)
        self._keep(made, e.args[0], line)
        var = t.Var(made, type=TRUTH)
        if e.name == "and":
            self._split(var, lambda: self._keep(made, e.args[1], line), lambda: None)
        else:
            self._split(var, lambda: None, lambda: self._keep(made, e.args[1], line))
        return var

    def _split(self, condition: t.Expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
        a, b = self.branch(self.text(condition))
        self.here = a
        yes()
        end_a = self.here
        self.here = b
        no()
        end_b = self.here
        self.here = self.block()
        self.go(end_a, self.here)
        self.go(end_b, self.here)

    def _sort(self, e: t.Sort, line: LineInfo) -> t.Expr:
        figures = self.hoist(e.figures, line)
        made = self.temp("sorted", e.type)

        def question() -> str:
            name, count = self.emitter.fresh("i"), self.emitter.fresh("n")
            items = self.text(figures)
            self.emitter.slots[e.variable] = name
            return f"[({name}, {count}, {self.text(e.roll)}) for {name}, {count} in {items}]"

        self.site("sort", line, made, question, passing=e.passing, note=e.roll)
        return t.Var(made, type=e.type)

    def _choose(self, e: t.Choose, line: LineInfo) -> t.Expr:
        low, high = self.hoist(e.low, line), self.hoist(e.high, line)
        items = self.hoist(e.items, line) if e.items is not None else None
        made = self.temp("choice", e.type)
        kind = e.items.type.name if e.items is not None else "number"

        def question() -> str:
            text = self.text(items) if items is not None else "None"
            rank = "None"
            if e.order:
                name = self.emitter.fresh("i")
                self.emitter.slots[e.variable] = name
                wishes = ", ".join(f"not ({self.text(w)})" for w in e.order)
                rank = f"lambda {name}: ({wishes},)"
            amount = self.count(e.amount) if e.amount is not None else "None"
            return (
                f"({kind!r}, {e.one}, {self.text(e.who)}, {self.count(low)}, {self.count(high)}, {text}, {rank}, "
                f"{e.most}, {amount})"
            )

        self.site("choose", line, made, question, note=e)
        return t.Var(made, type=e.type)

    def _call(self, e: t.Call, line: LineInfo) -> t.Expr:
        args = [self.hoist(a, line) for a in e.args]
        record = Type("record", e.procedure)
        made = self.temp("record", record)

        def question() -> str:
            texts = [self.text(a) for a in args]
            unsure = [i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.emitter._sure(a)]
            given = "(" + "".join(x + ", " for x in texts) + ")"
            return f"given({given}, {tuple(unsure)})" if unsure else given

        self.site("call", line, made, question, callee=e.procedure, snapshot=self.snapshot)
        var = t.Var(made, type=record)
        for arg, param in zip(args, e.procedure.params, strict=True):
            if arg.type.name == "figure" and isinstance(arg, t.Var):
                back = t.Field(var, e.procedure, returned(param.name), type=arg.type)
                kept, text = self.slot(arg.variable), self.emitter.expr(back)
                text = f"L[{kept}] if L[{made.slot}] is None else {text}"
                self.copy(arg.variable, text, kept, made.slot)
        if e.procedure.table is None:
            return var
        return t.Field(var, e.procedure, "row", type=e.type)


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
        case t.Filter() | t.Each():
            return _has_site(e.items)
    return False
