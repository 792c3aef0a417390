"""Which files a check has read, and whether one of them has changed since.

Enters: what reads files. Leaves: `Readings`, to be asked again and again. Knows nothing of terminals or of rules.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from interpreter.document import Stamp, noted, stamp


@dataclass(frozen=True, slots=True)
class Readings:
    """Files with their stamps when they were read, and the names of the rule files in their folders: one that was
    missed may come.
    """

    files: dict[str, Stamp]
    beside: frozenset[str]

    def changed(self) -> bool:
        return any(stamp(name) != was for name, was in self.files.items()) or _beside(self.files) != self.beside


def noted_of(read: Callable[[], object]) -> Readings:
    with noted() as files:
        read()
    return Readings(files, _beside(files))


def _beside(files: dict[str, Stamp]) -> frozenset[str]:
    folders = {Path(os.path.abspath(name)).parent for name in files} | {Path.cwd()}
    return frozenset(str(path) for folder in folders for path in folder.glob("*.yaml"))
