"""The published schemas by their public names.

Takes one of `KINDS`. Gives a JSON Schema for editors and other validators, as plain data.
"""

from __future__ import annotations

from typing import Any

from interpreter.document.editor_schemas import editor_schema
from interpreter.document.shape import RULE_FILE, SITUATION, SWEEP

_FILES = {"rules": RULE_FILE, "situation": SITUATION, "sweep": SWEEP}
KINDS = tuple(_FILES)


def published_schema(kind: str) -> dict[str, Any]:
    """The schema of one of `KINDS`. Raises KeyError for any other."""
    return editor_schema(_FILES[kind])
