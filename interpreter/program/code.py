"""The intermediate representation of a procedure: a tree of statements, questions, branches and loops.

Every node knows which slots (variables) and cells (of the state) it reads and sets; both code generators and all passes
work on this tree. Expressions in it are terms (`terms.py`), the effect of a statement is an act (`statements.py`).
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
    """A count of the dice in slot `dice` that pass a roll (or fail it)."""

    dice: int
    roll: Term
    passing: bool

    @property
    def uses(self) -> Uses:
        return self.roll.uses


class Do(Struct, eq=False):
    """A statement without a question. It is dead if nothing reads what it sets, unless it is `needed`."""

    act: Act
    view: View | None = None
    stays: bool = False  # belongs to the question before it, and is never moved behind a round
    tied: Do | None = None  # dead if that statement is
    total: tuple[int, Variable] | None = None  # if it adds a record to a total: the slot of the record, the total
    adds: int = -1  # if it only adds a number to the slot it sets: the slot of the number

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
        """Whether it takes the snapshot of the state for a `together` block."""
        return isinstance(self.act, Keep)


class Site(Record):
    """A question.

    `kind` is throw (count, sides, maybe a barred face), tally (count, roll), sort (groups), lots (count, items), wish
    (who, policy), choose (the whole question as one term), or call (arguments).
    """

    index: int
    kind: str
    line: LineInfo
    asks: tuple[Term, ...]
    dest: int = -1
    callee: Procedure | None = None
    unsure: tuple[int, ...] = ()  # arguments that may be absent; the call then does nothing
    lands: tuple[int, ...] = ()  # slots that a closed call sets besides its result
    snapshot: int = -1  # the slot of the state at the beginning of a `together` block
    note: Any = None
    passing: bool = True
    type: Type | None = None
    more: set[CellKey] = field(default_factory=set)  # cells that a situation's policy reads here

    @property
    def question(self) -> Term:
        """The operands of a wish or a choice as one term."""
        return self.asks[0] if self.kind == "choose" else Tuple(self.asks)

    @property
    def reads(self) -> Uses:
        kept = Uses(frozenset((self.snapshot,)) if self.snapshot >= 0 else frozenset(), frozenset(self.more))
        return kept | all_uses(self.asks)


class If(Record):
    """A branch: `then` where the test holds, else `other`."""

    test: Term
    then: list[Item] = field(default_factory=list)
    other: list[Item] = field(default_factory=list)


class While(Record):
    """A loop that runs while the test holds; `first` begins a round, `last` ends it, both without questions.

    `rest` is the slot of the remaining figures, or of the remaining number of rounds; `each` is that of the current
    figure.
    """

    line: LineInfo
    test: Term
    first: list[Do] = field(default_factory=list)
    body: list[Item] = field(default_factory=list)
    last: list[Do] = field(default_factory=list)
    rest: int = -1
    each: int = -1


class Until(Record):
    """A loop that runs until the test holds; `endless` if the number of rounds has no limit."""

    line: LineInfo
    endless: bool
    test: Term
    body: list[Item] = field(default_factory=list)
    last: list[Do] = field(default_factory=list)


Item = Do | Site | If | While | Until


class Code(Record):
    """One lowered procedure.

    `first` has the initial term of each slot; `lines` the slot of each line, in order; `params` the slots of the
    parameters. A closed procedure also takes cells (`takes`: the index of a parameter, or that and the place of an
    attribute) and returns slots (`gives`).
    """

    procedure: Procedure
    params: tuple[int, ...]
    first: list[Term]
    lines: dict[str, int]
    items: list[Item]
    sites: list[Site]
    gives: tuple[int, ...] = ()
    takes: tuple[int | tuple[int, int], ...] = ()
    weight: int = 0  # number of expression nodes, as a measure of cost
    checked: Checked | None = None  # the checked procedure that it was lowered from


def reads_of(item: Item) -> Uses:
    """Return what an item reads; of a branch or loop, only its test."""
    match item:
        case Do():
            return item.uses
        case Site():
            return item.reads
    return item.test.uses


def inside(items: list[Item]) -> Iterator[Item]:
    """Yield all items of a tree in order, including nested ones."""
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
