"""Progress of a long calculation, to be read from another thread.

Enters: the counts of the code that calculates. Leaves: the same counts, for a progress line. The calculation never
waits for a reader and does no extra work for one: an engine counts its worlds anyway.
"""

from __future__ import annotations

from typing import Any

from interpreter.source.values import Record


class Progress(Record):
    """`done` parts of `of`, each called a `part`; the `engine` at work on one of them counts its worlds."""

    part: str = ""
    done: int = 0
    of: int = 0
    engine: Any = None

    def more(self, many: int, part: str) -> None:
        """So many parts more are to be done than was known."""
        self.of, self.part = self.of + many, part

    @property
    def worlds(self) -> int:
        return self.engine.worlds if self.engine is not None else 0
