"""Tracks what is known of dice stored in variables: their faces, and the throw that they came from.

Input: variables, and the expressions assigned to them. Output: number of faces, barred face, the dice that an
expression refers to, and whether a sum mixes dice values with dice counts. It does not know syntax.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import DICE, FACES

from . import typed as t


class DiceNames:
    """What is known of the dice stored in each variable."""

    def __init__(self) -> None:
        self.sides: dict[t.Variable, int] = {}  # number of faces of the dice
        self.barred: dict[t.Variable, int] = {}  # the face that is thrown again
        self.single: set[t.Variable] = set()  # variables that hold exactly one die
        self.taken: dict[t.Variable, t.Variable] = {}  # dice selected from other dice → the variable of those
        self.throws: dict[t.Variable, set[t.Variable]] = {}  # the variables of the throws the dice may come from

    def keep(self, variable: t.Variable, value: t.Expr) -> None:
        """Record that `value` is assigned to `variable`: a throw, dice of another variable, or dice picked from either.
        """
        picked = isinstance(value, t.Choose)
        known = {throw for throw in self.throws_of(value) if isinstance(throw, t.Variable)}
        self.throws.setdefault(variable, set()).update(known or {variable})
        if (dice := self.dice_of(value)) is not None:
            self.taken[variable] = dice if self.taken.get(variable, dice) is dice else variable
        if isinstance(value, t.Choose):
            value = value.items or value
            value = value.args[0] if isinstance(value, t.Op) and value.name == "faces" else value
        if isinstance(value, t.Throw) and isinstance(value.sides, int):
            self.sides[variable] = value.sides
            if isinstance(value.count, t.Lit) and value.count.value == 1 and not picked:
                self.single.add(variable)
            if isinstance(value.barred, t.Lit):
                self.barred[variable] = value.barred.value
        elif isinstance(value, t.Var) and value.variable in self.sides:
            self.sides[variable] = self.sides[value.variable]
            if value.variable in self.barred:
                self.barred[variable] = self.barred[value.variable]
            if value.variable in self.single and not picked:
                self.single.add(variable)

    def copy(self, one: t.Variable, like: t.Variable) -> None:
        """Record that `one` holds the same dice as `like`."""
        for known in (self.sides, self.barred):
            if like in known:
                known[one] = known[like]
        self.throws[one] = self.throws.get(like, {like})
        if like in self.single:
            self.single.add(one)

    def differ(self, names: Iterable[t.Variable]) -> bool:
        """Return whether the dice in some variables differ in faces, barred face, or in being a single die."""
        return len({(self.sides.get(v), self.barred.get(v), v in self.single) for v in names}) > 1

    def sides_of(self, value: t.Expr) -> int | None:
        """Return the number of faces if the value is exactly one die, thrown here or in an earlier line."""
        if (sides := sides_of(value)) is not None:
            return sides
        line = _added_up(value)
        return self.sides.get(line.variable) if isinstance(line, t.Var) and line.variable in self.single else None

    def barred_of(self, value: t.Expr) -> int | None:
        """Return the face for which a single die is thrown again, or None."""
        value = _added_up(value)
        if isinstance(value, t.Var):
            return self.barred.get(value.variable)
        if not isinstance(value, t.Throw) or not isinstance(value.barred, t.Lit):
            return None
        return int(value.barred.value)

    def dice_of(self, e: t.Expr) -> t.Variable | None:
        """Return the variable of the dice that these are, or were selected or counted from; None if it is not known."""
        match e:
            case t.Var(variable=name):
                return self.taken.get(name, name if name.type in (DICE, FACES) else None)
            case t.Filter(items=items) | t.Extreme(items=items) | t.Choose(items=t.Expr() as items):
                return self.dice_of(items)
            case t.Op(name="faces" | "meeting" | "missing", args=(dice, *_)):
                return self.dice_of(dice)
            case t.Op(name="join" | "without", args=(one, two)):
                of = self.dice_of(one)
                return of if of is self.dice_of(two) else None
        return None

    def throws_of(self, e: t.Expr) -> set[object]:
        """Return the throws that dice may come from: each is a variable, the variable of a call's record, or the id of
        a `Throw`.
        """
        match e:
            case t.Var(variable=name) if name.type in (DICE, FACES):
                return {*self.throws.get(name, {name})}
            case t.Field(record=t.Var(variable=record)):
                return {record}
            case t.Field(record=record):
                return self.throws_of(record)
            case t.Throw():
                return {id(e)}
            case t.Filter(items=items) | t.Extreme(items=items) | t.Choose(items=t.Expr() as items):
                return self.throws_of(items)
            case t.Op(name="join", args=(one, two)):
                return self.throws_of(one) | self.throws_of(two)
            case t.Op(name="faces" | "meeting" | "missing" | "without", args=(dice, *_)):
                return self.throws_of(dice)
        return set()

    def added_to_a_count(self, sum_: tuple[t.Expr, ...]) -> t.Expr | None:
        """The dice whose values are summed in an expression that also counts dice; None if they are not mixed."""
        terms = [term for e in sum_ for term in _terms(e)]
        shown = [dice for e in terms if (dice := _shown(e)) is not None]
        if not shown or any(isinstance(e, t.Op) and e.name == "count" and e.args[0].type == FACES for e in terms):
            return next(iter(shown), None)
        counted = {self.dice_of(e) for e in terms} - {None}
        return next((dice for dice in shown if self.dice_of(dice) in counted), None)


def sides_of(value: t.Expr) -> int | None:
    """The number of faces, if the value is exactly one die thrown in this expression; else None."""
    one_of_them = isinstance(value, t.Op) and OPERATIONS[value.name].one_face
    thrown = value.args[0] if isinstance(value, t.Op) and one_of_them else _added_up(value)
    if not isinstance(thrown, t.Throw) or not isinstance(thrown.count, t.Lit) or not isinstance(thrown.sides, int):
        return None
    return thrown.sides if thrown.count.value == 1 or one_of_them else None


def _added_up(value: t.Expr) -> t.Expr:
    """The operand of an implicit or explicit sum of dice; any other value unchanged."""
    return value.args[0] if isinstance(value, t.Op) and value.name == "sum-faces" else value


def _terms(e: t.Expr) -> Iterator[t.Expr]:
    if isinstance(e, t.IfElse):
        yield from _terms(e.value)
        yield from _terms(e.other)
    elif isinstance(e, t.Op) and OPERATIONS[e.name].one_unit:
        for part in e.args:
            yield from _terms(part)
    else:
        yield e


def _shown(e: t.Expr) -> t.Expr | None:
    """The dice that are summed implicitly, because a number was expected; None for an explicit `sum(faces)`."""
    if not isinstance(e, t.Op) or e.name != "sum-faces" or e.args[0].type != DICE or e.where is not e.args[0].where:
        return None
    return e.args[0]
