"""How an operation is computed: the only place that knows.

Enters: an operation and who writes its parts. Leaves: Python text. Knows nothing of where variables live.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.vocabulary.types import Type

from .unions import union

if TYPE_CHECKING:
    from .emit import Emitter

PAIRS = ("figures", "list")  # of each member, and how often it is there
_INFIX = {
    "add": "+",
    "subtract": "-",
    "times": "*",
    "at-least": ">=",
    "at-most": "<=",
    "more": ">",
    "less": "<",
    "equal": "==",
    "same": "==",
    "and": "and",
    "or": "or",
}
_CALLS = {
    "min": "min",
    "max": "max",
    "min-row": "min_row",
    "max-row": "max",
    "lowest": "lowest",
    "highest": "highest",
    "alike": "alike",
    "half": "half",
    "whole": "whole",
    "divide": "divide",
    "sum-faces": "sum",
    "in-figures": "within",
    "first-of-figures": "first_figure",
    "most-common": "most_common",
}


def operation(emitter: Emitter, e: t.Op) -> str:
    name, args = e.name, e.args
    if name in ("add", "subtract", "times", "divide", "min", "max", "half", "whole"):
        parts = [emitter.number(a) for a in args]
        if name == "times" and not any(isinstance(a, t.Lit) for a in args):
            return f"times({parts[0]}, {parts[1]})"
        if name in _INFIX:
            return f"({parts[0]} {_INFIX[name]} {parts[1]})"
        if name == "half" and e.type.name == "inches":  # a tape measure knows halves
            return f"divide({parts[0]}, 2)"
        return f"{_CALLS[name]}({', '.join(parts)})"
    if name in ("at-least", "at-most", "more", "less", "equal", "same") and args[0].type.name == "row":
        return _of_rows(emitter, _INFIX[name], args)
    if name in ("at-least", "at-most", "more", "less", "equal"):
        return _comparison(emitter, _INFIX[name], args)
    if name == "and" and any(isinstance(a, t.Lit) and a.value is True for a in args):
        return emitter.expr(args[1] if isinstance(args[0], t.Lit) and args[0].value is True else args[0])
    if name in _INFIX:
        return f"({emitter.expr(args[0])} {_INFIX[name]} {emitter.expr(args[1])})"
    if name == "every":
        assert isinstance(args[0], t.Filter)
        face = emitter.slots[args[0].variable] = emitter.fresh("i")
        each = f"{face}, {emitter.fresh('n')}" if args[0].type.name in PAIRS else face
        before = emitter.weight
        condition = emitter.expr(args[0].condition)
        emitter.each(before)
        items = emitter.expr(args[0].items)
        if args[0].type.name == "list":
            items = f"given_of({items}, {nothing_in(args[0].type.of)})"
        return f"every([{condition} for {each} in {items}])"
    if name == "join" and e.type.name == "figures":
        return union(emitter, e)
    if name == "count" and args[0].type.name == "figures" and isinstance(args[0], t.Filter):
        return _counted(emitter, args[0])
    if name in ("row-up", "row-down"):
        row, by = emitter.expr(args[0]), emitter.number(args[1])
        return f"row_moved({row}, {by if name == 'row-up' else f'-{by}'}, {len(args[0].type.of.rows) - 1})"
    parts = [emitter.expr(a) for a in args]
    match name:
        case "holders":
            return f"holders({parts[0]})" if args[0].type.name == "figures" else f"holders(only_figure({parts[0]}))"
        case "portion" | "other-portions":
            return f"{name.replace('-', '_')}({parts[0]}, {parts[1]})"
        case "and-portion":
            return f"(*{parts[0]}, ({parts[1]}, {parts[2]}))"
        case "whole-part":
            return f"({parts[0]} // {parts[1]} if {parts[1]} else 0)"
        case "remainder":
            return f"({parts[0]} % {parts[1]} if {parts[1]} else 0)"
        case "not":
            return f"(not {parts[0]})"
        case "count":
            return f"{'size' if args[0].type.name == 'figures' else 'len'}({parts[0]})"
        case "faces":
            return parts[0]
        case "any-of" if args[0].type.name == "list":
            return f"bool(given_of({parts[0]}, {nothing_in(args[0].type.of)}))"
        case "any-of" | "some":
            return f"bool({parts[0]})"
        case "absent":
            if args[0].type.name in ("number", "inches", "target"):
                return f"({parts[0]} is None)"
            return f"({parts[0]} in (None, -1))" if args[0].type.name != "truth" else f"(not {parts[0]})"
        case "in" if args[1].type.name == "list":
            return f"in_list({parts[0]}, {parts[1]}, {nothing_in(args[1].type.of)})"
        case "in":
            return f"({parts[0]} in {parts[1]})"
        case "dice-count" | "dice-sides" | "dice-plus":
            return f"dice_part({parts[0]}, {('dice-count', 'dice-sides', 'dice-plus').index(name)})"
        case "only":
            return f"only_figure({parts[0]})" if args[0].type.name == "figure" else f"only_one({parts[0]})"
        case "join":
            if e.type.name == "faces":
                return f"tuple(sorted({parts[0]} + {parts[1]}))"
            if isinstance(args[1], t.Op) and args[1].name == "only":
                return f"with_one({parts[0]}, {emitter.expr(args[1].args[0])})"
            return f"tuple(sorted({{*{parts[0]}, *{parts[1]}}}))"
        case "without":
            if e.type.name == "figures":
                return f"without({parts[0]}, {parts[1]})"
            if e.type.name == "faces":
                return f"without_faces({parts[0]}, {parts[1]})"
            return f"tuple([x for x in {parts[0]} if x not in {parts[1]}])"
        case "meeting":
            return f"met({parts[0]}, {parts[1]})"
        case "missing":
            return f"(len({parts[0]}) - met({parts[0]}, {parts[1]}))"
        case "min-of-rows" | "max-of-rows":
            return f"{name[:3]}({parts[0]}, default=-1)"
        case "min-of-list" | "max-of-list":
            least = -1 if e.type.name == "row" else 0
            return f"{name[:3]}([x for x, n in given_of({parts[0]}, {nothing_in(e.type)})], default={least})"
        case "sum-of-list":
            return f"sum([(x or 0) * n for x, n in {parts[0]}])"
        case "first-of-things" | "first-of-rows":
            return f"next(iter({parts[0]}), -1)"
        case "options":
            return "tuple([i for i, ok in enumerate((" + ", ".join(parts) + ",)) if ok])"
    return f"{_CALLS[name]}({', '.join(parts)})"


def nothing_in(type_: Type) -> Any:
    """What an empty one is in a list of such."""
    return absent(type_) if type_.name in ("row", "thing", "truth") else None


def _of_rows(emitter: Emitter, op: str, args: tuple[t.Expr, ...]) -> str:
    """No row at all (-1) is neither more, nor less, nor the same."""
    left, right = (emitter.expr(a) for a in args)
    if any(isinstance(a, t.Lit) and a.value == -1 for a in args):
        return "False"
    if op in ("<", "<="):
        return f"({left} {op} {right})" if _is_row(args[0]) else f"(-1 < {left} {op} {right})"
    if op in (">", ">="):
        return f"({left} {op} {right})" if _is_row(args[1]) else f"({left} {op} {right} > -1)"
    return f"({left} == {right})" if any(map(_is_row, args)) else f"({left} == {right} > -1)"


def _is_row(e: t.Expr) -> bool:
    """Whether it is surely some row."""
    if isinstance(e, t.Lit):
        return bool(e.value >= 0)
    return False


def _counted(emitter: Emitter, items: t.Filter) -> str:
    """How many are let through, without making a bag of them."""
    name, n = emitter.fresh("i"), emitter.fresh("n")
    emitter.slots[items.variable] = name
    among, before = emitter.expr(items.items), emitter.weight
    condition = emitter.expr(items.condition)
    emitter.each(before)
    return f"sum([{n} for {name}, {n} in {among} if {condition}])"


def _comparison(emitter: Emitter, op: str, args: tuple[t.Expr, ...]) -> str:
    """Nothing (an empty cell, or what was worked out from one) is neither more nor less than anything."""
    left, right = (emitter.expr(a) for a in args)
    lacking = [(e, x) for e, x in zip(args, (left, right), strict=True) if emitter.may_lack(e)]
    if all(isinstance(e, t.Var) for e, _ in lacking):  # a name costs nothing to say twice
        return "(" + "".join(f"{x} is not None and " for _, x in lacking) + f"{left} {op} {right})"
    return f"known({left}, {op!r}, {right})"
