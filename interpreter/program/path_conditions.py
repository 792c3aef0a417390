"""What is known of yes-or-no slots on one path through a procedure: tests that are settled need not be written.

Enters: statements and tests. Leaves: True, False or None for a test. Law: whatever the slots hold that are not known, a
test that is settled comes to what is said here. Knows nothing of rules.
"""

from __future__ import annotations

from collections.abc import Sequence

from .code import Do, Item, Site, inside
from .statements import Set
from .terms import And, Const, Not, Or, Slot, Term

Known = dict[int, bool]


def settled(test: Term, known: Known) -> bool | None:
    """Whether a test is already decided."""
    match test:
        case Const(value=bool() as told):
            return told
        case Slot(number=number):
            return known.get(number)
        case Not(of=inner):
            value = settled(inner, known)
            return None if value is None else not value
        case And() | Or():
            decisive = isinstance(test, Or)
            found = [settled(part, known) for part in test.parts]
            if decisive in found:
                return decisive
            return None if None in found else not decisive
    return None


def done(item: Do, known: Known) -> None:
    """A statement on the path: what it sets is known when it is set to yes or no, or from what is known."""
    known.pop(item.sets, None)
    match item.act:
        case Set(sets=number, value=Const() | Slot() as value):
            found = settled(value, known)
            if found is not None:
                known[number] = found


def supposing(test: Term, outcome: bool, known: Known) -> Known:
    """What is known in one branch of a test."""
    made = dict(known)
    match test:
        case Slot(number=number):
            made[number] = outcome
        case Not(of=Slot(number=number)):
            made[number] = not outcome
    return made


def forget(items: Sequence[Item], known: Known) -> None:
    """What these statements may set is no longer known."""
    for item in inside(list(items)):
        if isinstance(item, Do):
            known.pop(item.sets, None)
        elif isinstance(item, Site):
            for slot in (item.dest, *item.lands):
                known.pop(slot, None)
