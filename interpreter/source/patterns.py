"""Regular expressions that are compiled when they are first asked: a command asks few of those that its rooms have, and
compiling them all takes longer than to import the rooms.

Enters: a pattern. Leaves: what has the methods of a compiled one. Knows nothing of what is looked for.
"""

from __future__ import annotations

import re

from interpreter.hints import cast


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """To mypy a compiled pattern."""
    return cast("re.Pattern[str]", _Pattern(text, flags))


class _Pattern:
    def __init__(self, text: str, flags: int) -> None:
        self.text, self.flags = text, flags

    def __getattr__(self, name: str) -> object:
        """Asked for what is not there yet, which is once for each method."""
        made = re.compile(self.text, self.flags)  # a second method finds it compiled: `re` remembers
        asked = self.__dict__[name] = getattr(made, name)
        return asked
