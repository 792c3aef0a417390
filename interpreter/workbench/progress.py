"""Progress of a long computation, readable from another thread.

Takes and gives the counts of the computing code, for a progress line. The computation never waits for a reader and does
no extra work for one: an engine counts its worlds anyway.
"""

from __future__ import annotations

from typing import Any

from interpreter.source.values import Record


class Progress(Record):
    """`done` of `of` parts, each called a `part`; the current `engine` counts its worlds."""

    part: str = ""
    done: int = 0
    of: int = 0
    engine: Any = None

    def __reduce__(self) -> tuple[object, ...]:
        """Unpickle as an empty progress: it is not shown in another process."""
        return Progress, ()

    def more(self, many: int, part: str) -> None:
        """Add this many parts to the total."""
        self.of, self.part = self.of + many, part

    @property
    def worlds(self) -> int:
        return self.engine.worlds if self.engine is not None else 0
