"""Events of the lines of a procedure: their values, conditions that are false, rows of outcome tables.

Input: the notes of lines and their reasons. Output: `Event`s; a line that repeats an earlier value is marked (`echo`).
It does not know effects, nor where dice come from.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.program.trace_notes import Note

from . import telling, thrown
from .trace_events import Event, Log, Told, walk
from .trace_reasons import Operands, Reasons, adding


class Lines:
    """Converts notes of lines to events. The operands of a condition that holds are shown with the line under it."""

    def __init__(self, log: Log, reasons: Reasons) -> None:
        self.log = log
        self.reasons = reasons
        self.words = log.words
        self.operands = Operands(log.program, log.words)
        self._granted: tuple[str, dict[str, str]] = "", {}  # the address and operands of a condition that holds

    def line(self, note: Note, values: Any, reasons: list[Told]) -> Event | None:
        if note.type is None or note.type.name in ("record", "any", "block"):
            return None
        value = (
            thrown.in_throw_order(values[0], self.log.here.children)
            if note.type.name in ("dice", "faces")
            else values[0]
        )
        name, text = note.about.name, self.words.say(value, note.type)
        if "?" in note.line.address or "?" in name:
            return None
        here, last = self.log.here, self.log.last
        if "row" in here.data and name in ("by", "row", "done", "passed on"):
            self._row(here, note, text)
            return None
        data: dict[str, Any] = {"value": self.words.plain(value, note.type)}
        parts = self.operands.of(note.parts, values[1:], reasons)
        if note.type.name in ("number", "inches"):
            parts = adding(parts)
        line, granted = self._granted
        if line == note.line.address and note.type.name in ("number", "inches", "truth"):
            parts = granted | parts
        self._granted = "", {}
        if parts:
            data["parts"] = parts
        if name in self.log.wanted:
            data["read"] = True
        children = self.reasons.of(reasons)
        if note.type.name in ("dice", "faces"):
            data["judged"] = thrown.is_reported(value, here.children)
            children = [e for e in children if e.kind != "left-out"]  # the faces show it
        elif self._echo(text, parts):
            data["echo"] = True
        if note.text == "dice" and note.type.name == "truth":
            data["on-dice"] = True
        if last is not None and last.line == note.line.address and self._sum(last, note, data, children):
            return None
        if last is not None and last.data.get("row") == text and last.line == note.line.address:
            return None  # the event of the outcome table shows its row
        own = name.removesuffix(" by").rpartition(".")[2]
        event = self.log.event("line", note.line, "")
        event.data, event.children = data, children
        looked = [told for why, told in reasons if why.kind == "roll"]
        plain = [p for p in note.parts if not p.asked]
        given = [v for p, v in zip(plain, values[1:], strict=True) if p.type.name in ("dice", "faces")]
        if looked and given and isinstance(values[0], int) and note.text in ("passed", "failed", "judged"):
            roll = next(why.about for why, _ in reversed(reasons) if why.kind == "roll")
            faces = [f for some in given for f in thrown.in_throw_order(some, here.children)]
            counted = {note.text: values[0]}
            if note.text == "judged":
                counted = {"passed": thrown.passing(self.log.convention(roll), looked[-1], faces)}
            event.data = {"value": values[0], "roll": roll.name, "dice": faces, "count": len(faces)}
            event.data |= {**thrown.needs(self.log.convention(roll), looked), **counted, "looked": True}
            event.data |= {k: v for k, v in data.items() if k in ("read", "on-dice")}
            event.text = f"{own}: {telling.tested(event.data)}"
            self.log.cite(event, roll.cites)
        else:
            event.text = f"{own}: {text}{telling.worked_out(data)}"
        return event

    def condition(self, note: Note, values: Any, reasons: list[Told]) -> Event | None:
        """Return the event of a false condition, with the first conjunct that is false; None if the condition holds."""
        parts = note.about
        if values[0]:
            names = {name for text, _, _ in parts for name in re.findall(r"[\w-]+", text)}
            thrown.require_report(names, self.log.here.children)
            self._granted = note.line.address, self.operands.of(note.parts, values[len(parts) :], reasons)
            return None
        failed = next((i for i, held in enumerate(values[1 : len(parts)]) if not held), len(parts) - 1)
        text, dice, mine = parts[failed]
        if not text:
            return None
        first = sum(many for _, _, many in parts[:failed])
        plain = [len([p for p in note.parts[:i] if not p.asked]) for i in (first, first + mine)]
        rest = values[len(parts) :]
        operands = self.operands.of(note.parts[first : first + mine], rest[plain[0] : plain[1]], reasons)
        dice = dice and failed == len(parts) - 1  # no other conjunct is unknown
        data: dict[str, Any] = {"because": f"not: {text}", "on-dice": dice, "parts": operands}
        event = self.log.event("skip", note.line, "")
        event.data, event.children = data, self.reasons.of(reasons)
        event.text = f"no {event.name}: {telling.denied(text, data)}"
        if self.log.here.data.get("row") == "none":
            event.kind = "barred"
            event.text = f"{event.name} does not count: {telling.denied(text, data)}"
        return event

    def case(self, note: Note) -> None:
        """Add the case that was taken to the event of the value that selected it."""
        last = self.log.last
        if last is None or not last.line or not note.line.address.startswith(f"{last.line}."):
            return
        self.log.cite(last, note.line.cites)
        if note.about.name:
            last.data["case"] = note.about.name
            last.text = f"{last.text.removesuffix(telling.worked_out(last.data))} → {note.about.name}"

    def _echo(self, value: str, parts: dict[str, str]) -> bool:
        """Whether a line only repeats the value of its single operand, which an earlier event shows."""
        if len(parts) != 1:
            return False
        ((text, was),) = parts.items()
        name = text.rpartition(".")[2]
        return value.rstrip('"') == was.rstrip('"') and any(e.name == name for e in walk(self.log.here.children))

    def _row(self, here: Event, note: Note, text: str) -> None:
        """Record the face or the row of an outcome table in the event of its call."""
        if note.about.name == "by":
            here.data["face"] = text
        elif note.about.name == "row" and text != "none":
            here.data["row"] = text
            span = note.line.where.span
            self.log.cite(here, note.line.cites)
            here.data["at"] = {"line": note.line.address, "file": span.source.name, "row": span.place[0]}
            name = self.words.book.procedures[here.data["procedure"]].name
            here.text = f"{name} {here.data['face']}: {text}"

    def _sum(self, last: Event, note: Note, data: dict[str, Any], reasons: list[Event]) -> bool:
        """Merge the value of a line into the event of its throw or choice, if it consists of that; return whether it
        does.
        """
        kind = note.type.name if note.type is not None else ""
        before = self.log.here.children[-2:-1]
        if any(e.kind == last.kind and e.line == last.line for e in before):
            return False
        if last.kind == "choice":
            return bool(last.data["chosen"] == data["value"])
        if last.kind != "throw":
            return False
        if "drawn" in last.data:
            return True
        if "roll" in last.data:
            count = last.data.get("passed", last.data.get("failed"))
            if "outcome" not in last.data and kind == "number" and data["value"] != count:
                return False
            if kind == "truth":
                last.data["value"] = data["value"]
            return True
        if kind != "dice":
            last.data |= data | ({"sum": True} if note.text == "sum" else {})
            last.children = reasons
            last.text = telling.throw(last.name, last.data)
        return True
