"""One history: the program's questions answered by dice and by a player.

Enters: a Program, a state, dice, somebody who decides. Leaves: the values of a procedure's lines, the state
changed. It runs the program that odds run, as plain Python functions; a tracer may watch and changes nothing. Knows
nothing of how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from interpreter.program.code import Site
from interpreter.program.layout import CellKey
from interpreter.program.program import Program
from interpreter.program.runtime import bag, landed

from .choices import UNDECIDED, preferred
from .dice import Dice
from .odds import Refused

Decide = Callable[[Site, tuple[Any, ...], list[Any]], Any]


class Observer(Protocol):
    def notes(self) -> None: ...
    def answered(self, site: Site, question: Any, answer: Any, faces: list[list[int]]) -> None: ...
    def entered(self, site: Site | None, procedure: Any, args: tuple[Any, ...], skipped: bool) -> None: ...
    def left(self, procedure: Any) -> None: ...


def by_policy(site: Site, question: tuple[Any, ...], state: list[Any]) -> Any:
    """Decides as the rules' `usually` says; refuses where they leave it open."""
    if site.kind == "wish":
        if question[1] is None:
            raise Refused("F008", site.line, who="somebody", what=site.line.address)
        return question[1]
    chosen = preferred(question)
    if chosen is UNDECIDED:
        raise Refused("F008", site.line, who="somebody", what=site.line.address)
    return chosen


class Play:
    """Plays one situation; `state` changes as the rules say."""

    def __init__(
        self,
        program: Program,
        keys: list[CellKey],
        state: list[Any],
        dice: Dice,
        decide: Decide = by_policy,
        observer: Observer | None = None,
        limit: int = 100_000,
    ) -> None:
        self.program = program
        self.keys = keys
        self.state = state
        self.dice = dice
        self.decider = decide
        self.observer = observer
        self.limit = limit
        self.rounds = 0

    def run(self, procedure: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The values of the procedure's lines, in their order."""
        function = self.program.played(procedure)
        if self.observer is None:
            return function(self.state, self, *args)  # type: ignore[no-any-return]
        self.observer.entered(None, procedure, args, False)
        found = function(self.state, self, *args)
        self.observer.left(procedure)
        return found  # type: ignore[no-any-return]

    # ---- what a procedure asks
    def tick(self, line: Any) -> None:
        self.rounds += 1
        if self.rounds > self.limit:
            raise Refused("E004", line, limit=self.limit, step=line.address)

    def throw(self, site: Site, who: tuple[Any, ...], n: int, sides: int) -> tuple[int, ...]:
        thrown = self.dice.throw(site.line.address, n, sides, _named(who)) if n > 0 else []
        answer = tuple(sorted(thrown))
        if self.observer is not None:
            self.observer.answered(site, (n, sides), answer, [thrown])
        return answer

    def tally(self, site: Site, who: tuple[Any, ...], n: int, roll: tuple[Any, ...]) -> int:
        faces: list[list[int]] = []
        answer = self._tally(site.line.address, who, n, roll, site.passing, faces)
        if self.observer is not None:
            self.observer.answered(site, (n, roll), answer, faces)
        return answer

    def sort(self, site: Site, who: tuple[Any, ...], groups: tuple[Any, ...]) -> Any:
        faces: list[list[int]] = []
        line, passing = site.line.address, site.passing
        answer = bag([(figure, self._tally(line, who, n, roll, passing, faces)) for figure, n, roll in groups])
        if self.observer is not None:
            self.observer.answered(site, groups, answer, faces)
        return answer

    def _tally(
        self, line: str, who: tuple[Any, ...], n: int, roll: tuple[Any, ...], passing: bool, faces: list[list[int]]
    ) -> int:
        """How many of n throws of a roll pass (or fail)."""
        sides, mask, dice, best, again, thrown = roll
        if not thrown or n <= 0:
            return 0 if passing else max(0, n)
        passed = 0
        first = self.dice.throw(line, n * dice, sides, _named(who))
        faces.append(first)
        for i in range(n):
            mine = [mask >> f & 1 for f in first[i * dice : (i + 1) * dice]]
            passed += any(mine) if best else all(mine)
        if again and passed < n:
            failed = n - passed
            second = self.dice.throw(line, failed * dice, sides, _named(who))
            faces.append(second)
            for i in range(failed):
                mine = [mask >> f & 1 for f in second[i * dice : (i + 1) * dice]]
                passed += any(mine) if best else all(mine)
        return passed if passing else n - passed

    def decide(self, site: Site, question: Any, state: list[Any]) -> Any:
        answer = self.decider(site, question, state)
        if self.observer is not None:
            self.observer.answered(site, question, answer, [])
        return answer

    def notes(self) -> None:
        assert self.observer is not None
        self.observer.notes()

    def skipped(self, site: Site) -> None:
        """Asked of nobody."""
        assert self.observer is not None
        self.observer.entered(site, site.callee, (), True)

    def call(
        self, site: Site, function: Callable[..., Any], state: list[Any], before: tuple[Any, ...] | None, *args: Any
    ) -> Any:
        """A call that is watched, or one that sees the state as a `together` found it."""
        if self.observer is not None:
            self.observer.entered(site, site.callee, args, False)
        if before is None:
            result = function(state, self, *args)
        else:
            seen = list(before) + state[len(before) :]
            result = function(seen, self, *args)
            for i, kind in enumerate(self.program.layout.landing(self.keys, before)):
                if seen[i] != before[i]:
                    state[i] = landed(kind, state[i], before[i], seen[i])
            state[len(before) :] = seen[len(before) :]
        if self.observer is not None:
            self.observer.left(site.callee)
        return result


def _named(who: tuple[Any, ...]) -> str:
    return ",".join([str(a) for a in who if isinstance(a, int)])
