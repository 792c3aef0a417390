"""The folders that come along with Umpire, as paths.

Apart from places.py, whose paths are texts: most commands need none of these, nor pathlib.
"""

from __future__ import annotations

from pathlib import Path

from .places import HOME

GRAMMAR = Path(HOME, "grammar")
RULES = Path(HOME, "rules")
EXAMPLES = Path(HOME, "examples")
STARTING = Path(HOME, "starting")  # the texts of new files
RECIPES = Path(HOME, "docs", "recipes")  # pages of the manual that the studio offers
