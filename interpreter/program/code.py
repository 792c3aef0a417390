"""A procedure after lowering: a small tree of silent statements, questions, branches and loops.

Enters: nothing. Leaves: `Code` and what it is made of. Every statement says which slots and cells it reads and sets, so
that both engines are written from the one tree. Knows nothing of how it is run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.rulebook.typed import Checked, Variable
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import Type

from .layout import LENT, CellKey

DICE = ("throw", "tally", "sort", "lots")


class Uses(Struct):
    """What an expression reads: slots of its procedure, cells of the state."""

    slots: frozenset[int] = frozenset()
    cells: frozenset[CellKey] = frozenset()

    def __or__(self, other: Uses) -> Uses:
        return Uses(self.slots | other.slots, self.cells | other.cells)


NOTHING = Uses()


class View(Struct):
    """How many of some dice already thrown pass a roll (or fail it)."""

    dice: int
    roll: str
    uses: Uses
    passing: bool


class Do(Record):
    """One silent statement. It may be left out where nobody reads the slot it sets, unless it is `needed`."""

    text: str
    uses: Uses = NOTHING
    sets: int = -1
    writes: frozenset[CellKey] = frozenset()
    needed: bool = False
    view: View | None = None
    keeps: bool = False  # it keeps the state as it is now, for what happens together
    stays: bool = False  # it belongs to the question before it, and never to what follows a round
    tied: Do | None = None  # it is left out where that statement is
    total: Variable | None = None  # of a total of records: to which one more is put
    adds: int = -1  # the slot of a number that it adds to the slot it sets, and does nothing else


class TakeBack(Do, Record):
    """Takes back names that were lent to a call; `through` where the call was told nothing but what we were told in
    the same place, so that without names of our own there is nothing to lend.
    """

    stays: bool = True
    through: bool = False


class Lend(Do, Record):
    """Lends names of figures to a call, in a cell of the state: what is held, how, and the statement that takes it
    back. A name is lent where that is not left out.
    """

    kin: str = ""
    names: tuple[tuple[str, Uses, Do], ...] = ()

    def lent(self, dead: Callable[[Do], bool], under: bool) -> tuple[str, Uses]:
        """The statement, and what it reads; `under`, where we were lent names that are read later."""
        held, uses = [], NOTHING
        for text, mine, taken in self.names:
            held.append("None" if dead(taken) else f"{text}")
            uses |= NOTHING if dead(taken) else mine
        before = f"l{self.sets}" if self.sets >= 0 else "S"
        if self.sets >= 0:
            uses |= Uses(frozenset((self.sets,)))
        elif under:
            uses |= Uses(cells=frozenset((LENT,)))
        loan = f"({f'{before}[1]' if under else '()'}, {self.kin}, ({''.join(f'{x}, ' for x in held)}))"
        return (f"S[1] = {loan}" if self.sets < 0 else f"{before} = put({before}, 1, {loan})"), uses


def lend(kin: str, back: Do, names: Sequence[tuple[str, Uses, Do]], snapshot: int = -1) -> Lend:
    made = Lend("", sets=snapshot, stays=True, tied=back, kin=kin, names=tuple(names))
    if snapshot < 0:
        made.writes = frozenset((LENT,))
    made.text, made.uses = made.lent(lambda _: False, True)
    return made


class Site(Record):
    """A question. kind: throw (count, sides, and a face that is barred), tally (count, roll), sort (groups), lots
    (count, from what), wish (who, policy), choose
    (the whole question), call (arguments). `asks` are their texts, `uses` what each reads.
    """

    index: int
    kind: str
    line: LineInfo
    asks: tuple[str, ...]
    uses: tuple[Uses, ...]
    dest: int = -1
    callee: Procedure | None = None
    unsure: tuple[int, ...] = ()  # arguments that may be nobody: then nothing is done
    lands: tuple[int, ...] = ()  # slots that a closed call sets beside its answer
    snapshot: int = -1  # the slot of the state as a `together` found it
    note: Any = None
    passing: bool = True
    type: Type | None = None
    more: set[CellKey] = field(default_factory=set)  # cells that a situation's own policy reads here

    @property
    def reads(self) -> Uses:
        kept = Uses(frozenset((self.snapshot,)) if self.snapshot >= 0 else frozenset(), frozenset(self.more))
        for uses in self.uses:
            kept |= uses
        return kept


class Test(Record):
    text: str
    uses: Uses


class If(Record):
    test: Test
    then: list[Item] = field(default_factory=list)
    other: list[Item] = field(default_factory=list)


class While(Record):
    """A round as long as the test holds: `first` what a round begins with, `last` what follows it, both silent.

    `rest` is the slot of the figures, or of how many times, that are still to come; `each` of the figure whose turn it
    is.
    """

    line: LineInfo
    test: Test
    first: list[Do] = field(default_factory=list)
    body: list[Item] = field(default_factory=list)
    last: list[Do] = field(default_factory=list)
    rest: int = -1
    each: int = -1


class Until(Record):
    """Rounds until the test holds; `endless` where nothing limits their number."""

    line: LineInfo
    endless: bool
    test: Test
    body: list[Item] = field(default_factory=list)
    last: list[Do] = field(default_factory=list)


Item = Do | Site | If | While | Until


class Code(Record):
    """One procedure, lowered. `first` is what each slot holds before it is set; `lines` the slot of each line, in
    order; `params` the slots of its parameters. A closed procedure takes cells too (`takes`: a parameter's number, or
    that and a place on its card) and hands some back (`gives`).
    """

    procedure: Procedure
    params: tuple[int, ...]
    first: list[str]
    lines: dict[str, int]
    items: list[Item]
    sites: list[Site]
    gives: tuple[int, ...] = ()
    takes: tuple[int | tuple[int, int], ...] = ()
    weight: int = 0  # parts of its sentences
    checked: Checked | None = None  # what it was made of


def reads_of(item: Item) -> Uses:
    """What a statement itself reads; of a branch or a loop its test, and nothing that is inside."""
    match item:
        case Do():
            return item.uses
        case Site():
            return item.reads
    return item.test.uses


def inside(items: list[Item]) -> Iterator[Item]:
    """Every statement of a tree, however deep, in the order of the page."""
    for item in items:
        yield item
        match item:
            case If():
                yield from inside(item.then)
                yield from inside(item.other)
            case While():
                yield from inside([*item.first, *item.body, *item.last])
            case Until():
                yield from inside([*item.body, *item.last])
