"""Why: what a throw, a line or an effect was worked out from, as rows that stand under it.

Enters: the events under one event. Leaves: `Row`s, those that need no explanation as details. Knows nothing of what
they led to, but what a roll needs.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from interpreter.engines.events import Event

from .rows import Row

_ROLL_WORDS = ("needs", "roll", "best", "worst", "passes", "fails", "again")


# Lines of a roll that change neither its number nor the die: they say all that there is to say.
_OF_DICE = ("again", "best", "worst", "passes", "fails")


def reasons(events: list[Event], needs: str = "") -> list[Row]:
    """What something was worked out from. Events come in the order of working out; each stands under what
    used it.
    """
    pending: list[Row] = []
    number: Any = None
    change: Any = 0
    seen: set[str] = set()
    for event in events:
        if event.kind == "modifier":
            if _is_roll_line(event) and event.line in seen:  # of another figure
                number, change, seen = None, 0, set()
            seen.add(event.line)
            uses = _taken(pending, lambda r: r.kind in ("value", "look-up"))
            row = Row(_modifier(event), event, "on" if event.data.get("applied") else "off", False, uses)
            now = event.data.get("now")
            said = str(event.data.get("text"))
            if _is_roll_line(event) and event.data.get("applied") and not said.startswith(_OF_DICE):
                dice = said.startswith("roll")
                if now == (change if dice else number):
                    row.kind = "on" if now is None and not dice else "off"
                    row.said += " → none" if row.kind == "on" else ""
                elif dice:
                    row.said += f" → {now:+d} on the die" if isinstance(now, int) else ""
                    change = now
                elif isinstance(now, int):
                    shown = f"{now}{_suffix(needs)}"
                    bare = row.said.endswith((f" {now}", f" {shown}"))
                    row.said += "" if bare else f" → {shown}"
                    row.detail = bare and len(events) == 1 and not event.clauses
                    number = now
            pending.append(row)
        elif event.kind == "line":
            mine = _taken(pending, lambda r, e=event: _part_of(r, e))  # type: ignore[misc]
            _led_to(mine)
            pending.append(Row(event.text, event, "value", False, mine))
        elif event.kind == "left-out":
            pending.append(Row(event.text, event, "left-out"))
        else:
            pending.append(Row(event.text, event, "look-up"))
    for row in pending:
        row.detail = row.detail or (not (row.event is not None and _is_roll_line(row.event)) and not _decisive(row))
    return _once(_left_out(pending))


def _once(rows: list[Row]) -> list[Row]:
    """The same said of several figures is said once."""
    found = {(row.kind, row.said) if row.event and _is_roll_line(row.event) else (id(row),): row for row in rows[::-1]}
    return list(found.values())[::-1]


def _led_to(rows: list[Row]) -> None:
    """The lines of a value say what it was after them; one that left it as it was counts as not applied."""
    before: Any = None
    for row in rows:
        now = row.event.data.get("said") if row.event is not None else None
        if row.kind != "on" or now is None:
            continue
        if now == before:
            row.kind = "off"
        elif not row.said.endswith(f" {now}"):
            row.said += f" → {now}"
        before = now


def _decisive(row: Row) -> bool:
    """Somebody left out by a line of a value: a condition that stands in the line itself needs no explanation."""
    return row.kind == "left-out" and row.event is not None and row.event.data["line"] is not None


def _left_out(rows: list[Row]) -> list[Row]:
    """Those left out for the same reason are told together."""
    found: list[Row] = []
    for _, same in groupby(rows, key=_reason):
        row, *others = same
        if others and row.event is not None:
            who = [r.event.data["who"] for r in (row, *others) if r.event is not None]
            row.said = row.said.replace(who[0], ", ".join(who), 1)
        found.append(row)
    return found


def _reason(row: Row) -> tuple[Any, ...]:
    if row.event is None or row.event.kind != "left-out":
        return (id(row),)
    return row.event.data["because"], row.event.data["line"]


def _suffix(needs: str) -> str:
    return "+" if needs.endswith("+") else " or less" if needs.endswith("less") else ""


def _modifier(event: Event) -> str:
    said = str(event.data.get("text", event.text)).partition(" [")[0]
    return said if event.name == said else f"{event.name}: {said}"


def _is_roll_line(event: Event) -> bool:
    return event.kind == "modifier" and str(event.data.get("text", "")).split(" ")[0] in _ROLL_WORDS


def _part_of(row: Row, value: Event) -> bool:
    line = row.event.line if row.event is not None else ""
    return (
        row.event is not None
        and row.event.kind == "modifier"
        and (line == value.line or line.startswith(value.line + "."))
    )


def _taken(pending: list[Row], fits: Callable[[Row], bool]) -> list[Row]:
    """The rows at the end that fit, taken away."""
    start = len(pending)
    while start > 0 and fits(pending[start - 1]):
        start -= 1
    found = pending[start:]
    del pending[start:]
    return found
