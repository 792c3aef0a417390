"""What happened, as a tree of events: every die, every modifier that applied or did not, every effect, each with
its line.

Enters: a traced Program's notes and the questions of a play. Leaves: `Event`s. Watching changes nothing: an
untraced Program holds no trace of this. Knows nothing of how events are shown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from interpreter.program import record as step
from interpreter.program.code import DICE, Site
from interpreter.program.notes import Note, Part
from interpreter.program.program import Program
from interpreter.program.runtime import size, succeeding
from interpreter.program.words import Words, number, singular
from interpreter.source.values import field, record, replace, value

from . import telling

Told = tuple[Note, Any]


@record()
class Event:
    """kind: `call`, `each` and `round` (of a loop), `line`, `throw`, `choice`, `effect`, `skip`, `tell`, `modifier`,
    `look-up`, `left-out` (of a filter), `barred` (a row of an outcome table).

    `line` is the address of the line; `where` its place in a file; `text` says in words what happened; `data`
    holds the parts as plain values: a throw's `dice`, `sides`, `needs`, `passed`; a modifier's `applied`,
    `because`, `amount`; an effect's `who`, `what`, `was`, `now`; of an outcome table its `row`.
    """

    kind: str
    line: str
    file: str
    row: int
    clauses: tuple[str, ...]
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    children: list[Event] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The line's own name, without those above it."""
        return self.line.rpartition(".")[2] or self.line


class Tracer:
    """Observes one play. What was recorded is told when somebody reads `root`."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self._root: Event | None = None
        self._open: list[Event] = []
        self._played: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = []
        self._reasons: list[Told] = []  # of what is told next
        self._granted: tuple[str, dict[str, str]] = "", {}  # by which line's condition
        self._within: dict[Any, set[str]] = {}
        self._loops: list[_Loop] = []  # those that are run through just now, inmost last
        self._dealt: tuple[Event | None, list[_Share]] = None, []  # the deal in hand
        self._prefixes = {d.prefix for d in program.book.definitions if d.prefix}

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
        if note.kind in ("change", "value", "cell", "fact", "roll", "where"):
            self._reasons.append((note, values))
            return
        event = self._said(note, values)
        if event is not None:
            self._add(event)
        self._reasons = []

    def _add(self, event: Event) -> None:
        self._open[-1].children.append(event)

    def _last(self) -> Event | None:
        return self._open[-1].children[-1] if self._open[-1].children else None

    def _entered(self, site: Site | None, procedure: Any, args: tuple[Any, ...], skipped: bool) -> None:
        checked = self.program.checker.procedure(procedure)
        given = list(zip(args, checked.params, strict=False))
        line = site.line if site is not None else None
        said = [self._short(a, v.type, line) for a, v in given]
        event = self._event("call", line, self.words.sentence(procedure.name, said))
        event.data = {"procedure": procedure.name, "arguments": [self.words.say(a, v.type) for a, v in given]}
        event.data["said"] = said
        if site is None and procedure.name == "situation":
            self._open.append(self._open[0])
            return
        if skipped:
            event.text = f"{procedure.name}: asked of nobody"
            event.data["skipped"] = True
            self._add(event)
            return
        event.clauses = tuple(dict.fromkeys((*event.clauses, *self._own(procedure.cites))))
        event.text = self._by_rule(event) + event.text
        if procedure.table is not None:
            event.data["row"] = "none"
        self._add(event)
        self._open.append(event)

    @property
    def _read(self) -> frozenset[str]:
        """Which lines of the call in hand any rule reads."""
        procedure = self.program.book.procedures.get(self._open[-1].data.get("procedure", ""))
        return self.program.wanted(procedure) if procedure is not None else frozenset()

    def _answered(self, site: Site, question: Any, answer: Any, faces: Sequence[bytes]) -> None:
        kind = "throw" if site.kind in DICE else "choice"
        event = self._event(kind, site.line, "")
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
                return  # a step of something else, and nobody had a choice
            said = self.words.say(answer, site.type)
            event.data = {"chosen": self.words.plain(answer, site.type), "who": self._who(site, question)}
            event.data["open"] = open_
            event.text = f"{event.name}: {event.data['who']} chooses {said}" if open_ else f"{event.name}: {said}"
        self._add(event)

    def _is_line(self, site: Site) -> bool:
        """Whether an answer is what a line is worth."""
        procedure = self.program.book.procedures.get(self._open[-1].data.get("procedure", ""))
        return procedure is None or site.dest in self.program.code(procedure).lines.values()

    # ---- dice
    def _who(self, site: Site, question: Any) -> str:
        return self.words.thing(question[0] if site.kind == "wish" else question[2])

    def _tally(self, event: Event, site: Site, count: Any, answer: Any, faces: list[list[int]]) -> None:
        dice = [f for throw in faces for f in throw]
        event.children = self._because(self._reasons)
        rolls = [values for note, values in self._reasons if note.kind == "roll"]
        event.data = {"roll": site.note.roll.name, "dice": dice, **self._needs(site.note.roll, rolls)}
        if len(faces) > 1 and site.kind == "tally":
            event.data["again"] = faces[1:]
        passing = "passed" if site.passing else "failed"
        if site.kind == "tally":
            event.data |= {passing: answer, "count": count or 0}
        else:
            outcome = ("pass: " if site.passing else "fail: ") + self.words.say(answer, site.type)
            event.data |= {passing: size(answer), "count": len(dice), "outcome": outcome}
        event.text = telling.throw(event.name, event.data)
        event.clauses = tuple(dict.fromkeys((*event.clauses, *self._own(site.note.roll.cites))))

    def _needs(self, roll: Any, told: Sequence[Any]) -> dict[str, Any]:
        """What a roll needed, and what was added to the die; of several figures, what each needed."""
        convention = self.program.checker.pure(roll).convention
        if convention is None:
            return {}
        found: dict[str, Any] = {"sides": convention.sides, "needs": None, "change": 0}
        if not told:
            return found
        end = "+" if convention.over else " or less"
        needs = dict.fromkeys(number(values[0]) + end for values in told if values[0] is not None)
        _, change, dice, best, _, verdict = told[-1]
        found |= {"needs": " and ".join(needs) or None, "change": change}
        if dice != 1:
            found |= {"dice-each": dice, "best": best}
        if verdict is not None:
            found["verdict"] = "passes" if verdict else "fails"
        return found

    # ---- reasons
    def _because(self, told: list[Told]) -> list[Event]:
        """What something was worked out from: modifiers, values and look-ups, the same look-up once; who was left
        out of a filter, and by what.
        """
        found: list[Event] = []
        seen: set[str] = set()
        since: list[Told] = []
        for note, values in told:
            since.append((note, values))
            if note.kind == "where":
                found += self._left_out(note, values, since)
                since = []
                continue
            if any(n.kind == "where" for n, _ in told):
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
        """One member that a filter did not let through: the part of the condition that was not so, and the line of
        its value that decided.
        """
        one, came = values
        if came >= len(note.parts):
            return []
        why = note.parts[came].text
        who = self.words.say(one, note.type)
        event = self._event("left-out", note.line, f"not {who}: {why} is not so")
        event.data = {"who": who, "because": why, "line": None}
        decided = _decided(since[:-1])
        if decided is not None:
            change = decided.about
            event = self._event("left-out", decided.line, "")
            event.line = note.line.address
            name, text = decided.line.address.rpartition(".")[2], _bare(decided.line)
            if change.condition is not None and change.condition.where is not None:
                text = change.condition.where.text
            event.text = f"not {who}: {'' if change.condition is not None else 'not '}{name} ({text})"
            event.data = {"who": who, "because": text, "line": decided.line.address}
        return [event]

    def _look_up(self, note: Note, values: Any) -> Event:
        if note.kind == "fact":
            event = self._event("look-up", note.line, f"{note.about.name} is {self.words.say(values[0], note.type)}")
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
        clauses = self._own(dict.fromkeys((*row.cites, *table.cites)))
        event = Event("look-up", address, span.source.name, span.place[0], clauses, f"{address} is {value}")
        event.data = {"value": value}
        return event

    def _modifier(self, note: Note, values: Any) -> Event:
        if note.kind == "value":
            symbol = note.about
            event = self._event("line", note.line, f"{symbol.name} is {self.words.say(values[0], note.type)}")
            event.line = symbol.name
            event.row, event.clauses = symbol.where.span.place[0], self._own(symbol.cites)
            event.data = {"value": self.words.plain(values[0], note.type)}
            return event
        applied, result = values
        change = note.about
        event = self._event("modifier", note.line, "")
        condition = change.condition.where.text if change.condition is not None and change.condition.where else None
        event.data = {"applied": bool(applied), "text": _bare(note.line), "now": _plain(result)}
        if note.type is not None and note.type.name not in ("truth", "figures", "things"):
            event.data["said"] = self.words.say(result, note.type)
        if condition is not None:
            event.data["because"] = condition if applied else f"not: {condition}"
        said = _bare(note.line)
        event.text = f"{event.name}: {said}" if applied else f"{event.name} not applied: {said}"
        return event

    # ---- telling
    def _said(self, note: Note, values: Any) -> Event | None:
        say, words = self.words.say, self.words
        match note.kind:
            case "line":
                return self._line(note, values)
            case "each":
                who = say(values[0], note.type)
                if note.type is not None and note.type.name == "figure":
                    self._run_through(note.line.address)
                    loop = _Loop(len(self._open), note.line.address, note.about.name, values[0])
                    if self._loops and (self._loops[-1].depth, self._loops[-1].line) == (loop.depth, loop.line):
                        self._loops.pop()  # its last round
                    self._loops.append(loop)
                event = self._event("each", note.line, f"{note.about.name}: {who}")
                event.data = {"each": note.about.name, "who": who}
                return event
            case "round":
                return self._event("round", note.line, note.line.address.rpartition(".")[2])
            case "case":
                self._case(note)
            case "if":
                return self._condition(note, values)
            case "set" | "add":
                return self._effect(note, values)
            case "deal":
                self._deal(note, values)
                return None
            case "tell":
                return self._tell(note, values)
            case "new":
                self.words.names.setdefault(values[0], f"new {note.about.kind.name}")
                return self._event("effect", note.line, f"a new {note.about.kind.name} is made")
            case "leave":
                return self._event("effect", note.line, f"{words.thing(values[0])} leaves play")
            case "rehome":
                event = self._event("effect", note.line, f"{say(values[0], note.type)} → {words.thing(values[1])}")
                event.data = {"who": say(values[0], note.type), "now": words.thing(values[1])}
                return event if values[0] not in ((), None) else None
        return None

    def _line(self, note: Note, values: Any) -> Event | None:
        if note.type is None or note.type.name in ("record", "any", "block"):
            return None
        value = self._fell(values[0]) if note.type.name in ("dice", "faces") else values[0]
        name, said = note.about.name, self.words.say(value, note.type)
        if "?" in note.line.address or "?" in name:
            return None
        here, last = self._open[-1], self._last()
        if "row" in here.data and name in ("by", "row", "done", "passed on"):
            self._row(here, note, said)
            return None
        data: dict[str, Any] = {"value": self.words.plain(value, note.type)}
        parts = self._parts(note.parts, values[1:])
        if note.type.name in ("number", "inches"):
            parts = _adding(parts)
        line, granted = self._granted
        if line == note.line.address and note.type.name in ("number", "inches", "truth"):
            parts = granted | parts
        self._granted = "", {}
        if parts:
            data["parts"] = parts
        if name in self._read:
            data["read"] = True
        reasons = self._because(self._reasons)
        if note.type.name in ("dice", "faces"):
            data["judged"] = self._judged(value)
            reasons = [e for e in reasons if e.kind != "left-out"]  # the faces say it
        elif self._echo(said, parts):
            data["echo"] = True
        if note.text == "dice" and note.type.name == "truth":
            data["on-dice"] = True
        if last is not None and last.line == note.line.address and self._sum(last, note, data, reasons):
            return None
        if last is not None and last.data.get("row") == said and last.line == note.line.address:
            return None  # an outcome table has said its row
        own = name.removesuffix(" by").rpartition(".")[2]
        event = self._event("line", note.line, "")
        event.data, event.children = data, reasons
        looked = [told for why, told in self._reasons if why.kind == "roll"]
        plain = [p for p in note.parts if not p.asked]
        thrown = [v for p, v in zip(plain, values[1:], strict=True) if p.type.name in ("dice", "faces")]
        if looked and thrown and isinstance(values[0], int) and note.text in ("passed", "failed", "judged"):
            roll = next(why.about for why, _ in reversed(self._reasons) if why.kind == "roll")
            faces = [f for some in thrown for f in self._fell(some)]
            counted = {note.text: values[0]}
            if note.text == "judged":
                counted = {"passed": self._passing(roll, looked[-1], faces)}
            event.data = {"value": values[0], "roll": roll.name, "dice": faces, "count": len(faces)}
            event.data |= {**self._needs(roll, looked), **counted, "looked": True}
            event.data |= {k: v for k, v in data.items() if k in ("read", "on-dice")}
            event.text = f"{own}: {telling.tested(event.data)}"
            event.clauses = tuple(dict.fromkeys((*event.clauses, *self._own(roll.cites))))
        else:
            event.text = f"{own}: {said}{telling.worked_out(data)}"
        return event

    # ---- dice that lie there
    def _fell(self, faces: Sequence[int]) -> list[int]:
        """Faces in the order in which they fell: those of the latest throw that had them all, else of all throws."""
        if len(set(faces)) < 2:
            return list(faces)
        throws = [e.data["dice"] for e in _all(self._open[-1].children) if e.kind == "throw" and "dice" in e.data]
        wanted = Counter(faces)
        for thrown in (*reversed(throws), [f for dice in throws for f in dice]):
            if wanted <= Counter(thrown):
                return _some_of(thrown, wanted)
        return list(faces)

    def _judged(self, faces: Sequence[int]) -> bool:
        """Dice that a roll has looked at: of these everything is said."""
        known: Counter[int] = Counter()
        for event in _all(self._open[-1].children):
            if event.data.get("looked"):
                known.update(event.data["dice"])
        return Counter(faces) <= known

    def _led_on(self, names: set[str]) -> None:
        """Dice that a condition went by are worth telling, also where a roll has looked at them."""
        for event in _all(self._open[-1].children):
            if event.data.get("judged") and event.data["value"] and event.name in names:
                event.data["judged"] = False

    def _passing(self, roll: Any, told: Sequence[Any], faces: Sequence[int]) -> int:
        """How many of some faces pass a roll."""
        need, change, *_, verdict = told
        c = self.program.checker.pure(roll).convention
        if verdict is not None or c is None:
            return len(faces) if verdict else 0
        mask = succeeding(c.sides, c.over, c.always, c.never, need, change)
        return sum(mask >> f & 1 for f in faces)

    def _echo(self, said: str, parts: dict[str, str]) -> bool:
        """A line that only says again what a line before it has said."""
        if len(parts) != 1:
            return False
        ((text, was),) = parts.items()
        name = text.rpartition(".")[2]
        return said.rstrip('"') == was.rstrip('"') and any(e.name == name for e in _all(self._open[-1].children))

    def _row(self, here: Event, note: Note, said: str) -> None:
        """A row of an outcome table was come to; the table's call says so."""
        if note.about.name == "by":
            here.data["face"] = said
        elif note.about.name == "row" and said != "none":
            here.data["row"] = said
            span = note.line.where.span
            here.clauses = tuple(dict.fromkeys((*here.clauses, *self._own(note.line.cites))))
            here.data["at"] = {"line": note.line.address, "file": span.source.name, "row": span.place[0]}
            name = self.words.book.procedures[here.data["procedure"]].name
            here.text = f"{name} {here.data['face']}: {said}"

    def _sum(self, last: Event, note: Note, data: dict[str, Any], reasons: list[Event]) -> bool:
        """A line that is a throw or a choice, and what it comes to, are one event."""
        kind = note.type.name if note.type is not None else ""
        before = self._open[-1].children[-2:-1]
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

    def _parts(self, parts: Sequence[Part], values: Sequence[Any]) -> dict[str, str]:
        """What a line or a condition speaks of, in words."""
        answers = self._answers()
        asked = [p.asked for p in parts if p.asked]
        left = iter(values)
        found = {}
        for part in parts:
            if part.asked:
                known = answers.get(part.asked, [])
                if len(known) == asked.count(part.asked):  # else nobody can say which is which
                    found[part.text] = known[[p for p in parts if p.asked == part.asked].index(part)]
                continue
            value = next(left)
            if part.type.name != "dice":
                found[part.text] = self.words.say(value, part.type)
        return found

    def _answers(self) -> dict[str, list[str]]:
        """What values and tables answered to the sentence in hand itself, not to one another."""
        open_: list[tuple[str, str]] = []
        for note, values in self._reasons:
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
        for name, said in open_:
            found.setdefault(name, []).append(said)
        return found

    def _asks(self, symbol: Any) -> set[str]:
        """Which values and columns a value may ask, directly or through others."""
        if symbol not in self._within:
            self._within[symbol] = self.program.asked_by(symbol)
        return self._within[symbol]

    def _case(self, note: Note) -> None:
        """Of several cases the one that was taken is told with what was asked for."""
        last = self._last()
        if last is None or not last.line or not note.line.address.startswith(f"{last.line}."):
            return
        last.clauses = tuple(dict.fromkeys((*last.clauses, *self._own(note.line.cites))))
        if note.about.name:
            last.data["case"] = note.about.name
            last.text = f"{last.text.removesuffix(telling.worked_out(last.data))} → {note.about.name}"

    def _condition(self, note: Note, values: Any) -> Event | None:
        """A condition that is not so: the first of its parts that was not. What one that is so was worked out from
        goes with its line.
        """
        parts = note.about
        if values[0]:
            self._led_on({name for text, _, _ in parts for name in re.findall(r"[\w-]+", text)})
            self._granted = note.line.address, self._parts(note.parts, values[len(parts) :])
            return None
        came = next((i for i, held in enumerate(values[1 : len(parts)]) if not held), len(parts) - 1)
        text, dice, mine = parts[came]
        if not text:
            return None
        first = sum(many for _, _, many in parts[:came])
        plain = [len([p for p in note.parts[:i] if not p.asked]) for i in (first, first + mine)]
        rest = values[len(parts) :]
        said = self._parts(note.parts[first : first + mine], rest[plain[0] : plain[1]])
        dice = dice and came == len(parts) - 1  # what else would have had to be so is known
        data: dict[str, Any] = {"because": f"not: {text}", "on-dice": dice, "parts": said}
        event = self._event("skip", note.line, "")
        event.data, event.children = data, self._because(self._reasons)
        event.text = f"no {event.name}: {telling.denied(text, data)}"
        if self._open[-1].data.get("row") == "none":
            event.kind = "barred"
            event.text = f"{event.name} does not count: {telling.denied(text, data)}"
        return event

    # ---- effects
    def _effect(self, note: Note, values: Any) -> Event | None:
        attribute, type_ = note.about[0], note.about[1]
        target, was, value = values
        if target in ((), None, -1):
            return None
        sign = note.about[2] if note.kind == "add" else 0
        members = _members(target, was, attribute, type_)
        if sign and not value:
            return None
        ends = [_ended(old, value, sign, attribute) for _, _, old in members]
        shifted = [(m, end) for m, end in zip(members, ends, strict=True) if m[2] != end]
        told = [m for m, _ in shifted] or members
        many = type_.many and (len(told) > 1 or any(n > 1 for _, n, _ in told))
        full = self.words.say(_again(told, type_), type_)
        who = self._short(_again(told, type_), type_, note.line)
        self._changed([(one, end) for (one, _, _), end in zip(members, ends, strict=True)], attribute)
        say = self.words.say
        before = [say(old, attribute.type) for _, _, old in told]
        now = [say(end, attribute.type) for _, end in shifted] or before
        if sign:
            verb = "gain" if sign > 0 else "lose"
            count = number(value)
            name = singular(attribute.name) if value == 1 else attribute.name
            text = f"{who} {verb}{'' if many else 's'} {count} {name}"
            text += telling.after(before, now, _limit(attribute, told, value, sign))
        elif attribute.type.name == "truth":
            text = f"{who} {'gain' if value else 'lose'}{'' if many else 's'} {attribute.name}"
        else:
            start = before[0] if len(set(before)) == 1 else "…"
            text = f"{attribute.name} of {who}: {start} → {now[0]}"
        event = self._event("effect", note.line, text)
        event.data = {
            "what": attribute.name,
            "value": self.words.plain(value, attribute.type),
            "who": full,
            "was": before,
            "now": now,
            "changed": bool(shifted),
        }
        event.children = self._because(self._reasons)
        if not shifted and not sign:
            event.text += " (nothing changes)"
        event.text = self._by_rule(event) + event.text
        return event

    def _deal(self, note: Note, values: Any) -> None:
        """All that one line deals is told as one event, with who had a say in it."""
        target, was, value = values
        attribute, type_, sign = note.about
        told, line = self._open[-1].children, note.line.address
        who = ""
        while told and told[-1].line == line and told[-1].kind in ("round", "choice"):
            gone = told.pop()
            who = gone.data["who"] if gone.data.get("open") else who
        event, dealt = self._dealt
        if event is None or not told or told[-1] is not event:
            event, dealt = self._event("effect", note.line, ""), []
            event.data = {"what": attribute.name, "by": ""}
            told.append(event)
        members = _members(target, was, attribute, type_)
        ends = [_ended(old, value, sign, attribute) for _, _, old in members]
        dealt = _dealt(dealt, members, ends, value, attribute if "figure" in type_.name else None)
        self._changed([(one, end) for (one, _, _), end in zip(members, ends, strict=True)], attribute)
        self._dealt = event, dealt
        event.data["by"] = who or event.data["by"]
        event.data["changed"] = any(s.now != s.was for s in dealt)
        event.data |= {"was": [number(s.was) for s in dealt], "now": [number(s.now) for s in dealt]}
        event.data["who"], parts = "", []
        for many in sorted({s.got for s in dealt}, reverse=True):
            mine = [s for s in dealt if s.got == many]
            whom = self.words.say(_again([(s.first, s.many, s.was) for s in mine], type_), type_)
            several = type_.many and (len(mine) > 1 or mine[0].many > 1)
            text = f"{whom} gain{'' if several else 's'} {number(many)} "
            text += singular(attribute.name) if many == 1 else attribute.name
            parts.append(text + telling.after([number(s.was) for s in mine], [number(s.now) for s in mine], ""))
            event.data["who"] += f"{', ' if event.data['who'] else ''}{whom}"
        event.text = f"{event.name}: {'; '.join(parts)}"
        if event.data["by"]:
            event.text += f" ({event.data['by']} chooses who)"

    # ---- loops
    def _short(self, value: Any, type_: Any, line: Any) -> str:
        """Who a loop has in hand is called by its name there."""
        if type_ is not None and type_.name == "figure" and value is not None:
            self._run_through(line.address if line is not None else "")
            for loop in reversed(self._loops):
                if loop.figure == value:
                    return loop.name
        return self.words.say(value, type_)

    def _run_through(self, line: str) -> None:
        """Loops that are over by a line of the call in hand."""
        depth = len(self._open)
        while self._loops:
            loop = self._loops[-1]
            inner = line if loop.depth == depth else self._open[loop.depth].line if loop.depth < depth else ""
            if inner == loop.line or inner.startswith(f"{loop.line}."):
                break
            self._loops.pop()

    def _changed(self, ends: Iterable[tuple[Any, Any]], attribute: Any) -> None:
        for one, end in ends:
            for loop in self._loops:
                if loop.figure == one:
                    loop.figure = (*one[: attribute.place], end, *one[attribute.place + 1 :])

    def _by_rule(self, event: Event) -> str:
        """A rule that takes hold of another line says its name."""
        return f"{event.line}: " if event.line in self.program.book.rules else ""

    def _tell(self, note: Note, values: Any) -> Event:
        told = note.about
        subject, amount, goal = values[:3]
        if told.subject is None:
            return self._event("tell", note.line, f"the umpire is asked: {note.text}")
        lead = "moves up to" if note.text.startswith("moves up to") else "moves"
        parts = [self.words.say(subject, told.subject.type), lead]
        if told.amount is not None:
            parts.append(self.words.say(amount, told.amount.type))
        parts.append(note.text[len(lead) :].strip())
        if told.goal is not None:
            parts.append(self.words.say(goal, told.goal.type))
        event = self._event("tell", note.line, " ".join(p for p in parts if p))
        event.children = self._because(self._reasons)
        return event

    def _own(self, cites: Iterable[str]) -> tuple[str, ...]:
        """Of the clauses that a shared page carries out, those of the game in hand."""
        return tuple(c for c in cites if not self._prefixes or c.rpartition("-")[0] in self._prefixes)

    def _event(self, kind: str, line: Any, text: str) -> Event:
        if line is None:
            return Event(kind, "", "", 0, (), text)
        span = line.where.span
        return Event(kind, line.address, span.source.name, span.place[0], self._own(line.cites), text)


@record()
class _Loop:
    """A loop that is run through: how deep, its line, the name for whom it has in hand, and who that is just now."""

    depth: int
    line: str
    name: str
    figure: tuple[Any, ...]


@value()
class _Share:
    """What some alike ones got in a deal: as they stood when it began, and as they stand now."""

    first: Any
    one: Any
    many: int
    got: int
    was: Any
    now: Any


def _dealt(
    dealt: list[_Share], members: Iterable[tuple[Any, int, Any]], ends: Iterable[Any], value: int, counted: Any
) -> list[_Share]:
    """The shares after one more has gone to each of some."""
    found = []
    for (one, many, old), end in zip(members, ends, strict=True):
        now = (*one[: counted.place], end, *one[counted.place + 1 :]) if counted is not None else one
        for share in [s for s in dealt if s.one == one]:
            taken = min(many, share.many)
            if taken:
                dealt = [s for s in dealt if s is not share]
                dealt += [replace(share, many=share.many - taken)] if share.many > taken else []
                found.append(replace(share, one=now, many=taken, got=share.got + value, now=end))
            many -= taken
        if many:
            found.append(_Share(one, now, many, value, old, end))
    return dealt + found


def _all(events: Iterable[Event]) -> Iterator[Event]:
    for event in events:
        yield event
        yield from _all(event.children)


def _some_of(thrown: Iterable[int], wanted: Counter[int]) -> list[int]:
    left = wanted.copy()
    found = []
    for face in thrown:
        if left[face]:
            left[face] -= 1
            found.append(face)
    return found


# ---- values
def _bare(line: Any) -> str:
    """The text of a line without its clauses."""
    return str(line.where.text.split(" [")[0])


def _adding(parts: dict[str, str]) -> dict[str, str]:
    """What adds something to a number."""
    return {text: said for text, said in parts.items() if said not in ("0", "no", "none", '0"')}


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int) else str(value)


def _settled(question: tuple[Any, ...]) -> bool:
    """Whether a pick leaves no choice: all, none, or some of alike ones."""
    kind, _, _, low, high, items, *_ = question
    if kind == "number":
        return bool(low >= high)
    total = size(items) if kind == "figures" else len(items)
    low, high = min(low, total), min(high, total)
    alike = kind == "figures" and len(items) == 1
    return bool(low >= high and (high <= 0 or low == total or alike))


def _decided(since: Sequence[Told]) -> Note | None:
    """The line of a value that made it no, and after which it stayed no; where it asks another value, that one's."""
    if not since or since[-1][0].kind != "value" or since[-1][1][0] is not False:
        return None
    found, at = None, 0
    symbol = since[-1][0].about
    for i, (note, values) in enumerate(since):
        if note.kind == "change" and note.line.address.split(".")[0] == symbol.name and values[0]:
            found, at = ((found, at) if found else (note, i)) if values[1] is False else (None, 0)
    if found is None:
        return None
    asked = getattr(found.about.amount, "value", None)  # of a call of a value
    deeper = [i for i in range(at) if since[i][0].kind == "value" and since[i][0].about is asked]
    return (_decided(since[: deeper[-1] + 1]) if deeper else None) or found


Member = tuple[Any, int, Any]


def _members(target: Any, was: Any, attribute: Any, type_: Any) -> list[Member]:
    """Whom an effect changes, how many alike, and what each had."""
    match type_.name:
        case "figures":
            return [(f, n, f[attribute.place]) for f, n in target]
        case "figure":
            return [(target, 1, target[attribute.place])]
        case "things":
            return [(u, 1, old) for u, old in zip(target, was, strict=True) if u >= 0]
    return [(target, 1, was[0])]


def _again(members: Sequence[Member], type_: Any) -> Any:
    match type_.name:
        case "figures":
            return tuple((f, n) for f, n, _ in members)
        case "things":
            return tuple(u for u, _, _ in members)
    return members[0][0]


def _ended(old: Any, value: Any, sign: int, attribute: Any) -> Any:
    if not sign:
        return value
    end = (old or 0) + sign * value
    if attribute.low is None or attribute.high is None:
        return end
    return min(attribute.high, max(attribute.low, end))


def _limit(attribute: Any, members: Sequence[Member], value: Any, sign: int) -> str:
    """That a number could not go all the way."""
    if attribute.low is None or attribute.high is None:
        return ""
    ends = [(old or 0) + sign * value for _, _, old in members]
    if sign > 0 and any(end > attribute.high for end in ends):
        return f" ({number(attribute.high)} is the most)"
    return f" ({number(attribute.low)} is the least)" if sign < 0 and any(end < attribute.low for end in ends) else ""
