"""What was worked out of situations of one rule set, kept in the user's cache folder by what they say.

Enters: a rule set, the trees of situations, and what was found of each. Leaves: the same, in a later process, under the
same rules and the same code of Umpire; a comment, a name or a place changes nothing. So who is stopped goes on from
there, and what has not changed is not worked out again. Knows nothing of what is found.
"""

from __future__ import annotations

import time
from typing import Generic, TypeVar

from interpreter import cache, disk
from interpreter.document.nodes import Mapping

from .held_examples import content_of, digest_of_rules
from .rule_sets import RuleSet

T = TypeVar("T")

OFTEN = 2  # seconds between two times that what is new is written


class Kept(Generic[T]):
    """What was found, by the content of the situation; `what` names the sort. Only values that the cache can hold."""

    def __init__(self, what: str, rules: RuleSet) -> None:
        self._question = ("kept", what, digest_of_rules([rules]))
        self._found: dict[str, T] = cache.recall(self._question) or {}
        self._new, self._when = False, time.monotonic()

    def get(self, situation: Mapping) -> T | None:
        return self._found.get(_mark(situation))

    def note(self, situation: Mapping, found: T) -> None:
        """Add what was found; it is written now and then, and by `keep`."""
        self._found[_mark(situation)] = found
        self._new = True
        if time.monotonic() - self._when > OFTEN:
            self.keep()

    def keep(self) -> None:
        """Write what is new."""
        if self._new:
            cache.keep(self._question, disk.Watch(), self._found)
        self._new, self._when = False, time.monotonic()


def _mark(situation: Mapping) -> str:
    return disk.digest(content_of(situation).encode("utf-8", "surrogatepass"))[:16]
