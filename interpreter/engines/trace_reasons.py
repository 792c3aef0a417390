"""The reasons of an event: modifiers, values, look-ups, operands, and items that a filter left out.

Takes the notes between one event and the next, and the operands of a sentence with their values; returns child
`Event`s, and texts of values by the source text of the operand (`3 of 5 are left (lost is 2)`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.program.program import Program
from interpreter.program.trace_notes import Note, Part
from interpreter.program.words import Words, number

from .trace_events import Event, Log, Told, bare


class Reasons:
    """Converts notes to the reasons of an event."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.words = log.words

    def of(self, notes: list[Told]) -> list[Event]:
        """Return the events of modifiers, values and look-ups (equal look-ups once), and of items that a filter left
        out. If there was a filter, only the latter.
        """
        found: list[Event] = []
        seen: set[str] = set()
        since: list[Told] = []
        filtered = any(note.kind == "where" for note, _ in notes)
        for note, values in notes:
            since.append((note, values))
            if note.kind == "where":
                found += self._left_out(note, values, since)
                since = []
                continue
            if filtered:
                continue  # reasons of a member of a filter
            if note.kind in ("change", "value"):
                found.append(self._modifier(note, values))
            elif note.kind == "fact" or (note.kind == "cell" and values[0] is not None and values[0] >= 0):
                event = self._look_up(note, values)
                if event.text not in seen:
                    seen.add(event.text)
                    found.append(event)
        return found

    def _left_out(self, note: Note, values: Any, since: list[Told]) -> list[Event]:
        """The event of a member that a filter left out: the false conjunct, and the line of its value that decided;
        empty if it passed.
        """
        one, failed = values
        if failed >= len(note.parts):
            return []
        why = note.parts[failed].text
        who = self.words.say(one, note.type)
        event = self.log.event("left-out", note.line, f"not {who}: {why} is not so")
        event.data = {"who": who, "because": why, "line": None}
        decided = _decided(since[:-1])
        if decided is not None:
            change = decided.about
            event = self.log.event("left-out", decided.line, "")
            event.line = note.line.address
            name, text = decided.line.address.rpartition(".")[2], bare(decided.line)
            if change.condition is not None and change.condition.where is not None:
                text = change.condition.where.text
            event.text = f"not {who}: {'' if change.condition is not None else 'not '}{name} ({text})"
            event.data = {"who": who, "because": text, "line": decided.line.address}
        return [event]

    def _look_up(self, note: Note, values: Any) -> Event:
        if note.kind == "fact":
            event = self.log.event("look-up", note.line, f"{note.about.name} is {self.words.say(values[0], note.type)}")
            event.data = {"value": self.words.plain(values[0], note.type)}
            return event
        table, column = note.about
        row = list(table.rows.values())[values[0]]
        place = row.cell_places.get(column, row.where)
        span = place.span
        known = table.columns.get(column)
        value = values[1] if known is None or known.type.name == "bands" else self.words.say(values[1], known.type)
        if known is None:
            value = "yes" if values[1] else "no"
        elif known.by is not None:
            value = number(values[1])
        address = f"{table.name}.{row.name}.{column}"
        clauses = self.log.own(dict.fromkeys((*row.cites, *table.cites)))
        event = Event("look-up", address, span.source.name, span.place[0], clauses, f"{address} is {value}")
        event.data = {"value": value}
        return event

    def _modifier(self, note: Note, values: Any) -> Event:
        if note.kind == "value":
            symbol = note.about
            text = f"{note.text or symbol.name} is {self.words.say(values[0], note.type)}"
            event = self.log.event("line", note.line, text)
            event.line = symbol.name
            event.row, event.clauses = symbol.where.span.place[0], self.log.own(symbol.cites)
            event.data = {"value": self.words.plain(values[0], note.type)}
            return event
        applied, result = values
        change = note.about
        event = self.log.event("modifier", note.line, "")
        condition = change.condition.where.text if change.condition is not None and change.condition.where else None
        event.data = {"applied": bool(applied), "text": bare(note.line), "now": _plain(result)}
        if note.type is not None and note.type.name not in ("truth", "figures", "things"):
            event.data["said"] = self.words.say(result, note.type)
        if condition is not None:
            event.data["because"] = condition if applied else f"not: {condition}"
        text = bare(note.line)
        event.text = f"{event.name}: {text}" if applied else f"{event.name} not applied: {text}"
        return event


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int) else str(value)


def _decided(since: Sequence[Told]) -> Note | None:
    """The line that made a boolean value definitely false; if that line reads another value, the deciding line of that
    one.
    """
    if not since or since[-1][0].kind != "value" or since[-1][1][0] is not False:
        return None
    found, at = None, 0
    symbol = since[-1][0].about
    for i, (note, values) in enumerate(since):
        if note.kind == "change" and note.line.address.split(".")[0] == symbol.name and values[0]:
            found, at = ((found, at) if found else (note, i)) if values[1] is False else (None, 0)
    if found is None:
        return None
    asked = getattr(found.about.amount, "value", None)  # if the amount is a call of a value
    deeper = [i for i in range(at) if since[i][0].kind == "value" and since[i][0].about is asked]
    return (_decided(since[: deeper[-1] + 1]) if deeper else None) or found


class Operands:
    """The operands of lines and conditions as text. Memoizes which values a value may read."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self._within: dict[Any, set[str]] = {}

    def of(self, parts: Sequence[Part], values: Sequence[Any], reasons: Sequence[Told]) -> dict[str, str]:
        """Return the text of each operand's value, by its source text."""
        answers = self._answers(reasons)
        asked = [p.asked for p in parts if p.asked]
        left = iter(values)
        found = {}
        for part in parts:
            if part.asked:
                known = answers.get(part.asked, [])
                if len(known) == asked.count(part.asked):  # otherwise they cannot be assigned
                    found[part.text] = known[[p for p in parts if p.asked == part.asked].index(part)]
                continue
            value = next(left)
            if part.type.name != "dice":
                found[part.text] = self.words.say(value, part.type)
        return found

    def _answers(self, reasons: Sequence[Told]) -> dict[str, list[str]]:
        """The values that the current sentence itself read from values, facts and tables, by name; not those read by
        others.
        """
        open_: list[tuple[str, str]] = []
        for note, values in reasons:
            if note.kind == "value":
                within = self._asks(note.about)
                open_ = [o for o in open_ if o[0] not in within]
                open_.append((note.about.name, self.words.say(values[0], note.type)))
            elif note.kind == "fact":
                open_.append((note.about.name, self.words.say(values[0], note.type)))
            elif note.kind == "cell":
                table, column = note.about
                known = table.columns.get(column)
                if known is not None and known.by is None and known.type.name != "bands":
                    open_.append((f"{table.name}.{column}", self.words.say(values[1], known.type)))
        found: dict[str, list[str]] = {}
        for name, text in open_:
            found.setdefault(name, []).append(text)
        return found

    def _asks(self, symbol: Any) -> set[str]:
        """The values and columns that a value may read, directly or through others."""
        if symbol not in self._within:
            self._within[symbol] = self.program.names_read_by(symbol)
        return self._within[symbol]


def adding(parts: dict[str, str]) -> dict[str, str]:
    """Return the operands that are not zero or absent."""
    return {text: value for text, value in parts.items() if value not in ("0", "no", "none", '0"')}
