"""The published schemas by the names that people use.

Enters: `rules` or `situation`. Leaves: a JSON Schema for editors and other checkers, as plain data.
"""

from __future__ import annotations

from interpreter.document.published import published
from interpreter.document.shape import RULE_FILE, SITUATION
from interpreter.hints import Any

_FILES = {"rules": RULE_FILE, "situation": SITUATION}


def published_schema(kind: str) -> dict[str, Any]:
    return published(_FILES[kind])
