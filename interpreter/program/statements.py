"""Statements of the intermediate representation: the effect of one line of a procedure (`Act`), and the lines of a
value or roll.

All are immutable nodes of terms. An `Act` knows what it reads (`uses`), sets and writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.source.values import Struct, field

from .layout import IN_PLAY, LENT, CellKey
from .terms import (
    NO_CELLS,
    NO_MEMBERS,
    NONE,
    ONE,
    STATE,
    Cell,
    Cells,
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

EACH = Local("u")  # the current thing of a `SetEach`
NAMES_LENT = Cell(STATE, None, LENT[1], frozenset((LENT,)))


# ---- statements of a procedure
class Act(Struct):
    """The effect of one statement: it may set a slot (`sets`, else -1), and write cells of the state (`writes`)."""

    __slots__ = ("_uses",)

    sets: int = field(default=-1, kw_only=True)
    writes: Cells = field(default=NO_CELLS, kw_only=True)

    @property
    def uses(self) -> Uses:
        """The slots and cells that it reads, memoized."""
        try:
            return self._uses
        except AttributeError:
            self._uses: Uses = self.reading()
            return self._uses

    def reading(self) -> Uses:
        return all_uses(operands(self))


class Set(Act, Struct):
    """Assigns a value to a slot."""

    sets: int
    value: Term


class Keep(Act, Struct):
    """Copies the state to a slot: the snapshot that a `together` block reads while it changes the state."""

    sets: int


class SetCell(Act, Struct):
    """Assigns a value to a cell of a thing, or (`base` None) of the state itself."""

    base: Term | None
    place: int
    value: Term


class SetEach(Act, Struct):
    """Assigns a value to a cell of each of several things; `EACH` is the current thing, an absent one (-1) is skipped.
    """

    things: Term
    place: int
    value: Term


class Effect(Act, Struct):
    """Calls a function of the runtime that changes cells."""

    call: Term


class ChangeBags(Act, Struct):
    """Changes all figures in the bags of a key, of all things."""

    key: CellKey
    change: Term

    def reading(self) -> Uses:
        return Uses(cells=frozenset((self.key,)))


class Follow(Act, Struct):
    """Updates the names that callers have lent to this procedure, if there are any."""

    value: Term
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)


class Make(Act, Struct):
    """Creates a thing from the initial `cells`, records its origin, assigns `values` at `places`, and puts it in play.
    """

    sets: int
    cells: Term
    line: Term
    source: Term
    places: tuple[int, ...]
    values: tuple[Term, ...]

    def reading(self) -> Uses:
        return all_uses(operands(self)) | Uses(cells=frozenset((IN_PLAY,)))


class TakeBack(Act, Struct):
    """Moves the names that were lent to a call from the state to a slot.

    `through`: the call was given only this procedure's parameters, in the same positions, so that nothing needs to be
    lent if no other name is.
    """

    sets: int
    through: bool
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)

    def reading(self) -> Uses:
        return NAMES_LENT.uses


class Lend(Act, Struct, eq=False):
    """Lends names of figures to a call, in a cell of the state, or (`sets`) of the copy in a slot.

    Each name comes with the statement that takes it back; if that statement is dead, None is lent.
    """

    kin: Term
    names: tuple[tuple[Term, Any], ...]
    writes: Cells = field(default=NAMES_LENT.reads, kw_only=True)

    def act(self, dead: Callable[[Any], bool], under: bool) -> Act:
        """Return the equivalent assignment. `dead` tells whether a statement is dead; `under`: names lent by our caller
        are read later, so they are kept below.
        """
        held = tuple([NONE if dead(taken) else what for what, taken in self.names])
        kept = slot(self.sets)
        before: Term = NAMES_LENT if self.sets < 0 else Member(kept, ONE)
        loan = Tuple((before if under else NO_MEMBERS, self.kin, Tuple(held)))
        if self.sets < 0:
            return SetCell(None, LENT[1], loan, writes=self.writes)
        return Set(self.sets, call("put", kept, ONE, loan))

    def reading(self) -> Uses:
        return self.act(lambda _: False, True).uses


# ---- statements of a value or roll
class Let(Struct):
    """Assigns a value to a local name."""

    name: str
    value: Term


class When(Struct):
    """A branch: `then` where the test holds, else `other`."""

    test: Term
    then: tuple[Line, ...]
    other: tuple[Line, ...] = ()


class Told(Act, Struct):
    """In a traced program, also in procedures: appends a record of a note or of several steps, with its values."""

    about: Term  # the number of a note, or the steps of a record
    values: tuple[Term, ...]


class Judge(Struct):
    """The end of a roll: the faces that pass, given the target and the modifier; `verdict` overrides for all faces."""

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
    """Returns a value from the function."""

    value: Term


Line = Let | When | Told | Judge | Give


def terms_of(body: tuple[Line, ...]) -> list[Term]:
    """Return all terms of some statements, including nested ones."""
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
