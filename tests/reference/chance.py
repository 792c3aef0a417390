"""Where dice and choices come from: a script of faces, or every outcome in turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from . import TooLarge, Unsupported


class Chance:
    """Each throw, lot or choice asks here, and is told which of its outcomes it is."""

    by_face = True  # whether every die is asked for by itself

    def die(self, sides: int, address: Sequence[str]) -> int:
        raise NotImplementedError

    def branch(self, weights: Sequence[Fraction | int], address: Sequence[str]) -> int:
        raise NotImplementedError

    def lot(self, groups: Sequence[int], address: Sequence[str]) -> int:
        """Which of some groups one thing is taken from that is drawn by lot; each thing is as likely as the next."""
        raise NotImplementedError

    def choice(self, options: int, address: Sequence[str]) -> int:
        raise NotImplementedError


def fits(address: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether `wanted` is this address with parts left out; its last part must be the line's own."""
    if not address or address[-1] != wanted[-1]:
        return False
    rest = iter(address)
    return all(part in rest for part in wanted)


def within(address: Sequence[str], wanted: Sequence[str]) -> tuple[int, int]:
    """How near a line named with parts left out is to this address: it is the line, or one around it; () for neither."""
    for size in range(len(address), 0, -1):
        if fits(address[:size], wanted):
            return (size, len(wanted))
    return ()  # type: ignore[return-value]


class Script(Chance):
    """Faces by line, or one list for all."""

    def __init__(self, lines: dict[tuple[str, ...], list[int]] | None, plain: list[int] | None) -> None:
        self.lines = {key: list(faces) for key, faces in (lines or {}).items()}
        self.plain = list(plain) if plain is not None else None

    def die(self, sides: int, address: Sequence[str]) -> int:
        face = self._next(address)
        if not 1 <= face <= sides:
            raise Unsupported(f"a face {face} of a d{sides} at {'.'.join(address)}")
        return face

    def _next(self, address: Sequence[str]) -> int:
        if self.plain is not None:
            if not self.plain:
                raise Unsupported(f"too few dice: another is thrown at {'.'.join(address)}")
            return self.plain.pop(0)
        own = sorted(
            (key for key in self.lines if within(address, key)), key=lambda k: within(address, k), reverse=True
        )
        for key in own:
            if self.lines[key]:
                return self.lines[key].pop(0)
        raise Unsupported(f"too few dice: another is thrown at {'.'.join(address)}")

    def lot(self, groups: Sequence[int], address: Sequence[str]) -> int:
        if len(groups) == 1:
            return 0
        face = self.die(sum(groups), address)
        for i, size in enumerate(groups):
            if face <= size:
                return i
            face -= size
        raise AssertionError(face)

    def branch(self, weights: Sequence[Fraction | int], address: Sequence[str]) -> int:
        raise Unsupported("a branch in a script of faces")

    def choice(self, options: int, address: Sequence[str]) -> int:
        raise Unsupported(f"a choice that nobody has decided: {'.'.join(address)}")

    def left(self) -> list[str]:
        """The lines that had more faces than were thrown."""
        if self.plain:
            return ["all"]
        return [".".join(key) for key, faces in self.lines.items() if faces]


@dataclass
class Fork:
    """A place where a history goes on in several ways: by chance with these weights, or as somebody chooses (None)."""

    weights: list[Fraction] | None
    ways: int
    now: int = 0
    seen: list[tuple[list[tuple[Fraction, Fraction]], Fraction]] = field(default_factory=list)


class Every(Chance):
    """One history of many: takes the ways it is told, and the first at each fork behind them."""

    def __init__(self, forks: list[Fork], slow: bool, most: int) -> None:
        self.forks, self.at, self.by_face, self.most = forks, 0, slow, most

    def _fork(self, weights: list[Fraction] | None, ways: int) -> int:
        if self.at < len(self.forks):
            fork = self.forks[self.at]
            assert fork.ways == ways, "the same way leads to another place"
        else:
            if self.at >= self.most:
                raise TooLarge(f"a history with more than {self.most} dice")
            fork = Fork(weights, ways)
            self.forks.append(fork)
        self.at += 1
        return fork.now

    def branch(self, weights: Sequence[Fraction | int], address: Sequence[str]) -> int:
        able = [i for i, weight in enumerate(weights) if weight]
        if len(able) == 1:
            return able[0]
        whole = sum(weights)
        return able[self._fork([Fraction(weights[i]) / whole for i in able], len(able))]

    def die(self, sides: int, address: Sequence[str]) -> int:
        return self.branch([1] * sides, address) + 1

    def lot(self, groups: Sequence[int], address: Sequence[str]) -> int:
        return self.branch(groups, address)

    def choice(self, options: int, address: Sequence[str]) -> int:
        return 0 if options == 1 else self._fork(None, options)


Values = list  # what each question came to


def explore(
    history: Callable[[Chance], Values], worth: Callable[[object], Fraction], limit: int, slow: bool = False
) -> tuple[list[tuple[Values, Fraction]], list[tuple[Fraction, Fraction]], bool]:
    """Every history: what each came to with its weight (of the first way to choose, where choices are open), the least
    and the greatest of each question's worth, and whether anything was chosen.
    """
    forks: list[Fork] = []
    leaves: list[tuple[Values, Fraction]] = []
    chosen, count = False, 0
    while True:
        count += 1
        if count > limit:
            raise TooLarge(f"more than {limit} histories")
        values = history(Every(forks, slow, 400))
        weight = Fraction(1)
        for fork in forks:
            if fork.weights is not None:
                weight *= fork.weights[fork.now]
            else:
                chosen = True
                weight *= fork.now == 0
        if weight:
            leaves.append((values, weight))
        band = [(worth(value), worth(value)) for value in values]
        while forks:
            fork = forks[-1]
            fork.seen.append((band, fork.weights[fork.now] if fork.weights is not None else Fraction(0)))
            fork.now += 1
            if fork.now < fork.ways:
                break
            band = _folded(fork)
            forks.pop()
        else:
            return leaves, band, chosen


def _folded(fork: Fork) -> list[tuple[Fraction, Fraction]]:
    """A fork seen from before it: the mean over what chance does, the least and the greatest over what is chosen."""
    columns = zip(*(band for band, _ in fork.seen), strict=True)
    if fork.weights is None:
        return [(min(low for low, _ in column), max(high for _, high in column)) for column in columns]
    weights = [weight for _, weight in fork.seen]
    return [
        (
            sum((low * w for (low, _), w in zip(column, weights, strict=True)), Fraction(0)),
            sum((high * w for (_, high), w in zip(column, weights, strict=True)), Fraction(0)),
        )
        for column in columns
    ]
