"""Goes through all dice that a history may throw: the other way to an exact law."""

from collections.abc import Iterator
from fractions import Fraction


class EveryScript:
    """Goes through every script of dice: run once per `scripts()` step; `weight` is the chance of the one just run."""

    def __init__(self) -> None:
        self._faces: list[int] = []
        self._sides: list[int] = []
        self._at = 0

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        thrown = []
        for _ in range(n):
            if self._at == len(self._faces):
                self._faces.append(1)
                self._sides.append(sides)
            thrown.append(self._faces[self._at])
            self._at += 1
        return thrown

    @property
    def weight(self) -> Fraction:
        product = 1
        for sides in self._sides:
            product *= sides
        return Fraction(1, product)

    def scripts(self) -> Iterator[None]:
        """Yields before each run, until every script was run."""
        while True:
            self._at = 0
            yield None
            while self._faces and self._faces[-1] == self._sides[-1]:
                self._faces.pop()
                self._sides.pop()
            if not self._faces:
                return
            self._faces[-1] += 1
