"""`check --fix`: the text of each file with every safe fix applied.

Takes names and paths, as `check` does. Gives a `FixedFile` per file, with its text before and after, and the problems
fixed; only `write` writes files. Shipped files are skipped unless their path was given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from interpreter.disk import overlay_texts
from interpreter.document.file_io import put_file as put_file
from interpreter.document.file_io import write_file
from interpreter.folders import EXAMPLES, RULES
from interpreter.layout import with_fixes
from interpreter.places import normalized, rule_file
from interpreter.source import Problem, Problems
from interpreter.source.values import Record, field

from .files import check_file
from .stacks import parts_of, stacks_of

# One fix may reveal another; after this many rounds the rest is reported.
ROUNDS = 12
LONGEST = 60  # the limit while files have more problems than are reported at a time


class FixedFile(Record):
    """A file with its old and new text. The places in `done` refer to the text of their round."""

    path: str
    before: str
    after: str
    done: list[Problem] = field(default_factory=list)


def fix_files(names: Sequence[str]) -> list[FixedFile]:
    """Every file in which a check of `names` finds safe fixes, sorted by path."""
    found: dict[str, FixedFile] = {}
    given = {os.path.realpath(part) for name in names for part in parts_of(name) if rule_file(part) == normalized(part)}
    for done in range(LONGEST):
        with overlay_texts({each.path: each.after for each in found.values()}):
            problems = Problems()
            for name in [stack for file in names for stack in stacks_of(file)]:
                own = Problems()
                check_file(name, own)
                problems.extend(own)
        untold = any(problem.more for problem in problems)
        if not _round(problems, given, found) or (done + 1 >= ROUNDS and not untold):
            break
    return sorted(found.values(), key=lambda each: each.path)


def _round(problems: Iterable[Problem], given: set[str], found: dict[str, FixedFile]) -> bool:
    """Apply the fixes that can be applied at once, in every file. Return whether there were any."""
    files: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.fix is not None and problem.fix.safe:
            files.setdefault(problem.fix.span.source.name, []).append(problem)
    changed = False
    for name, theirs in files.items():
        source = theirs[0].fix.span.source  # type: ignore[union-attr]
        if not _may_be_written(name, given):
            continue
        mending = found.get(os.path.realpath(name)) or FixedFile(name, source.text, source.text)
        text, done = with_fixes(source, theirs)
        if done and mending.after == source.text:
            found[os.path.realpath(name)] = mending
            mending.after = text
            mending.done += done
            changed = True
    return changed


def _may_be_written(name: str, given: set[str]) -> bool:
    """Whether a name is a file on disk that is not shipped, or whose path was given."""
    path = os.path.realpath(name)
    own = any(path.startswith(os.path.realpath(folder) + os.sep) for folder in (RULES, EXAMPLES))
    return os.path.isfile(path) and (path in given or not own)


def write(mendings: Iterable[FixedFile], problems: Problems) -> list[FixedFile]:
    """Write the files. Return those written; failures are added to `problems`."""
    return [each for each in mendings if write_file(each.path, each.after, problems, was=each.before)]
