"""One page of the catalogue: what a code says, and what it means.

Enters and leaves: plain words.  Must not know where a problem was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "style"]


@dataclass(frozen=True, slots=True)
class Entry:
    """`message` is a `str.format` template; `bad` draws the code and `good` does not, by test."""

    severity: Severity
    message: str
    meaning: str
    bad: str = ""
    good: str = ""
