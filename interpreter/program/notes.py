"""What a traced program tells: one `Note` a place that can speak, with its line of the page.

Enters: lines and types while a program is written. Leaves: notes by number; a traced program appends
`(number, values…)` to a list. Knows nothing of how a trace is shown.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook.symbols import LineInfo
from interpreter.source.values import Struct
from interpreter.vocabulary.types import Type


class Part(Struct):
    """`asked`: the value, or the table's column, that answered it; "" where it is plain."""

    text: str
    type: Type
    asked: str = ""


class Note(Struct, eq=False):
    """kind: `line` (value), `if` (condition), `each`, `round` (of a loop), `case` (the one taken), `where` (of a
    filter, who was asked), `fits` (who gains a mark that is limited), `set`, `add`, `deal` (some of what is dealt),
    `tell`, `change` (one line of a value or roll), `value` (its result), `roll` (what is needed), `cell`, `fact`,
    `new`, `leave`, `rehome`.

    `parts` are what a line or a condition was worked out from. Their values follow its own, but for those that were
    asked of a value or a table: these spoke for themselves.
    """

    kind: str
    line: LineInfo
    type: Type | None = None
    about: Any = None
    text: str = ""
    parts: tuple[Part, ...] = ()
