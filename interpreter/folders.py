"""The folders that come with Umpire, as `Path` objects.

Separate from places.py, whose paths are strings, because most commands need neither these folders nor pathlib.
"""

from __future__ import annotations

from pathlib import Path

from .places import HOME

GRAMMAR = Path(HOME, "grammar")
RULES = Path(HOME, "rules")
EXAMPLES = Path(HOME, "examples")
STARTING = Path(HOME, "starting")  # templates of new files
RECIPES = Path(HOME, "docs", "recipes")  # pages of the manual that the studio offers
