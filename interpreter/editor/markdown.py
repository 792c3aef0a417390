"""Escapes texts of untrusted files for Markdown, so that their markup has no effect.

Takes texts. Gives Markdown. Knows nothing of their content.
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
    """A text as prose: all Markdown in it is escaped, except backticks around quoted code."""
    parts = visible(" ".join(text.split())).split("`")
    if len(parts) % 2 == 0:
        return _escaped("`".join(parts))
    return "".join(_escaped(part) if place % 2 == 0 else code(part) for place, part in enumerate(parts))


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>()#+!|&~])", r"\\\1", text)
