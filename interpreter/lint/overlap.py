"""Abstract domain of the analysis of alike figures: which figures two groups may share.

Takes how each group was selected; gives the pairs of selections whose overlap is unknown. Used by `alike.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Attribute, Kind, LineInfo
from interpreter.source.values import Struct

HolderKey = tuple[int, int]  # key of a holder, and the block in which it holds them (0: always)
Base = tuple[Any, HolderKey | None]  # a kind, and the holder; None if unknown
Name = tuple[Any, ...]  # a variable; for figures of a call's record, followed by their address in it


class Draw(Struct, eq=False):
    """One selection of figures, by dice, lots, a choice or a condition.

    `reads`: what the condition reads; None for another selection. `known`: earlier selections of which it is a subset,
    or from which it is disjoint. `told`: what distinguished figures from all others when it was made.
    """

    line: LineInfo
    order: int  # position in the sequence of events
    bases: frozenset[Base]
    calls: tuple[str, ...]  # the call chain, the selecting procedure last
    known: frozenset[Any] = frozenset()
    inside: frozenset[Any] = frozenset()  # the enclosing loops
    told: frozenset[tuple[Any, Distinction]] = frozenset()
    reads: frozenset[Property] | None = None


# What a condition reads: an attribute, a kind (which of its figures are there), or None (the holder).
Property = Attribute | Kind | None
Distinction = tuple[Attribute | None, int]  # the distinguishing mark, and since which event
Token = Draw | Name  # a set of figures, known by its selection or its name


class Knowledge(Struct, eq=False):
    """What distinguishes figures at one line: the marks of figures that differ from all others, and the number of the
    last change of each attribute.
    """

    marked: dict[Token, frozenset[Distinction]]
    changed: dict[Property, int]

    def later(self, changed: Iterable[Property], order: int) -> Knowledge:
        """The same after a change of these attributes."""
        return Knowledge(self.marked, self.changed | dict.fromkeys(changed, order))

    def is_determined(self, draw: Draw) -> bool:
        """Whether the selection is determined: a condition made it, and nothing that the condition reads has changed
        since.
        """
        return draw.reads is not None and all(self.changed.get(a, -1) < draw.order for a in draw.reads)

    def overlap_is_known(self, one: Draw, other: Draw) -> bool:
        """Whether the overlap of two selections is exact: one is known relative to the other, one is determined, or one
        was distinguished before the other was made and still is.
        """
        if (
            one is other
            or one in other.known
            or other in one.known
            or self.is_determined(one)
            or self.is_determined(other)
        ):
            return True
        return any(
            (a, distinction) in b.told
            for a, b in ((one, other), (other, one))
            for distinction in self.marked.get(a, ())
        )


class Group(Struct, eq=False):
    """The figures of an expression. `draws`: the selections that identify them; `within`: the tokens of which they are
    a subset; `apart`: those from which they are disjoint; `holds`: those that are subsets of them. `unsure`: the
    selections of which it is unknown which figures remain after a difference: for `men - (men - picked)`, that is
    `picked`.
    """

    bases: frozenset[Base] = frozenset()
    draws: frozenset[Draw] = frozenset()
    within: frozenset[Token] = frozenset()
    apart: frozenset[Token] = frozenset()
    holds: frozenset[Token] = frozenset()
    unsure: frozenset[Draw] = frozenset()

    def with_name(self, name: Name) -> Group:
        """The group under a name. Names of different runs of a procedure are different."""
        mine = frozenset((name,))
        return Group(self.bases, self.draws, self.within | mine, self.apart, self.holds | mine, self.unsure)

    def subset(self) -> Group:
        """An unspecified subset of the group."""
        return Group(self.bases, self.draws, self.within, self.apart, unsure=self.unsure)

    def without(self, less: Group) -> Group:
        """The difference of two groups. A selection of `less` that is neither contained in it nor contains it becomes
        unsure, as does one that is disjoint from it.
        """
        unsure = self.unsure | less.unsure | (less.draws - less.holds - less.within)
        unsure |= frozenset(token for token in less.apart if isinstance(token, Draw))
        return Group(self.bases, self.draws | less.draws, self.within, self.apart | less.holds, unsure=unsure)

    def either(self, other: Group, holds: frozenset[Token]) -> Group:
        """The union of two groups, or the value on one of two branches; these differ in `holds`, which is given."""
        within, apart = self.within & other.within, self.apart & other.apart
        return Group(
            self.bases | other.bases, self.draws | other.draws, within, apart, holds, self.unsure | other.unsure
        )

    def unknown_overlaps(self, other: Group, now: Knowledge) -> list[tuple[Draw, Draw]]:
        """The pairs of selections whose overlap is unknown, the earlier first; a selection in `unsure` is paired with
        itself. Empty if the groups are known to be disjoint, or one to be a subset of the other.
        """
        if self.within & other.apart or other.within & self.apart:
            return []  # disjoint
        if self.within & other.holds or other.within & self.holds:
            return []  # one is a subset of the other
        return [
            (a, b) if a.order < b.order else (b, a)
            for a in self.draws
            for b in other.draws
            if may_share(a.bases, b.bases)
            and (not now.overlap_is_known(a, b) or not {a, b}.isdisjoint(self.unsure | other.unsure))
        ]


NOBODY = Group()


def may_share(some: frozenset[Base], others: frozenset[Base]) -> bool:
    """Whether figures of two sets of bases may be the same: equal kind, and holders that are not known to differ."""
    return any(
        a is b and (of is None or by is None or of[0] == by[0] or of[1] != by[1]) for a, of in some for b, by in others
    )


def name_of(e: Any) -> Name | None:
    """The name that an expression refers to: a variable, or a field of a record; None for other expressions."""
    match e:
        case t.Var(variable=variable):
            return (variable,)
        case t.Field(record=record, address=address) if (name := name_of(record)) is not None:
            return (*name, address)
    return None
