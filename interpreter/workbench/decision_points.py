"""Summarizes an optimal policy that depends on the state: which option to take under which condition.

Enters: positions, each with its choice, the options, the best of them, and the named values known there. Leaves:
`Moment`s: per choice, the option to take, and the fewest values that separate these positions from the others. Knows
nothing of worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from interpreter.source.values import Struct

TOGETHER = 3  # at most this many values in one condition
_LOOKED_THROUGH = 20_000


class Position(Struct):
    """`known` has in words what has come to be, by what it is of. `matters`: another choice would be worse."""

    address: str
    options: tuple[str, ...]
    take: str
    known: dict[str, str]
    matters: bool = True


class Moment(Struct):
    """In `times` positions with these options, it is best to `take` that one.

    `when` is the condition on known values that selects these positions; it is empty if none separates them from
    others.
    """

    address: str
    options: tuple[str, ...]
    take: str
    times: int
    when: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def condition(self) -> str:
        return " and ".join(f"{name} is {' or '.join(values)}" for name, values in self.when)


def moments(positions: Sequence[Position]) -> list[Moment]:
    """What to take where it matters, choice by choice; the most frequent first. Positions where it does not are told
    from those, as far as what is known there tells them apart.
    """
    found: list[Moment] = []
    for address in dict.fromkeys(p.address for p in positions if p.matters):
        every = [p for p in positions if p.address == address]
        mine = [p for p in every if p.matters]
        names = _telling(every) or _telling(mine)
        sorts: dict[tuple[tuple[str, ...], str, tuple[str, ...]], list[Position]] = {}
        for p in mine:
            # A condition on one value lists all its alternatives; one on several values is split by combination.
            apart = tuple([p.known[name] for name in names]) if len(names) > 1 else ()
            sorts.setdefault((p.options, p.take, apart), []).append(p)
        of_one = [
            Moment(address, options, take, len(some), tuple([(name, _values(some, name)) for name in names]))
            for (options, take, _), some in sorts.items()
        ]
        found += sorted(of_one, key=lambda m: -m.times)
    return found


def _values(positions: Sequence[Position], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(p.known[name] for p in positions))


def _telling(positions: Sequence[Position]) -> tuple[str, ...]:
    """The smallest set of values, known in all positions, that determines what to take; empty if the options alone
    do, or none is found.
    """
    everywhere = [name for name in positions[0].known if all(name in p.known for p in positions)]
    names = [name for name in everywhere if len({p.known[name] for p in positions}) > 1]
    looked = 0
    for many in range(min(TOGETHER, len(names)) + 1):
        for chosen in combinations(names, many):
            looked += len(positions)
            if looked > _LOOKED_THROUGH:
                return ()
            if _decide(positions, chosen):
                return chosen
    return ()


def _decide(positions: Sequence[Position], names: Sequence[str]) -> bool:
    takes: dict[tuple[object, ...], str] = {}
    for p in positions:
        key = (p.options, *[p.known[name] for name in names])
        if takes.setdefault(key, p.take) != p.take:
            return False
    return True
