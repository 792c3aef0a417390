"""The loops that are run through: whom a loop has in hand is called by its name there, whatever becomes of them.

Enters: the rounds of loops and what was changed. Leaves: names. Knows nothing of what is told of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.source.values import Record

from .events import Log


class _Loop(Record):
    """A loop that is run through: how deep, its line, the name for whom it has in hand, and who that is just now."""

    depth: int
    line: str
    name: str
    figure: tuple[Any, ...]


class Loops:
    """Those that are run through just now, inmost last."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self._loops: list[_Loop] = []

    def begin(self, note: Any, figure: Any) -> None:
        """A round of a loop begins, with a figure in hand."""
        self._run_through(note.line.address)
        loop = _Loop(len(self.log.open), note.line.address, note.about.name, figure)
        if self._loops and (self._loops[-1].depth, self._loops[-1].line) == (loop.depth, loop.line):
            self._loops.pop()  # its last round
        self._loops.append(loop)

    def short(self, value: Any, type_: Any, line: Any) -> str:
        """Who a loop has in hand is called by its name there."""
        if type_ is not None and type_.name == "figure" and value is not None:
            self._run_through(line.address if line is not None else "")
            for loop in reversed(self._loops):
                if loop.figure == value:
                    return loop.name
        return self.log.words.say(value, type_)

    def changed(self, ends: Iterable[tuple[Any, Any]], attribute: Any) -> None:
        for one, end in ends:
            for loop in self._loops:
                if loop.figure == one:
                    loop.figure = (*one[: attribute.place], end, *one[attribute.place + 1 :])

    def _run_through(self, line: str) -> None:
        """Loops that are over by a line of the call in hand."""
        depth = len(self.log.open)
        while self._loops:
            loop = self._loops[-1]
            inner = line if loop.depth == depth else self.log.open[loop.depth].line if loop.depth < depth else ""
            if inner == loop.line or inner.startswith(f"{loop.line}."):
                break
            self._loops.pop()
