"""Lowering of values and rolls, line by line, to the statements of a function.

Takes a checked value or roll, and an `Expressions`. In a traced program each line is noted, whether or not it applied.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import NEEDED, Needed, PureDef, Roll
from interpreter.vocabulary.types import Type

from .runtime import succeeding
from .statements import Give, Judge, Let, Line, Told, When
from .terms import FALSE, NONE, ONE, TRUE, ZERO, Const, IfElse, Local, Term, Tuple, call, const, infix, is_some

if TYPE_CHECKING:
    from .interfaces import Expressions

# The variables of a roll before its lines, in the order of the trace.
ROLL: dict[str, Term] = {
    "need": NONE,
    "change": ZERO,
    "dice": ONE,
    "best": TRUE,
    "verdict": NONE,
    "again": FALSE,
}


def body_of(emitter: Expressions, symbol: PureDef, pure: t.Pure) -> tuple[Line, ...]:
    """Return the statements of a value or roll."""
    return _roll_body(emitter, symbol, pure) if isinstance(symbol, Roll) else _value_body(emitter, symbol, pure)


def _value_body(emitter: Expressions, symbol: PureDef, pure: t.Pure) -> tuple[Line, ...]:
    only = pure.changes[0] if len(pure.changes) == 1 and not emitter.traced else None
    if only is not None and only.what == "set" and only.condition is None and only.amount is not None:
        return (Give(emitter.expr(only.amount)),)
    r = Local("r")
    body: list[Line] = [Let("r", emitter.nothing(pure.type))]
    row = pure.type.name == "row"
    # A missing number stays missing, whatever is added to it.
    lacks = not row and any(
        c.what == "set" and c.amount is not None and emitter.may_be_missing(c.amount) for c in pure.changes
    )

    def kept(value: Term) -> Term:
        return IfElse(is_some(r), value, NONE) if lacks else value

    for change in pure.changes:
        amount = change.amount
        if change.what == "set" and amount is not None:
            value = emitter.expr(amount)
        elif change.what == "add":
            value = _changed(emitter, r, change)
            if row:
                last = Const(len(pure.type.of.rows) - 1)
                value = IfElse(infix(r, ">=", ZERO), call("min", last, call("max", ZERO, value)), r)
            else:
                value = kept(value)
        elif amount is not None:
            bound = emitter.expr(amount) if row else emitter.number(amount)
            value = kept(call({"least": "max", "most": "min", "times": "times"}[change.what], r, bound))
        else:
            continue
        _applied(emitter, change, body, [Let("r", value)], r, pure.type)
    if emitter.traced:
        name = f"{symbol.name}.{NEEDED}" if isinstance(symbol, Needed) else ""
        number = emitter.note("value", line_of(emitter, pure, symbol), pure.type, symbol, name)
        body.append(Told(Const(number), (r,)))
    return (*body, Give(r))


def _roll_body(emitter: Expressions, symbol: Roll, pure: t.Pure) -> tuple[Line, ...]:
    c = pure.convention
    assert c is not None
    only = pure.changes[0] if len(pure.changes) == 1 and not emitter.traced else None
    if only is not None and only.touch == "needs" and only.what == "set" and only.condition is None:
        need = only.amount
        if isinstance(need, t.Lit) and type(need.value) is int:
            mask = succeeding(c.sides, c.over, c.always, c.never, need.value, 0)
            return (Give(Tuple((Const(c.sides), Const(mask), ONE, TRUE, FALSE, TRUE))),)
    lines: list[Line] = []
    changed = set(ROLL if emitter.traced else ())
    for change in pure.changes:
        amount = change.amount
        name, result = "need", None
        if change.touch == "needs" and change.what == "set" and amount is not None:
            act = [Let("need", emitter.expr(amount))]
        elif change.touch == "needs" and change.what == "add":
            more = _changed(emitter, Local("need"), change)
            act = [Let("need", IfElse(is_some(Local("need")), more, NONE))]
        elif change.what == "add":
            name, act = "change", [Let("change", _changed(emitter, Local("change"), change))]
        elif change.what in ("best", "worst") and amount is not None:
            name, act = "dice", [Let("dice", emitter.number(amount)), Let("best", Const(change.what == "best"))]
            changed.add("best")
        elif change.what == "again":
            name, result, act = "again", TRUE, [Let("again", TRUE)]
        else:
            name, act = "verdict", [Let("verdict", Const(change.what == "passes"))]
        changed.add(name)
        _applied(emitter, change, lines, act, result or Local(name))
    begins = [Let(name, first) for name, first in ROLL.items() if name in changed]
    locals_ = {name: Local(name) if name in changed else first for name, first in ROLL.items()}
    if emitter.traced:
        number = emitter.note("roll", line_of(emitter, pure, symbol), pure.type, symbol)
        values = [locals_[name] for name in ("need", "change", "dice", "best", "again", "verdict")]
        lines.append(Told(const(number), tuple(values)))
    verdict = locals_.pop("verdict") if "verdict" in changed else None
    locals_.pop("verdict", None)
    return (*begins, *lines, Judge(c.sides, c.over, c.always, c.never, **locals_, verdict=verdict))


def line_of(emitter: Expressions, pure: t.Pure, symbol: PureDef) -> Any:
    """Return the line of a symbol's notes: its first line, or that of its title."""
    return (
        pure.changes[0].line
        if pure.changes
        else emitter.checker.whole.line_info(symbol.name, symbol.where, symbol.cites)
    )


def _applied(
    emitter: Expressions,
    change: t.Change,
    body: list[Line],
    act: Sequence[Line],
    result: Term,
    type_: Type | None = None,
) -> None:
    """Append a line of a value or roll: its condition, its effect, and in a traced program its note."""
    number = emitter.note("change", change.line, type_, about=change) if emitter.traced else -1
    test = emitter.expr(change.condition) if change.condition is not None else None
    then = (*act, Told(const(number), (TRUE, result))) if emitter.traced else tuple(act)
    if test is None:
        body += then
    else:
        body.append(When(test, then, (Told(const(number), (FALSE, result)),) if emitter.traced else ()))


def _changed(emitter: Expressions, what: Term, change: t.Change) -> Term:
    """A number with the amount of a line added or subtracted."""
    assert change.amount is not None
    amount = emitter.number(change.amount)
    if change.per is not None:
        many = emitter.number(change.per)
        amount = infix(amount, "*", many) if isinstance(change.amount, t.Lit) else call("times", amount, many)
    return infix(what, "+" if change.sign > 0 else "-", amount)
