"""Operations of which the result is certain, because of what they are asked of.

Enters: a typed operation whose parts are settled. Leaves: a literal, or a shorter expression that means the same;
else the operation as it was. What it says must be what `expression_lowering.py` computes. Knows nothing of what is
certain, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.vocabulary.functions import Refused
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import TRUTH, Type

Args = tuple[t.Expr, ...]
SOMEBODY = ("thing", "figure")
PLAIN = ("number", "inches", "target", "truth", "row")


def truth(holds: bool) -> t.Expr:
    return t.Lit(holds, type=TRUTH)


def nothing(type_: Type) -> t.Expr:
    return t.Lit(absent(type_), type=type_)


def nobody(e: t.Expr) -> bool:
    return isinstance(e, t.Lit) and e.type.name in (*SOMEBODY, "things", "figures") and e.value in (-1, None, ())


def never(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and not e.value


def always(e: t.Expr | None) -> bool:
    return isinstance(e, t.Lit) and bool(e.value)


def asks(e: t.Expr) -> bool:
    """Whether a die, a choice or a call stands in it: what asks is not left out."""
    return any(isinstance(part, t.SITES) for part in t.parts(e))


def settled(e: t.Op) -> t.Expr:
    """An operation with what is certain in it worked out."""
    name, args = e.name, e.args
    if all(isinstance(a, t.Lit) and a.type.name in PLAIN for a in args):
        return _worked_out(e, [a.value for a in args if isinstance(a, t.Lit)])
    return _SETTLED[name](e, args) if name in _SETTLED else e


def _worked_out(e: t.Op, values: list[Any]) -> t.Expr:
    row = OPERATIONS[e.name]
    if e.name in ("and", "or", "not"):
        return _SETTLED[e.name](e, e.args)
    if e.name == "absent" and e.args[0].type.name != "truth":
        return truth(values[0] is None if e.args[0].type.name != "row" else values[0] in (None, -1))
    if row.compares and row.evaluate is not None:
        nothing_to_compare = _no_row(e.args, values) or (row.numbers and None in values)
        return truth(not nothing_to_compare and bool(row.evaluate(*values)))
    if row.numbers and row.evaluate is not None and all(type(v) in (int, Fraction) for v in values):
        try:
            return t.Lit(row.evaluate(*values), type=e.type, where=e.where)
        except Refused:  # a number past all use: who comes to this line is refused there, and nobody else
            return e
    return e


def _no_row(args: Args, values: list[Any]) -> bool:
    """Whether something is compared with no row at all: that is neither more, nor less, nor the same."""
    return args[0].type.name == "row" and any(value in (None, -1) for value in values)


def cell(e: t.Cell, row: int) -> t.Expr:
    """What stands in a row of a table, or in no row at all."""
    if e.type.name not in PLAIN:
        return e
    empty: Any = False if e.type.name == "truth" else -1 if e.type.name == "row" else None
    rows = list(e.table.rows.values())
    value = rows[row].cells.get(e.column.name, empty) if 0 <= row < len(rows) else empty
    value = value.chosen if hasattr(value, "chosen") else value
    value = empty if value is None else value
    return t.Lit(value, type=e.type) if value is None or isinstance(value, int | Fraction) else e


def _and(e: t.Expr, args: Args) -> t.Expr:
    left, right = args
    if never(left) or always(right):
        return left
    if always(left):
        return right
    return right if never(right) and not asks(left) else e


def _or(e: t.Expr, args: Args) -> t.Expr:
    left, right = args
    if always(left) or never(right):
        return left
    if never(left):
        return right
    return right if always(right) and not asks(left) else e


def _not(e: t.Expr, args: Args) -> t.Expr:
    return truth(not args[0].value) if isinstance(args[0], t.Lit) else e


def _any(e: t.Expr, args: Args) -> t.Expr:
    return truth(False) if isinstance(args[0], t.Lit) and args[0].value in ((), None) else e


def _absent(e: t.Expr, args: Args) -> t.Expr:
    return truth(True) if nobody(args[0]) else e


def _count(e: t.Expr, args: Args) -> t.Expr:
    return t.Lit(0, type=e.type) if isinstance(args[0], t.Lit) and args[0].value == () else e


def _in(e: t.Expr, args: Args) -> t.Expr:
    one, several = args
    if isinstance(several, t.Lit) and isinstance(one, t.Lit) and one.type.name == "row":
        return truth(one.value in several.value)
    return truth(False) if isinstance(several, t.Lit) and several.value == () and not asks(one) else e


def _join(e: t.Expr, args: Args) -> t.Expr:
    if e.type.name not in ("things", "figures"):
        return e
    if nobody(args[1]) and args[0].type == e.type:
        return args[0]
    return args[1] if nobody(args[0]) and args[1].type == e.type else e


def _without(e: t.Expr, args: Args) -> t.Expr:
    return args[0] if e.type.name in ("things", "figures") and nobody(args[1]) and args[0].type == e.type else e


def _only(e: t.Expr, args: Args) -> t.Expr:
    return nothing(e.type) if nobody(args[0]) else e


_SETTLED: dict[str, Callable[[t.Expr, Args], t.Expr]] = {
    "and": _and,
    "or": _or,
    "not": _not,
    "any-of": _any,
    "some": _any,
    "absent": _absent,
    "count": _count,
    "sum-of-list": _count,
    "in": _in,
    "join": _join,
    "without": _without,
    "only": _only,
}
