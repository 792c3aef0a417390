"""Results for the situations of one rule set, cached persistently by the content of the situation.

Takes a rule set, the trees of situations, and a result for each. Gives the same results in a later process, under the
same rules and the same code of Umpire; comments, names and places do not count as changes. An interrupted computation
resumes there. Knows nothing of what the results are.
"""

from __future__ import annotations

import time
from typing import Generic, TypeVar

from interpreter import cache, disk
from interpreter.digests import digest
from interpreter.document.nodes import Mapping

from .passed_examples import content_of, digest_of_rules
from .rule_sets import RuleSet

T = TypeVar("T")

OFTEN = 2  # seconds between two writes


class SituationCache(Generic[T]):
    """Results by content of the situation; `what` names their kind. Values must be of types that the cache accepts."""

    def __init__(self, what: str, rules: RuleSet) -> None:
        self._question = ("kept", what, digest_of_rules([rules]))
        self._found: dict[str, T] = cache.load(self._question) or {}
        self._new, self._when = False, time.monotonic()

    def get(self, situation: Mapping) -> T | None:
        return self._found.get(_mark(situation))

    def note(self, situation: Mapping, found: T) -> None:
        """Add a result. It is written periodically, and by `keep`."""
        self._found[_mark(situation)] = found
        self._new = True
        if time.monotonic() - self._when > OFTEN:
            self.keep()

    def keep(self) -> None:
        """Write new results."""
        if self._new:
            cache.store(self._question, disk.InputTracker(), self._found)
        self._new, self._when = False, time.monotonic()


def _mark(situation: Mapping) -> str:
    return digest(content_of(situation).encode("utf-8", "surrogatepass"))[:16]
