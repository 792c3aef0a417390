"""What of a history is of no interest: lines that came to nothing, calls in which nothing happened.

Enters: events. Leaves: those that say something. Knows nothing of rows.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.engines.events import Event
from interpreter.source.values import replace

NOTHING = ("nobody", "none", "no dice", "0", "False", '0"', "", "[]")


def is_telling(event: Event) -> bool:
    """A line that says more than nothing, and more than what was said before."""
    data = event.data
    if "roll" in data:
        return bool(data["count"])
    if data.get("judged") or (data.get("echo") and not event.clauses):
        return False
    return str(data.get("value")) not in NOTHING or bool(data.get("on-dice"))


def of_interest(events: list[Event]) -> list[Event]:
    """Without what is of no interest: calls in which nothing happened, choices of nothing. A throw of no dice stays,
    beside those of other rounds.
    """
    left = [event for event in events if event.kind == "throw" or not _is_idle(event)]
    return [replace(e, children=of_interest(e.children)) if e.kind == "call" else e for e in left]


def _is_idle(event: Event) -> bool:
    data = event.data
    match event.kind:
        case "call":
            return "row" not in data and all(_is_idle(e) for e in event.children)
        case "throw":
            return not (data["count"] if "roll" in data else data["dice"])
        case "choice":
            return str(data.get("chosen")) in NOTHING
        case "effect":
            return not data.get("changed", True)
        case "skip":
            return not data.get("on-dice")
    if event.kind != "line" or is_number(data.get("value")) or isinstance(data.get("value"), list) or data.get("read"):
        return False
    return not is_telling(event)


def is_number(value: Any) -> bool:
    return isinstance(value, int | Fraction) and not isinstance(value, bool)
