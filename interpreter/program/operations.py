"""How an operation is computed: the only place that knows.

Enters: an operation and who writes its parts. Leaves: Python text. Knows nothing of where variables live.
"""

from __future__ import annotations

from interpreter.hints import TYPE_CHECKING
from interpreter.rulebook import typed as t

if TYPE_CHECKING:
    from .emit import Emitter

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
    "min-row": "min",
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
    if name in ("at-least", "at-most", "more", "less", "equal"):
        return _comparison(emitter, _INFIX[name], args)
    if name == "and" and any(isinstance(a, t.Lit) and a.value is True for a in args):
        return emitter.expr(args[1] if isinstance(args[0], t.Lit) and args[0].value is True else args[0])
    if name in _INFIX:
        return f"({emitter.expr(args[0])} {_INFIX[name]} {emitter.expr(args[1])})"
    if name == "every":
        assert isinstance(args[0], t.Filter)
        face = emitter.slots[args[0].variable] = emitter.fresh("i")
        each = f"{face}, {emitter.fresh('n')}" if args[0].type.name == "figures" else face
        before = emitter.weight
        condition = emitter.expr(args[0].condition)
        emitter.each(before)
        return f"every([{condition} for {each} in {emitter.expr(args[0].items)}])"
    if name == "count" and args[0].type.name == "figures" and isinstance(args[0], t.Filter):
        return _counted(emitter, args[0])
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
        case "any-of" | "some":
            return f"bool({parts[0]})"
        case "absent":
            if args[0].type.name in ("number", "inches", "target"):
                return f"({parts[0]} is None)"
            return f"({parts[0]} in (None, -1))" if args[0].type.name != "truth" else f"(not {parts[0]})"
        case "in":
            return f"({parts[0]} in {parts[1]})"
        case "dice-count" | "dice-sides" | "dice-plus":
            return f"dice_part({parts[0]}, {('dice-count', 'dice-sides', 'dice-plus').index(name)})"
        case "row-up":
            top = len(args[0].type.of.rows) - 1
            return f"min({top}, {parts[0]} + {parts[1]})"
        case "row-down":
            return f"max(0, {parts[0]} - {parts[1]})"
        case "only":
            return f"only_figure({parts[0]})" if args[0].type.name == "figure" else f"only_one({parts[0]})"
        case "join":
            if e.type.name == "figures":
                return f"join({parts[0]}, {parts[1]})"
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
            nothing = -1 if e.type.name == "row" else 0
            return f"{name[:3]}([x for x, n in {parts[0]} if x not in (None, {nothing}) and n], default={nothing})"
        case "sum-of-list":
            return f"sum([(x or 0) * n for x, n in {parts[0]}])"
        case "first-of-things" | "first-of-rows":
            return f"next(iter({parts[0]}), -1)"
        case "options":
            return "tuple([i for i, ok in enumerate((" + ", ".join(parts) + ",)) if ok])"
    return f"{_CALLS[name]}({', '.join(parts)})"


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
