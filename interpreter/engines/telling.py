"""Texts of events, for a trace, an example's `trace:` and the terminal alike.

Input: the parts of an event as plain values. Output: one line of text. Equal events that are merged are worded like
single ones, from their combined parts. It does not know the cause of an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from interpreter.source.digits import format_exact

Data = dict[str, Any]


def throw(name: str, data: Data) -> str:
    """Return the text of a throw: `face: 6 (d6)`, `blow: 4 (d6) - 2 = 2`, `lead: 3 5 (2d6) = 8`, `hits: aim on d6,
    needs 5+: 6 1 → 1 of 2 pass`.
    """
    if "roll" in data:
        return f"{name}: {tested(data)}"
    dice = data["dice"]
    if "drawn" in data:
        return f"{name}: {data['drawn']} of {data['sides']} at random: {_faces(dice)} → {data['outcome']}"
    if not dice:
        return f"{name}: no dice"
    again = len(dice) - data.get("asked", len(dice))  # rethrown dice
    many = len(dice) - again if len(dice) - again > 1 else ""
    text = f"{name}: {_faces(dice)} ({many}d{data['sides']}{f', {again} thrown again' if again else ''})"
    if again:
        return text
    value, total = data.get("value"), sum(dice)
    if not isinstance(value, int | Fraction) or isinstance(value, bool):
        return text if value is None else f"{text} → {text_of(value)}{worked_out(data)}"
    more = value - total
    if data.get("sum") and more:
        return f"{text} {'-' if more < 0 else '+'} {text_of(abs(more))} = {text_of(value)}{worked_out(data)}"
    if more:
        return f"{text} → {text_of(value)}{worked_out(data)}"
    return f"{text} = {text_of(value)}" if len(dice) > 1 else text


def tested(data: Data) -> str:
    """Return the text of dice compared with a roll, thrown now or earlier."""
    count, passing = data["count"], "passed" in data
    hits, word = data["passed" if passing else "failed"], "pass" if passing else "fail"
    outcome = data.get("outcome")
    if outcome is None:
        outcome = f"{hits} of {count} {word}"
        if count == 1:
            outcome = "passed" if bool(hits) == passing else "failed"
    if not count:
        return "no dice"
    if data.get("needs") is None and not (data.get("verdict") and data["dice"]):
        return f"no {data['roll']} to throw → {data.get('outcome', f'{hits} of {count} {word}')}"
    thrown = data["dice"]
    again = "".join(f"  again: {_faces(faces)}" for faces in data.get("again", ()))
    first = thrown[: len(thrown) - sum(len(f) for f in data.get("again", ()))]
    return f"{data['roll']} on d{data['sides']}{needed(data)}: {_faces(first)}{again} → {outcome}"


def needed(data: Data) -> str:
    """Return the text of a roll's target and modifiers: `, needs 5+, +1 on the die`."""
    change = data.get("change") or 0
    text = f", needs {data['needs']}" if data.get("needs") is not None else ""
    text += f", {'-' if change < 0 else '+'}{format_exact(abs(change))} on the die" if change else ""
    if data.get("dice-each", 1) != 1:
        text += f", {'best' if data.get('best') else 'worst'} of {data['dice-each']}"
    return text + (f", {data['verdict']} whatever it shows" if data.get("verdict") else "")


def worked_out(data: Data) -> str:
    """Return ` (lost is 3, opened is 8)`: the operands of a value, if they say more than the value."""
    parts = [f"{text} is {said}" for text, said in data.get("parts", {}).items()]
    return f" ({', '.join(parts)})" if parts else ""


def denied(text: str, data: Data) -> str:
    """Return the text of a false condition: `tried is yes`, `ones >= 2 is not so (ones is 1)`."""
    bare = text.removeprefix("not ")
    if " " not in bare:
        return f"{bare} is {'no' if bare == text else 'yes'}"
    return f"{text} is not so{worked_out(data)}"


def text_of(value: Any) -> str:
    """Return the text of a plain value."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return format_exact(value) if isinstance(value, Fraction) else str(value)


def after(was: Sequence[str], now: Sequence[str], limit: str) -> str:
    """Return ` → 6 (6 is the most)`: the new value of a number; empty if it differs between the things changed."""
    ends = set(now)
    return f" → {now[0]}{limit}" if len(ends) == 1 else (limit if was else "")


def _faces(dice: Sequence[int]) -> str:
    return " ".join(str(f) for f in dice) or "no dice"
