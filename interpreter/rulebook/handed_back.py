"""Checks figures that a call returns within a `together` block.

Such figures have the attributes with which the call left them, while other statements of the block read the snapshot
from its beginning. Input: checked procedures. Output: a problem (P034) where the block reads an attribute of such
figures that the call may have changed. Counting them and effects on them are correct, as is all that reads them after
the block.
"""

from __future__ import annotations

from interpreter.source.values import Record, field

from . import typed as t
from .procedures import Checker
from .symbols import Attribute, Procedure

_OPAQUE = (t.CallValue, t.RollOf, t.FactOf)
_COMPARED = ("join", "without", "in", "every")


class HandedBack(Record):
    """Checks the `together` blocks of a book (P034), and memoizes what each procedure may change."""

    checker: Checker
    _changed: dict[Procedure, set[Attribute]] = field(default_factory=dict)

    def check_book(self) -> None:
        for procedure in self.checker.book.procedures.values():
            for block in self.checker.procedure(procedure).inside[t.Together]:
                _Block(self, block.body).check()

    def changed(self, procedure: Procedure) -> set[Attribute]:
        """Return the attributes of figures that a procedure may change, itself or through calls."""
        if procedure not in self._changed:
            self._changed[procedure] = found = set[Attribute]()
            inner, todo = {procedure}, [procedure]
            while todo:
                inside = self.checker.procedure(todo.pop()).inside
                steps = (*inside[t.SetAttr], *inside[t.AddAttr])
                found |= {step.attribute for step in steps if step.attribute.kind.root.counted}
                called = {call.procedure for call in inside[t.Call]} - inner
                inner |= called
                todo += called
        return self._changed[procedure]


class _Block:
    def __init__(self, known: HandedBack, body: tuple[t.Step, ...]) -> None:
        self.known, self.parts = known, t.parts(body)
        self.inside = t.by_class(body)
        self.calls: dict[t.Variable, set[Procedure]] = {}  # variable of a record, or of its figures → the procedures
        self._find_names()

    def _find_names(self) -> None:
        """Fill `calls` with the variables that hold call results, propagated through assignments to a fixed point."""
        before = -1
        while before != (before := sum(map(len, self.calls.values()))):
            for step in (*self.inside[t.Assign], *self.inside[t.ForEach], *self.inside[t.Accumulate]):
                match step:
                    case t.Assign(variable=variable, value=t.Call(procedure=callee)):
                        found = {callee}
                    case t.Assign(variable=variable, value=value) | t.ForEach(variable=variable, items=value):
                        found = self._callees(value)
                    case t.Accumulate(total=variable, value=value):
                        found = self.calls.get(value, set())
                if found:
                    self.calls.setdefault(variable, set()).update(found)

    def _callees(self, e: t.Expr) -> set[Procedure]:
        """The procedures called in the block that figures, or a record, may come from."""
        match e:
            case t.Var(variable=variable):
                return self.calls.get(variable, set())
            case t.Field(record=record):
                return self._callees(record)
            case t.Filter(items=items) | t.Extreme(items=items) | t.Fitting(items=items) | t.Lots(items=items):
                return self._callees(items)
            case t.Sort(figures=items) | t.Choose(items=t.Expr() as items):
                return self._callees(items)
            case t.Op(name="join" | "without" | "only" | "first-of-figures", args=args):
                return {p for a in args for p in self._callees(a)}
            case t.IfElse(value=value, other=other):
                return self._callees(value) | self._callees(other)
        return set()

    def _changed(self, e: t.Expr) -> set[Attribute]:
        if e.type.name not in ("figure", "figures"):
            return set()
        kind = e.type.of.root
        return {a for p in self._callees(e) for a in self.known.changed(p) if a.kind.root is kind}

    def check(self) -> None:
        for part in self.parts:
            match part:
                case (
                    t.Filter(items=items, variable=one, condition=asked)
                    | t.Extreme(items=items, variable=one, value=asked)
                ):
                    self._check_inner(items, one, asked)
                case t.Each(items=items, variable=one, value=asked) | t.Sort(figures=items, variable=one, roll=asked):
                    self._check_inner(items, one, asked)
                case t.Choose(items=t.Expr() as items, variable=one, order=order):
                    self._check_inner(items, one, order)
                case t.Attr(of=of, attribute=attribute) if attribute in self._changed(of):
                    self._report(of, attribute)
                case t.Op(name=name, args=args) if name in _COMPARED:
                    self._check_whole(args)
                case t.Call(args=args) | t.CallValue(args=args) | t.RollOf(args=args) | t.FactOf(args=args):
                    self._check_whole(args)

    def _check_whole(self, args: tuple[t.Expr, ...]) -> None:
        """Check whole figures as operands or arguments: all their attributes count as read."""
        for arg in args:
            if changed := self._changed(arg):
                self._report(arg, min(changed, key=lambda a: a.place))

    def _check_inner(self, items: t.Expr, one: t.Variable, asked: object) -> None:
        changed = self._changed(items)
        for part in t.parts(asked) if changed else ():
            if isinstance(part, t.Attr) and part.attribute in changed and _is(part.of, one):
                return self._report(items, part.attribute)
            if isinstance(part, _OPAQUE) and any(_is(a, one) for a in part.args):
                return self._report(items, min(changed, key=lambda a: a.place))
        return None

    def _report(self, of: t.Expr, attribute: Attribute) -> None:
        if of.where is None:
            return
        text = of.where.text
        problems = self.known.checker.problems
        hint = f"say it behind the block, where `{text}` are as all of it has left them"
        problems.add("P034", of.where.span, said=text, changed=attribute.name, hint=hint)


def _is(e: t.Expr, variable: t.Variable) -> bool:
    return isinstance(e, t.Var) and e.variable is variable
