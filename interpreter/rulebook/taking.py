"""Dice and what was taken from them: what they show is added up, a part of them is counted, and no sum is of both.

Enters: typed expressions, and of each name which dice it was taken from. Leaves: the dice an expression speaks of, and
whether a sum reckons what dice show with how many they are. Knows nothing of syntax.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.vocabulary.types import DICE, FACES

from . import typed as t


def dice_of(e: t.Expr, taken: Mapping[t.Variable, t.Variable]) -> t.Variable | None:
    """The name of the dice that these are, or were taken or counted from."""
    match e:
        case t.Var(variable=name):
            return taken.get(name, name if name.type in (DICE, FACES) else None)
        case t.Filter(items=items) | t.Extreme(items=items) | t.Choose(items=t.Expr() as items):
            return dice_of(items, taken)
        case t.Op(name="faces" | "meeting" | "missing", args=(dice, *_)):
            return dice_of(dice, taken)
        case t.Op(name="join" | "without", args=(one, two)):
            of = dice_of(one, taken)
            return of if of is dice_of(two, taken) else None
    return None


def added_to_a_count(sum_: tuple[t.Expr, ...], taken: Mapping[t.Variable, t.Variable]) -> t.Expr | None:
    """The dice that are worth what they show in a sum, or beside a number, though some that were taken from dice are
    counted there.
    """
    terms = [term for e in sum_ for term in _terms(e)]
    shown = [dice for e in terms if (dice := _shown(e)) is not None]
    if not shown or any(isinstance(e, t.Op) and e.name == "count" and e.args[0].type == FACES for e in terms):
        return next(iter(shown), None)
    counted = {dice_of(e, taken) for e in terms} - {None}
    return next((dice for dice in shown if dice_of(dice, taken) in counted), None)


def _terms(e: t.Expr) -> Iterator[t.Expr]:
    if isinstance(e, t.IfElse):
        yield from _terms(e.value)
        yield from _terms(e.other)
    elif isinstance(e, t.Op) and e.name in ("add", "subtract", "min", "max"):
        for part in e.args:
            yield from _terms(part)
    else:
        yield e


def _shown(e: t.Expr) -> t.Expr | None:
    """The dice that are added up unsaid, as a number was wanted; `sum(faces)` says it."""
    if not isinstance(e, t.Op) or e.name != "sum-faces" or e.args[0].type != DICE or e.where is not e.args[0].where:
        return None
    return e.args[0]
