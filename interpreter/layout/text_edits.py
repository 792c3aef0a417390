"""Replacements of stretches of a text.

Enters: a text, and stretches of it with their replacements. Leaves: the new text. Knows nothing of why.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """Put `text` in the place of the characters `start` up to `end`; nothing is replaced where they are equal."""

    start: int
    end: int
    text: str


def edited(text: str, edits: Iterable[Edit]) -> str:
    """`text` with all `edits` made. They must not overlap: ValueError."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        if edit.start < at:
            raise ValueError(f"two edits of one place: {edit}")
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))
