"""Where the stages are chained: names of files in; checked rule sets, outcomes, odds and problems out.

Nothing is imported before it is asked for: a check of rules needs neither programs nor engines.
"""

from __future__ import annotations

from interpreter.hints import TYPE_CHECKING
from interpreter.late import late

if TYPE_CHECKING:
    from interpreter.document.alternatives import spread
    from interpreter.document.writing import put_file
    from interpreter.engines.events import walk

    from .answers import Answer, odds
    from .bands import Band, band, weighed
    from .cases import Case, prepare
    from .examples import Example, examples_of
    from .grids import Grid, Point, Reach, grid, reached
    from .histories import Outcome, resolve
    from .registers import Clause, register
    from .rules import RuleSet, open_rules
    from .running import Result, run, run_all
    from .stacks import read_text, read_tree, stacks_of

_MODULES = {
    ".answers": ("Answer", "odds"),
    ".bands": ("Band", "band", "weighed"),
    ".cases": ("Case", "prepare"),
    ".examples": ("Example", "examples_of"),
    ".grids": ("Grid", "Point", "Reach", "grid", "reached"),
    ".histories": ("Outcome", "resolve"),
    ".registers": ("Clause", "register"),
    ".rules": ("RuleSet", "open_rules"),
    ".running": ("Result", "run", "run_all"),
    ".stacks": ("read_text", "read_tree", "stacks_of"),
    "interpreter.document.alternatives": ("spread",),
    "interpreter.document.writing": ("put_file",),
    "interpreter.engines.events": ("walk",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


__getattr__ = late(__name__, _HOMES)


__all__ = [
    "Answer",
    "Band",
    "Case",
    "Clause",
    "Example",
    "Grid",
    "Outcome",
    "Point",
    "Reach",
    "Result",
    "RuleSet",
    "band",
    "examples_of",
    "grid",
    "odds",
    "open_rules",
    "prepare",
    "put_file",
    "reached",
    "read_text",
    "read_tree",
    "register",
    "resolve",
    "run",
    "run_all",
    "spread",
    "stacks_of",
    "walk",
    "weighed",
]
