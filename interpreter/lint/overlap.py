"""Which counted things (figures) two names may share: unknown, known in number, or none.

Takes how each group of them was found; gives the pairs of finds whose overlap is unknown. Used by `alike.py`.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import LineInfo
from interpreter.source.values import Struct

Base = tuple[Any, int | None]  # a kind, and whose figures they are; None where it may be anybody's
Name = tuple[Any, ...]  # a variable; of figures that a call hands back, the line that calls and their address there


class Draw(Struct, eq=False):
    """Figures that dice, lots or somebody found; `known`, those found before with which it is exact what it shares."""

    line: LineInfo
    order: int  # which was found before which
    bases: frozenset[Base]
    calls: tuple[str, ...]  # the procedure that finds them, behind those through which it is called
    known: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()  # the loops in which it is found

    def knows(self, other: Draw) -> bool:
        """Whether it is exact what two finds share."""
        return self is other or self in other.known or other in self.known


Token = Draw | Name  # figures that were found, or that have a name


class Group(Struct, eq=False):
    """The figures of an expression: those found (`draws`) that say who they are, those that they are all of (`within`),
    none of (`apart`), and that are all among them (`holds`). `unsure`: the finds of which, when figures were taken out,
    it was not kept which of them are left: of `men - (men - picked)`, `picked`.
    """

    bases: frozenset[Base] = frozenset()
    draws: frozenset[Draw] = frozenset()
    within: frozenset[Token] = frozenset()
    apart: frozenset[Token] = frozenset()
    holds: frozenset[Token] = frozenset()
    unsure: frozenset[Draw] = frozenset()

    def called(self, name: Name) -> Group:
        """The same, under a name."""
        mine = frozenset((name,))
        return Group(self.bases, self.draws, self.within | mine, self.apart, self.holds | mine, self.unsure)

    def part(self) -> Group:
        """Some of them, which the same sentence finds again."""
        return Group(self.bases, self.draws, self.within, self.apart, unsure=self.unsure)

    def without(self, less: Group) -> Group:
        """Those that are not in another group: of a find of which not all were taken out, nor only some of its own, it
        is not kept who is left.
        """
        unsure = self.unsure | less.unsure | (less.draws - less.holds - less.within)
        return Group(self.bases, self.draws | less.draws, self.within, self.apart | less.holds, unsure=unsure)

    def either(self, other: Group, holds: frozenset[Token]) -> Group:
        """One group or the other, or both together."""
        within, apart = self.within & other.within, self.apart & other.apart
        return Group(
            self.bases | other.bases, self.draws | other.draws, within, apart, holds, self.unsure | other.unsure
        )

    def strangers(self, other: Group) -> list[tuple[Draw, Draw]]:
        """Pairs of finds that have nothing to do with each other, the earlier first: what is in both is unknown. A find
        of which one of them does not know who is left is a stranger to itself.
        """
        if self.within & other.apart or other.within & self.apart:
            return []  # they share nobody
        if self.within & other.holds or other.within & self.holds:
            return []  # one is part of the other
        return [
            (a, b) if a.order < b.order else (b, a)
            for a in self.draws
            for b in other.draws
            if may_share(a.bases, b.bases) and (a in self.unsure or b in other.unsure or not a.knows(b))
        ]


NOBODY = Group()


def may_share(some: frozenset[Base], others: frozenset[Base]) -> bool:
    """Whether figures of these may be figures of those."""
    return any(a is b and (of is None or by is None or of == by) for a, of in some for b, by in others)


def name_of(e: Any) -> Name | None:
    match e:
        case t.Var(variable=variable):
            return (variable,)
        case t.Field(record=record, address=address) if (name := name_of(record)) is not None:
            return (*name, address)
    return None
