"""Checks files by name, or returns the cached result if nothing that it depends on has changed.

Takes a name. Gives a description and the problems of each stack that the name means; for `--watch`, whether a file that
was read has changed since.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from interpreter import cache, disk
from interpreter.places import LANGUAGE, shipped
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct


class Checked(Struct):
    """The result for one stack: its name, its description, its problems in the order of the files, and the allowed
    problems with their reasons.
    """

    name: str
    what: str
    problems: tuple[Problem, ...]
    allowed: tuple[tuple[Problem, str], ...] = ()


def check_all(names: Sequence[str], *, anew: bool = False) -> list[Checked]:
    """The results of the names; without names, of every shipped rule set."""
    return [each for name in names or shipped() for each in checked(name, anew=anew)]


def checked(name: str, *, anew: bool = False) -> tuple[Checked, ...]:
    """The results of each stack that a name means: a supplement may be laid over several. `anew`: ignore the cache."""
    if anew:
        return cache.without_cache(lambda: _checked(name))
    found = cache.load(_question(name))
    if isinstance(found, tuple) and found and all(isinstance(each, Checked) for each in found):
        return found
    return _checked(name)


def _question(name: str) -> tuple[str, ...]:
    return "check", cache.search_context(), name


def _checked(name: str) -> tuple[Checked, ...]:
    from .files import check_file
    from .stacks import stacks_of

    with disk.tracking() as tracker:
        found = []
        for stack in stacks_of(name):
            problems = Problems()
            what = check_file(stack, problems)
            allowed = tuple((problem, by.reason) for problem, by in problems.allowed)
            found.append(Checked(stack, what, problems.sorted(), allowed))
        cache.stamp_libraries()
    cache.store(_question(name), tracker, tuple(found))
    return tuple(found)


# ---- watching
class FileAccesses(Struct):
    """The files that were read, without the grammar, and every access with its result. Accesses to missing files count
    too, as these may be created later.
    """

    files: frozenset[str]
    accesses: dict[tuple[str, str], str] | None  # None if a file was written meanwhile

    def changed(self) -> bool:
        accesses = self.accesses
        return accesses is None or not all(
            disk.is_unchanged(how, path, answer) for (how, path), answer in accesses.items()
        )


def file_accesses_of(read: Callable[[], object]) -> FileAccesses:
    """The accesses of one call of `read`; the result of the call is discarded."""
    with disk.tracking() as tracker:
        read()
    accesses = tracker.accesses
    files = frozenset(path for how, path in accesses or () if how.startswith("read "))
    grammar = os.path.dirname(LANGUAGE)
    return FileAccesses(frozenset(path for path in files if os.path.dirname(path) != grammar), accesses)
