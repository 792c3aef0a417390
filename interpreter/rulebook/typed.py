"""Typed expressions and steps: the rules after names and types are known.

Enters: nothing. Leaves: node types. No string names anything here; variables, attributes, tables and procedures are
objects. An expression marked as a *site* (a throw, a wish, a call) may stand in a step only; the program hoists it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache, cached_property
from operator import attrgetter
from typing import Any

from interpreter.source.values import Record, Struct, names, replace
from interpreter.vocabulary.types import Type

from .symbols import (
    Attribute,
    Column,
    Convention,
    Fact,
    Holding,
    Kind,
    LineInfo,
    Procedure,
    Roll,
    Ruling,
    Table,
    Value,
    Where,
)


class Variable(Record):
    name: str
    type: Type


class Expr(Struct, eq=False, kw_only=True):
    type: Type
    where: Where | None = None


class Lit(Expr, Struct, eq=False):
    value: Any


class Var(Expr, Struct, eq=False):
    variable: Variable


class Attr(Expr, Struct, eq=False):
    """An attribute of a thing, or of one figure."""

    of: Expr
    attribute: Attribute


class Holder(Expr, Struct, eq=False):
    """The thing that a figure belongs to."""

    of: Expr


class Cell(Expr, Struct, eq=False):
    row: Expr
    table: Table
    column: Column


class BandAt(Expr, Struct, eq=False):
    row: Expr
    table: Table
    column: Column
    at: Expr


class CallValue(Expr, Struct, eq=False):
    value: Value | Holding
    args: tuple[Expr, ...]


class FactOf(Expr, Struct, eq=False):
    fact: Fact
    args: tuple[Expr, ...]


class RulingOf(Expr, Struct, eq=False):
    ruling: Ruling


class RollOf(Expr, Struct, eq=False):
    """A roll with its subject and arguments: never a value by itself."""

    roll: Roll
    args: tuple[Expr, ...]


class All(Expr, Struct, eq=False):
    """Every thing of a kind that is in play; with `owner`, those that belong to it."""

    kind: Kind
    owner: Expr | None


class Bag(Expr, Struct, eq=False):
    """The counted things of a kind that a thing holds; `gone`, those that have left play."""

    of: Expr
    kind: Kind
    gone: bool = False


class TableRows(Expr, Struct, eq=False):
    table: Table


class Filter(Expr, Struct, eq=False):
    items: Expr
    variable: Variable
    condition: Expr


class Fitting(Expr, Struct, eq=False):
    """Those of some counted things who may gain a mark of which each holder (`variable`) allows no more than `most`."""

    items: Expr
    mark: Attribute
    variable: Variable
    most: Expr


class Extreme(Expr, Struct, eq=False):
    """The members of a collection of which a quantity is least or most; all of them that are level."""

    items: Expr
    variable: Variable
    value: Expr
    most: bool


class Each(Expr, Struct, eq=False):
    """A quantity of every member of a collection."""

    items: Expr
    variable: Variable
    value: Expr


class Op(Expr, Struct, eq=False):
    """A builtin of the vocabulary by name."""

    name: str
    args: tuple[Expr, ...]


class IfElse(Expr, Struct, eq=False):
    condition: Expr
    value: Expr
    other: Expr


class IsKind(Expr, Struct, eq=False):
    of: Expr
    kind: Kind


class Field(Expr, Struct, eq=False):
    """A line of a call's record."""

    record: Expr
    procedure: Procedure
    address: str


# ---- sites: a question to chance, to a player, to another procedure -----------------------------------
class Throw(Expr, Struct, eq=False):
    """`count` dice whose faces matter; one that shows the face that is `barred` is thrown until it shows another."""

    count: Expr
    sides: int | Expr
    barred: Expr | None = None


class Tally(Expr, Struct, eq=False):
    """`count` dice thrown against a roll; worth how many pass (or fail)."""

    count: Expr
    roll: RollOf
    passing: bool


class Sort(Expr, Struct, eq=False):
    """One die for each figure; worth those that pass (or fail). The roll may speak of `variable`."""

    figures: Expr
    variable: Variable
    roll: RollOf
    passing: bool


class Wish(Expr, Struct, eq=False):
    who: Expr
    policy: Expr | None


class Choose(Expr, Struct, eq=False):
    """Pick `low` to `high` members of a collection (or a number, when `items` is None).

    `most`: what policy says of how many (True most, False fewest, None unsaid); `order`: conditions on
    `variable`, what is taken first.
    """

    who: Expr
    low: Expr
    high: Expr
    items: Expr | None
    variable: Variable
    most: bool | None
    amount: Expr | None
    order: tuple[Expr, ...]
    one: bool


class Lots(Expr, Struct, eq=False):
    """So many members of a collection, each as likely as any other: `one` of them, or several."""

    count: Expr
    items: Expr
    one: bool


class Call(Expr, Struct, eq=False):
    """`kept`: where what it came to is kept besides, of a call that no line of the page holds."""

    procedure: Procedure
    args: tuple[Expr, ...]
    kept: Variable | None = None


def placed(e: Expr, where: Where) -> Expr:
    """`e`, which was just made and nobody else has, with where it is said."""
    object.__setattr__(e, "where", where)
    return e


SITES = (Throw, Tally, Sort, Lots, Wish, Choose, Call)


# ---- steps ------------------------------------------------------------------------------------------------
class Step(Struct, eq=False, kw_only=True):
    line: LineInfo


class Assign(Step, Struct, eq=False):
    variable: Variable
    value: Expr


class Accumulate(Step, Struct, eq=False):
    """One more round of a loop is put to its total; or, where these are no `rounds`, one more run of a rule. Is it a
    line of a rule that is gone through `by_rule`, it was run only if a round ran it.
    """

    total: Variable
    value: Variable
    rounds: bool = True
    by_rule: bool = False

    @property
    def begun(self) -> bool:
        """Whether the total counts as run as soon as the loop does, even over no rounds."""
        return self.rounds and not self.by_rule


class Reset(Step, Struct, eq=False):
    variables: tuple[Variable, ...]


class If(Step, Struct, eq=False):
    condition: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


class ForEach(Step, Struct, eq=False):
    variable: Variable
    items: Expr
    body: tuple[Step, ...]


class Repeat(Step, Struct, eq=False):
    times: Expr
    body: tuple[Step, ...]


class RepeatUntil(Step, Struct, eq=False):
    limit: Expr | None
    condition: Expr
    body: tuple[Step, ...]


class Together(Step, Struct, eq=False):
    body: tuple[Step, ...]


class SetAttr(Step, Struct, eq=False):
    """Of a thing (`of` a thing) or of figures (`of` one figure or several)."""

    of: Expr
    attribute: Attribute
    value: Expr


class AddAttr(Step, Struct, eq=False):
    of: Expr
    attribute: Attribute
    amount: Expr
    sign: int
    dealt: bool = False  # one of those that a deal hands out


class Rehome(Step, Struct, eq=False):
    """Figures go over to another thing that holds their kind."""

    figures: Expr
    to: Expr


class Leave(Step, Struct, eq=False):
    thing: Expr


class New(Step, Struct, eq=False):
    variable: Variable
    kind: Kind
    given: tuple[tuple[Attribute, Expr], ...]
    source: Expr | None  # facts that nobody states of it are what they are of that


class Tell(Step, Struct, eq=False):
    """Something the table does or an umpire decides: no state of the rules changes."""

    what: str
    subject: Expr | None
    amount: Expr | None
    goal: Expr | None


class Done(Step, Struct, eq=False):
    """Here a line that is worth nothing is run, or a block: `variable` stands for it, and holds nothing."""

    variable: Variable


class Case(Step, Struct, eq=False):
    """Which case of several was taken, by its name: for the trace alone."""

    name: str


class Checked(Struct, eq=False, slots=False):
    """A procedure after checking: its steps, and its lines by address."""

    params: tuple[Variable, ...]
    steps: tuple[Step, ...]
    lines: dict[str, Variable]

    @cached_property
    def inside(self) -> dict[type[Any], list[Any]]:
        """Its parts by their class."""
        return by_class(self.steps)

    def __getstate__(self) -> dict[str, Any]:
        """What is kept of it: `inside` is found again."""
        return {"params": self.params, "steps": self.steps, "lines": self.lines}


# ---- pure definitions ------------------------------------------------------------------------------------------
class Change(Struct, eq=False):
    """One line of a value or a roll. touch: `needs`, `roll`, `value`; what as in the syntax."""

    line: LineInfo
    touch: str
    what: str
    amount: Expr | None
    sign: int
    per: Expr | None
    condition: Expr | None


class Pure(Struct, eq=False):
    params: tuple[Variable, ...]
    type: Type
    changes: tuple[Change, ...]
    convention: Convention | None = None
    may_be_none: bool = False  # a number that a line may set to none: of nobody it is none, and not 0


def parts(value: Any) -> list[Any]:
    """Every step and expression inside, however deep; symbols are not entered."""
    found: list[Any] = []
    left = [value]
    while left:
        here = left.pop()
        if type(here) is tuple:
            left += here
        elif (held := _HELD[type(here)]) is not None:
            found.append(here)
            if held:
                left.append(held(here))
    return found


def by_class(value: Any) -> dict[type[Any], list[Any]]:
    """The same, those of each class together; of no class is there nothing."""
    found: defaultdict[type[Any], list[Any]] = defaultdict(list)
    for part in parts(value):
        found[type(part)].append(part)
    return found


class _Held(dict[type[Any], Any]):
    """What gives the fields of a node that can hold others, by its class: False where none can; None for no node."""

    def __missing__(self, of: type[Any]) -> Any:
        self[of] = found = self._found(of) if issubclass(of, (Expr, Step)) else None
        return found

    def _found(self, of: type[Any]) -> Any:
        return attrgetter(*holding(of)) if holding(of) else False


_HELD = _Held()


def holding(of: type[Any]) -> tuple[str, ...]:
    """The names of the fields of a node that can hold others."""
    if of not in _HOLDING:
        said = {name: each for base in of.__mro__ for name, each in getattr(base, "__annotations__", {}).items()}
        _HOLDING[of] = tuple([name for name in children(of) if _is_of_nodes(said[name])])
    return _HOLDING[of]


@cache
def _is_of_nodes(said: str) -> bool:
    """Whether a field that is declared so can hold nodes: few words declare all of them."""
    each = [globals().get(word) for word in re.findall(r"\w+", said)]
    return any(isinstance(one, type) and issubclass(one, (Expr, Step)) for one in each)


_HOLDING: dict[type[Any], tuple[str, ...]] = {}


def rebuilt(node: Any, made: Callable[[Any], Any]) -> Any:
    """A copy of a node in which `made` has replaced the value of each field that can hold nodes (a node, or a tuple of
    them; empty fields are left alone). Gives the node itself where nothing is replaced by another object.
    """
    changed = {}
    for name in holding(type(node)):
        was = getattr(node, name)
        now = made(was) if was else was
        if now is not was:
            changed[name] = now
    return replace(node, **changed) if changed else node


def children(of: type[Any]) -> tuple[str, ...]:
    """The names of what a node holds: expressions, steps, variables."""
    if of not in _CHILDREN:
        _CHILDREN[of] = tuple([name for name in names(of) if name not in ("where", "line", "type")])
    return _CHILDREN[of]


_CHILDREN: dict[type[Any], tuple[str, ...]] = {}
