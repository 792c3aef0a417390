"""What a question is worth whose line was not run: no number, no word, nobody; an outcome of its own.

Enters: nothing. Leaves: `NOT_RUN`, of which there is one. Inside rules a line that was not run counts as nothing; only
answers hold this.
"""

from __future__ import annotations


class NotRun:
    __slots__ = ()

    def __repr__(self) -> str:
        return "NOT_RUN"

    def __reduce__(self) -> str:
        return "NOT_RUN"


NOT_RUN = NotRun()
