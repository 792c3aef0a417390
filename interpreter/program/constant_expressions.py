"""Constant folding of typed expressions for one situation.

Takes the sorts of things that are there and the attributes whose values stay as they are. Gives shorter expressions
of the same meaning, and the attributes on which that rests. Steps are folded in `specializer.py`.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent, of_nobody
from interpreter.rulebook.symbols import Attribute, Kind, PureDef
from interpreter.source.values import replace
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import Type

from .constant_operations import PLAIN, SOMEBODY, always, asks, cell, never, nobody, nothing, settled, truth

FEW = 4  # different things that an attribute may be, for what hangs on it to be worked out beforehand
MANY = 16  # combinations of what an expression's parts can be worth
Stays = dict[Attribute, frozenset[Any]]  # what it is, of everybody


def few(attribute: Attribute, values: frozenset[Any]) -> bool:
    """Whether so much may be known of an attribute: that it is one thing, or one of few that are looked up or compared;
    of who is whose, that it is nobody.
    """
    if attribute.type.name in ("thing", "things"):
        return values == {absent(attribute.type)}
    return len(values) == 1 or (1 < len(values) <= FEW and attribute.type.name in PLAIN)


class ConstantExpressions:
    """Settles expressions by what is there and what stays as it is. `pure`: what values are, settled likewise."""

    def __init__(self, sorts: frozenset[Kind], stays: Stays, pure: Callable[[PureDef], t.Pure]) -> None:
        self.stays = stays
        self.some: frozenset[Kind] = frozenset(k for sort in sorts for k in sort.lineage())
        self.rests: set[Attribute] = set()  # what is in hand takes these to stay as they are
        self.lines: frozenset[t.Variable] = frozenset()  # of the procedure in hand: what its lines name
        self.known: dict[t.Variable, t.Expr] = {}  # and which of them are certain
        self._pure = pure

    def settled(self, e: t.Expr) -> t.Expr:
        """An expression with what is certain in it worked out."""
        if type(e) is t.Lit:
            return e
        if type(e) is t.Var:
            return self.known.get(e.variable, e)
        if type(e) is t.Op and e.name == "every":
            return self._settle_every(e)
        return self._settled(t.rebuilt(e, self.part))

    def part(self, part: Any) -> Any:
        """What stands in a node: an expression, or several."""
        if isinstance(part, t.Expr):
            return self.settled(part)
        if type(part) is tuple and part:
            now = tuple([self.part(p) for p in part])
            return part if all(map(operator.is_, now, part)) else now
        return part

    def _settled(self, e: t.Expr) -> t.Expr:
        """An expression whose operands are settled: a literal where it is certain, else itself or an operand."""
        match e:
            case t.Op():
                made = settled(e)
                return self._alike(made) if type(made) is t.Op and OPERATIONS[made.name].test else made
            case t.Attr(attribute=attribute):
                if nobody(e.of) or attribute.kind not in self.some or self._of_no_sort(e.type):
                    return t.Lit(of_nobody(e.type, attribute.optional), type=e.type)
                return self._alike(e) if attribute in self.stays else e
            case t.Cell():
                return cell(e, e.row.value) if isinstance(e.row, t.Lit) else self._alike(e)
            case t.CallValue():
                return self._settle_value(e)
            case t.IfElse(condition=t.Lit(value=holds)):
                return e.value if holds else e.other
            case t.IsKind() if e.kind not in self.some:
                return t.Lit(False, type=e.type)
            case t.Filter(items=items, condition=condition):
                if _none(items):
                    return nothing(e.type)
                if isinstance(condition, t.Lit) and not asks(items) and items.type == e.type:
                    return items if condition.value else nothing(e.type)
            case t.Choose(items=items) if items is not None and (_none(items) or (never(e.low) and never(e.high))):
                return nothing(e.type)
            case t.Call() if self._misses(e.procedure.params, e.args):
                return nothing(e.type)
            case t.All() | t.Bag() if e.kind not in self.some:
                return nothing(e.type)
            case t.Holder(of=inner) | t.Fitting(items=inner) if nobody(inner):
                return nothing(e.type)
            case t.Extreme(items=inner) | t.Each(items=inner) | t.Sort(figures=inner) if _none(inner):
                return nothing(e.type)
            case t.Field(record=t.Lit(value=None)) | t.Tally(count=t.Lit(value=0)):
                return nothing(e.type)
        return e

    def _settle_every(self, e: t.Op) -> t.Expr:
        """What is asked of all of some: whom it is asked of, and what, are settled apart, for both are wanted. That all
        are something is not true of nobody.
        """
        asked = t.rebuilt(e.args[0], self.part)
        assert isinstance(asked, t.Filter)
        if never(asked.condition) and not asks(asked.items):
            return truth(False)
        if _none(asked.items):
            return truth(False)
        if always(asked.condition):
            return settled(t.Op("any-of", (asked.items,), type=e.type, where=e.where))
        return e if asked is e.args[0] else replace(e, args=(asked,))

    # ---- what it can be worth
    def _alike(self, e: t.Expr) -> t.Expr:
        """What is worth the same for everybody, though not everybody is alike."""
        outer, self.rests = self.rests, set()
        values = self._among(e)
        if values is not None and len(values) == 1:
            e = t.Lit(next(iter(values)), type=e.type, where=e.where)
            outer |= self.rests
        self.rests = outer
        return e

    def _among(self, e: t.Expr) -> frozenset[Any] | None:
        """All that an expression can be worth, if that is little."""
        match e:
            case t.Lit(value=value):
                return frozenset((value,)) if e.type.name in (*PLAIN, "rows") else None
            case t.Attr(attribute=attribute, of=of):
                values = self.stays.get(attribute)
                if values is None or asks(of):
                    return None
                self.rests.add(attribute)
                sure = isinstance(of, t.Var) and of.variable not in self.lines
                return values if sure else values | {of_nobody(e.type, attribute.optional)}
            case t.Cell(row=row):
                rows = self._among(row)
                return None if rows is None else _worth([cell(e, one) for one in rows])
            case t.Op(args=args) if OPERATIONS[e.name].test:
                plain = list[list[t.Expr]]()
                for a in args:
                    if (values := self._among(a)) is None:
                        return None
                    plain.append([t.Lit(value, type=a.type) for value in values])
                if math.prod([len(each) for each in plain]) > MANY:
                    return None
                return _worth([settled(replace(e, args=given)) for given in itertools.product(*plain)])
        return None

    def _of_no_sort(self, type_: Type) -> bool:
        """Whether it could only be somebody of a sort that nobody is of."""
        return type_.name in ("thing", "things") and isinstance(type_.of, Kind) and type_.of not in self.some

    def _misses(self, params: Any, args: tuple[t.Expr, ...]) -> bool:
        """Whether something is asked of nobody: then it is not done, and worth nothing."""
        return any(
            a.type.name in SOMEBODY and (nobody(a) or (isinstance(p.type.of, Kind) and p.type.of not in self.some))
            for a, p in zip(args, params, strict=True)
        )

    def _settle_value(self, e: t.CallValue) -> t.Expr:
        """A value whose lines that may count all say one thing."""
        if any(asks(a) for a in e.args):
            return e
        pure = self._pure(e.value)
        missed = of_nobody(e.type, pure.may_be_none)
        if self._misses(pure.params, e.args):
            return t.Lit(missed, type=e.type)
        if pure.type != e.type:
            return e
        found = absent(pure.type)
        for change in pure.changes:
            known, after = _after(found, change)
            if pure.type.name == "row" and change.what != "set":
                return e
            if not known or (change.condition is not None and after != found):
                return e
            found = after
        sure = all(
            a.type.name not in SOMEBODY or (isinstance(a, t.Var) and a.variable not in self.lines) for a in e.args
        )
        return t.Lit(found, type=e.type) if sure or found == missed else e


def _none(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and e.value == ()


def _after(value: Any, change: t.Change) -> tuple[bool, Any]:
    """What a line of a value makes of it where it counts, if that is certain."""
    amount, per = change.amount, change.per
    if not isinstance(amount, t.Lit) or not (per is None or isinstance(per, t.Lit)):
        return False, None
    if change.what == "set":
        return True, amount.value
    many = amount.value if per is None else per.value and amount.value and amount.value * per.value
    if not all(type(x) in (int, Fraction) for x in (value, many)) or amount.type.name not in (
        "number",
        "inches",
        "target",
    ):
        return False, None
    match change.what:
        case "add":
            return True, value + change.sign * many
        case "least":
            return per is None, max(value, many)
        case "most":
            return per is None, min(value, many)
    return False, None


def _worth(found: list[t.Expr]) -> frozenset[Any] | None:
    values = [e.value for e in found if isinstance(e, t.Lit)]
    return frozenset(values) if len(values) == len(found) else None
