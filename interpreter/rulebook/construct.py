"""Builders of typed expressions: operations, null values, conversions, item types.

Input: typed expressions. Output: typed expressions. Knows nothing of names or of syntax.
"""

from __future__ import annotations

from typing import Any

from interpreter.vocabulary.types import ANY, DICE, FACES, NONE, NUMBER, TRUTH, Type

from . import typed as t
from .symbols import Attribute, Fact, Where, within


def chosen_for(who: t.Expr) -> t.Expr:
    """Return the thing for which a choice is made: the unit if its owner is the chooser, else the chooser."""
    match who:
        case t.Attr(of=of, attribute=a) if a.kind.owner is not None and a.name == a.kind.owner.name:
            return of
    return who


def with_article(word: str) -> str:
    """Return a word with `an` before a, e, i, o and `um`, else with `a`: `an edge`, `a unit`, `an umpire`."""
    return f"an {word}" if word[:1] in "aeio" or word[:2] == "um" else f"a {word}"


def throw_cell(cell: t.Expr) -> t.Expr:
    """Return the sum of the dice that a table cell names (`d6+1`), thrown."""
    count, sides = op("dice-count", (cell,), NUMBER), op("dice-sides", (cell,), NUMBER)
    faces = t.Throw(count, sides, type=DICE)
    return op("add", (op("sum-faces", (faces,), NUMBER), op("dice-plus", (cell,), NUMBER)), NUMBER)


def untyped(e: t.Expr) -> t.Expr:
    """Return a placeholder of type `any` for an expression that could not be typed."""
    return t.Lit(0, type=ANY, where=e.where)


def absent(type_: Type) -> Any:
    """Return the null value of a type, which is also the value of a line that did not run."""
    return _ABSENT.get(type_.name, 0)


_ABSENT: dict[str, Any] = {
    "number": 0,
    "inches": 0,
    "target": None,
    "truth": False,
    "dice": (),
    "faces": (),
    "row": -1,
    "rows": (),
    "thing": -1,
    "things": (),
    "figure": None,
    "figures": (),
    "record": None,
    "list": (),
    "none": None,
}


def value_of_absent(type_: Type, may_be_none: bool) -> Any:
    """Return the value of an attribute or value of an absent thing: None for a number that may be none, else the null
    value.
    """
    return None if may_be_none and type_.name in NUMERIC else absent(type_)


def unstated_value(symbol: Attribute | Fact) -> Any:
    """Return the default of an attribute or fact that is not stated: none, or the null value within its bounds."""
    nothing = value_of_absent(symbol.type, symbol.optional)
    return nothing if nothing is None else within(symbol, nothing)


def op(name: str, args: tuple[t.Expr, ...], type_: Type, where: Where | None = None) -> t.Expr:
    """Return an operation of the vocabulary by its name, with the type of its result."""
    return t.Op(name, args, type=type_, where=where)


def negate(e: t.Expr, negated: bool) -> t.Expr:
    """Return the negation of a condition if `negated`, else the condition itself."""
    return op("not", (e,), TRUTH) if negated else e


def zero(e: t.Expr) -> bool:
    """Return whether an expression is the literal 0, in any unit; the literal `no` counts as 0."""
    return isinstance(e, t.Lit) and e.value == 0


def coerced(e: t.Expr, type_: Type) -> t.Expr:
    """Convert `none`, collections and dice to the wanted type: a collection to its count, dice to their sum."""
    if e.type == NONE:  # a missing number is None, not 0
        return t.Lit(None if type_.name in NUMERIC else absent(type_), type=type_, where=e.where)
    if type_ == NUMBER and e.type.name in ("things", "figures", "faces"):
        return op("count", (e,), NUMBER, e.where)
    if type_ == NUMBER and e.type == DICE:
        return op("sum-faces", (e,), NUMBER, e.where)
    return e


def item_type(type_: Type) -> Type:
    """Return the type of a collection's members; any other type unchanged."""
    if type_.name == "list":
        return type_.of if isinstance(type_.of, Type) else ANY
    if type_ == FACES:
        return NUMBER
    return Type(type_.name[:-1], type_.of) if type_.many else type_


NUMERIC = ("number", "inches", "target")
