"""The files of rules and games below a folder.

Takes and gives paths. Knows nothing of what is done with the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from interpreter import disk
from interpreter.places import find_in_folder, is_folder, is_shipped, is_slips_file

# Every file of Umpire has one of these as a top-level key.
_OURS = ("game", "rules", "force", "do", "clauses", "slips")
CHECKED = ("game", "rules", "force", "do", "slips")  # keys of files that `umpire check` takes on their own
DECLARING = "umpire.yaml"  # declares the stacks that a club plays with
_STACKS = "stacks"
_MOST = 5 * 1024 * 1024  # bytes read in search of a key


def files_below(paths: Iterable[str], keys: tuple[str, ...] = _OURS) -> Iterator[str]:
    """The paths of files unchanged; for a folder, the files in and below it that have one of `keys`, sorted by name."""
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
        if disk.kind(path) == "folder" and not os.path.islink(path):  # links may form a cycle
            yield from _below(path, keys)


def _says_one(path: str, keys: tuple[str, ...]) -> bool:
    try:
        text = disk.content(path, _MOST)
    except OSError:
        return False
    return re.search(rf"^({'|'.join(keys)}):".encode(), text, re.MULTILINE) is not None


def to_check(path: str) -> list[str]:
    """The names that `umpire check` checks for one argument: the argument itself; or the files of a folder, and the
    stacks that an `umpire.yaml` in it declares.
    """
    if os.path.basename(path) == DECLARING and disk.is_file(path):
        return declared_stacks(path)
    if not is_folder(path):
        return [path]
    declaring = os.path.normpath(os.path.join(path, DECLARING))
    return [*files_below((path,), CHECKED), *(declared_stacks(declaring) if disk.is_file(declaring) else ())]


def declared_stacks(path: str) -> list[str]:
    """The stacks that an `umpire.yaml` declares, with paths of their layers; the file itself if it declares none."""
    from interpreter.rulebook.definitions import stack  # imported late: few folders have such a file
    from interpreter.rulebook.situation import texts
    from interpreter.source import Problems

    from .trees import read_tree

    root = read_tree(path, Problems())
    said = root.get(_STACKS) if root is not None else None
    names = [scalar.text for scalar in texts(said)]
    if root is None or not names or len(root.entries) > 1:
        return [path]  # checking it reports its mistakes
    folder = os.path.dirname(path)
    return [
        " + ".join(part if is_shipped(part) else find_in_folder(part, folder) or part for part in stack(name))
        for name in names
    ]


def to_test(path: str) -> list[str]:
    """The names that `umpire test` runs for one argument. As `to_check`, but without files of examples that run with
    the rule file beside them, and without sweeps, which have no expectations.
    """
    if not is_folder(path):
        return [path]
    found = [
        file for file in files_below((path,), CHECKED) if not is_slips_file(file) and not _says_one(file, ("sweep",))
    ]
    stems = {os.path.splitext(file)[0] for file in found}
    return [file for file in found if not _lies_beside(file, stems)]


def _lies_beside(file: str, stems: set[str]) -> bool:
    """Whether a file has examples of one of these rule files, by its name: `tests/toy-limits.yaml` for `toy`."""
    folder, name = os.path.split(os.path.splitext(file)[0])
    above, tests = os.path.split(folder)
    words = name.split("-")
    beside = {os.path.join(above, "-".join(words[:n])) for n in range(1, len(words) + 1)}
    return tests == "tests" and bool(beside & stems)
