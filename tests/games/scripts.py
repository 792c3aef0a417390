"""Every history of a play: each face of each die, and each way to choose where a choice is open.

Taken: a function that plays by one script. Given: the tree of all ends, their law, and bounds over all ways to choose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

T = TypeVar("T")


class TooMany(Exception):
    """More histories than the budget allows."""


class TooLong(Exception):
    """A history that throws more dice than are followed."""


class Script:
    """Answers as told, then the first of each: what was asked is kept, so that the next script can follow."""

    def __init__(self, told: list[int], longest: int) -> None:
        self.told, self.longest = told, longest
        self.ways: list[tuple[int, bool]] = []

    def next(self, options: Sequence[T], chosen: bool) -> T:
        at = len(self.ways)
        if at == self.longest:
            raise TooLong
        if at == len(self.told):
            self.told.append(0)
        self.ways.append((len(options), chosen))
        return options[self.told[at]]

    def throw(self, line: str, n: int, sides: int, *who: str) -> list[int]:
        return [self.next(range(1, sides + 1), False) for _ in range(n)]

    def again(self) -> Script:
        return Script(list(self.told), self.longest)


class Node:
    """What may follow: by dice, each as likely; or by choice."""

    def __init__(self, chosen: bool) -> None:
        self.chosen = chosen
        self.ways: list[Any] = []


class Every:
    """All histories, depth first. `lost` is the mass of those that were not followed to their end."""

    def __init__(self, budget: int, longest: int) -> None:
        self.budget, self.longest = budget, longest
        self.ends: list[tuple[tuple[Any, ...], Fraction]] = []
        self.lost = Fraction(0)
        self.chosen = False
        self._paths: list[tuple[list[int], list[tuple[int, bool]], Any]] = []

    def follow(self, play: Callable[[Script], tuple[Any, ...]]) -> None:
        told: list[int] = []
        count = 0
        while True:
            count += 1
            if count > self.budget:
                raise TooMany
            script = Script(told, self.longest)
            weight = Fraction(1)
            try:
                end: Any = play(script)
            except TooLong:
                end = None
            for many, chosen in script.ways:
                if chosen:
                    self.chosen = True
                else:
                    weight /= many
            if end is None:
                self.lost += weight
            else:
                self.ends.append((end, weight))
            self._paths.append((list(told), list(script.ways), end))
            if (
                not self.chosen
                and count == 20
                and 1 / (sum(w for _, w in self.ends) + self.lost) * 20 > 50 * self.budget
            ):
                raise TooMany
            while told and told[-1] == script.ways[len(told) - 1][0] - 1:
                told.pop()
                script.ways.pop()
            if not told:
                return
            told[-1] += 1

    def law(self) -> dict[Any, Fraction]:
        found: dict[Any, Fraction] = {}
        for end, weight in self.ends:
            found[end] = found.get(end, Fraction(0)) + weight
        return found

    def values(self, index: int) -> set[Any]:
        return {end[index] for end, _ in self.ends}

    @property
    def tree(self) -> Any:
        return _tree(self._paths, 0)


def _tree(paths: list[tuple[list[int], list[tuple[int, bool]], Any]], depth: int) -> Any:
    told, ways, end = paths[0]
    if len(told) == depth:
        return end
    node = Node(ways[depth][1] if depth < len(ways) else False)
    groups: dict[int, list[Any]] = {}
    for path in paths:
        groups.setdefault(path[0][depth], []).append(path)
    node.ways = [_tree(groups[i], depth + 1) for i in sorted(groups)]
    return node


def bounds(tree: Any, worth: Callable[[Any], Any]) -> tuple[Fraction, Fraction]:
    """The least and the greatest expectation over all ways to choose by what has happened."""
    if not isinstance(tree, Node):
        value = Fraction(worth(tree))
        return value, value
    found = [bounds(way, worth) for way in tree.ways]
    if tree.chosen:
        return min(f[0] for f in found), max(f[1] for f in found)
    many = len(found)
    return sum((f[0] for f in found), Fraction(0)) / many, sum((f[1] for f in found), Fraction(0)) / many
