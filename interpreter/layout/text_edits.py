"""Edits: replacements of ranges of a text.

Takes a text, and ranges with their replacements. Gives the new text. Knows nothing of their purpose.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Edit(NamedTuple):
    """Replace the characters from `start` up to `end` by `text`; an insertion if they are equal."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits applied. Raises ValueError if they overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        if edit.start < at:
            raise ValueError(f"two edits of one place: {edit}")
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))
