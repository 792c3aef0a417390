"""The trace of a play, as a tree of events: every die, every modifier that applied or did not, every effect, each with
its line.

Input: the notes of a traced Program, and its questions and answers. Output: `Event`s. An untraced Program contains no
code for this. It does not know how events are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.program import trace_notes as step
from interpreter.program.code import DICE, Site
from interpreter.program.program import Program
from interpreter.program.runtime import size
from interpreter.program.trace_notes import Note
from interpreter.program.words import Words

from . import telling, thrown
from .choices import chooser
from .trace_effects import Effects
from .trace_events import Event, Log, Loops, Told
from .trace_lines import Lines
from .trace_reasons import Reasons


class Tracer:
    """Observes plays; records are converted to events when `root` is read."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self._played: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = []
        self._noted: list[Told] = []  # reasons of the next event
        self.log = Log(program, words)
        self.reasons = Reasons(self.log)
        self.loops = Loops(self.log)
        self.lines = Lines(self.log, self.reasons)
        self.effects = Effects(self.log, self.loops, self.reasons)

    # ---- observer
    def named(self, note: int, thing: Any) -> None:
        self.words.names.setdefault(thing, f"new {self.program.notes[note].about.kind.name}")

    def played(self, procedure: Any, args: tuple[Any, ...], records: list[tuple[Any, ...]]) -> None:
        self._played.append((procedure, args, records))

    @property
    def root(self) -> Event:
        played, self._played = self._played, []
        for procedure, args, records in played:
            self._entered(None, procedure, args, False)
            for entry in records:
                self._record(entry)
            self.log.open.pop()
        return self.log.root

    # ---- records
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
                    self.log.open.pop()
            if kind not in (step.NOTE, step.KNOWN):
                self._noted = []

    def _note(self, note: Note, values: Any) -> None:
        """Convert a note to an event, or keep it as a reason for the next event."""
        if note.kind in ("change", "value", "cell", "fact", "roll", "where"):
            self._noted.append((note, values))
            return
        event = self._event(note, values)
        if event is not None:
            self.log.add(event)
        self._noted = []

    def _entered(self, site: Site | None, procedure: Any, args: tuple[Any, ...], skipped: bool) -> None:
        checked = self.program.checker.procedure(procedure)
        given = list(zip(args, checked.params, strict=False))
        line = site.line if site is not None else None
        arguments = [self.loops.short(a, v.type, line) for a, v in given]
        event = self.log.event("call", line, self.words.sentence(procedure.name, arguments))
        event.data = {"procedure": procedure.name, "arguments": [self.words.say(a, v.type) for a, v in given]}
        event.data["said"] = arguments
        if site is None and procedure.name == "situation":
            self.log.open.append(self.log.root)
            return
        if skipped:
            event.text = f"{procedure.name}: asked of nobody"
            event.data["skipped"] = True
            self.log.add(event)
            return
        self.log.cite(event, procedure.cites)
        event.text = self.log.by_rule(event) + event.text
        if procedure.table is not None:
            event.data["row"] = "none"
        self.log.add(event)
        self.log.open.append(event)

    def _answered(self, site: Site, question: Any, answer: Any, faces: Sequence[bytes]) -> None:
        if site.kind == "tally" and not question and self.log.last is not None:
            if self.log.last.line == site.line.address:  # the line has an event with its dice already
                return
        kind = "throw" if site.kind in DICE else "choice"
        event = self.log.event(kind, site.line, "")
        if site.kind == "throw":
            event.data = {"dice": [f for throw in faces for f in throw], "sides": question[1], "asked": question[0]}
            event.text = telling.throw(event.name, event.data)
        elif site.kind == "lots":
            of = size(question[1]) if site.note[0] == "figures" else len(question[1])
            event.data = {"dice": [f for throw in faces for f in throw], "sides": of, "drawn": question[0]}
            event.data["outcome"] = self.words.say(answer, site.type)
            event.text = telling.throw(event.name, event.data)
        elif site.kind in ("tally", "sort"):
            self._tally(event, site, question, answer, [list(throw) for throw in faces if throw])
        else:
            open_ = site.kind == "wish" or not _settled(question)
            if not open_ and not self._is_line(site):
                return  # a subexpression with only one answer
            text = self.words.say(answer, site.type)
            event.data = {"chosen": self.words.plain(answer, site.type), "who": self._who(site, question)}
            event.data["open"] = open_
            event.text = f"{event.name}: {event.data['who']} chooses {text}" if open_ else f"{event.name}: {text}"
        self.log.add(event)

    def _is_line(self, site: Site) -> bool:
        """Whether the answer of a question is the value of a line."""
        procedure = self.log.procedure
        return procedure is None or site.dest in self.program.code(procedure).lines.values()

    def _who(self, site: Site, question: Any) -> str:
        return self.words.thing(chooser(question))

    def _tally(self, event: Event, site: Site, count: Any, answer: Any, faces: list[list[int]]) -> None:
        dice = [f for throw in faces for f in throw]
        event.children = self.reasons.of(self._noted)
        rolls = [values for note, values in self._noted if note.kind == "roll"]
        event.data = {
            "roll": site.note.roll.name,
            "dice": dice,
            **thrown.needs(self.log.convention(site.note.roll), rolls),
        }
        if len(faces) > 1 and site.kind == "tally":
            event.data["again"] = faces[1:]
        passing = "passed" if site.passing else "failed"
        if site.kind == "tally":
            event.data |= {passing: answer, "count": count or 0}
        else:
            outcome = ("pass: " if site.passing else "fail: ") + self.words.say(answer, site.type)
            event.data |= {passing: size(answer), "count": len(dice), "outcome": outcome}
        event.text = telling.throw(event.name, event.data)
        self.log.cite(event, site.note.roll.cites)

    # ---- events
    def _event(self, note: Note, values: Any) -> Event | None:
        say, words = self.words.say, self.words
        match note.kind:
            case "line":
                return self.lines.line(note, values, self._noted)
            case "each":
                who = say(values[0], note.type)
                if note.type is not None and note.type.name == "figure":
                    self.loops.begin(note, values[0])
                event = self.log.event("each", note.line, f"{note.about.name}: {who}")
                event.data = {"each": note.about.name, "who": who}
                return event
            case "round":
                return self.log.event("round", note.line, note.line.address.rpartition(".")[2])
            case "case":
                self.lines.case(note)
            case "if":
                return self.lines.condition(note, values, self._noted)
            case "set" | "add":
                return self.effects.of(note, values, self._noted)
            case "restate":
                return self.effects.restated(note, values, self._noted)
            case "link":
                return self.effects.link(note, values, self._noted)
            case "fits":
                return self.effects.unfit(note, values)
            case "deal":
                self.effects.deal(note, values)
                return None
            case "tell":
                return self._tell(note, values)
            case "new":
                self.words.names.setdefault(values[0], f"new {note.about.kind.name}")
                return self.log.event("effect", note.line, f"a new {note.about.kind.name} is made")
            case "leave":
                return self.log.event("effect", note.line, f"{words.thing(values[0])} leaves play")
            case "rehome":
                event = self.log.event("effect", note.line, f"{say(values[0], note.type)} → {words.thing(values[1])}")
                event.data = {"who": say(values[0], note.type), "now": words.thing(values[1])}
                return event if values[0] not in ((), None) else None
        return None

    def _tell(self, note: Note, values: Any) -> Event:
        step = note.about
        subject, amount, goal = values[:3]
        if step.subject is None:
            return self.log.event("tell", note.line, f"the umpire is asked: {note.text}")
        lead = "moves up to" if note.text.startswith("moves up to") else "moves"
        parts = [self.words.say(subject, step.subject.type), lead]
        if step.amount is not None:
            parts.append(self.words.say(amount, step.amount.type))
        parts.append(note.text[len(lead) :].strip())
        if step.goal is not None:
            parts.append(self.words.say(goal, step.goal.type))
        event = self.log.event("tell", note.line, " ".join(p for p in parts if p))
        event.children = self.reasons.of(self._noted)
        return event


def _settled(question: tuple[Any, ...]) -> bool:
    """Whether a choice has only one answer: all, none, or some of equal figures."""
    kind, _, _, low, high, items, *_ = question
    if kind == "number":
        return bool(low >= high)
    total = size(items) if kind == "figures" else len(items)
    low, high = min(low, total), min(high, total)
    alike = kind == "figures" and len(items) == 1
    return bool(low >= high and (high <= 0 or low == total or alike))
