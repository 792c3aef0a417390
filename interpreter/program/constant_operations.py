"""Constant folding of operations whose operands are known.

`settled` takes a typed operation with folded operands and gives a literal, one of its operands, or the operation
itself. The result must be what `operation_lowering.py` computes.
"""

from __future__ import annotations

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
    args = e.args
    if all(isinstance(a, t.Lit) and a.type.name in PLAIN for a in args):
        return _worked_out(e, [a.value for a in args if isinstance(a, t.Lit)])
    return _simpler(e)


def _worked_out(e: t.Op, values: list[Any]) -> t.Expr:
    row = OPERATIONS[e.name]
    if e.name in ("and", "or", "not"):
        return _simpler(e)
    if e.name == "absent" and e.args[0].type.name != "truth":
        return truth(values[0] is None if e.args[0].type.name != "row" else values[0] in (None, -1))
    if row.compares and row.evaluate is not None:
        nothing_to_compare = None in values or _no_row(e.args, values)
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


def _simpler(e: t.Op) -> t.Expr:
    """An operation of which some operands are literals: the operand or literal that it always equals, else itself."""
    args, first = e.args, e.args[0]
    match e.name:
        case "and":
            if never(first) or always(args[1]):
                return first
            return args[1] if always(first) or (never(args[1]) and not asks(first)) else e
        case "or":
            if always(first) or never(args[1]):
                return first
            return args[1] if never(first) or (always(args[1]) and not asks(first)) else e
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
            return truth(False) if several.value == () and not asks(first) else e
        case "join" | "without" if e.type.name in ("things", "figures"):
            if nobody(args[1]) and first.type == e.type:
                return first
            return args[1] if e.name == "join" and nobody(first) and args[1].type == e.type else e
        case "only" if nobody(first):
            return nothing(e.type)
    return e
