"""What happened, as a tree of events: every die, every modifier that applied or did not, every effect, each with
its line.

Enters: a traced Program's notes and the questions of a play. Leaves: `Event`s. Watching changes nothing: an
untraced Program holds no trace of this. Knows nothing of how events are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from interpreter.program import record as step
from interpreter.program.code import DICE, Site
from interpreter.program.notes import Note
from interpreter.program.program import Program
from interpreter.program.runtime import size
from interpreter.program.words import Words, number


@dataclass(eq=False, slots=True)
class Event:
    """kind: `call`, `line`, `throw`, `choice`, `effect`, `skip`, `tell`, `modifier`, `look-up`.

    `line` is the address of the line; `where` its place in a file; `text` says in words what happened; `data`
    holds the parts as plain values: a throw's `dice`, `sides`, `needs`, `passed`; a modifier's `applied`,
    `because`, `amount`.
    """

    kind: str
    line: str
    file: str
    row: int
    clauses: tuple[str, ...]
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    children: list[Event] = field(default_factory=list)


class Tracer:
    """Observes one play. What was recorded is told when somebody reads `root`."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self._root: Event | None = None
        self._open: list[Event] = []
        self._played: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = []
        self._reasons: list[tuple[Note, Any]] = []  # of what is told next

    # ---- the observer's part
    def named(self, note: int, thing: Any) -> None:
        self.words.names.setdefault(thing, f"new {self.program.notes[note].about.kind.name}")

    def played(self, procedure: Any, args: tuple[Any, ...], told: list[tuple[Any, ...]]) -> None:
        self._played.append((procedure, args, told))

    @property
    def root(self) -> Event:
        if self._root is None:
            self._root = Event("call", "", "", 0, (), "")
            self._open = [self._root]
        played, self._played = self._played, []
        for procedure, args, told in played:
            self._entered(None, procedure, args, False)
            for entry in told:
                self._record(entry)
            self._open.pop()
        return self._root

    # ---- what was recorded, step by step
    def _record(self, entry: tuple[Any, ...]) -> None:
        notes = self.program.notes
        steps = entry[0]
        if isinstance(steps, int):
            self._note(notes[steps], entry[1:])
            return
        at = 1
        for kind, *about in steps:
            taken = at
            match kind:
                case step.NOTE:
                    number, many = about
                    at += many or 1
                    self._note(notes[number], entry[taken:at] if many else entry[taken])
                case step.KNOWN:
                    for number, *values in about[0]:
                        self._note(notes[number], values)
                case step.ASKED:
                    at += 3
                    question, answer, faces = entry[taken:at]
                    self._answered(about[0], question, answer, [faces] if isinstance(faces, bytes) else faces)
                case step.CALLED:
                    site, many = about[0]
                    at += many
                    self._entered(site, site.callee, entry[taken:at], False)
                case step.SKIP:
                    self._entered(about[0], about[0].callee, (), True)
                case step.LEFT:
                    self._open.pop()
            if kind not in (step.NOTE, step.KNOWN):
                self._reasons = []

    def _note(self, note: Note, values: Any) -> None:
        """A silent step; what it was worked out from goes under it."""
        if note.kind in ("change", "value", "cell", "roll"):
            self._reasons.append((note, values))
            return
        event = self._said(note, values)
        if event is not None:
            looked = [(why, told) for why, told in self._reasons if why.kind == "roll"]
            if event.kind == "line" and looked:  # a line that looks at dice through a roll
                event.data |= self._needs(looked[-1][0].about, looked[-1][1])
            event.children = self._because(self._reasons)
            self._open[-1].children.append(event)
        self._reasons = []

    def _entered(self, site: Site | None, procedure: Any, args: tuple[Any, ...], skipped: bool) -> None:
        checked = self.program.checker.procedure(procedure)
        said = [self.words.say(a, v.type) for a, v in zip(args, checked.params, strict=False)]
        event = self._event("call", site.line if site is not None else None, f"{procedure.name} ({', '.join(said)})")
        event.data = {"procedure": procedure.name, "arguments": said}
        if site is None and procedure.name == "situation":
            self._open.append(self._open[0])
            return
        if skipped:
            event.text = f"{procedure.name}: asked of nobody"
            self._open[-1].children.append(event)
            return
        self._open[-1].children.append(event)
        self._open.append(event)

    def _answered(self, site: Site, question: Any, answer: Any, faces: Sequence[bytes]) -> None:
        kind = "throw" if site.kind in DICE else "choice"
        event = self._event(kind, site.line, "")
        if site.kind == "throw":
            event.data = {"dice": [f for throw in faces for f in throw], "sides": question[1]}
            event.text = f"{question[0]}d{question[1]}: " + " ".join(str(f) for f in event.data["dice"])
        elif site.kind == "lots":
            of = size(question[1]) if site.note[0] == "figures" else len(question[1])
            event.data = {"dice": [f for throw in faces for f in throw], "sides": of}
            shown = " ".join(str(f) for f in event.data["dice"]) or "no dice"
            event.text = f"{question[0]} of {of} at random: {shown} → {self.words.say(answer, site.type)}"
        elif site.kind in ("tally", "sort"):
            self._tally(event, site, question, answer, [list(throw) for throw in faces if throw])
        else:
            event.data = {"chosen": self.words.plain(answer, site.type), "who": self._who(site, question)}
            event.text = f"{event.data['who']} chooses {self.words.say(answer, site.type)}"
        self._open[-1].children.append(event)

    # ---- telling
    def _who(self, site: Site, question: Any) -> str:
        return self.words.thing(question[0] if site.kind == "wish" else question[2])

    def _tally(self, event: Event, site: Site, count: Any, answer: Any, faces: list[list[int]]) -> None:
        dice = [f for throw in faces for f in throw]
        told = self._reasons
        event.children = self._because(told)
        rolls = [values for note, values in told if note.kind == "roll"]
        roll = site.note.roll
        convention = self.program.checker.pure(roll).convention
        sides = convention.sides if convention is not None else 0
        event.data = {"roll": roll.name, "dice": dice, "sides": sides}
        if len(faces) > 1:
            event.data["again"] = faces[1:]
        if rolls:
            event.data |= self._needs(roll, rolls[-1])
        passing = site.passing
        if site.kind == "tally":
            count = count or 0
            event.data["passed" if passing else "failed"] = answer
            outcome = (
                f"{answer} of {count} {'pass' if passing else 'fail'}"
                if count != 1
                else ("passed" if bool(answer) == passing else "failed")
            )
        else:
            outcome = ("pass: " if passing else "fail: ") + self.words.say(answer, site.type)
        needs = event.data.get("needs")
        change = event.data.get("change", 0)
        plus = f", {change:+d} on the die" if isinstance(change, int) and change else ""
        shown = " ".join(str(f) for f in dice) or "no dice"
        event.text = f"{roll.name}: {shown} (d{sides}, needs {needs or 'none'}{plus}) → {outcome}"

    def _needs(self, roll: Any, told: Any) -> dict[str, Any]:
        """What a roll needed, and what was added to the die."""
        convention = self.program.checker.pure(roll).convention
        if convention is None:
            return {}
        need, change = told[0], told[1]
        needs = None if need is None else (f"{number(need)}+" if convention.over else f"{number(need)} or less")
        return {"roll": roll.name, "sides": convention.sides, "needs": needs, "change": change}

    def _because(self, told: list[tuple[Note, Any]]) -> list[Event]:
        """What something was worked out from: modifiers, values and look-ups, the same look-up once."""
        found: list[Event] = []
        seen: set[str] = set()
        for note, values in told:
            if note.kind in ("change", "value"):
                found.append(self._modifier(note, values))
            elif note.kind == "cell" and values[0] is not None and values[0] >= 0:
                event = self._look_up(note, values)
                if event.text not in seen:
                    seen.add(event.text)
                    found.append(event)
        return found

    def _look_up(self, note: Note, values: Any) -> Event:
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
        clauses = tuple(dict.fromkeys((*row.cites, *table.cites)))
        event = Event("look-up", address, span.source.name, span.place[0], clauses, f"{address} is {value}")
        event.data = {"value": value}
        return event

    def _modifier(self, note: Note, values: Any) -> Event:
        if note.kind == "value":
            event = self._event("line", note.line, f"{note.about.name} is {self.words.say(values[0], note.type)}")
            event.line = note.about.name
            event.data = {"value": self.words.plain(values[0], note.type)}
            return event
        applied, result = values
        change = note.about
        event = self._event("modifier", note.line, "")
        condition = change.condition.where.text if change.condition is not None and change.condition.where else None
        event.data = {"applied": bool(applied), "text": note.line.where.text, "now": _plain(result)}
        if condition is not None:
            event.data["because"] = condition if applied else f"not: {condition}"
        name = note.line.address.rsplit(".", 1)[-1]
        said = note.line.where.text.split(" [")[0]
        event.text = f"{name}: {said}" if applied else f"{name} not applied: {said}"
        return event

    def _said(self, note: Note, values: Any) -> Event | None:
        say, words = self.words.say, self.words
        match note.kind:
            case "line":
                if note.type is None or note.type.name in ("record", "any", "block"):
                    return None
                if "?" in note.line.address:
                    return None
                name = getattr(note.about, "name", note.line.address)
                event = self._event("line", note.line, f"{name} = {say(values[0], note.type)}")
                event.data = {"value": words.plain(values[0], note.type)}
                return event
            case "if":
                if values[0]:
                    return None
                event = self._event("skip", note.line, f"not run: {note.text} is not so")
                event.data = {"because": f"not: {note.text}"}
                return event
            case "set" | "add":
                return self._effect(note, values)
            case "tell":
                return self._tell(note, values)
            case "new":
                self.words.names.setdefault(values[0], f"new {note.about.kind.name}")
                return self._event("effect", note.line, f"a new {note.about.kind.name} is made")
            case "leave":
                return self._event("effect", note.line, f"{words.thing(values[0])} leaves play")
            case "rehome":
                return self._event("effect", note.line, f"{say(values[0], note.type)} → {words.thing(values[1])}")
        return None

    def _effect(self, note: Note, values: Any) -> Event | None:
        attribute, type_ = note.about[0], note.about[1]
        target, value = values
        if target in ((), None, -1):
            return None
        who = self.words.say(target, type_)
        if note.kind == "add":
            if not value:
                return None
            sign = "gains" if note.about[2] > 0 else "loses"
            text = f"{who} {sign} {number(value)} {attribute.name}"
        elif attribute.type.name == "truth":
            text = f"{who} {'gains' if value else 'loses'} {attribute.name}"
        else:
            text = f"{attribute.name} of {who} becomes {self.words.say(value, attribute.type)}"
        event = self._event("effect", note.line, text)
        event.data = {"what": attribute.name, "value": self.words.plain(value, attribute.type), "who": who}
        return event

    def _tell(self, note: Note, values: Any) -> Event:
        step = note.about
        subject, amount, goal = values
        parts = []
        if step.subject is not None:
            parts.append(self.words.say(subject, step.subject.type))
        if step.subject is None:
            return self._event("tell", note.line, f"the umpire is asked: {note.text}")
        verb, _, way = note.text.partition(" away from")
        words = note.text.split(" ")
        lead = "moves up to" if note.text.startswith("moves up to") else "moves"
        way = note.text[len(lead) :].strip()
        del verb, words
        parts.append(lead)
        if step.amount is not None:
            parts.append(self.words.say(amount, step.amount.type))
        if way:
            parts.append(way)
        if step.goal is not None:
            parts.append(self.words.say(goal, step.goal.type))
        return self._event("tell", note.line, " ".join(parts))

    def _event(self, kind: str, line: Any, text: str) -> Event:
        if line is None:
            return Event(kind, "", "", 0, (), text)
        span = line.where.span
        return Event(kind, line.address, span.source.name, span.place[0], line.cites, text)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int) else str(value)
