"""Values and rolls → the bodies of Python functions, line by line.

Enters: a checked value or roll, and who writes its expressions. Leaves: lines of Python; a traced program also notes
every line, applied or not. Knows nothing of how an expression is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import PureDef, Roll
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type

from .reads import Reads
from .runtime import succeeding

if TYPE_CHECKING:
    from .emit import Emitter

# What a roll is before its lines, in the order in which they are told.
_ROLL = {"need": "None", "change": "0", "dice": "1", "best": "True", "verdict": "None", "again": "False"}


class PureFunction(Struct):
    """A value or a roll, written once: what it reads, whether of the state, and which of its parameters it uses."""

    name: str
    reads: Reads
    of_state: bool
    used: tuple[bool, ...]
    weight: int = 0

    def called(self, state: str, args: Sequence[str]) -> str:
        given = [state] if self.of_state else []
        return f"{self.name}({', '.join(given + [a for a, used in zip(args, self.used, strict=True) if used])})"


def body_of(emitter: Emitter, symbol: PureDef, pure: t.Pure) -> list[str]:
    return _roll_body(emitter, symbol, pure) if isinstance(symbol, Roll) else _value_body(emitter, symbol, pure)


def _value_body(emitter: Emitter, symbol: PureDef, pure: t.Pure) -> list[str]:
    only = pure.changes[0] if len(pure.changes) == 1 and not emitter.traced else None
    if only is not None and only.what == "set" and only.condition is None and only.amount is not None:
        return [f"    return {emitter.expr(only.amount)}"]
    body = [f"    r = {emitter.nothing(pure.type)}"]
    row = pure.type.name == "row"
    # An empty cell stays empty, whatever would be added to it.
    lacks = not row and any(
        c.what == "set" and c.amount is not None and emitter.may_lack(c.amount) for c in pure.changes
    )
    kept = " if r is not None else None" if lacks else ""
    for change in pure.changes:
        amount = change.amount
        if change.what == "set" and amount is not None:
            _applied(emitter, change, body, [f"r = {emitter.expr(amount)}"], "r", pure.type)
        elif change.what == "add":
            act = [f"r = r {_delta(emitter, change)}{kept}"]
            if row:
                act = [f"r = min({len(pure.type.of.rows) - 1}, max(0, r {_delta(emitter, change)})) if r >= 0 else r"]
            _applied(emitter, change, body, act, "r", pure.type)
        elif amount is not None:
            text = emitter.expr(amount) if row else emitter.number(amount)
            bound = {
                "least": f"r = max(r, {text})",
                "most": f"r = min(r, {text})",
                "times": f"r = times(r, {text})",
            }[change.what]
            _applied(emitter, change, body, [bound + kept], "r", pure.type)
    if emitter.traced:
        body.append(f"    N.append(({emitter.note('value', line_of(emitter, pure, symbol), pure.type, symbol)}, r))")
    body.append("    return r")
    return body


def _roll_body(emitter: Emitter, symbol: Roll, pure: t.Pure) -> list[str]:
    c = pure.convention
    assert c is not None
    only = pure.changes[0] if len(pure.changes) == 1 and not emitter.traced else None
    if only is not None and only.touch == "needs" and only.what == "set" and only.condition is None:
        need = only.amount
        if isinstance(need, t.Lit) and type(need.value) is int:
            mask = succeeding(c.sides, c.over, c.always, c.never, need.value, 0)
            return [f"    return ({c.sides}, {mask}, 1, True, False, True)"]
    lines: list[str] = []
    changed = set(_ROLL if emitter.traced else ())
    for change in pure.changes:
        amount = change.amount
        if change.touch == "needs" and change.what == "set" and amount is not None:
            name, act = "need", [f"need = {emitter.expr(amount)}"]
        elif change.touch == "needs" and change.what == "add":
            name, act = "need", [f"need = need {_delta(emitter, change)} if need is not None else None"]
        elif change.what == "add":
            name, act = "change", [f"change = change {_delta(emitter, change)}"]
        elif change.what in ("best", "worst") and amount is not None:
            name, act = "dice", [f"dice = {emitter.number(amount)}", f"best = {change.what == 'best'}"]
            changed.add("best")
        elif change.what == "again":
            name, act = "again", ["again = True"]
        else:
            name, act = "verdict", [f"verdict = {change.what == 'passes'}"]
        changed.add(name)
        _applied(emitter, change, lines, act, name if name != "again" else "True")
    body = [f"    {name} = {first}" for name, first in _ROLL.items() if name in changed] + lines
    said = {name: name if name in changed else first for name, first in _ROLL.items()}
    if emitter.traced:
        number = emitter.note("roll", line_of(emitter, pure, symbol), pure.type, symbol)
        body.append(f"    N.append(({number}, need, change, dice, best, again, verdict))")
    body.append(f"    mask = succeeding({c.sides}, {c.over}, {c.always}, {c.never}, {said['need']}, {said['change']})")
    if "verdict" in changed:
        body.append(f"    if verdict is not None: mask = {(1 << (c.sides + 1)) - 2} if verdict else 0")
    thrown = f"{said['need']} is not None"
    body.append(f"    return ({c.sides}, mask, {said['dice']}, {said['best']}, {said['again']}, {thrown})")
    return body


def line_of(emitter: Emitter, pure: t.Pure, symbol: PureDef) -> Any:
    return pure.changes[0].line if pure.changes else emitter.checker.line_info(symbol.name, symbol.where, symbol.cites)


def _applied(
    emitter: Emitter, change: t.Change, body: list[str], act: list[str], result: str, type_: Type | None = None
) -> None:
    """A line of a value or roll: its condition, its act, and in a traced program what came of it."""
    number = emitter.note("change", change.line, type_, about=change) if emitter.traced else -1
    indent = "    "
    if change.condition is not None:
        body.append(f"    if {emitter.expr(change.condition)}:")
        indent = "        "
    body += [indent + a for a in act]
    if emitter.traced:
        body.append(f"{indent}N.append(({number}, True, {result}))")
        if change.condition is not None:
            body.append("    else:")
            body.append(f"        N.append(({number}, False, {result}))")


def _delta(emitter: Emitter, change: t.Change) -> str:
    assert change.amount is not None
    amount = emitter.number(change.amount)
    if change.per is not None:
        many = emitter.number(change.per)
        amount = f"{amount} * {many}" if isinstance(change.amount, t.Lit) else f"times({amount}, {many})"
    return f"{'+' if change.sign > 0 else '-'} {amount}"
