"""Which counted things (figures) two names may share: unknown, known in number, or none.

Takes how each group of them was found; gives the pairs of finds whose overlap is unknown. Used by `alike.py`.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo
from interpreter.source.values import Struct

Base = tuple[Any, int]  # a kind, and whose figures they are
Name = tuple[Any, ...]  # a variable; of figures that a call hands back, the line that calls and their address there


class Draw(Struct, eq=False):
    """Figures that dice, lots or somebody found; `known`, those found before with which it is exact what it shares."""

    line: LineInfo
    order: int  # which was found before which
    bases: frozenset[Base]
    calls: tuple[str, ...]  # the procedure that finds them, behind those through which it is called
    known: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()  # the loops in which it is found


Token = Draw | Name  # figures that were found, or that have a name


class Group(Struct, eq=False):
    """The figures of an expression: those found (`draws`) that say who they are, those that they are all of (`within`),
    none of (`apart`), and that are all among them (`holds`).
    """

    bases: frozenset[Base] = frozenset()
    draws: frozenset[Draw] = frozenset()
    within: frozenset[Token] = frozenset()
    apart: frozenset[Token] = frozenset()
    holds: frozenset[Token] = frozenset()

    def called(self, name: Name) -> Group:
        """The same, under a name."""
        mine = frozenset((name,))
        return Group(self.bases, self.draws, self.within | mine, self.apart, self.holds | mine)

    def strangers(self, other: Group) -> list[tuple[Draw, Draw]]:
        """Pairs of finds that have nothing to do with each other, the earlier first: what is in both is unknown."""
        if self.within & other.apart or other.within & self.apart:
            return []
        return [
            (a, b) if a.order < b.order else (b, a)
            for a in self.draws
            for b in other.draws
            if a is not b and a not in b.known and b not in a.known and a.bases & b.bases
        ]


NOBODY = Group()


def name_of(e: Any) -> Name | None:
    match e:
        case t.Var(variable=variable):
            return (variable,)
        case t.Field(record=record, address=address) if (name := name_of(record)) is not None:
            return (*name, address)
    return None
