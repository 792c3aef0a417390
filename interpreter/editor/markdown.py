"""Texts of files, which anybody may have written, as parts of a text in Markdown: they are shown, and do nothing.

Enters: texts. Leaves: Markdown. Knows nothing of what they say.
"""

from __future__ import annotations

import re

from interpreter.source.rendering import visible

_LONGEST = 200


def code(text: str) -> str:
    """A text as code on one line."""
    shown = visible(" ".join(text.split()))[:_LONGEST]
    if not shown:
        return ""
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    edge = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{fence}{edge}{shown}{edge}{fence}"


def prose(text: str) -> str:
    """A text as words: no mark in it is a mark of Markdown, but the backticks round what it quotes."""
    parts = visible(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0:
        return _escaped("`".join(parts))
    return "".join(_escaped(part) if place % 2 == 0 else code(part) for place, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|&~])", r"\\\1", text)
