"""Identities of dice: one `Thrower` per line, number of sides and thrower, cached per program.

Its `stream` is the part of a seeded die's name that does not depend on the seed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

MANY = 4096  # throwers cached per line


@lru_cache(None)
def _fair(sides: int) -> tuple[bytes, bytes]:
    """A table from byte to face, and the bytes to reject, which would favour low faces."""
    top = 256 - 256 % sides
    return bytes([b % sides + 1 for b in range(256)]), bytes(range(top, 256))


class Thrower:
    """One stream of dice. `table` maps random bytes to faces after the bytes in `reject` are removed; `first` is the
    key of its first block.
    """

    __slots__ = ("first", "line", "reject", "sides", "stream", "table", "who")

    def __init__(self, line: str, sides: int, who: str = "") -> None:
        self.line, self.sides, self.who = line, sides, who
        self.stream = f"{line}|{who}|{sides}|".encode()
        self.first = self.stream + b"0"
        self.table, self.reject = _fair(sides)


class Throwers(dict[tuple[Any, ...], Thrower]):
    """The throwers of one line, by the sides of the die and the throwing things. Only things, which are integers,
    identify a thrower.
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
