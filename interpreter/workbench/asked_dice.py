"""Dice thrown by people at the table. Each throw is requested once, with who throws, how many dice, and the target.

Takes a case and the function that asks a person. Gives dice for one history. A loop throws for one figure after the
other, but a person throws all those dice at once. To count them, the history is simulated ahead with the lowest and
with the highest faces, and the dice that the line throws in both are requested together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from interpreter.engines.dice import SeededDice
from interpreter.engines.trace_events import Event
from interpreter.source import Problems
from interpreter.source.values import Struct, replace

from .cases import Case
from .histories import Chooser, resolve

_FAR = 100  # limit of the look-ahead: a loop may go on for ever on the lowest face


class Throw(Struct):
    """Dice to throw. `said` is the call that throws them, as a sentence; `line` is the address of the line. `needs` is
    the target, such as `5+`, and `because` names the lines that changed it; both are empty if the dice are only
    counted. `why` has the text of each line of the roll, applied or not.
    """

    said: str
    line: str
    count: int
    sides: int
    needs: str = ""
    because: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


class AskedDice:
    """A source of dice for `resolve`. `ask` takes a `Throw` and returns `count` faces. `unused` are faces that were
    thrown but not needed, because an earlier face changed the course of the history.
    """

    def __init__(self, case: Case, ask: Callable[[Throw], list[int]], chooser: Chooser | None) -> None:
        self.case, self.ask = case, ask
        self.unused: list[int] = []
        self._chooser = chooser
        self._chosen: list[Any] = []
        self._fallen: list[int] = []
        self._ready: tuple[str, list[int]] = ("", [])

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        owner, faces = self._ready
        if owner != line:
            self.unused += faces
            faces = []
        if len(faces) < n:
            faces = faces + self.ask(self._upcoming(line, n - len(faces), sides, len(faces)))
        self._ready = line, faces[n:]
        self._fallen += faces[:n]
        return faces[:n]

    def choose(self, who: str, line: str, options: list[tuple[str, Any]], usual: Any) -> Any:
        """The chooser of the real history; its answers are recorded for the look-ahead."""
        assert self._chooser is not None
        self._chosen.append(self._chooser(who, line, options, usual))
        return self._chosen[-1]

    # ---- look-ahead
    def _upcoming(self, line: str, n: int, sides: int, held: int) -> Throw:
        """The next throw of the line, of at least n dice."""
        found = [self._played_on(line, face, held) for face in (1, sides)]
        least = min(found, key=lambda throw: throw.count if throw is not None else 0)
        if least is None or least.count < n:
            return Throw("", line, n, sides) if least is None else replace(least, count=n)
        return least

    def _played_on(self, line: str, face: int, held: int) -> Throw | None:
        """The next throw of the line if it continues with this face; None if the history cannot be simulated."""
        case = replace(self.case, problems=Problems())
        answers = iter(self._chosen)

        def again(who: str, line: str, options: list[tuple[str, Any]], usual: Any) -> Any:
            return next(answers, options[0][1] if usual is None else usual)

        dice = _Onward([*self._fallen, *self._ready[1]] if held else self._fallen, line, face)
        outcome = resolve(case, script=dice, chooser=again if self._chooser is not None else None)
        return _due(outcome.events, len(self._fallen) + held, line) if outcome is not None else None


class _Onward:
    """The faces that fell, then the same face as long as one line throws, then seeded dice."""

    def __init__(self, fallen: list[int], line: str, face: int) -> None:
        self._fallen, self._line, self._face = list(fallen), line, face
        self._more, self._seeded = _FAR, SeededDice(1)

    def throw(self, line: str, n: int, sides: int, who: str = "") -> list[int]:
        known, self._fallen = self._fallen[:n], self._fallen[n:]
        missing = n - len(known)
        if not missing:
            return known
        if line != self._line or self._more < missing:
            self._more = 0
            return known + self._seeded.throw(line, missing, sides, who)
        self._more -= missing
        return known + [self._face] * missing


def _due(events: Iterable[Event], fallen: int, line: str) -> Throw | None:
    """The consecutive throws of a line after `fallen` dice that have the same target, merged into one."""
    due: Throw | None = None
    for said, event in _throws(events, ""):
        many = len(event.data["dice"])
        if fallen >= many and due is None:
            fallen -= many
            continue
        because, why = _because(event), tuple([each.text for each in _lines(event)])
        needs = event.data.get("needs") or ""
        throw = Throw(said, event.line, many - fallen, event.data["sides"], needs, because, why)
        if due is None:
            if event.line != line:
                return None
            due, fallen = throw, 0
        elif replace(throw, count=0, why=()) == replace(due, count=0, why=()):
            due = replace(due, count=due.count + throw.count)
        else:
            break
    return due


def _throws(events: Iterable[Event], said: str) -> Iterator[tuple[str, Event]]:
    """Every throw with dice, with the sentence of the call that contains it."""
    for event in events:
        if event.kind == "throw" and event.data.get("dice"):
            yield said, event
        yield from _throws(event.children, event.text if event.kind == "call" else said)


def _because(event: Event) -> tuple[str, ...]:
    """The names of the lines that changed the target or the die; for the die with the amount."""
    found: list[str] = []
    last: dict[bool, Any] = {}
    for each in _lines(event):
        if not each.data.get("applied"):
            continue
        on_die = each.data["text"].startswith("roll ")
        now = each.data.get("now")
        change = now - last.get(True, 0) if on_die and isinstance(now, int) else None
        if now != last.get(on_die, 0 if on_die else None):
            found.append(f"{each.name} {change:+}" if change is not None else each.name)
        last[on_die] = now
    return tuple(found)


def _lines(event: Event) -> list[Event]:
    """The lines of the roll that is thrown, applied or not."""
    roll = event.data.get("roll", "")
    return [e for e in event.children if e.kind == "modifier" and e.line.rpartition(".")[0] == roll]
