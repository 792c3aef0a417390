"""Truth values of slots known on one path, so that tests decided by them need not be generated.

`known_value` returns True, False or None (unknown) for a test. The result holds for all values of the other slots.
"""

from __future__ import annotations

from collections.abc import Sequence

from .code import Do, Item, Site, inside
from .statements import Set
from .terms import And, Const, Not, Or, Slot, Term

Known = dict[int, bool]


def known_value(test: Term, known: Known) -> bool | None:
    """Return the value of a test that the known slots decide, else None."""
    match test:
        case Const(value=bool() as told):
            return told
        case Slot(number=number):
            return known.get(number)
        case Not(of=inner):
            value = known_value(inner, known)
            return None if value is None else not value
        case And() | Or():
            decisive = isinstance(test, Or)
            found = [known_value(part, known) for part in test.parts]
            if decisive in found:
                return decisive
            return None if None in found else not decisive
    return None


def done(item: Do, known: Known) -> None:
    """Update `known` after a statement: the slot that it sets is known if it is set to a constant or a known slot."""
    known.pop(item.sets, None)
    match item.act:
        case Set(sets=number, value=Const() | Slot() as value):
            found = known_value(value, known)
            if found is not None:
                known[number] = found


def supposing(test: Term, outcome: bool, known: Known) -> Known:
    """Return a copy of `known` for the branch of a test with this outcome."""
    made = dict(known)
    match test:
        case Slot(number=number):
            made[number] = outcome
        case Not(of=Slot(number=number)):
            made[number] = not outcome
    return made


def forget(items: Sequence[Item], known: Known) -> None:
    """Remove from `known` every slot that these items may set."""
    for item in inside(list(items)):
        if isinstance(item, Do):
            known.pop(item.sets, None)
        elif isinstance(item, Site):
            for slot in (item.dest, *item.lands):
                known.pop(slot, None)
