"""What a procedure reaches through its calls: choices, dice, call sites; and which lines of records the rules read.

Input: a checked book, or steps. Output: for the address of each line, its choice or dice; by procedure, the lines of
its record that are read, since others are computed only if a question reads them. Each procedure is scanned once. It
does not know questions.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.source.values import Record, Struct, field, replace

from . import typed as t
from .book import Book
from .procedures import Checker
from .symbols import LineInfo, Procedure

Choice = t.Wish | t.Choose


class Thrown(Struct):
    """The dice of a line. `sides` is the largest number of faces; None if it is not known before the dice are thrown.
    """

    line: LineInfo
    sides: int | None


class Own(Record):
    """The choices, dice and calls in the lines of one procedure."""

    choices: dict[str, Choice] = field(default_factory=dict)
    dice: dict[str, Thrown] = field(default_factory=dict)
    calls: list[tuple[str, Procedure]] = field(default_factory=list)


class Reached(Record):
    """What procedures reach, by a checker. `reached_in` returns the one of a checker, whose scans are shared."""

    checker: Checker
    _own: dict[Procedure, Own] = field(default_factory=dict)

    def procedures(self, procedure: Procedure) -> list[Procedure]:
        """Return the procedure and all that it calls, transitively."""
        todo = [procedure]
        for each in todo:
            called = dict.fromkeys([call.procedure for call in self.checker.procedure(each).inside[t.Call]])
            todo += [one for one in called if one not in todo]
        return todo

    def reached(self, procedure: Procedure) -> dict[str, Choice]:
        """Return all choices of the procedure and of those that it calls, by address."""
        found = dict[str, Choice]()
        for each in self.procedures(procedure):
            found.update(self.own(each).choices)
        return found

    def dice(self, procedure: Procedure) -> dict[str, Thrown]:
        """Return all dice of the procedure and of those that it calls, by address."""
        found = dict[str, Thrown]()
        for each in self.procedures(procedure):
            found.update(self.own(each).dice)
        return found

    def all_choices(self) -> dict[str, Choice]:
        """Return all choices of the book, by address."""
        found = dict[str, Choice]()
        for procedure in self.checker.book.procedures.values():
            found.update(self.own(procedure).choices)
        return found

    def own(self, procedure: Procedure) -> Own:
        kept = self._own.get(procedure)
        if kept is None:
            kept = self._own[procedure] = Own()
            for step in t.parts(self.checker.procedure(procedure).steps):
                if isinstance(step, t.Step):
                    self._scan(step, kept)
        return kept

    def _scan(self, step: t.Step, own: Own) -> None:
        address = step.line.address
        for part in _own_expressions(step):
            match part:
                case t.Wish() | t.Choose():
                    own.choices[address] = part
                case t.Call():
                    own.calls.append((address, part.procedure))
                case t.Throw(sides=sides):
                    _add_dice(own.dice, step.line, sides if isinstance(sides, int) else None)
                case t.Lots():
                    _add_dice(own.dice, step.line, None)
                case t.Tally(roll=roll) | t.Sort(roll=roll):
                    _add_dice(own.dice, step.line, self._sides(roll))
                case t.Op(name="meeting" | "missing", args=(_, t.RollOf() as roll)) if self._throws_more(roll):
                    _add_dice(own.dice, step.line, self._sides(roll))

    def _sides(self, e: t.RollOf) -> int | None:
        convention = self.checker.pure(e.roll).convention
        return convention.sides if convention is not None else None

    def _throws_more(self, e: t.RollOf) -> bool:
        """Whether a roll has dice thrown again, or several dice for each."""
        return any(change.what in ("again", "best", "worst") for change in self.checker.pure(e.roll).changes)


def reached_in(checker: Checker) -> Reached:
    """Return the memoized `Reached` of a checker's book."""
    known: Reached = checker.noted.setdefault(Reached, Reached(checker))
    return known if known.checker is checker else replace(known, checker=checker)


def _add_dice(dice: dict[str, Thrown], line: LineInfo, sides: int | None) -> None:
    known = dice.get(line.address)
    if known is not None:
        sides = max(sides, known.sides) if sides is not None and known.sides is not None else None
    dice[line.address] = Thrown(line, sides)


def _own_expressions(step: t.Step) -> Iterator[t.Expr]:
    """The expressions of a step, without those of steps nested in it."""
    left = [getattr(step, name) for name in t.children(type(step))]
    while left:
        here = left.pop()
        if isinstance(here, tuple):
            left += here
        elif isinstance(here, t.Expr):
            yield here
            left += [getattr(here, name) for name in t.children(type(here))]


Wanted = dict[Procedure, set[str]]


def wanted_lines(book: Book, checker: Checker) -> Wanted:
    """Return the lines of records that the rules of the book read, including rows of outcome tables."""
    known = checker.definitions.found
    if known.wanted is None:
        found: Wanted = {}
        for procedure in list(book.procedures.values()):
            look(checker.procedure(procedure).steps, found)
        known.wanted = found
    return {procedure: set(lines) for procedure, lines in known.wanted.items()}


def preset_wanted_lines(book: Book, checker: Checker, old_book: Book, old_checker: Checker) -> None:
    """Preset the lines that a slightly changed book reads to those of the old one, instead of scanning it.

    Other lines that a procedure reads are found when it is scanned.
    """
    known = wanted_lines(old_book, old_checker)
    checker.definitions.found.wanted = {
        book.procedures[p.name]: lines for p, lines in known.items() if p.name in book.procedures
    }


def look(steps: tuple[t.Step, ...], found: Wanted) -> None:
    """Add the lines that some steps read to `found`."""
    for node in t.parts(steps):
        if isinstance(node, t.Field):
            found.setdefault(node.procedure, set()).add(node.address)
        elif isinstance(node, t.Call):
            found.setdefault(node.procedure, set()).update(() if node.procedure.table is None else ("row",))
