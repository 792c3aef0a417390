"""Sources of dice: a seed, a script or a person.

Input: the line that throws, the number of dice and of faces. Output: faces in order. A seeded die is a function of
(seed, line, thrower, index of the die there) and of nothing thrown elsewhere, so replays survive unrelated edits. It
does not know rules.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Protocol

from interpreter.program.runtime import MOST_DICE, Refused
from interpreter.program.state import BadFace, NotEnough, TwoLines
from interpreter.program.throwers import Thrower
from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed


class Dice(Protocol):
    """A source of dice."""

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        """Throw `n` dice with `sides` faces for `who`; return the faces in the order in which they fell."""
        ...


def thrower_of(dice: Dice) -> Callable[[Thrower, int], bytes]:
    """Return the function by which `Play` throws dice from any source. It raises `Refused` (E006) for too many dice at
    once.
    """
    if type(dice) is SeededDice:  # not a subclass, which may override `throw`
        return dice.fall

    def fall(thrower: Thrower, n: int) -> bytes:
        if n > MOST_DICE:
            raise Refused("E006", None, count=n, most=f"{MOST_DICE:,}", step=thrower.line)
        return bytes(dice.throw(thrower.line, n, thrower.sides, thrower.who))

    return fall


@cache
def _hash() -> Callable[[bytes], _Hash]:
    from hashlib import blake2b  # imported here, because odds throw no dice

    return blake2b


class _Hash(Protocol):
    def digest(self) -> bytes: ...


class SeededDice:
    """Dice derived from a key, with at most 255 faces: equal on every machine and version of Python."""

    __slots__ = ("_fallen", "_hash", "_salt", "seed")

    def __init__(self, seed: int | str) -> None:
        self.seed, self._hash = seed, _hash()
        self._salt = b"%d|" % seed if type(seed) is int else f"{seed}|".encode()
        self._fallen: dict[bytes, tuple[bytes, int]] = {}  # stream → its faces so far, and how many of them were thrown

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        return list(self.fall(Thrower(line, sides, who), n))

    def fall(self, thrower: Thrower, n: int) -> bytes:
        """Return the next `n` faces of a thrower's own stream. Raises `Refused` (E006) for too many dice at once."""
        if n > MOST_DICE:
            raise Refused("E006", None, count=n, most=f"{MOST_DICE:,}", step=thrower.line)
        fallen = self._fallen.get(thrower.stream)
        if fallen is None:
            start = 0
            faces = self._hash(self._salt + thrower.first).digest().translate(thrower.table, thrower.reject)
        else:
            faces, start = fallen
        end = start + n
        while len(faces) < end:
            block = self._hash(b"%b%b%d" % (self._salt, thrower.stream, len(faces))).digest()
            faces += block.translate(thrower.table, thrower.reject)
        self._fallen[thrower.stream] = faces, end
        return faces[start:end]


class ScriptedDice(Record):
    """Faces given by line (`hits: 6 1 5`), by any suffix of its address, or in one list for all lines; if they run out,
    `more` is called.

    `of` maps the address of each line to its key in `by_line`, where that is known; `lines` maps it to the canonical
    name that all runs of a line share. Raises `NotEnough`, `BadFace`, or `TwoLines` if one key would ambiguously give
    faces to two lines.
    """

    by_line: dict[str, list[int]] = field(default_factory=dict)
    all: list[int] = field(default_factory=list)
    more: Callable[[str, int, int], list[int]] | None = None
    of: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    _by: dict[str, str] = field(default_factory=dict)

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        if n and (key := self.of.get(line)) is not None:
            mine = self.lines[line]
            if self._by.setdefault(key, mine) != mine:
                raise TwoLines(key, (self._by[key], mine))
        queue = self._queue(line)
        if len(queue) < n:
            if self.more is None:
                raise NotEnough(line, n, sides)
            queue = queue + self.more(line, n - len(queue), sides)
            faces = queue[:n]
            self._take(line, n)
            return self._checked(line, faces, sides)
        faces = queue[:n]
        self._take(line, n)
        return self._checked(line, faces, sides)

    def _checked(self, line: str, faces: list[int], sides: int) -> list[int]:
        for face in faces:
            if not 1 <= face <= sides:
                raise BadFace(line, face, sides)
        return faces

    def _key(self, line: str) -> str | None:
        if self.of:
            return self.of.get(line)
        fits = [k for k in self.by_line if addressed(k, line)]
        return max(fits, key=lambda k: (k.split(".")[-1] == line.split(".")[-1], len(k))) if fits else None

    def _queue(self, line: str) -> list[int]:
        key = self._key(line)
        return self.by_line[key] if key is not None else self.all

    def _take(self, line: str, n: int) -> None:
        key = self._key(line)
        if key is not None:
            self.by_line[key] = self.by_line[key][n:]
        else:
            self.all = self.all[n:]

    @property
    def left(self) -> int:
        return len(self.all) + sum(len(q) for q in self.by_line.values())

    @property
    def left_of(self) -> str | None:
        """Return the first key with unused faces; None if only faces of the list for all lines are unused."""
        return next((key for key, queue in self.by_line.items() if queue), None)
