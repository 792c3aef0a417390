"""Statements, as frozen nodes: what a line of a procedure does silently, and the lines of a value or a roll.

Enters: terms. Leaves: `Act`s, which know what they read and set, and `Line`s. Knows nothing of Python's syntax.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.source.values import Struct, field

from .layout import IN_PLAY, LENT
from .terms import (
    NO_CELLS,
    NO_MEMBERS,
    NONE,
    ONE,
    STATE,
    Cell,
    Cells,
    Facts,
    Local,
    Member,
    Term,
    Tuple,
    Uses,
    all_uses,
    call,
    operands,
    slot,
)

EACH = Local("u")  # one of the things of a `SetEach`
NAMES_LENT = Cell(STATE, None, LENT[1], frozenset((LENT,)))


# ---- of a procedure
class Act(Facts, Struct):
    """What one statement does: it sets a slot (`sets`, else -1), and writes cells of the state (`writes`)."""

    sets: int = field(default=-1, kw_only=True)
    writes: Cells = field(default=NO_CELLS, kw_only=True)


class Set(Act, Struct):
    """A slot has a value."""

    sets: int
    value: Term


class Keep(Act, Struct):
    """A slot keeps the state as it is now, for what happens together."""

    sets: int


class SetCell(Act, Struct):
    """A cell of a thing, or (`base` None) of the state itself, has a value."""

    base: Term | None
    place: int
    value: Term


class SetEach(Act, Struct):
    """A cell of each of some things (`EACH`), those that are nobody left out, has a value."""

    things: Term
    place: int
    value: Term


class Effect(Act, Struct):
    """A function of the runtime that changes cells."""

    call: Term


class Follow(Act, Struct):
    """Where names are lent to us, they become others."""

    value: Term
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)


class Make(Act, Struct):
    """A thing is made of `cells`: where it came from, what it is given at `places`; and it is in play."""

    sets: int
    cells: Term
    line: Term
    source: Term
    places: tuple[int, ...]
    values: tuple[Term, ...]

    def reading(self) -> Uses:
        return all_uses(operands(self)) | Uses(cells=frozenset((IN_PLAY,)))


class TakeBack(Act, Struct):
    """A slot has the names that were lent to a call, which are no longer lent; `through` where the call was told
    nothing but what we were told in the same place, so that without names of our own there is nothing to lend.
    """

    sets: int
    through: bool
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)

    def reading(self) -> Uses:
        return NAMES_LENT.uses


class Lend(Act, Struct, eq=False):
    """Lends names of figures to a call, in a cell of the state, or (`sets`) of the state that a slot keeps: what is
    held, and the statement that takes it back. A name is lent where that is not left out.
    """

    kin: Term
    names: tuple[tuple[Term, Any], ...]
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)

    def act(self, dead: Callable[[Any], bool], under: bool) -> Act:
        """What it comes to; `under`, where we were lent names that are read later."""
        held = tuple([NONE if dead(taken) else what for what, taken in self.names])
        kept = slot(self.sets)
        before: Term = NAMES_LENT if self.sets < 0 else Member(kept, ONE)
        loan = Tuple((before if under else NO_MEMBERS, self.kin, Tuple(held)))
        if self.sets < 0:
            return SetCell(None, LENT[1], loan, writes=self.writes)
        return Set(self.sets, call("put", kept, ONE, loan))

    def reading(self) -> Uses:
        return self.act(lambda _: False, True).uses


# ---- of a value or a roll
class Let(Struct):
    """A name has a value."""

    name: str
    value: Term


class When(Struct):
    test: Term
    then: tuple[Line, ...]
    other: tuple[Line, ...] = ()


class Told(Act, Struct):
    """Of a traced program, here as in a procedure: a record of a note or of several steps, with its values."""

    about: Term  # the number of a note, or the steps of a record
    values: tuple[Term, ...]


class Judge(Struct):
    """The end of a roll: which faces pass, of what was needed and added; `verdict` where a line passes or fails all."""

    sides: int
    over: bool
    always: int | None
    never: int | None
    need: Term
    change: Term
    dice: Term
    best: Term
    again: Term
    verdict: Term | None = None


class Give(Struct):
    value: Term


Line = Let | When | Told | Judge | Give


def terms_of(body: tuple[Line, ...]) -> list[Term]:
    """The terms that stand in some statements, however deep."""
    found: list[Term] = []
    for line in body:
        match line:
            case Let() | Give():
                found.append(line.value)
            case When():
                found += [line.test, *terms_of(line.then), *terms_of(line.other)]
            case Told():
                found += line.values
            case Judge():
                found += [line.need, line.change, line.dice, line.best, line.again]
    return found
