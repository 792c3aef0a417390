"""Which counted things (figures) two names may share: unknown, known in number, or none.

Takes how each group of them was found; gives the pairs of finds whose overlap is unknown. Used by `alike.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, Kind, LineInfo
from interpreter.source.values import Struct

Whose = tuple[int, int]  # a thing; and when they are its figures: 0 is always
Base = tuple[Any, Whose | None]  # a kind, and whose figures they are; None where it may be anybody's
Name = tuple[Any, ...]  # a variable; of figures that a call hands back, the line that calls and their address there


class Draw(Struct, eq=False):
    """Figures that dice, lots or somebody found, or that a condition finds, which `reads` what they then are. `known`:
    those found before of which it is part, or of which nobody is in it; `told`: those that something told apart from
    all others when it was found.
    """

    line: LineInfo
    order: int  # which was found before which
    bases: frozenset[Base]
    calls: tuple[str, ...]  # the procedure that finds them, behind those through which it is called
    known: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()  # the loops in which it is found
    told: frozenset[tuple[Any, Telling]] = frozenset()
    reads: frozenset[Seen] | None = None


Seen = Attribute | Kind | None  # an attribute; a kind: who of it there is to be seen; None: whose they are
Telling = tuple[Attribute | None, int]  # the mark that tells figures apart, and since when it does
Token = Draw | Name  # figures that were found, or that have a name


class Now(Struct, eq=False):
    """What tells figures apart at a line: the marks by which those that were found differ from all others, and when
    each attribute was changed last.
    """

    marked: dict[Token, frozenset[Telling]]
    changed: dict[Seen, int]

    def later(self, changed: Iterable[Seen], order: int) -> Now:
        """When these were changed, too."""
        return Now(self.marked, self.changed | dict.fromkeys(changed, order))

    def is_seen(self, draw: Draw) -> bool:
        """Whether those that a condition found are still all those of whom it is so that look as they do."""
        return draw.reads is not None and all(self.changed.get(a, -1) < draw.order for a in draw.reads)

    def knows(self, one: Draw, other: Draw) -> bool:
        """Whether it is exact what two finds share: the one is part of the other, is seen to be what it is, or was told
        apart before the other was found, and is so still.
        """
        if one is other or one in other.known or other in one.known or self.is_seen(one) or self.is_seen(other):
            return True
        return any(
            (a, telling) in b.told for a, b in ((one, other), (other, one)) for telling in self.marked.get(a, ())
        )


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
        """The same, under a name of one run of a procedure: another run's name is another."""
        mine = frozenset((name,))
        return Group(self.bases, self.draws, self.within | mine, self.apart, self.holds | mine, self.unsure)

    def part(self) -> Group:
        """Some of them, which the same sentence finds again."""
        return Group(self.bases, self.draws, self.within, self.apart, unsure=self.unsure)

    def without(self, less: Group) -> Group:
        """Those that are not in another group: of a find of which not all were taken out, nor only some of its own, it
        is not kept who is left; nor of one that has nobody in common with those that were taken out.
        """
        unsure = self.unsure | less.unsure | (less.draws - less.holds - less.within)
        unsure |= frozenset(token for token in less.apart if isinstance(token, Draw))
        return Group(self.bases, self.draws | less.draws, self.within, self.apart | less.holds, unsure=unsure)

    def either(self, other: Group, holds: frozenset[Token]) -> Group:
        """One group or the other, or both together."""
        within, apart = self.within & other.within, self.apart & other.apart
        return Group(
            self.bases | other.bases, self.draws | other.draws, within, apart, holds, self.unsure | other.unsure
        )

    def strangers(self, other: Group, now: Now) -> list[tuple[Draw, Draw]]:
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
            if may_share(a.bases, b.bases)
            and (not now.knows(a, b) or not {a, b}.isdisjoint(self.unsure | other.unsure))
        ]


NOBODY = Group()


def may_share(some: frozenset[Base], others: frozenset[Base]) -> bool:
    """Whether figures of these may be figures of those."""
    return any(
        a is b and (of is None or by is None or of[0] == by[0] or of[1] != by[1]) for a, of in some for b, by in others
    )


def name_of(e: Any) -> Name | None:
    match e:
        case t.Var(variable=variable):
            return (variable,)
        case t.Field(record=record, address=address) if (name := name_of(record)) is not None:
            return (*name, address)
    return None
