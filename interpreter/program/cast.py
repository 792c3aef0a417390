"""The rules for those who are there: what speaks of sorts of which there is none is settled, and left out.

Enters: the checker of a book, the sorts of things and counted things in a situation. Leaves: a checker of the same
book whose procedures, values and rolls are shorter and mean the same as long as no other sort comes into play. What is
left out need not be read, kept apart or written. Knows nothing of state, and of who is asked what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Kind, Procedure, PureDef, Value
from interpreter.vocabulary.types import TRUTH, Type

_SOMEBODY = ("thing", "figure")
_FALSE = t.Lit(False, type=TRUTH)


def cast_of(checker: ProcedureChecker, root: Procedure, there: Iterable[Kind], *, recalls: bool) -> ProcedureChecker:
    """The rules for these sorts and those that may be made of them on the way from a procedure. `recalls`: somebody
    else may ask for those that have left play.
    """
    sorts = set(there)
    while True:
        mine = Cast(checker, frozenset(sorts))
        done = mine.reached(root)
        made = {step.kind for step in done if isinstance(step, t.New)} - sorts
        if not made:
            mine.recalled = recalls or any(map(_recalls, done))
            return mine
        sorts |= made


def _recalls(part: Any) -> bool:
    match part:
        case t.Bag(gone=gone):
            return bool(gone)
        case t.SetAttr(attribute=attribute, value=value):
            return attribute.out_of_play and not _always(value)
    return False


class Cast(ProcedureChecker):
    """A checker as it was, but for what it says of procedures, values and rolls."""

    def __init__(self, checker: ProcedureChecker, sorts: frozenset[Kind]) -> None:
        self.__dict__.update(checker.__dict__)
        self._whole = checker
        self.recalled = True
        self._some: frozenset[Kind] = frozenset(k for sort in sorts for k in sort.lineage())
        self._procedures: dict[Procedure, t.Checked] = {}
        self._values: dict[PureDef, t.Pure] = {}

    @property
    def whole(self) -> ProcedureChecker:
        return self._whole

    @property
    def recalls(self) -> bool:
        return self.recalled

    def procedure(self, symbol: Procedure) -> t.Checked:
        known = self._procedures.get(symbol)
        if known is None:
            was = self._whole.procedure(symbol)
            known = self._procedures[symbol] = t.Checked(was.params, self._steps(was.steps), was.lines)
        return known

    def pure(self, symbol: PureDef) -> t.Pure:
        known = self._values.get(symbol)
        if known is None:
            was = self._whole.pure(symbol)
            changes = [self._change(c) for c in was.changes]
            known = replace(was, changes=tuple([c for c in changes if not _never(c.condition)]))
            self._values[symbol] = known
        return known

    def reached(self, root: Procedure) -> list[Any]:
        """All that is done and said in a procedure and those that it calls."""
        todo, found = [root], list[Any]()
        for procedure in todo:
            for part in t.parts(self.procedure(procedure).steps):
                found.append(part)
                if isinstance(part, t.Call) and part.procedure not in todo:
                    todo.append(part.procedure)
        return found

    def _change(self, c: t.Change) -> t.Change:
        amount, per, condition = [self.settled(e) if e is not None else None for e in (c.amount, c.per, c.condition)]
        return replace(c, amount=amount, per=per, condition=None if _always(condition) else condition)

    # ---- steps
    def _steps(self, steps: tuple[t.Step, ...]) -> tuple[t.Step, ...]:
        return tuple([kept for step in steps for kept in self._step(step)])

    def _step(self, step: t.Step) -> tuple[t.Step, ...]:
        if isinstance(step, t.If):
            condition = self.settled(step.condition)
            if isinstance(condition, t.Lit):
                return self._steps(step.then if condition.value else step.other)
            return (replace(step, condition=condition, then=self._steps(step.then), other=self._steps(step.other)),)
        made = self._parts(step)
        match made:
            case t.ForEach(items=t.Lit(value=())):
                return ()
            case t.SetAttr(of=of) | t.AddAttr(of=of):
                if _nobody(of) or step.attribute.kind not in self._some:  # type: ignore[attr-defined]
                    return ()
            case t.Rehome(figures=of) | t.Leave(thing=of):
                if _nobody(of):
                    return ()
        return (made,)

    def _parts(self, node: Any) -> Any:
        """A node with its parts settled."""
        changed = {}
        for name in t.children(type(node)):
            was = getattr(node, name)
            now = self._part(was)
            if now is not was:
                changed[name] = now
        return replace(node, **changed) if changed else node

    def _part(self, part: Any) -> Any:
        if isinstance(part, t.Expr):
            return self.settled(part)
        if isinstance(part, tuple) and part:
            if isinstance(part[0], t.Step):
                return self._steps(part)
            now = tuple([self._part(p) for p in part])
            return now if any(a is not b for a, b in zip(now, part, strict=True)) else part
        return part

    # ---- expressions
    def settled(self, e: t.Expr) -> t.Expr:
        """An expression with what is certain in it worked out."""
        made = self._parts(e)
        match made:
            case t.IsKind(kind=kind) if kind not in self._some:
                return _FALSE
            case t.All(kind=kind) | t.Bag(kind=kind) if kind not in self._some:
                return _nothing(e.type)
            case t.Attr(of=of, attribute=attribute):
                if _nobody(of) or attribute.kind not in self._some or self._unknown(e.type):
                    return _nothing(e.type)
            case t.Holder(of=of) if _nobody(of):
                return _nothing(e.type)
            case t.Field(record=t.Lit(value=None)):
                return _nothing(e.type)
            case t.IfElse(condition=t.Lit(value=holds), value=value, other=other):
                return value if holds else other  # type: ignore[no-any-return]
            case t.Filter(items=t.Lit(value=())) | t.Extreme(items=t.Lit(value=())) | t.Each(items=t.Lit(value=())):
                return _nothing(e.type)
            case t.Filter(items=items, condition=t.Lit(value=holds)) if not _asks(items):
                return items if holds else _nothing(e.type)  # type: ignore[no-any-return]
            case t.CallValue(value=symbol, args=args):
                return self._value_of(made, symbol, args)
            case t.Call(procedure=procedure, args=args) if self._misses(procedure.params, args):
                return _nothing(e.type)
            case t.Op(name=name, args=args) if name in _SETTLED:
                return _SETTLED[name](made, args)
        return made  # type: ignore[no-any-return]

    def _unknown(self, type_: Type) -> bool:
        """Whether it could only be somebody of a sort that nobody is of."""
        return type_.name in ("thing", "things") and isinstance(type_.of, Kind) and type_.of not in self._some

    def _misses(self, params: Any, args: tuple[t.Expr, ...]) -> bool:
        """Whether something is asked of nobody: then it is not done, and worth nothing."""
        return any(
            a.type.name in _SOMEBODY and (_nobody(a) or (isinstance(p.type.of, Kind) and p.type.of not in self._some))
            for a, p in zip(args, params, strict=True)
        )

    def _value_of(self, e: t.CallValue, symbol: Value, args: tuple[t.Expr, ...]) -> t.Expr:
        if any(_asks(a) for a in args):
            return e
        pure = self.pure(symbol)
        if self._misses(pure.params, args):
            return _nothing(e.type)
        only = pure.changes[0] if len(pure.changes) == 1 else None
        if not pure.changes:
            return _nothing(e.type) if pure.type == e.type else e
        if only is not None and only.what == "set" and only.condition is None and isinstance(only.amount, t.Lit):
            return replace(only.amount, type=e.type) if only.amount.type == e.type else e
        return e


def _nothing(type_: Type) -> t.Expr:
    return t.Lit(absent(type_), type=type_)


def _nobody(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and e.type.name in (*_SOMEBODY, "things", "figures") and e.value in (-1, None, ())


def _never(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and not e.value


def _always(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and bool(e.value)


def _asks(e: t.Expr) -> bool:
    return any(isinstance(part, t.SITES) for part in t.parts(e))


# ---- operations of which something is certain
Args = tuple[t.Expr, ...]


def _and(e: t.Expr, args: Args) -> t.Expr:
    left, right = args
    if _never(left) or _always(right):
        return left
    if _always(left):
        return right
    return right if _never(right) and not _asks(left) else e


def _or(e: t.Expr, args: Args) -> t.Expr:
    left, right = args
    if _always(left) or _never(right):
        return left
    if _never(left):
        return right
    return right if _always(right) and not _asks(left) else e


def _not(e: t.Expr, args: Args) -> t.Expr:
    return t.Lit(not args[0].value, type=TRUTH) if isinstance(args[0], t.Lit) else e


def _any(e: t.Expr, args: Args) -> t.Expr:
    return _FALSE if isinstance(args[0], t.Lit) and args[0].value in ((), None) else e


def _absent(e: t.Expr, args: Args) -> t.Expr:
    return t.Lit(True, type=TRUTH) if _nobody(args[0]) else e


def _every(e: t.Expr, args: Args) -> t.Expr:
    """That all are something is not true of nobody."""
    if isinstance(args[0], t.Lit):
        return _FALSE
    return e if isinstance(args[0], t.Filter) else t.Op("any-of", args, type=TRUTH, where=e.where)


def _count(e: t.Expr, args: Args) -> t.Expr:
    return t.Lit(0, type=e.type) if isinstance(args[0], t.Lit) and args[0].value == () else e


def _in(e: t.Expr, args: Args) -> t.Expr:
    return _FALSE if isinstance(args[1], t.Lit) and args[1].value == () and not _asks(args[0]) else e


def _join(e: t.Expr, args: Args) -> t.Expr:
    if e.type.name not in ("things", "figures"):
        return e
    if _nobody(args[1]) and args[0].type == e.type:
        return args[0]
    return args[1] if _nobody(args[0]) and args[1].type == e.type else e


def _without(e: t.Expr, args: Args) -> t.Expr:
    return args[0] if e.type.name in ("things", "figures") and _nobody(args[1]) and args[0].type == e.type else e


def _only(e: t.Expr, args: Args) -> t.Expr:
    return _nothing(e.type) if _nobody(args[0]) else e


_SETTLED: dict[str, Callable[[t.Expr, Args], t.Expr]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "any-of": _any,
    "some": _any,
    "absent": _absent,
    "every": _every,
    "count": _count,
    "in": _in,
    "join": _join,
    "without": _without,
    "only": _only,
}
