"""The files of a workspace folder, and the dependencies between them.

Takes the path of a folder, and the open texts. Gives paths inside the folder; nothing outside is read here. Knows only
the heads of the files.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from interpreter.places import stem
from interpreter.workbench.file_discovery import CHECKED, files_below

from .analysis import Texts

MOST = 400  # most files of a folder to examine
_SAID = re.compile(r"^(?:extends|over|rules):[ \t]*(.*)$", re.MULTILINE)
_HEAD = 64_000  # most characters of a file to read for its head


class Folder:
    """The workspace folder at `root`; if None, there is no folder and it has no files."""

    def __init__(self, root: str | None) -> None:
        self.root = os.path.realpath(root) if root is not None else None

    def has(self, path: str) -> bool:
        """Whether a path is in the folder, with links resolved."""
        return self.root is not None and os.path.realpath(path).startswith(os.path.join(self.root, ""))

    def files(self) -> list[str]:
        """The rule files, situations and files of examples in and below the folder."""
        if self.root is None:
            return []
        found: list[str] = []
        for path in files_below((self.root,), CHECKED):
            if len(found) >= MOST:
                break
            if self.has(path):
                found.append(path)
        return found

    def resting_on(self, path: str, texts: Texts) -> list[str]:
        """The dependents of a file: those that extend it, are laid over it, or are situations for it; transitively."""
        said = {file: _names(texts[file]) if file in texts else _names_of(file, _stamp(file)) for file in self.files()}
        found: list[str] = []
        left = [os.path.realpath(path)]
        while left:
            below = left.pop()
            for file, names in said.items():
                if stem(below) in names and os.path.realpath(file) not in {os.path.realpath(f) for f in (*found, path)}:
                    if os.path.dirname(os.path.realpath(file)) in (os.path.dirname(below), _tests(below)):
                        found.append(file)
                        left.append(os.path.realpath(file))
        return found


def _tests(path: str) -> str:
    return os.path.join(os.path.dirname(path), "tests")


def _names(text: str) -> frozenset[str]:
    return frozenset(word for said in _SAID.findall(text) for word in re.findall(r"[\w-]+", said))


def _stamp(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


@lru_cache(maxsize=4 * MOST)
def _names_of(path: str, _: tuple[int, int]) -> frozenset[str]:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return _names(file.read(_HEAD))
    except OSError:
        return frozenset()
