"""Typed expressions and steps: the rules after name resolution and type checking.

Defines node types. Variables, attributes, tables and procedures are objects, never names. A *site* (a throw, a wish, a
call) occurs in steps only; the program hoists it.
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
    MomentDef,
    Needed,
    Procedure,
    Roll,
    Ruling,
    Table,
    Value,
    Where,
)


class Variable(Record):
    """A parameter, a line, or a loop variable, compared by identity."""

    name: str
    type: Type


class Expr(Struct, eq=False, kw_only=True):
    """A typed expression; `where` is its place, if it was written in a file."""

    type: Type
    where: Where | None = None


class Lit(Expr, Struct, eq=False):
    """A constant, encoded as in a state: a row is its index, no row or thing -1."""

    value: Any


class Var(Expr, Struct, eq=False):
    """The value of a variable."""

    variable: Variable


class Attr(Expr, Struct, eq=False):
    """An attribute of a thing or of one figure."""

    of: Expr
    attribute: Attribute


class Holder(Expr, Struct, eq=False):
    """The thing that holds a figure."""

    of: Expr


class Cell(Expr, Struct, eq=False):
    """The cell of a row in a column."""

    row: Expr
    table: Table
    column: Column


class BandAt(Expr, Struct, eq=False):
    """The part of a banded cell that applies at the distance `at`."""

    row: Expr
    table: Table
    column: Column
    at: Expr


class CallValue(Expr, Struct, eq=False):
    """The evaluation of a value, with its subject and arguments."""

    value: Value | Holding | Needed
    args: tuple[Expr, ...]


class FactOf(Expr, Struct, eq=False):
    """A fact of its subject and arguments."""

    fact: Fact
    args: tuple[Expr, ...]


class Ongoing(Expr, Struct, eq=False):
    """Whether a moment is going on."""

    moment: MomentDef


class RulingOf(Expr, Struct, eq=False):
    """The chosen option of a ruling."""

    ruling: Ruling


class RollOf(Expr, Struct, eq=False):
    """A roll with its subject and arguments; it is not a value by itself."""

    roll: Roll
    args: tuple[Expr, ...]


class All(Expr, Struct, eq=False):
    """All things of a kind in play; with `owner`, those it owns; with `made`, also those created in the same `together`
    block.
    """

    kind: Kind
    owner: Expr | None
    made: bool = False


class Bag(Expr, Struct, eq=False):
    """The figures of a kind that a thing holds; with `gone`, those out of play."""

    of: Expr
    kind: Kind
    gone: bool = False


class TableRows(Expr, Struct, eq=False):
    """All rows of a table."""

    table: Table


class Filter(Expr, Struct, eq=False):
    """The members of a collection for which a condition holds; `variable` is the member in it."""

    items: Expr
    variable: Variable
    condition: Expr


class Fitting(Expr, Struct, eq=False):
    """The figures of `items` that may gain `mark`; each holder (`variable`) may have at most `most` with it."""

    items: Expr
    mark: Attribute
    variable: Variable
    most: Expr


class Extreme(Expr, Struct, eq=False):
    """The members of a collection for which a value is lowest or highest, including ties."""

    items: Expr
    variable: Variable
    value: Expr
    most: bool


class Each(Expr, Struct, eq=False):
    """The value of an expression for every member of a collection."""

    items: Expr
    variable: Variable
    value: Expr


class Op(Expr, Struct, eq=False):
    """A built-in operation of the vocabulary, by name."""

    name: str
    args: tuple[Expr, ...]


class IfElse(Expr, Struct, eq=False):
    """`value` where the condition holds, else `other`."""

    condition: Expr
    value: Expr
    other: Expr


class IsKind(Expr, Struct, eq=False):
    """Whether a thing or figure is of a kind."""

    of: Expr
    kind: Kind


class Covered(Expr, Struct, eq=False):
    """Always true: whether one of the closed intervals `ranges` holds a number (an end that is None has no limit). If
    none does, evaluation is refused (K001), at `line`. A number that is none is held.
    """

    of: Expr
    ranges: tuple[tuple[int | None, ...], ...]
    line: LineInfo


class Field(Expr, Struct, eq=False):
    """A line in the record of a call."""

    record: Expr
    procedure: Procedure
    address: str


# ---- sites: expressions that dice, a player or another procedure decide -------------------------------
class Throw(Expr, Struct, eq=False):
    """`count` dice with their faces; a die that shows `barred` is thrown again until it shows another face."""

    count: Expr
    sides: int | Expr
    barred: Expr | None = None


class Tally(Expr, Struct, eq=False):
    """`count` dice thrown against a roll; the value is how many pass (or fail)."""

    count: Expr
    roll: RollOf
    passing: bool


class Sort(Expr, Struct, eq=False):
    """One die for each figure; the value is the figures that pass (or fail). The roll may refer to `variable`."""

    figures: Expr
    variable: Variable
    roll: RollOf
    passing: bool


class Wish(Expr, Struct, eq=False):
    """A yes-or-no question to `who`; `policy` answers it unless the situation does."""

    who: Expr
    policy: Expr | None


class Choose(Expr, Struct, eq=False):
    """A pick of `low` to `high` members of a collection, or of a number if `items` is None.

    `most` is the policy on how many (True most, False fewest, None open); `order` are conditions on `variable` that say
    what is taken first.
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
    """`count` members of a collection drawn uniformly at random: a single member if `one`, else a collection."""

    count: Expr
    items: Expr
    one: bool


class Call(Expr, Struct, eq=False):
    """A call of a procedure. `kept` is a variable for the record of a call that no line of the page holds."""

    procedure: Procedure
    args: tuple[Expr, ...]
    kept: Variable | None = None


def placed(e: Expr, where: Where) -> Expr:
    """Set the source position of a new expression in place, and return it; it must not be shared yet."""
    object.__setattr__(e, "where", where)
    return e


FIGURES = ("figure", "figures")
SITES = (Throw, Tally, Sort, Lots, Wish, Choose, Call)


# ---- steps ------------------------------------------------------------------------------------------------
class Step(Struct, eq=False, kw_only=True):
    """A typed step, at a line of the page."""

    line: LineInfo


class Assign(Step, Struct, eq=False):
    """Set a variable."""

    variable: Variable
    value: Expr


class Accumulate(Step, Struct, eq=False):
    """Add the value of one round to the total of a loop; if not `rounds`, the value of one run of a rule's line.

    `by_rule`: the loop applies a rule, so the line counts as run only if one of its rounds ran it.
    """

    total: Variable
    value: Variable
    rounds: bool = True
    by_rule: bool = False

    @property
    def begun(self) -> bool:
        """Whether the total counts as run once the loop begins, even with no rounds."""
        return self.rounds and not self.by_rule


class Reset(Step, Struct, eq=False):
    """Set variables to their null values."""

    variables: tuple[Variable, ...]


class If(Step, Struct, eq=False):
    """Run `then` if the condition holds, else `other`."""

    condition: Expr
    then: tuple[Step, ...]
    other: tuple[Step, ...]


class ForEach(Step, Struct, eq=False):
    """Run the body once for each item, which `variable` holds."""

    variable: Variable
    items: Expr
    body: tuple[Step, ...]


class Repeat(Step, Struct, eq=False):
    """Run the body `times` times; none for a negative number."""

    times: Expr
    body: tuple[Step, ...]


class RepeatUntil(Step, Struct, eq=False):
    """A loop whose condition is tested after each round; without a `limit`, the number of rounds is unbounded."""

    limit: Expr | None
    condition: Expr
    body: tuple[Step, ...]


class Together(Step, Struct, eq=False):
    """A block whose statements read the state from its beginning; their changes are merged."""

    body: tuple[Step, ...]


class SetAttr(Step, Struct, eq=False):
    """Set an attribute of a thing, of one figure, or of several."""

    of: Expr
    attribute: Attribute
    value: Expr


class SetFact(Step, Struct, eq=False):
    """Set a fact of a thing, or of each of several; `args` are its further arguments."""

    of: Expr
    fact: Fact
    args: tuple[Expr, ...]
    value: Expr


class AddAttr(Step, Struct, eq=False):
    """Add to a number (`sign` 1) or subtract from it (-1); or add rows or things to a set, or remove them."""

    of: Expr
    attribute: Attribute
    amount: Expr
    sign: int
    dealt: bool = False  # part of a `deals`


class Rehome(Step, Struct, eq=False):
    """Move figures to another thing that holds their kind."""

    figures: Expr
    to: Expr


class Leave(Step, Struct, eq=False):
    """Take a thing, or several, out of play."""

    thing: Expr


class SetOngoing(Step, Struct, eq=False):
    """Set whether a moment is going on."""

    moment: MomentDef
    value: Expr


class New(Step, Struct, eq=False):
    """Create a thing of a kind, with attributes `given`."""

    variable: Variable
    kind: Kind
    given: tuple[tuple[Attribute, Expr], ...]
    source: Expr | None  # facts that are not stated for the new thing default to those of this one


class Tell(Step, Struct, eq=False):
    """Tell the players about an event on the table or a decision of an umpire; changes no state."""

    what: str
    subject: Expr | None
    amount: Expr | None
    goal: Expr | None


class Done(Step, Struct, eq=False):
    """Mark that a line without a value, or a block, runs; `variable` represents it and has no value."""

    variable: Variable


class Case(Step, Struct, eq=False):
    """The name of the case that was taken, for the trace only."""

    name: str


class Checked(Struct, eq=False, slots=False):
    """A checked procedure: its parameters, its steps, and its lines by address."""

    params: tuple[Variable, ...]
    steps: tuple[Step, ...]
    lines: dict[str, Variable]

    @cached_property
    def inside(self) -> dict[type[Any], list[Any]]:
        """All nodes in its steps, by class."""
        return by_class(self.steps)

    @property
    def names_figures(self) -> bool:
        """Whether a line has figures as its value, or reads such a line of another procedure."""
        named = (step.variable for step in (*self.inside[Assign], *self.inside[ForEach]))
        return any(one.type.name in FIGURES for one in (*named, *self.inside[Field]))


# ---- pure definitions ------------------------------------------------------------------------------------------
class Change(Struct, eq=False):
    """One line of a value or roll. `touch` is `needs`, `roll` or `value`; `what` is as in the syntax node."""

    line: LineInfo
    touch: str
    what: str
    amount: Expr | None
    sign: int
    per: Expr | None
    condition: Expr | None


class Pure(Struct, eq=False):
    """A checked value or roll: its parameters, its type, and its lines in order."""

    params: tuple[Variable, ...]
    type: Type
    changes: tuple[Change, ...]
    convention: Convention | None = None
    may_be_none: bool = False  # a line may set it to none; for an absent subject it is then none, not 0


def parts(value: Any) -> list[Any]:
    """Return all steps and expressions inside a value, at any depth, without entering symbols."""
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
    """Return the result of `parts` grouped by class; a missing class gives an empty list."""
    found: defaultdict[type[Any], list[Any]] = defaultdict(list)
    for part in parts(value):
        found[type(part)].append(part)
    return found


class _Held(dict[type[Any], Any]):
    """A getter for the child fields of each node class; False for a node class without any, None for other classes."""

    def __missing__(self, of: type[Any]) -> Any:
        self[of] = found = self._found(of) if issubclass(of, (Expr, Step)) else None
        return found

    def _found(self, of: type[Any]) -> Any:
        return attrgetter(*holding(of)) if holding(of) else False


_HELD = _Held()


def holding(of: type[Any]) -> tuple[str, ...]:
    """Return the names of a node class's fields that may contain nodes."""
    if of not in _HOLDING:
        annotations = {name: each for base in of.__mro__ for name, each in getattr(base, "__annotations__", {}).items()}
        _HOLDING[of] = tuple([name for name in children(of) if _is_of_nodes(annotations[name])])
    return _HOLDING[of]


@cache
def _is_of_nodes(annotation: str) -> bool:
    """Whether a field with this annotation may contain nodes."""
    each = [globals().get(word) for word in re.findall(r"\w+", annotation)]
    return any(isinstance(one, type) and issubclass(one, (Expr, Step)) for one in each)


_HOLDING: dict[type[Any], tuple[str, ...]] = {}


def rebuilt(node: Any, made: Callable[[Any], Any]) -> Any:
    """Return a copy of a node with `made` applied to each non-empty field that may contain nodes; the node itself if
    nothing changes.
    """
    changed = {}
    for name in holding(type(node)):
        was = getattr(node, name)
        now = made(was) if was else was
        if now is not was:
            changed[name] = now
    return replace(node, **changed) if changed else node


def children(of: type[Any]) -> tuple[str, ...]:
    """Return the names of a node class's fields, without `where`, `line` and `type`."""
    if of not in _CHILDREN:
        _CHILDREN[of] = tuple([name for name in names(of) if name not in ("where", "line", "type")])
    return _CHILDREN[of]


_CHILDREN: dict[type[Any], tuple[str, ...]] = {}
