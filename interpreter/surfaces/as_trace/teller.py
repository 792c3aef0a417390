"""Converts trace events to rows for a reader.

Takes the events of one history. Gives rows of text. Alike rounds of a loop are merged, events without effect are
dropped, and what did not apply is marked with a minus. A throw, a line or an effect has nested rows that explain it;
rows that need no explanation are details. Knows nothing of how events are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Any

from interpreter.engines.trace_events import Event

from .rounds import NOTHING, Sentence, differ_in_dice_only, is_telling, loop_end, merged, of_interest
from .rows import Row

_ROLL_WORDS = ("needs", "roll", "best", "worst", "passes", "fails", "again")


# Lines of a roll that change neither its target number nor the die, and need no explanation.
_OF_DICE = ("again", "best", "worst", "passes", "fails")


class Teller:
    """Renders one history. `sentence` formats a call in the words of the rules. With `verbose`, events without
    effect are kept, also when rounds are compared.
    """

    def __init__(self, sentence: Sentence, verbose: bool = False) -> None:
        self.sentence = sentence
        self.verbose = verbose
        self.explained: set[tuple[str, ...]] = set()

    # ---- siblings
    def rows(self, events: list[Event]) -> list[Row]:
        found: list[Row] = []
        told = {e.line for e in events if e.kind == "tell"}
        events = [e for e in events if e.kind != "line" or e.line not in told]
        i = 0
        while i < len(events):
            event = events[i]
            if event.kind in ("each", "round"):
                end = loop_end(events, i)
                found += self.loop(events[i:end])
                i = end
                continue
            after = events[i + 1] if i + 1 < len(events) else None
            rows = self.row(event)
            if event.kind == "throw" and after is not None and _led_by(event, after):
                rows = self.row(after)  # a result of a table, with the die that selected it
                rows[0].said = f"{event.text} → {after.text}"
                i += 1
            found += rows
            i += 1
        return found

    def loop(self, events: list[Event]) -> list[Row]:
        """The rows of the rounds of a loop; consecutive rounds that differ only in their dice are merged."""
        rounds: list[tuple[Event, list[Event]]] = []
        for event in events:
            if event.kind == events[0].kind and event.line == events[0].line:
                rounds.append((event, []))
            elif rounds:
                rounds[-1][1].append(event)
        if not self.verbose and len(rounds) > 1:
            rounds = [(head, of_interest(body)) for head, body in rounds]
        groups: list[list[tuple[Event, list[Event]]]] = []
        for each in rounds:
            if groups and differ_in_dice_only(groups[-1][0], each):
                groups[-1].append(each)
            else:
                groups.append([each])
        found: list[Row] = []
        told = 0
        for group in groups:
            head, body = group[0]
            many = len(group)
            rows = self.rows(body if many == 1 else merged([b for _, b in group], head.data, self.sentence))
            empty = all(r.detail for r in rows)
            first, told = told + 1, told + many
            if head.kind == "each":
                said = f"{head.data['each']}: {many} × {head.data['who']}, each" if many > 1 else head.text
            elif len(rounds) == 1:
                found += rows
                continue
            elif many == len(rounds):
                said = f"{head.text}: {many} times"
            else:
                said = f"{head.text}: round {first}" if many == 1 else f"{head.text}: rounds {first} to {told}"
            found.append(Row(said, head, "head", empty, rows))
        return found

    # ---- one event
    def row(self, event: Event) -> list[Row]:
        match event.kind:
            case "call":
                rows = self.rows(event.children)
                empty = all(r.detail for r in rows)
                if not empty:
                    _results(rows)
                return [Row(event.text, event, "call", empty and "row" not in event.data, rows)]
            case "throw" | "line":
                return [self.value(event)]
            case "choice":
                return [Row(event.text, event, "choice", str(event.data.get("chosen")) in NOTHING)]
            case "effect":
                return [Row(event.text, event, "effect", not event.data.get("changed", True))]
            case "skip":
                return [Row(event.text, event, "off", not event.data.get("on-dice"), reasons(event.children))]
            case "barred":
                return [Row(event.text, event, "off")]
        return [Row(event.text, event, "tell")]

    def value(self, event: Event) -> Row:
        """The row of a line or throw with its explanation; a detail if it has no value and no dice."""
        data = event.data
        needs = str(data.get("needs") or "")
        rows = reasons(event.children, needs)
        if "roll" in data:
            some = bool(data["count"])
        elif event.kind == "throw":
            some = bool(data["dice"])
        else:
            some = is_telling(event)
            for row in rows:
                row.detail = row.detail or row.kind != "left-out"
        row = Row(event.text, event, event.kind, not some, rows)
        if some and needs and any(not r.detail for r in rows):
            self.once(row, needs)
        return row

    def once(self, row: Row, needs: str) -> None:
        """Explain the target number of a roll at its first throw, and again only if the explanation differs."""
        key = (row.event.line if row.event else "", *_texts(row.rows))
        if key in self.explained:
            row.said = row.said.replace(f"needs {needs}", f"needs {needs} as above", 1)
            for r in row.rows:
                r.detail = True
        self.explained.add(key)


def _texts(rows: list[Row]) -> list[str]:
    return [text for r in rows for text in (r.kind + r.said, *_texts(r.rows))]


def _results(rows: list[Row]) -> None:
    """Show the lines that are results of a call (read by other rules), even if empty, unless a roll shows them
    already.
    """
    events = [row.event for row in rows if row.event is not None]
    if any("roll" in e.data and e.data["count"] for e in events):
        return
    for row in rows:
        data = row.event.data if row.event is not None else {}
        if data.get("read") and not isinstance(data.get("value"), list) and not data.get("echo"):
            row.detail = False
        elif row.kind == "head" and not row.detail:
            _results(row.rows)


def _led_by(event: Event, after: Event) -> bool:
    """Whether `after` is the look-up in a table of results for the die of `event`."""
    if after.kind != "call" or "row" not in after.data or "roll" in event.data:
        return False
    faces = event.data["dice"]
    return str(after.data.get("face")) in (str(sum(faces)), str(event.data.get("value")))


# ---- explanations
def reasons(events: list[Event], needs: str = "") -> list[Row]:
    """The rows that explain a value. Events come in order of evaluation; each becomes a child of the row that used
    it.
    """
    pending: list[Row] = []
    numbers: dict[str, Any] = {}  # roll → its target so far; by name for a roll asked for its number, else ""
    change: Any = 0
    seen: set[str] = set()
    for event in events:
        if event.kind == "modifier":
            asked = "said" in event.data  # asked for its number, without a die
            roll = event.line.rpartition(".")[0] if asked else ""
            if _is_roll_line(event) and event.line in seen:  # the first line for another figure
                numbers.pop(roll, None)
                change, seen = (change, seen) if asked else (0, set())
            seen.add(event.line)
            uses = _taken(pending, lambda r: r.kind in ("value", "look-up"))
            row = Row(_modifier(event), event, "on" if event.data.get("applied") else "off", False, uses)
            now = event.data.get("now")
            said = str(event.data.get("text"))
            if _is_roll_line(event) and event.data.get("applied") and not said.startswith(_OF_DICE):
                dice = said.startswith("roll") and not asked
                if now == (change if dice else numbers.get(roll)):
                    row.kind = "on" if now is None and not dice else "off"
                    row.said += " → none" if row.kind == "on" else ""
                elif dice:
                    row.said += f" → {now:+d} on the die" if isinstance(now, int) else ""
                    change = now
                elif isinstance(now, int):
                    shown = f"{now}{'' if asked else _suffix(needs)}"
                    bare = row.said.endswith((f" {now}", f" {shown}"))
                    row.said += "" if bare else f" → {shown}"
                    row.detail = bare and len(events) == 1 and not event.clauses
                    numbers[roll] = now
            pending.append(row)
        elif event.kind == "line":
            mine = _taken(pending, lambda r, e=event: _part_of(r, e))  # type: ignore[misc]
            _led_to(mine)
            numbers.pop(event.line, None)
            pending.append(Row(event.text, event, "value", False, mine))
        elif event.kind == "left-out":
            pending.append(Row(event.text, event, "left-out"))
        else:
            pending.append(Row(event.text, event, "look-up"))
    for row in pending:
        row.detail = row.detail or (not (row.event is not None and _is_roll_line(row.event)) and not _decisive(row))
    return _once(_left_out(pending))


def _once(rows: list[Row]) -> list[Row]:
    """Remove repetitions among the rows of roll lines."""
    found = {(row.kind, row.said) if row.event and _is_roll_line(row.event) else (id(row),): row for row in rows[::-1]}
    return list(found.values())[::-1]


def _led_to(rows: list[Row]) -> None:
    """Add its intermediate results to the lines of a value; a line that leaves it unchanged counts as not applied."""
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
    """Whether the row shows figures that a line of a value excluded; a condition within the line itself needs no
    explanation.
    """
    return row.kind == "left-out" and row.event is not None and row.event.data["line"] is not None


def _left_out(rows: list[Row]) -> list[Row]:
    """Merge consecutive rows of exclusions with the same reason."""
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
    """Remove and return the trailing rows that fit."""
    start = len(pending)
    while start > 0 and fits(pending[start - 1]):
        start -= 1
    found = pending[start:]
    del pending[start:]
    return found
