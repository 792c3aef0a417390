"""The files of rules and games below a folder.

Enters: paths. Leaves: paths. Knows nothing of what is done with the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from interpreter import disk
from interpreter.places import is_shipped, is_slips_file

# One of these stands at the left edge of every file that is ours.
_OURS = ("game", "rules", "force", "do", "clauses", "slips")
CHECKED = ("game", "rules", "force", "do", "slips")  # of those that `umpire check` takes by themselves
_MOST = 5 * 1024 * 1024  # bytes that are looked through


def files_below(paths: Iterable[str], keys: tuple[str, ...] = _OURS) -> Iterator[str]:
    """The paths of files as they are; for a folder, the files of rules and games in and below it, by name:
    those in which one of `keys` is said.
    """
    for path in paths:
        if disk.kind(path) == "folder":
            yield from _below(path, keys)
        else:
            yield path


def _below(folder: str, keys: tuple[str, ...]) -> Iterator[str]:
    inside = [os.path.normpath(os.path.join(folder, name)) for name in disk.names(folder) if not name.startswith(".")]
    for path in inside:
        if path.endswith((".yaml", ".yml")) and disk.is_file(path) and _says_one(path, keys):
            yield path
    for path in inside:
        if disk.kind(path) == "folder" and not os.path.islink(path):  # a link could lead round in a circle
            yield from _below(path, keys)


def _says_one(path: str, keys: tuple[str, ...]) -> bool:
    try:
        text = disk.content(path, _MOST)
    except OSError:
        return False
    return re.search(rf"^({'|'.join(keys)}):".encode(), text, re.MULTILINE) is not None


def is_folder(path: str) -> bool:
    """Whether a folder is meant, and no rule set or file whose name leaves `.yaml` out."""
    return disk.kind(path) == "folder" and not is_shipped(path) and not disk.is_file(f"{path}.yaml")


def to_check(path: str) -> list[str]:
    """What `umpire check` takes for one of its arguments: itself, or the files of a folder; none if there are none."""
    return list(files_below((path,), CHECKED)) if is_folder(path) else [path]


def to_test(path: str) -> list[str]:
    """The same for `umpire test`: without files of examples that are run with the rule file that they lie beside."""
    if not is_folder(path):
        return [path]
    found = [file for file in to_check(path) if not is_slips_file(file)]
    stems = {os.path.splitext(file)[0] for file in found}
    return [file for file in found if not _lies_beside(file, stems)]


def _lies_beside(file: str, stems: set[str]) -> bool:
    """Whether it is a file of examples of one of these, by its name: `tests/vsf-limits.yaml` of `vsf`."""
    folder, name = os.path.split(os.path.splitext(file)[0])
    above, tests = os.path.split(folder)
    words = name.split("-")
    beside = {os.path.join(above, "-".join(words[:n])) for n in range(1, len(words) + 1)}
    return tests == "tests" and bool(beside & stems)
