"""Identities of dice: one `Thrower` per line, number of sides and throwing things.

Its `stream` is the part of a seeded die's name that does not depend on the seed. It consists of names only, of the line
and of the things, and of no index in the state: adding a mark, a line or a thing elsewhere does not change the dice of
a seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

MANY = 4096  # throwers cached per situation


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
    """The throwers of one situation, by the address of the line, the sides of the die and the offsets of the throwing
    things.

    `names` has the names of the things of the situation by their offsets, and `size` the number of their cells. A thing
    created later is named by its offset beyond these, so that the dice of a second created thing do depend on the
    number of attributes of the first.
    """

    __slots__ = ("names", "size")

    def __init__(self, names: Mapping[int, str], size: int) -> None:
        super().__init__()
        self.names, self.size = names, size

    def __missing__(self, given: tuple[Any, ...]) -> Thrower:
        if len(self) >= MANY:
            self.clear()
        line, sides, *things = given
        made = self[given] = Thrower(line, sides, ",".join(map(self._called, things)))
        return made

    def _called(self, thing: int) -> str:
        return self.names.get(thing) or ("" if thing < 0 else f"+{thing - self.size}")
