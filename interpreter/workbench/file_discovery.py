"""The files of rules and games below a folder.

Enters: paths. Leaves: paths. Knows nothing of what is done with the files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from interpreter.document.file_io import read_file
from interpreter.places import is_shipped, is_slips_file
from interpreter.source import Problems

# One of these stands at the left edge of every file that is ours.
_OURS = ("game", "rules", "force", "do", "clauses", "slips")
CHECKED = ("game", "rules", "force", "do", "slips")  # of those that `umpire check` takes by themselves


def files_below(paths: Iterable[str], keys: tuple[str, ...] = _OURS) -> Iterator[str]:
    """The paths of files as they are; for a folder, the files of rules and games in and below it, by name:
    those in which one of `keys` is said.
    """
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, below, names in os.walk(path):
            below[:] = sorted(name for name in below if not name.startswith("."))
            for name in sorted(names):
                file = Path(folder, name)
                if file.suffix in (".yaml", ".yml") and not name.startswith(".") and _has_one(file, keys):
                    yield os.fspath(file)


def _has_one(path: Path, keys: tuple[str, ...]) -> bool:
    source = read_file(path, Problems())
    return source is not None and re.search(f"^({'|'.join(keys)}):", source.text, re.MULTILINE) is not None


def is_folder(path: str) -> bool:
    """Whether a folder is meant, and no rule set or file whose name leaves `.yaml` out."""
    return os.path.isdir(path) and not is_shipped(path) and not os.path.isfile(f"{path}.yaml")


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
