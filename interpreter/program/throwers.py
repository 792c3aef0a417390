"""Identities of dice: one `Thrower` for each line, number of sides and thrower, cached per program.

Its `stream` is the part of a seeded die's name that does not depend on the seed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MANY = 4096  # who throws at one line; past that it is worked out anew


@lru_cache(None)
def _fair(sides: int) -> tuple[bytes, bytes]:
    """A byte as a face, and the bytes past the last full round of faces, which would favour the low ones."""
    top = 256 - 256 % sides
    return bytes([b % sides + 1 for b in range(256)]), bytes(range(top, 256))


class Thrower:
    __slots__ = ("first", "line", "reject", "sides", "stream", "table", "who")

    def __init__(self, line: str, sides: int, who: str = "") -> None:
        self.line, self.sides, self.who = line, sides, who
        self.stream = f"{line}|{who}|{sides}|".encode()
        self.first = self.stream + b"0"
        self.table, self.reject = _fair(sides)


class Throwers(dict[tuple[Any, ...], Thrower]):
    """Of one line, by the sides of the die and who throws. Only things have a name among dice, and they are whole
    numbers.
    """

    __slots__ = ("line",)

    def __init__(self, line: str) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, given: tuple[Any, ...]) -> Thrower:
        if len(self) >= MANY:
            self.clear()
        who = ",".join([str(a) for a in given[1:] if isinstance(a, int)])
        made = self[given] = Thrower(self.line, given[0], who)
        return made
