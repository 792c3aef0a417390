"""One history: a procedure carried out with dice from a seed, a script or a person.

Enters: a Program, a state, a procedure, dice, and who decides. Leaves: the values of its lines; the state as
it became; when the Program is traced, an observer sees every question with its answer. Knows nothing of how a
rule is written.
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
        self.decide = decide
        self.observer = observer
        self.limit = limit
        self.steps = 0
        self._who = ""

    def run(self, procedure: Any, args: tuple[Any, ...], site: Site | None = None) -> tuple[Any, ...]:
        """The values of the procedure's lines, in their order."""
        code = self.program.code(procedure)
        if self.observer is not None:
            self.observer.entered(site, procedure, args, False)
        before, self._who = self._who, ",".join(str(a) for a in args if isinstance(a, int))
        L = list(code.first)
        for slot, value in zip(code.params, args, strict=True):
            L[slot] = value
        block = 0
        while True:
            while block >= 0:
                self.steps += 1
                if self.steps > self.limit:
                    line = code.sites[-1].line if code.sites else None
                    raise Refused("E004", line, limit=self.limit, step=procedure.name)
                block = code.functions[block](L, self.state)
            if self.observer is not None:
                self.observer.notes()
            if block == -1:
                break
            site = code.sites[-2 - block]
            self._answer(code, site, L)
            block = site.next
        if self.observer is not None:
            self.observer.left(procedure)
        self._who = before
        return tuple([L[slot] if slot >= 0 else None for slot in code.lines.values()])

    def _answer(self, code: Any, site: Site, L: list[Any]) -> None:
        if site.kind == "join":
            return
        question = code.asks[site.index](L, self.state)
        faces: list[list[int]] = []
        if site.kind == "call":
            L[site.dest] = self._call(site, question, L)
            return
        answer = self._chance(site, question, faces)
        L[site.dest] = answer
        if self.observer is not None:
            self.observer.answered(site, question, answer, faces)

    def _chance(self, site: Site, question: Any, faces: list[list[int]]) -> Any:
        address = site.line.address
        match site.kind:
            case "throw":
                n, sides = question
                thrown = self.dice.throw(address, n, sides, self._who) if n and n > 0 else []
                faces.append(thrown)
                return tuple(sorted(thrown))
            case "tally":
                return self._tally(address, question[0] or 0, question[1], site.passing, faces)
            case "sort":
                groups = []
                for figure, n, roll in question:
                    groups.append((figure, self._tally(address, n, roll, site.passing, faces)))
                return bag(groups)
        return self.decide(site, question, self.state)

    def _tally(self, address: str, n: int, roll: tuple[Any, ...], passing: bool, faces: list[list[int]]) -> int:
        """How many of n throws of a roll pass (or fail)."""
        sides, mask, dice, best, again, thrown = roll
        if not thrown or n <= 0:
            return 0 if passing else max(0, n)
        passed = 0
        first = self.dice.throw(address, n * dice, sides, self._who)
        faces.append(first)
        for i in range(n):
            mine = [mask >> f & 1 for f in first[i * dice : (i + 1) * dice]]
            passed += any(mine) if best else all(mine)
        if again and passed < n:
            failed = n - passed
            second = self.dice.throw(address, failed * dice, sides, self._who)
            faces.append(second)
            for i in range(failed):
                mine = [mask >> f & 1 for f in second[i * dice : (i + 1) * dice]]
                passed += any(mine) if best else all(mine)
        return passed if passing else n - passed

    def _call(self, site: Site, args: Any, L: list[Any]) -> Any:
        if args is None:
            if self.observer is not None:
                self.observer.entered(site, site.callee, (), True)
            return None
        if site.snapshot < 0:
            return self.run(site.callee, args, site)
        before = L[site.snapshot]
        pending = self.state
        self.state = list(before) + pending[len(before) :]
        result = self.run(site.callee, args, site)
        after, self.state = self.state, pending
        for i, kind in enumerate(self.program.layout.landing(self.keys, before)):
            if after[i] != before[i]:
                pending[i] = landed(kind, pending[i], before[i], after[i])
        pending[len(before) :] = after[len(before) :]
        return result
