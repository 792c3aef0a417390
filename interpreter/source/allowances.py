"""What a file allows: findings that its author looked at, and keeps for a reason.

Leaves: `Allowance`s.  Knows nothing of how a comment is read, nor of what is found.
"""

from __future__ import annotations

from interpreter.source.text import Span
from interpreter.source.values import value


@value()
class Allowance:
    """Findings of one `code` are allowed within `scope`; `place` is where the code stands in the comment."""

    code: str
    reason: str
    place: Span
    scope: Span

    def holds_for(self, code: str, span: Span | None) -> bool:
        return (
            code == self.code
            and span is not None
            and self.scope.start <= span.start < self.scope.end
            and span.source == self.scope.source
        )
