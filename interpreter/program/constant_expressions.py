"""Constant folding of typed expressions for one situation.

Takes the kinds of the things that exist, and the attributes that never change. Returns simpler equivalent expressions,
and the attributes on which the simplification depends. `fold_operation` takes a typed operation with folded operands,
and returns a literal, one of its operands, or the operation itself; the result must equal what `operation_lowering.py`
computes. Steps are folded in `specializer.py`.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent, value_of_absent
from interpreter.rulebook.symbols import Attribute, Kind, PureDef
from interpreter.source.values import replace
from interpreter.vocabulary.functions import Refused
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import TRUTH, Type

Args = tuple[t.Expr, ...]
SOMEBODY = ("thing", "figure")
PLAIN = ("number", "inches", "target", "truth", "row")


def truth(holds: bool) -> t.Expr:
    """Return a boolean literal."""
    return t.Lit(holds, type=TRUTH)


def nothing(type_: Type) -> t.Expr:
    """Return the literal null value of a type."""
    return t.Lit(absent(type_), type=type_)


def nobody(e: t.Expr) -> bool:
    """Return whether an expression is a literal of no thing, of no figure, or of an empty collection of them."""
    return isinstance(e, t.Lit) and e.type.name in (*SOMEBODY, "things", "figures") and e.value in (-1, None, ())


def never(e: t.Expr | None) -> bool:
    """Return whether an expression is a literal that is false, 0, none or empty; False for None."""
    return isinstance(e, t.Lit) and not e.value


def always(e: t.Expr | None) -> bool:
    """Return whether an expression is a literal with any other value, such as true; False for None."""
    return isinstance(e, t.Lit) and bool(e.value)


def has_site(e: t.Expr) -> bool:
    """Return whether an expression contains a die, a choice or a call, which must not be folded away."""
    return any(isinstance(part, t.SITES) for part in t.parts(e))


def fold_operation(e: t.Op) -> t.Expr:
    """Return the folded operation."""
    args = e.args
    if all(isinstance(a, t.Lit) and a.type.name in PLAIN for a in args):
        return _evaluate(e, [a.value for a in args if isinstance(a, t.Lit)])
    return _simplify(e)


def _evaluate(e: t.Op, values: list[Any]) -> t.Expr:
    row = OPERATIONS[e.name]
    if e.name in ("and", "or", "not"):
        return _simplify(e)
    if e.name == "absent" and e.args[0].type.name != "truth":
        return truth(values[0] is None if e.args[0].type.name != "row" else values[0] in (None, -1))
    if row.compares and row.evaluate is not None:
        nothing_to_compare = None in values or _no_row(e.args, values)
        return truth(not nothing_to_compare and bool(row.evaluate(*values)))
    if row.numbers and row.evaluate is not None and all(type(v) in (int, Fraction) for v in values):
        try:
            return t.Lit(row.evaluate(*values), type=e.type, where=e.where)
        except Refused:  # beyond the limits of numbers: an error only if the line is reached
            return e
    return e


def _no_row(args: Args, values: list[Any]) -> bool:
    """Whether a row is compared with an absent row, which makes every comparison false."""
    return args[0].type.name == "row" and any(value in (None, -1) for value in values)


def cell(e: t.Cell, row: int) -> t.Expr:
    """Return the cell of a row as a literal; the null value if the row is absent."""
    if e.type.name not in PLAIN:
        return e
    empty: Any = False if e.type.name == "truth" else -1 if e.type.name == "row" else None
    rows = list(e.table.rows.values())
    value = rows[row].cells.get(e.column.name, empty) if 0 <= row < len(rows) else empty
    value = value.chosen if hasattr(value, "chosen") else value
    value = empty if value is None else value
    return t.Lit(value, type=e.type) if value is None or isinstance(value, int | Fraction) else e


def _simplify(e: t.Op) -> t.Expr:
    """The operand or literal that an operation with some literal operands always equals; else the operation itself."""
    args, first = e.args, e.args[0]
    match e.name:
        case "and":
            if never(first) or always(args[1]):
                return first
            return args[1] if always(first) or (never(args[1]) and not has_site(first)) else e
        case "or":
            if always(first) or never(args[1]):
                return first
            return args[1] if never(first) or (always(args[1]) and not has_site(first)) else e
        case "not" if isinstance(first, t.Lit):
            return truth(not first.value)
        case "any-of" | "some" if isinstance(first, t.Lit) and first.value in ((), None):
            return truth(False)
        case "absent" if nobody(first):
            return truth(True)
        case "count" | "sum-of-list" if isinstance(first, t.Lit) and first.value == ():
            return t.Lit(0, type=e.type)
        case "in" if isinstance(several := args[1], t.Lit):
            if isinstance(first, t.Lit) and first.type.name == "row":
                return truth(first.value in several.value)
            return truth(False) if several.value == () and not has_site(first) else e
        case "join" | "without" if e.type.name in ("things", "figures"):
            if nobody(args[1]) and first.type == e.type:
                return first
            return args[1] if e.name == "join" and nobody(first) and args[1].type == e.type else e
        case "only" if nobody(first):
            return nothing(e.type)
        case name if OPERATIONS[name].infix == "==" and first.type.name == "thing" and any(map(nobody, args)):
            return e if any(map(has_site, args)) else truth(False)  # a comparison with an absent thing is false
    return e


FEW = 4  # at most this many values of an attribute are enumerated
MANY = 16  # at most this many combinations of operand values are enumerated
Stays = dict[Attribute, frozenset[Any]]  # constant attribute → its values over all things


def few(attribute: Attribute, values: frozenset[Any]) -> bool:
    """Return whether the possible values of an attribute are few enough to fold: one value, or a few plain ones.

    Of an attribute that refers to things, only the absent value can be folded.
    """
    if attribute.type.name in ("thing", "things"):
        return values == {absent(attribute.type)}
    return len(values) == 1 or (1 < len(values) <= FEW and attribute.type.name in PLAIN)


class ConstantExpressions:
    """Folds expressions by the kinds that exist and the constant attributes; `pure` returns folded values."""

    def __init__(self, sorts: frozenset[Kind], stays: Stays, pure: Callable[[PureDef], t.Pure]) -> None:
        self.stays = stays
        self.some: frozenset[Kind] = frozenset(k for sort in sorts for k in sort.lineage())
        self.assumed: set[Attribute] = set()  # attributes whose constancy the current result depends on
        self.lines: frozenset[t.Variable] = frozenset()  # the variables of the current procedure's lines
        self.known: dict[t.Variable, t.Expr] = {}  # variables with a constant value
        self._pure = pure

    def fold(self, e: t.Expr) -> t.Expr:
        """Return the folded expression."""
        if type(e) is t.Lit:
            return e
        if type(e) is t.Var:
            return self.known.get(e.variable, e)
        if type(e) is t.Op and e.name == "every":
            return self._fold_every(e)
        return self._fold_node(t.rebuilt(e, self.fold_field))

    def fold_field(self, part: Any) -> Any:
        """Return a field of a node folded: an expression, or a tuple of them."""
        if isinstance(part, t.Expr):
            return self.fold(part)
        if type(part) is tuple and part:
            now = tuple([self.fold_field(p) for p in part])
            return part if all(map(operator.is_, now, part)) else now
        return part

    def _fold_node(self, e: t.Expr) -> t.Expr:
        """An expression with folded operands: a literal if it is constant, else itself or one of its operands."""
        match e:
            case t.Op():
                made = fold_operation(e)
                return self._fold_uniform(made) if type(made) is t.Op and OPERATIONS[made.name].test else made
            case t.Attr(attribute=attribute):
                if nobody(e.of) or attribute.kind not in self.some or self._is_of_missing_kind(e.type):
                    return t.Lit(value_of_absent(e.type, attribute.optional), type=e.type)
                return self._fold_uniform(e) if attribute in self.stays else e
            case t.Cell():
                return cell(e, e.row.value) if isinstance(e.row, t.Lit) else self._fold_uniform(e)
            case t.CallValue():
                return self._fold_value(e)
            case t.IfElse(condition=t.Lit(value=holds)):
                return e.value if holds else e.other
            case t.IsKind() if e.kind not in self.some:
                return t.Lit(False, type=e.type)
            case t.Filter(items=items, condition=condition):
                if _is_empty(items):
                    return nothing(e.type)
                if isinstance(condition, t.Lit) and not has_site(items) and items.type == e.type:
                    return items if condition.value else nothing(e.type)
            case t.Choose(items=items) if items is not None and (_is_empty(items) or (never(e.low) and never(e.high))):
                return nothing(e.type)
            case t.Call() if self._has_absent_argument(e.procedure.params, e.args):
                return nothing(e.type)
            case t.All() | t.Bag() if e.kind not in self.some:
                return nothing(e.type)
            case t.Holder(of=inner) | t.Fitting(items=inner) if nobody(inner):
                return nothing(e.type)
            case t.Extreme(items=inner) | t.Each(items=inner) | t.Sort(figures=inner) if _is_empty(inner):
                return nothing(e.type)
            case t.Field(record=t.Lit(value=None)) | t.Tally(count=t.Lit(value=0)):
                return nothing(e.type)
        return e

    def _fold_every(self, e: t.Op) -> t.Expr:
        """Fold `every`: its items and its condition separately, because both must hold; it is false without items."""
        asked = t.rebuilt(e.args[0], self.fold_field)
        assert isinstance(asked, t.Filter)
        if never(asked.condition) and not has_site(asked.items):
            return truth(False)
        if _is_empty(asked.items):
            return truth(False)
        if always(asked.condition):
            return fold_operation(t.Op("any-of", (asked.items,), type=e.type, where=e.where))
        return e if asked is e.args[0] else replace(e, args=(asked,))

    # ---- possible values
    def _fold_uniform(self, e: t.Expr) -> t.Expr:
        """A literal if the expression has the same value for all things, although their attributes may differ."""
        outer, self.assumed = self.assumed, set()
        values = self._possible_values(e)
        if values is not None and len(values) == 1:
            e = t.Lit(next(iter(values)), type=e.type, where=e.where)
            outer |= self.assumed
        self.assumed = outer
        return e

    def _possible_values(self, e: t.Expr) -> frozenset[Any] | None:
        """The possible values of an expression; None if they are unknown or too many."""
        match e:
            case t.Lit(value=value):
                return frozenset((value,)) if e.type.name in (*PLAIN, "rows") else None
            case t.Attr(attribute=attribute, of=of):
                values = self.stays.get(attribute)
                if values is None or has_site(of):
                    return None
                self.assumed.add(attribute)
                sure = isinstance(of, t.Var) and of.variable not in self.lines
                return values if sure else values | {value_of_absent(e.type, attribute.optional)}
            case t.Cell(row=row):
                rows = self._possible_values(row)
                return None if rows is None else _literal_values([cell(e, one) for one in rows])
            case t.Op(args=args) if OPERATIONS[e.name].test:
                plain = list[list[t.Expr]]()
                for a in args:
                    if (values := self._possible_values(a)) is None:
                        return None
                    plain.append([t.Lit(value, type=a.type) for value in values])
                if math.prod([len(each) for each in plain]) > MANY:
                    return None
                return _literal_values([fold_operation(replace(e, args=given)) for given in itertools.product(*plain)])
        return None

    def _is_of_missing_kind(self, type_: Type) -> bool:
        """Whether the type is of things of a kind that does not exist."""
        return type_.name in ("thing", "things") and isinstance(type_.of, Kind) and type_.of not in self.some

    def _has_absent_argument(self, params: Any, args: tuple[t.Expr, ...]) -> bool:
        """Whether an argument is certainly absent, so that the call does nothing and has the null value."""
        return any(
            a.type.name in SOMEBODY and (nobody(a) or (isinstance(p.type.of, Kind) and p.type.of not in self.some))
            for a, p in zip(args, params, strict=True)
        )

    def _fold_value(self, e: t.CallValue) -> t.Expr:
        """Fold a value all of whose applicable changes give the same constant."""
        if any(has_site(a) for a in e.args):
            return e
        pure = self._pure(e.value)
        missed = value_of_absent(e.type, pure.may_be_none)
        if self._has_absent_argument(pure.params, e.args):
            return t.Lit(missed, type=e.type)
        if pure.type != e.type:
            return e
        found = absent(pure.type)
        for change in pure.changes:
            known, after = _apply_change(found, change)
            if pure.type.name == "row" and change.what != "set":
                return e
            if not known or (change.condition is not None and after != found):
                return e
            found = after
        sure = all(
            a.type.name not in SOMEBODY or (isinstance(a, t.Var) and a.variable not in self.lines) for a in e.args
        )
        return t.Lit(found, type=e.type) if sure or found == missed else e


def _is_empty(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and e.value == ()


def _apply_change(value: Any, change: t.Change) -> tuple[bool, Any]:
    """Whether the result of a change is constant, and the result if the change applies."""
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


def _literal_values(found: list[t.Expr]) -> frozenset[Any] | None:
    values = [e.value for e in found if isinstance(e, t.Lit)]
    return frozenset(values) if len(values) == len(found) else None
