"""What a file allows: findings that its author looked at, and keeps for a reason.

Leaves: `Allowance`s.  Knows nothing of how one is read, nor of what is found.
"""

from __future__ import annotations

import re

from interpreter.source.text import Span
from interpreter.source.values import Struct

PIECE = r"[^\s;](?:[^;]*[^\s;])?"  # one finding of several, in words of its message


class Allowance(Struct):
    """Findings of one `code` are allowed within any of `scopes`; `place` is where it is said. With `only`, those that
    say these words, in what they say or at the place they show.
    """

    code: str
    reason: str
    place: Span
    scopes: tuple[Span, ...]
    only: str = ""

    def concerns(self, code: str, span: Span | None) -> bool:
        """Whether it is said of such a finding there, whatever its words."""
        if code != self.code or span is None:
            return False
        return any(s.start <= span.start < s.end and span.source == s.source for s in self.scopes)

    def holds_for(self, code: str, span: Span | None, *said: str) -> bool:
        if not self.concerns(code, span):
            return False
        words = re.escape(plain(self.only))
        return not words or any(re.search(rf"(?<![^\s(\[]){words}(?![^\s,.;:)\]])", plain(text)) for text in said)

    @property
    def words(self) -> str:
        return f"{self.code} ({self.only})" if self.only else self.code


def plain(text: str) -> str:
    """How a comment may say it: with or without marks around what is quoted, and however it is spaced."""
    return " ".join(text.replace("`", "").split())
