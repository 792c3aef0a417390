"""Hoisting: each die, choice and call inside an expression becomes a question (`Site`) of its own, left to right.

Takes typed expressions; returns the same without questions. A question under `and`, `or` or `if` is put in a branch, so
that it is asked only if its value is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import chosen_for
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.source.values import replace
from interpreter.vocabulary.types import DICE, FACES, NUMBER, TRUTH, Type

from .code import View
from .expression_lowering import Emitter
from .name_updates import NameUpdates
from .statements import Told
from .terms import (
    FALSE,
    NONE,
    ONE,
    TRUE,
    ZERO,
    Const,
    Gather,
    IfElse,
    Lambda,
    Local,
    Member,
    Not,
    Term,
    Tuple,
    call,
    const,
    infix,
)
from .trace_notes import as_part, conjuncts


class Hoisting(NameUpdates):
    """Makes sites of the questions inside expressions; `call`, which lowers a call, can be overridden."""

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        super().__init__(emitter, procedure)
        self.call = self._call

    def hoist(self, e: t.Expr, line: LineInfo) -> t.Expr:
        if not self.asks_something(e):
            return e
        match e:
            case t.Op(name="count" | "any-of", args=(t.Filter() | t.Var() as some,)) if _is_dice_selection(some):
                counted = self.looks.get(some.variable) if isinstance(some, t.Var) else self.look(some, line)
                if counted is None:
                    return e
                seen = t.Var(counted, type=NUMBER, where=e.where)
                return seen if e.name == "count" else t.Op("more", (seen, t.Lit(0, type=NUMBER)), type=TRUTH)
            case t.Op(name="meeting" | "missing", args=(_, t.RollOf() as roll)) if self._throws_more(roll):
                return self._count_passing(e, line)
            case t.Throw():
                count = self.count(self.hoist(e.count, line))
                sides = Const(e.sides) if isinstance(e.sides, int) else self.term(e.sides)
                barred = [] if e.barred is None else [self.count(self.hoist(e.barred, line))]
                return self._ask("throw", line, e.type, [count, sides, *barred])
            case t.Lots():
                items = self.hoist(e.items, line)
                asks = [self.count(self.hoist(e.count, line)), self.term(items)]
                return self._ask("lots", line, e.type, asks, note=(items.type.name, e.one))
            case t.Tally():
                count = self.count(self.hoist(e.count, line))
                asks = [count, self.term(e.roll)]
                return self._ask("tally", line, NUMBER, asks, passing=e.passing, note=e.roll)
            case t.Sort():
                return self._sort(e, line)
            case t.Wish():
                policy = self.term(e.policy) if e.policy is not None else NONE
                return self._ask("wish", line, TRUTH, [self._chooser(e.who), policy], note=e)
            case t.Choose():
                return self._choose(e, line)
            case t.Call():
                return self.call(e, line)
            case t.Op(name="and" | "or"):
                return self._hoist_logical(e, line)
            case t.IfElse():
                condition = self.hoist(e.condition, line)
                made = self.temp("either", e.type)
                self.branch(
                    condition, lambda: self._assign(made, e.value, line), lambda: self._assign(made, e.other, line)
                )
                return t.Var(made, type=e.type)
            case t.Filter() | t.Extreme() | t.Each() | t.Fitting():
                return replace(e, items=self.hoist(e.items, line))

        def hoisted(part: Any) -> Any:
            return tuple([self.hoist(p, line) for p in part]) if isinstance(part, tuple) else self.hoist(part, line)

        rebuilt: t.Expr = t.rebuilt(e, hoisted)
        return rebuilt

    def asks_something(self, e: t.Expr) -> bool:
        """Return whether an expression contains a question, or a count of dice, which gets a line of its own too."""
        return _has_site(e, self._throws_more)

    def _throws_more(self, roll: t.RollOf) -> bool:
        """Whether a roll throws further dice besides those already thrown."""
        return any(change.what in ("again", "best", "worst") for change in self.emitter.checker.pure(roll.roll).changes)

    def _count_passing(self, e: t.Op, line: LineInfo) -> t.Expr:
        """The number of dice already thrown that pass, including the further dice that the roll throws.

        With best or worst of several, the further dice that can change the result are thrown first; then failed dice
        are thrown again.
        """
        dice, roll = self.hoist(e.args[0], line), self.hoist(e.args[1], line)
        assert isinstance(roll, t.RollOf)
        slot = self.emitter.own.get(dice.variable) if isinstance(dice, t.Var) else None
        passed, seen = self.temp("passed", NUMBER), t.Op("meeting", (dice, roll), type=NUMBER)
        view = None if slot is None or self.emitter.traced else View(slot, self.term(roll), True)
        self.let(passed, self.term(seen), view=view)
        self._note_passed(line, dice, passed)
        changes = {change.what for change in self.emitter.checker.pure(roll.roll).changes}
        if changes & {"best", "worst"}:
            how, known, many = self.term(roll), self.name(passed), self._count_of(dice)
            more = self._throw_further(line, roll, call("undecided", how, known, many), call("further", how))
            passed = self._store_passed(call("with_further", self.term(roll), known, self.term(more)))
        if "again" in changes:
            how, known, many = self.term(roll), self.name(passed), self._count_of(dice)
            failed = IfElse(Member(how, const(4)), infix(many, "-", known), ZERO)
            more = self._throw_further(line, roll, failed, call("once_more", how))
            passed = self._store_passed(infix(known, "+", self.term(more)))
        found = t.Var(passed, type=NUMBER, where=e.where)
        if e.name == "meeting":
            return found
        return t.Op("subtract", (t.Op("count", (dice,), type=NUMBER), found), type=NUMBER, where=e.where)

    def _note_passed(self, line: LineInfo, dice: t.Expr, passed: t.Variable) -> None:
        """In a traced program, note the dice, and how many have passed so far."""
        about = t.Variable(line.address.rpartition(".")[2], NUMBER)
        self.note("line", line, NUMBER, about, [self.name(passed)], "passed", [dice])

    def _count_of(self, dice: t.Expr) -> Term:
        return self.term(t.Op("count", (dice,), type=NUMBER))

    def _throw_further(self, line: LineInfo, roll: t.RollOf, many: Term, how: Term) -> t.Expr:
        """A throw of `many` dice against a term derived from the roll."""
        return self._ask("tally", line, NUMBER, [many, how], passing=True, note=roll)

    def _store_passed(self, passed: Term) -> t.Variable:
        """A variable for the number of passes after a further throw."""
        after = self.temp("passed", NUMBER)
        self.let(after, passed)
        return after

    def note(
        self,
        kind: str,
        line: LineInfo,
        type_: Type | None,
        about: Any,
        values: Sequence[Term],
        text: str = "",
        parts: Sequence[t.Expr] = (),
    ) -> None:
        """In a traced program, append a note of the values, followed by those of the parts."""
        if not self.emitter.traced:
            return
        named = [as_part(part) for part in parts]
        more = [self.term(part) for part, name in zip(parts, named, strict=True) if not name.asked]
        number = self.emitter.note(kind, line, type_, about, text, tuple(named))
        self.do(Told(const(number), (*values, *more)))

    def _ask(self, kind: str, line: LineInfo, type_: Type, asks: Sequence[Term], **more: Any) -> t.Expr:
        made = self.temp(kind, type_)
        self.site(kind, line, made, asks, **more)
        return t.Var(made, type=type_)

    def look(self, some: t.Filter, line: LineInfo, kept: t.Variable | None = None) -> t.Variable:
        """The variable for the number of dice that show wanted faces, which are counted by a mask, as for a roll."""
        sides = some.items.sides if isinstance(some.items, t.Throw) else None
        if isinstance(some.items, t.Var):
            sides = self.emitter.checker.whole.sides.get(some.items.variable)
        dice = self.hoist(some.items, line)
        seen = kept or t.Variable("seen", NUMBER)
        view = None
        slot = self.emitter.own.get(dice.variable) if isinstance(dice, t.Var) else None
        if isinstance(sides, int) and slot is not None:
            face = self.emitter.member(some.variable)
            wanted = self.term(some.condition)
            every = Const(tuple(range(1, sides + 1)))
            bits = Gather("list", infix(ONE, "<<", Local(face)), (face,), every, wanted)
            view = View(slot, Tuple((Const(sides), call("sum", bits), ONE, TRUE, FALSE, TRUE)), True)
        counted = t.Op("count", (replace(some, items=dice),), type=NUMBER)
        self.let(seen, self.term(counted), view=view)
        return seen

    def _assign(self, variable: t.Variable, e: t.Expr, line: LineInfo) -> None:
        self.let(variable, self.term(self.hoist(e, line)))

    def _hoist_logical(self, e: t.Op, line: LineInfo) -> t.Expr:
        if self.emitter.traced and e.name == "and":
            return self._hoist_conjuncts(e, line)
        made = self.temp(e.name, TRUTH)
        self._assign(made, e.args[0], line)
        var = t.Var(made, type=TRUTH)
        if e.name == "and":
            self.branch(var, lambda: self._assign(made, e.args[1], line), lambda: None)
        else:
            self.branch(var, lambda: None, lambda: self._assign(made, e.args[1], line))
        return var

    def _hoist_conjuncts(self, e: t.Op, line: LineInfo) -> t.Expr:
        """In a traced program, store each conjunct in a variable, so that the trace can tell which one failed."""
        found: list[t.Expr] = []
        for part in conjuncts(e):
            made = self.temp("and", TRUTH)
            self.let(made, self.term(t.Lit(False, type=TRUTH)))
            before = len(self.sites)
            if found:
                self.branch(found[-1], lambda m=made, p=part: self._assign(m, p, line), lambda: None)  # type: ignore[misc]
            else:
                self._assign(made, part, line)
            if len(self.sites) == before:
                self.plain[made] = self.hoist(part, line)  # without questions, so it can be evaluated again
            found.append(t.Var(made, type=TRUTH, where=part.where))
        return t.Op("and", tuple(found), type=TRUTH)

    def _sort(self, e: t.Sort, line: LineInfo) -> t.Expr:
        figures = self.hoist(e.figures, line)
        name, count = self.emitter.fresh("i"), self.emitter.fresh("n")
        items = self.term(figures)
        self.emitter.slots[e.variable] = Local(name)
        each = Tuple((Local(name), Local(count), self.term(e.roll)))
        groups = Gather("tuple", each, (name, count), items)
        return self._ask("sort", line, e.type, [groups], passing=e.passing, note=e.roll)

    def _chooser(self, who: t.Expr) -> Term:
        """The term of the chooser and the thing for which it chooses: the side of a unit, and the unit."""
        return Tuple((self.term(who), self.term(chosen_for(who))))

    def _choose(self, e: t.Choose, line: LineInfo) -> t.Expr:
        low, high = self.hoist(e.low, line), self.hoist(e.high, line)
        items = self.hoist(e.items, line) if e.items is not None else None
        kind = e.items.type.name if e.items is not None else "number"
        who, least, most = self._chooser(e.who), self.count(low), self.count(high)
        of = self.term(items) if items is not None else NONE
        amount = self.count(e.amount) if e.amount is not None else NONE
        rank: Term = NONE
        if e.order:
            name = self.emitter.member(e.variable)
            rank = Lambda((name,), Tuple(tuple([Not(self.term(preference)) for preference in e.order])))
        asked = Tuple((Const(kind), Const(e.one), who, least, most, of, rank, Const(e.most), amount))
        return self._ask("choose", line, e.type, [asked], note=e)

    def _call(self, e: t.Call, line: LineInfo) -> t.Expr:
        args = [self.hoist(a, line) for a in e.args]
        record = Type("record", e.procedure)
        made = e.kept or self.temp("record", record)
        unsure = tuple(
            i for i, a in enumerate(args) if a.type.name in ("thing", "figure") and not self.emitter.is_sure(a)
        )
        asks = [self.term(a) for a in args]
        loan = self.loan(e)
        self.items += loan.before if loan is not None else []
        self.site("call", line, made, asks, callee=e.procedure, snapshot=self.snapshot, unsure=unsure)
        self.items += loan.after if loan is not None else []
        if self.snapshot >= 0 and self.emitter.makes(e.procedure):
            self.see_made()
        var = t.Var(made, type=record)
        if e.procedure.table is None:
            return var
        return t.Field(var, e.procedure, "row", type=e.type)


def _is_dice_selection(e: t.Expr) -> bool:
    """Whether an expression is a selection of thrown dice, or a variable for one."""
    return (isinstance(e, t.Var) and e.type == FACES) or (isinstance(e, t.Filter) and e.items.type == DICE)


def _has_site(e: Any, more: Callable[[t.RollOf], bool]) -> bool:
    if isinstance(e, t.SITES):
        return True
    match e:
        case t.Op(name="count" | "any-of", args=(some,)) if _is_dice_selection(some):
            return True
        case t.Op(name="meeting" | "missing", args=(_, t.RollOf() as roll)) if more(roll):
            return True
        case t.Filter() | t.Extreme() | t.Each() | t.Fitting():
            return _has_site(e.items, more)
        case tuple():
            return any(_has_site(part, more) for part in e)
    return isinstance(e, t.Expr) and any(_has_site(getattr(e, name), more) for name in t.holding(type(e)))
