"""Events of a trace, and the tree of them while it is built.

Input: lines of rules. Output: `Event`s with their place in a file and the clauses of the current game. It does not know
what happened, nor how events are shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.program.program import Program
from interpreter.program.trace_notes import Note
from interpreter.program.words import Words
from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import is_place

Told = tuple[Note, Any]  # a note and its values


class Event(Record):
    """One event. `kind` is `call`, `each` and `round` (of a loop), `line`, `throw`, `choice`, `effect`, `skip`, `tell`,
    `modifier`, `look-up`, `left-out` (of a filter) or `barred` (a row of an outcome table).

    `line` is the address of the line; `file` and `row` its place in a file; `text` the event in words; `data` its parts
    as plain values: of a throw `dice`, `sides`, `needs`, `passed`; of a modifier `applied`, `because`, `amount`; of an
    effect `who`, `what`, `was`, `now`; of an outcome table its `row`.
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
        """The last part of the line's address."""
        return self.line.rpartition(".")[2] or self.line


class Log:
    """The tree of events so far. `open`: the calls that have not returned, the current one last."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self.root = Event("call", "", "", 0, (), "")
        self.open = [self.root]
        self._prefixes = {d.prefix for d in program.book.pages.definitions if d.prefix}

    @property
    def here(self) -> Event:
        """The event of the current call."""
        return self.open[-1]

    @property
    def last(self) -> Event | None:
        return self.here.children[-1] if self.here.children else None

    @property
    def procedure(self) -> Any:
        """The procedure of the current call; None if it is not one of the rules."""
        return self.program.book.procedures.get(self.here.data.get("procedure", ""))

    @property
    def wanted(self) -> frozenset[str]:
        """The lines of the current call that some rule reads."""
        return self.program.wanted(self.procedure) if self.procedure is not None else frozenset()

    def convention(self, roll: Any) -> Any:
        return self.program.checker.pure(roll).convention

    def add(self, event: Event) -> None:
        self.here.children.append(event)

    def event(self, kind: str, line: Any, text: str) -> Event:
        if line is None:
            return Event(kind, "", "", 0, (), text)
        span = line.where.span
        return Event(kind, line.address, span.source.name, span.place[0], self.own(line.cites), text)

    def own(self, cites: Iterable[str]) -> tuple[str, ...]:
        """Return the clauses of the current game, out of those that a shared page cites."""
        return tuple(c for c in cites if not self._prefixes or c.rpartition("-")[0] in self._prefixes)

    def cite(self, event: Event, cites: Iterable[str]) -> None:
        """Add clauses to an event."""
        event.clauses = tuple(dict.fromkeys((*event.clauses, *self.own(cites))))

    def by_rule(self, event: Event) -> str:
        """Return the prefix `NAME: ` for an event of a rule that is woven in at another line; else empty."""
        *above, name = event.line.split(".")
        is_rule = name in self.program.book.rules and (not above or is_place(above[-1]))
        return f"{name}: " if is_rule else ""


def walk(events: Iterable[Event]) -> Iterator[Event]:
    """Yield all events and their descendants, depth first."""
    for event in events:
        yield event
        yield from walk(event.children)


def bare(line: Any) -> str:
    """Return the text of a line without citations."""
    return str(line.where.text.split(" [")[0])


class _Loop(Record):
    """A loop in progress: depth in the call stack, address, name of the loop variable, and current figure."""

    depth: int
    line: str
    name: str
    figure: tuple[Any, ...]


class Loops:
    """The loops over figures in progress, innermost last."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._loops: list[_Loop] = []

    def begin(self, note: Any, figure: Any) -> None:
        """Begin a round of a loop, with its current figure."""
        self._leave_finished(note.line.address)
        loop = _Loop(len(self.log.open), note.line.address, note.about.name, figure)
        if self._loops and (self._loops[-1].depth, self._loops[-1].line) == (loop.depth, loop.line):
            self._loops.pop()  # the previous round
        self._loops.append(loop)

    def short(self, value: Any, type_: Any, line: Any) -> str:
        """Return the text of a value; the current figure of a loop is called by the loop variable."""
        if type_ is not None and type_.name == "figure" and value is not None:
            self._leave_finished(line.address if line is not None else "")
            for loop in reversed(self._loops):
                if loop.figure == value:
                    return loop.name
        return self.log.words.say(value, type_)

    def changed(self, ends: Iterable[tuple[Any, Any]], attribute: Any) -> None:
        for one, end in ends:
            for loop in self._loops:
                if loop.figure == one:
                    loop.figure = (*one[: attribute.place], end, *one[attribute.place + 1 :])

    def _leave_finished(self, line: str) -> None:
        """Remove the loops that do not enclose a line of the current call."""
        depth = len(self.log.open)
        while self._loops:
            loop = self._loops[-1]
            inner = line if loop.depth == depth else self.log.open[loop.depth].line if loop.depth < depth else ""
            if inner == loop.line or inner.startswith(f"{loop.line}."):
                break
            self._loops.pop()
