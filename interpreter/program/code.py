"""The intermediate form of a procedure: a tree of statements, questions, branches and loops.

Every node says which slots (variables) and cells (of the state) it reads and sets; both code generators and all
passes work on this tree. Expressions inside it are terms (`terms.py`), what a statement does is an act
(`statements.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.rulebook.typed import Checked, Variable
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import Type

from .layout import CellKey
from .statements import Act, Keep, Make, Told
from .terms import Cells, Term, Tuple, Uses, all_uses

DICE = ("throw", "tally", "sort", "lots")


class View(Struct, eq=False):
    """How many of some dice already thrown pass a roll (or fail it)."""

    dice: int
    roll: Term
    passing: bool

    @property
    def uses(self) -> Uses:
        return self.roll.uses


class Do(Struct, eq=False):
    """A statement that asks nothing. Where nobody reads what it sets it is dead, unless it is `needed`."""

    act: Act
    view: View | None = None
    stays: bool = False  # it belongs to the question before it, and never to what follows a round
    tied: Do | None = None  # it is left out where that statement is
    total: Variable | None = None  # of a total of records: to which one more is put
    adds: int = -1  # the slot of a number that it adds to the slot it sets, and does nothing else

    @property
    def uses(self) -> Uses:
        return self.act.uses

    @property
    def sets(self) -> int:
        return self.act.sets

    @property
    def writes(self) -> Cells:
        return self.act.writes

    @property
    def needed(self) -> bool:
        return isinstance(self.act, Make | Told)

    @property
    def keeps(self) -> bool:
        """Whether it keeps the state as it is now, for what happens together."""
        return isinstance(self.act, Keep)


class Site(Record):
    """A question. kind: throw (count, sides, and a face that is barred), tally (count, roll), sort (groups), lots
    (count, from what), wish (who, policy), choose
    (the whole question), call (arguments).
    """

    index: int
    kind: str
    line: LineInfo
    asks: tuple[Term, ...]
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
    def question(self) -> Term:
        """What a wish or a choice asks, in one."""
        return self.asks[0] if self.kind == "choose" else Tuple(self.asks)

    @property
    def reads(self) -> Uses:
        kept = Uses(frozenset((self.snapshot,)) if self.snapshot >= 0 else frozenset(), frozenset(self.more))
        return kept | all_uses(self.asks)


class If(Record):
    test: Term
    then: list[Item] = field(default_factory=list)
    other: list[Item] = field(default_factory=list)


class While(Record):
    """A round as long as the test holds: `first` what a round begins with, `last` what follows it, both silent.

    `rest` is the slot of the figures, or of how many times, that are still to come; `each` of the figure whose turn it
    is.
    """

    line: LineInfo
    test: Term
    first: list[Do] = field(default_factory=list)
    body: list[Item] = field(default_factory=list)
    last: list[Do] = field(default_factory=list)
    rest: int = -1
    each: int = -1


class Until(Record):
    """Rounds until the test holds; `endless` where nothing limits their number."""

    line: LineInfo
    endless: bool
    test: Term
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
    first: list[Term]
    lines: dict[str, int]
    items: list[Item]
    sites: list[Site]
    gives: tuple[int, ...] = ()
    takes: tuple[int | tuple[int, int], ...] = ()
    weight: int = 0  # parts of its sentences
    checked: Checked | None = None  # what it was made of


def reads_of(item: Item) -> Uses:
    """What a statement reads; of a branch or a loop only its test."""
    match item:
        case Do():
            return item.uses
        case Site():
            return item.reads
    return item.test.uses


def inside(items: list[Item]) -> Iterator[Item]:
    """Every statement of a tree, nested ones included, in the order of the rules."""
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
