"""One history: the questions of a program answered by dice and a player.

Input: a Program, a state, dice, a function that decides. Output: the values of a procedure's lines, and the changed
state. Play runs the same program as odds, as plain Python functions; an observer may record it and changes nothing. It
does not know how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from interpreter.program.code import Site
from interpreter.program.constant_rolls import others
from interpreter.program.landing import land, watched
from interpreter.program.layout import SET_AGAIN, CellKey
from interpreter.program.play_codegen import played
from interpreter.program.program import Program
from interpreter.program.runtime import Bag, bag
from interpreter.program.throwers import Throwers

from .choices import UNDECIDED, preferred
from .dice import Dice, thrower_of
from .odds import Refused

MOST_FACES = 255  # of a seeded die
Decide = Callable[[Site, tuple[Any, ...], list[Any]], Any]


class Observer(Protocol):
    """Records plays, such as a `Tracer`."""

    def named(self, note: int, thing: Any) -> None:
        """Called when a thing is created, because later questions may refer to it."""
        ...

    def played(self, procedure: Any, args: tuple[Any, ...], records: list[tuple[Any, ...]]) -> None:
        """Called at the end of a run, with the records of the run in order."""
        ...


def by_policy(site: Site, question: tuple[Any, ...], state: list[Any]) -> Any:
    """Decide by the policy after `usually`. Raises `Refused` (F008) if the rules leave the choice open."""
    if site.kind == "wish":
        if question[1] is None:
            raise Refused("F008", site.line, who="somebody", what=site.line.address)
        return question[1]
    chosen = preferred(question)
    if chosen is UNDECIDED:
        raise Refused("F008", site.line, who="somebody", what=site.line.address)
    return chosen


class Play:
    """Plays one situation and changes `state`. `fall` throws dice; `left` is the number of steps left."""

    __slots__ = (
        "_function",
        "_last",
        "decider",
        "fall",
        "keys",
        "left",
        "limit",
        "observer",
        "program",
        "state",
        "throwers",
    )

    def __init__(
        self,
        program: Program,
        keys: list[CellKey],
        names: Mapping[int, str],
        state: list[Any],
        dice: Dice,
        decide: Decide = by_policy,
        observer: Observer | None = None,
        limit: int = 1_000_000,
    ) -> None:
        self.program = program
        self.keys = keys
        self.state = state
        self.fall = thrower_of(dice)
        self.throwers = Throwers(names, len(keys))
        self.decider = decide
        self.observer = observer
        self.limit = self.left = limit
        self._last: tuple[Any, Any] = (None, None)
        self._function: Callable[..., tuple[Any, ...]] | None = None

    def again(self, state: list[Any], dice: Dice, observer: Observer | None = None) -> None:
        """Reset for another run of the same situation."""
        self.state, self.fall, self.observer, self.left = state, thrower_of(dice), observer, self.limit

    def run(self, procedure: Any, args: tuple[Any, ...], wants: frozenset[str] | None = None) -> tuple[Any, ...]:
        """Run a procedure and return the values of its lines in order. If only some lines are wanted, others may be
        None.
        """
        function = self._function
        if function is None or self._last[0] is not procedure or self._last[1] is not wants:
            self._last = procedure, wants
            function = self._function = played(self.program, procedure, wants)
        if self.observer is None:
            return function(self.state, self, *args)
        records = self.program.space["N"]
        records.clear()
        found = function(self.state, self, *args)
        self.observer.played(procedure, args, list(records))
        return found

    # ---- questions of a procedure
    def late(self, line: Any) -> None:
        step = line.address if line is not None else "the start"
        raise Refused("E004", line, limit=f"{self.limit:,} steps", step=step)

    def tally(
        self, line: str, who: tuple[int, ...], n: int, roll: tuple[Any, ...], passing: bool
    ) -> tuple[int, list[bytes]]:
        """Return how many of n throws of a roll pass (or fail), and the faces in order of throwing."""
        sides, mask, dice, best, again, thrown = roll
        if not thrown or n <= 0:
            return 0 if passing else max(0, n), []
        thrower, misses = self.throwers[line, sides, *who], others(sides, mask, True)
        faces = self.fall(thrower, n * dice)
        passed = _passed(faces, misses, dice, best)
        if not again or passed == n:
            return passed if passing else n - passed, [faces]
        second = self.fall(thrower, (n - passed) * dice)
        passed += _passed(second, misses, dice, best)
        return passed if passing else n - passed, [faces, second]

    def sort(self, line: str, who: tuple[int, ...], groups: tuple[Any, ...], passing: bool) -> tuple[Bag, list[bytes]]:
        faces: list[bytes] = []
        found = []
        for figure, n, roll in groups:
            count, fell = self.tally(line, who, n, roll, passing)
            faces += fell
            found.append((figure, count))
        return bag(found), faces

    def throw_but(
        self, line: str, who: tuple[int, ...], n: int, sides: int, barred: int
    ) -> tuple[tuple[int, ...], list[bytes]]:
        """Return the sorted faces after rethrowing `barred` until none is left, and all throws."""
        thrower = self.throwers[line, sides, *who]
        thrown = [self.fall(thrower, max(0, n))]
        kept = thrown[0]
        while again := kept.count(barred):
            thrown.append(self.fall(thrower, again))
            kept = bytes(face for face in kept if face != barred) + thrown[-1]
        return tuple(sorted(kept)), thrown

    def lots(
        self, line: str, who: tuple[int, ...], n: int, items: tuple[Any, ...], figures: bool, one: bool
    ) -> tuple[Any, list[bytes]]:
        """Return n items drawn without replacement, and the dice thrown for that; equal figures need no die."""
        left = [figure for figure, many in items for _ in range(many)] if figures else list(items)
        drawn, thrown = [], []
        for _ in range(min(n, len(left))):
            alike = figures and left[0] == left[-1]  # equal figures are adjacent
            place, fell = (0, []) if alike else self._one_of(line, who, len(left))
            thrown += fell
            drawn.append(left.pop(place))
        if one:
            return (drawn[0] if drawn else None if figures else -1), thrown
        return (bag([(f, 1) for f in drawn]) if figures else tuple(sorted(drawn))), thrown

    def _one_of(self, line: str, who: tuple[int, ...], many: int) -> tuple[int, list[bytes]]:
        """A uniform index below `many`, and the dice thrown for it: none for one item, one die with `many` faces, or
        two percentile dice (by rejection) if no die has so many.
        """
        if many == 1:
            return 0, []
        if many <= MOST_FACES:
            fell = self.fall(self.throwers[line, many, *who], 1)
            return fell[0] - 1, [fell]
        thrown = []
        while True:
            thrown.append(self.fall(self.throwers[line, 100, *who], 2))
            place = (thrown[-1][0] - 1) * 100 + thrown[-1][1] - 1
            if place < 10_000 // many * many:
                return place % many, thrown

    def decide(self, site: Site, question: Any, state: list[Any]) -> Any:
        return self.decider(site, question, state)

    def named(self, note: int, thing: Any) -> None:
        if self.observer is not None:
            self.observer.named(note, thing)

    def places(self, key: CellKey, state: list[Any]) -> list[int]:
        """Return the indices of all cells with this key."""
        return self.program.layout.places(key, self.keys, state)

    def call(
        self, function: Callable[..., Any], line: Any, state: list[Any], before: tuple[Any, ...], *args: Any
    ) -> Any:
        """Call a procedure within a `together` block: it reads the snapshot `before`, and its changes are merged into
        `state`.
        """
        seen = list(before) + state[len(before) :]
        kinds = self.program.layout.landing(self.keys, before)
        seen[SET_AGAIN[1]] = watched(state, before, range(len(before)), kinds)
        result = function(seen, self, *args)
        land(state, before, dict(enumerate(seen[: len(before)])), kinds, line)
        state[len(before) :] = seen[len(before) :]
        return result


def _passed(faces: bytes, misses: bytes, dice: int, best: bool) -> int:
    """The number of throws of `dice` dice each that pass: with `best` if any die passes, else if all do."""
    if dice == 1:
        return len(faces.translate(None, misses))
    throws = [faces[i : i + dice].translate(None, misses) for i in range(0, len(faces), dice)]
    return sum([bool(t) if best else len(t) == dice for t in throws])
