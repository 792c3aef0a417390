"""Which files a check has read, and whether any of them has changed since.

Enters: a function that reads files. Leaves: `Readings`, which can be asked again and again whether they still hold.
Knows nothing of terminals or of rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from interpreter import disk
from interpreter.places import LANGUAGE
from interpreter.source.values import Struct


class Readings(Struct):
    """The files that were read, but for the grammar, and every look with its answer, also the vain ones: a file that
    was missed may come.
    """

    files: frozenset[str]
    looks: dict[tuple[str, str], str] | None  # None where somebody wrote meanwhile

    def changed(self) -> bool:
        looks = self.looks
        return looks is None or not all(disk.as_before(how, path, answer) for (how, path), answer in looks.items())


def noted_of(read: Callable[[], object]) -> Readings:
    with disk.noting() as watch:
        read()
    looks = watch.looks
    read_now = frozenset(path for how, path in looks or () if how.startswith("read "))
    grammar = os.path.dirname(LANGUAGE)
    return Readings(frozenset(path for path in read_now if os.path.dirname(path) != grammar), looks)
