"""Lowering of operations to terms: the only place that defines how an operation is computed.

Takes a typed operation, and an `Expressions` that lowers its operands; returns a term. In a union or a difference of
figures no figure counts twice. Equal figures are only counted, so how many of them two expressions share is derived:
one is a subset of the other, both are whole groups of the same collection, or they are disjoint. Otherwise the smallest
possible overlap is assumed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import NUMERIC, absent
from interpreter.rulebook.symbols import Kind
from interpreter.source.values import names
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import Type

from .figure_names import Name, Names
from .terms import (
    FALSE,
    NOBODY,
    NONE,
    ZERO,
    And,
    Call,
    Const,
    Gather,
    IfElse,
    Infix,
    Local,
    Minus,
    Not,
    Or,
    SetOf,
    Spread,
    Term,
    Tuple,
    call,
    const,
    infix,
    is_none,
    is_some,
    or_zero,
)

if TYPE_CHECKING:
    from .interfaces import Expressions

PAIRS = ("figures", "list")  # collections encoded as pairs of a member and its count


def operation(emitter: Expressions, e: t.Op) -> Term:
    """Return the term of an operation, by its name and the types of its operands. In arithmetic a missing number counts
    as 0; a comparison with an absent operand does not hold. Otherwise the function of the operation's row is called.
    """
    name, args, row = e.name, e.args, OPERATIONS[e.name]
    if row.numbers and not row.compares:
        numbers = [emitter.number(a) for a in args]
        # Only products of computed numbers can exceed the limits of numbers: `times` checks that.
        if row.infix and (name != "times" or any(isinstance(a, t.Lit) for a in args)):
            return infix(numbers[0], row.infix, numbers[1])
        return call(row.function, *numbers)
    if row.compares and args[0].type.name == "row":
        return _row_comparison(emitter, row.infix, args)
    if row.compares and row.numbers:
        return _comparison(emitter, row.infix, args)
    if name == "and" and any(isinstance(a, t.Lit) and a.value is True for a in args):
        return emitter.expr(args[1] if isinstance(args[0], t.Lit) and args[0].value is True else args[0])
    if name in ("and", "or"):
        both = emitter.expr(args[0]), emitter.expr(args[1])
        return And(both) if name == "and" else Or(both)
    if row.compares and args[0].type.name in NUMERIC and all(map(emitter.may_be_missing, args)):
        return _comparison(emitter, row.infix, args)
    if row.compares and args[0].type.name == "thing":
        return _of_things(emitter, row.infix, args)
    if row.compares:
        return infix(emitter.expr(args[0]), row.infix, emitter.expr(args[1]))
    if name == "every":
        return _every(emitter, args[0])
    if name == "join" and e.type.name == "figures":
        return union(emitter, e)
    if name == "without" and e.type.name == "figures":
        return difference(emitter, e)
    if name == "count" and args[0].type.name == "figures" and isinstance(args[0], t.Filter):
        return _filtered_count(emitter, args[0])
    if name in ("row-up", "row-down"):
        start, by = emitter.expr(args[0]), emitter.number(args[1])
        return call("row_moved", start, by if name == "row-up" else Minus(by), Const(len(args[0].type.of.rows) - 1))
    parts = [emitter.expr(a) for a in args]
    match name:
        case "holders":
            return call("holders", parts[0] if args[0].type.name == "figures" else call("only_figure", parts[0]))
        case "portion":
            return call("portion", *parts)
        case "other-portions":
            return call("other_portions", *parts)
        case "and-portion":
            return Tuple((Spread(parts[0]), Tuple((parts[1], parts[2]))))
        case "whole-part" | "remainder":
            worked_out = infix(parts[0], "//" if name == "whole-part" else "%", parts[1])
            return IfElse(parts[1], worked_out, ZERO)
        case "not":
            return Not(parts[0])
        case "count":
            return call("size" if args[0].type.name == "figures" else "len", parts[0])
        case "faces":
            return parts[0]
        case "any-of" if args[0].type.name == "list":
            return call("bool", call("given_of", parts[0], nothing_in(args[0].type.of)))
        case "any-of" | "some":
            return call("bool", parts[0])
        case "absent":
            if args[0].type.name in ("number", "inches", "target"):
                return is_none(parts[0])
            return infix(parts[0], "in", Const((None, -1))) if args[0].type.name != "truth" else Not(parts[0])
        case "in" if args[1].type.name == "list":
            return call("in_list", parts[0], parts[1], nothing_in(args[1].type.of))
        case "in":
            return infix(parts[0], "in", parts[1])
        case "dice-count" | "dice-sides" | "dice-plus":
            return call("dice_part", parts[0], Const(("dice-count", "dice-sides", "dice-plus").index(name)))
        case "only":
            return call("only_figure" if args[0].type.name == "figure" else "only_one", parts[0])
        case "join":
            if e.type.name == "faces":
                return call("tuple", call("sorted", infix(parts[0], "+", parts[1])))
            if isinstance(args[1], t.Op) and args[1].name == "only":
                return call("with_one", parts[0], emitter.expr(args[1].args[0]))
            return together(*parts)
        case "without":
            if e.type.name == "faces":
                return call("without_faces", *parts)
            return left_of(*parts)
        case "meeting":
            return call("met", *parts)
        case "missing":
            return infix(call("len", parts[0]), "-", call("met", *parts))
        case "min-of-rows" | "max-of-rows":
            return Call(name[:3], (parts[0],), default=NOBODY)
        case "min-of-list" | "max-of-list":
            given = call("given_of", parts[0], nothing_in(e.type))
            least = NOBODY if e.type.name == "row" else ZERO
            return Call(name[:3], (Gather("list", Local("x"), ("x", "n"), given),), default=least)
        case "sum-of-list":
            each = infix(or_zero(Local("x")), "*", Local("n"))
            return call("sum", Gather("list", each, ("x", "n"), parts[0]))
        case "first-of-things" | "first-of-rows":
            return call("next", call("iter", parts[0]), NOBODY)
        case "options":
            numbered = call("enumerate", Tuple(tuple(parts)))
            return Gather("tuple", Local("i"), ("i", "ok"), numbered, Local("ok"))
    return call(row.function, *parts)


def nothing_in(type_: Type) -> Term:
    """Return the null value of a list's items."""
    return Const(absent(type_)) if type_.name in ("row", "thing", "truth") else NONE


def _every(emitter: Expressions, some: t.Expr) -> Term:
    """Whether the items are not empty and a condition holds for each."""
    assert isinstance(some, t.Filter)
    face = emitter.member(some.variable)
    names = (face, emitter.fresh("n")) if some.type.name in PAIRS else (face,)
    before = emitter.weight
    condition = emitter.expr(some.condition)
    emitter.each(before)
    items = emitter.expr(some.items)
    if some.type.name == "list":
        items = call("given_of", items, nothing_in(some.type.of))
    return call("every", Gather("list", condition, names, items))


def _row_comparison(emitter: Expressions, op: str, args: tuple[t.Expr, ...]) -> Term:
    """A comparison of rows, False if either is absent (-1)."""
    left, right = (emitter.expr(a) for a in args)
    if any(isinstance(a, t.Lit) and a.value == -1 for a in args):
        return FALSE
    if op in ("<", "<="):
        return infix(left, op, right) if _is_row(args[0]) else Infix(("<", op), (NOBODY, left, right))
    sure = any(map(_is_row, args)) if op == "==" else _is_row(args[1])
    return infix(left, op, right) if sure else Infix((op, ">"), (left, right, NOBODY))


def _of_things(emitter: Expressions, op: str, args: tuple[t.Expr, ...]) -> Term:
    """A comparison of things, False if either is absent (-1)."""
    left, right = (emitter.expr(a) for a in args)
    return infix(left, op, right) if any(map(emitter.is_sure, args)) else Infix((op, ">"), (left, right, NOBODY))


def _is_row(e: t.Expr) -> bool:
    """Whether the row is certainly not absent."""
    if isinstance(e, t.Lit):
        return bool(e.value >= 0)
    return False


def _filtered_count(emitter: Expressions, items: t.Filter) -> Term:
    """The number of items that pass a filter, without building the bag."""
    name, n = emitter.member(items.variable), emitter.fresh("n")
    among, before = emitter.expr(items.items), emitter.weight
    condition = emitter.expr(items.condition)
    emitter.each(before)
    return call("sum", Gather("list", Local(n), (name, n), among, condition))


def _comparison(emitter: Expressions, op: str, args: tuple[t.Expr, ...]) -> Term:
    """A comparison of numbers, False if either is missing."""
    left, right = (emitter.expr(a) for a in args)
    lacking = [(e, x) for e, x in zip(args, (left, right), strict=True) if emitter.may_be_missing(e)]
    compared = infix(left, op, right)
    if all(isinstance(e, t.Var) for e, _ in lacking):  # a variable can be read twice at no cost
        return And((*[is_some(x) for _, x in lacking], compared)) if lacking else compared
    return call("known", left, Const(op), right)


def together(one: Term, two: Term) -> Term:
    """Return the union of two sets."""
    return call("tuple", call("sorted", SetOf((Spread(one), Spread(two)))))


def left_of(one: Term, two: Term) -> Term:
    """Return the difference of two sets."""
    return Gather("tuple", Local("x"), ("x",), one, infix(Local("x"), "not in", two))


if TYPE_CHECKING:
    from .interfaces import Expressions


def union(emitter: Expressions, e: t.Op) -> Term:
    """Return the union of two bags of figures: their sum if they are certainly disjoint; the greater count of each
    figure if one is a subset of the other, or both are whole groups of one collection; else with the smallest possible
    overlap.
    """
    left, right = e.args
    one, two = emitter.expr(left), emitter.expr(right)
    known = emitter.names
    if _is_difference(left, right) or _is_difference(right, left) or known.are_disjoint(left, right):
        return call("join", one, two)
    nested = _is_subset(left, right, known) or _is_subset(right, left, known)
    if nested or same_expression(_unfiltered(left), _unfiltered(right)):
        return call("larger", one, two)
    return _union_of_least_overlap(emitter, one, two, e.type.of, known.supersets(left) & known.supersets(right))


def difference(emitter: Expressions, e: t.Op) -> Term:
    """Return the figures of the left operand without those of the right one; disjoint operands leave it unchanged."""
    left, right = e.args
    one = emitter.expr(left)
    if _is_difference(left, right) or emitter.names.are_disjoint(left, right):
        return one
    return call("without", one, emitter.expr(right))


def united_lines(emitter: Expressions, total: t.Variable, value: t.Variable, added: Term) -> Term:
    """Return a record added to a total (`added`), with its figure lines merged as unions."""
    known, parts = emitter.names, list[Term]()
    for two in [name for name in known.stocks if name.variable is value and name.type.name == "figures"]:
        one = Name(total, two.path, type=two.type)
        mine, theirs = {one, *known.stocks.get(one, ())}, {two, *known.stocks[two]}
        held = _bag_of(emitter, one), _bag_of(emitter, two)
        if two in mine or one in theirs:
            both: Term = call("larger", *held)
        else:
            both = _union_of_least_overlap(emitter, *held, two.type.of, mine & theirs)
        parts.append(Tuple((const(two.path), both)))
    return call("with_parts", added, Tuple(tuple(parts))) if parts else added


def _union_of_least_overlap(emitter: Expressions, one: Term, two: Term, kind: Kind, stocks: set[Name]) -> Term:
    """The union with the smallest possible overlap, given the names of which both are subsets."""
    held = [_bag_of(emitter, stock) for stock in sorted(stocks, key=lambda s: (s.variable.name, s.path))]
    place, gone, reads = emitter.layout.counting(kind, emitter.checker.recalls)
    return Call("united", (one, two, Tuple(tuple(held)), emitter.state, const(place), const(gone)), reads)


def _bag_of(emitter: Expressions, name: Name) -> Term:
    return figures_in(emitter.expr(t.Var(name.variable, type=name.variable.type)), name)


def figures_in(held: Term, name: Name) -> Term:
    """Return the figures of a name, given the value of its variable, as a bag."""
    one = name.type.name == "figure"
    if name.path:
        return call("figures_of", held, const(name.path), const(one))
    return call("only_figure", held) if one else held


def _is_difference(e: t.Expr, other: t.Expr) -> bool:
    """Whether an expression is something minus `other`."""
    while isinstance(e, t.Filter | t.Extreme):
        e = e.items
    return isinstance(e, t.Op) and e.name == "without" and same_expression(e.args[1], other)


def _is_subset(e: t.Expr, whole: t.Expr, known: Names) -> bool:
    """Whether `e` is certainly a subset of `whole`."""
    if (name := known.name(whole)) is not None and name in known.supersets(e):
        return True
    if isinstance(whole, t.Op) and whole.name == "join" and any(_is_subset(e, part, known) for part in whole.args):
        return True
    while not same_expression(e, whole):
        if isinstance(e, t.Filter | t.Extreme):
            e = e.items
        elif isinstance(e, t.Op) and e.name == "without":
            e = e.args[0]
        else:
            return False
    return True


def _unfiltered(e: t.Expr) -> t.Expr:
    """The collection that an expression filters: a filter takes all equal figures or none."""
    while isinstance(e, t.Filter | t.Extreme):
        e = e.items
    return e


def same_expression(one: Any, two: Any) -> bool:
    """Return whether two expressions have the same structure and no sites, so that they are equal in any one state."""
    if isinstance(one, t.Expr):
        if type(one) is not type(two) or isinstance(one, t.SITES):
            return False
        fields = [f for f in names(type(one)) if f not in ("type", "where")]
        return all(same_expression(getattr(one, f), getattr(two, f)) for f in fields)
    if isinstance(one, tuple):
        return isinstance(two, tuple) and len(one) == len(two) and all(map(same_expression, one, two))
    return one is two or (isinstance(one, str | int | bool) and bool(one == two))
