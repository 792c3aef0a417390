"""Summarizes an optimal policy that depends on the state: which option to take under which condition.

Takes positions, each with its choice, the options, the best of them, and the named values known there. Gives `Moment`s:
per choice, the option to take, and the fewest values that separate these positions from the others. Knows nothing of
worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from interpreter.source.values import Struct

Box = tuple[tuple[str, ...], ...]  # for each name the values that it may have

TOGETHER = 3  # at most this many values in one condition
_LOOKED_THROUGH = 20_000


class Position(Struct):
    """A state in which a choice was made: its options, the one to `take`, and the named values `known` there, as text.
    `matters`: whether another option would have another value.
    """

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
    """Summarize positions per choice: the options to take, the most frequent first. Only positions that matter count;
    the condition also separates them from the others if the known values allow it.
    """
    found: list[Moment] = []
    for address in dict.fromkeys(p.address for p in positions if p.matters):
        every = [p for p in positions if p.address == address]
        mine = [p for p in every if p.matters]
        names = _telling(every) or _telling(mine)
        sorts: dict[tuple[tuple[str, ...], str], list[Position]] = {}
        for p in mine:
            sorts.setdefault((p.options, p.take), []).append(p)
        of_one = [
            Moment(address, options, take, times, tuple(zip(names, box, strict=True)))
            for (options, take), some in sorts.items()
            for box, times in _boxes(some, names)
        ]
        found += sorted(of_one, key=lambda m: -m.times)
    return found


def _boxes(positions: Sequence[Position], names: Sequence[str]) -> list[tuple[Box, int]]:
    """The combinations of values of the positions, merged into few products of alternatives, each with its number of
    positions. Combinations that differ in a single value are merged.
    """
    boxes: dict[Box, int] = {}
    for p in positions:
        box: Box = tuple([(p.known[name],) for name in names])
        boxes[box] = boxes.get(box, 0) + 1
    for place in reversed(range(len(names))):
        merged: dict[tuple[Box, Box], tuple[tuple[str, ...], int]] = {}
        for box, times in boxes.items():
            rest = box[:place], box[place + 1 :]
            values, before = merged.get(rest, ((), 0))
            merged[rest] = (*values, *box[place]), before + times
        boxes = {(*left, values, *right): times for ((left, right), (values, times)) in merged.items()}
    return list(boxes.items())


def _telling(positions: Sequence[Position]) -> tuple[str, ...]:
    """The smallest set of known values that determines what to take in all positions; empty if the options alone
    determine it, or no set does.
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
