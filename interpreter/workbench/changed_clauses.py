"""The clauses that an edit affects: those cited by lines that differ from a commit of git.

Takes a rule set whose files are in a repository, and a commit. Gives ids of clauses. A line without a citation belongs
to the citation of the nearest line or title that contains it; a line that changes a line of an underlying file also
belongs to the citation of that line. A deleted line counts by its old text.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Iterable

from interpreter.language import nodes as n
from interpreter.rulebook.definitions import cited
from interpreter.source import Span

from .rule_sets import RuleSet

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_CITES = re.compile(r"\[([A-Z0-9][^]]*)\]")


class NoCommit(Exception):
    """The message of git if it cannot compare."""


def changed_clauses(rules: RuleSet, commit: str) -> frozenset[str]:
    """The clauses of all lines of the set's files that have changed since a commit or are not in it. Files outside a
    repository count as unchanged. Raises NoCommit if no file is in a repository, or git does not know the commit.
    """
    found: set[str] = set()
    now: dict[str, dict[int, list[str]]] = {}
    for clause, where in rules.book.pages.cites:
        rows = now.setdefault(where.span.source.name, {})
        rows.setdefault(where.span.place[0], []).append(clause)
    refused, compared = "git knows none of its files", False
    for sheet in rules.sheets:
        source, prefix = sheet.root.span.source, sheet.head.prefix
        path = os.path.abspath(source.name)
        folder, file = os.path.split(path)
        try:
            said = _git(folder, "ls-files", "--error-unmatch", "--", file)
            compared = True
        except NoCommit:
            continue
        _git(
            folder,
            "rev-parse",
            "--verify",
            "--quiet",
            f"{commit}^{{commit}}",
            otherwise=f"there is no commit `{commit}`",
        )
        said = _git(folder, "diff", "--unified=0", "--no-color", "--no-ext-diff", commit, "--", file)
        try:
            before = _git(folder, "show", f"{commit}:./{file}").splitlines()
        except NoCommit:  # the file is newer
            before = []
        after, cites = source.text.splitlines(), {**_of_changes(rules, source.name), **now.get(source.name, {})}

        def here(row: int, cites: dict[int, list[str]] = cites) -> Iterable[str]:
            return cites.get(row, ())

        def there(row: int, lines: list[str] = before, prefix: str = prefix) -> Iterable[str]:
            return _cited_in(lines[row - 1], prefix)

        for hunk in _HUNK.finditer(said):
            first, many, at, fresh = (int(each) if each else 1 for each in hunk.groups())
            found.update(*(_carried_out(before, row, there) for row in range(first, first + many)))
            found.update(*(_carried_out(after, row, here) for row in range(at, at + fresh)))
    if not compared:
        raise NoCommit(refused)
    return frozenset(found)


def _of_changes(rules: RuleSet, file: str) -> dict[int, list[str]]:
    """Row of a file → the clauses of the lines of other files that it changes."""
    history = rules.book.history
    found: dict[int, list[str]] = {}
    for step in (step for steps in history.steps.values() for step in steps):
        was = history.cells.get(step.key) or step.was
        below = history.files.get(was.span.source) if was is not None else None
        if was is None or below is None or step.key.span.source.name != file:
            continue
        lines, prefix = was.span.source.text.splitlines(), below.head.prefix
        start = Span(was.span.source, was.span.start, was.span.start)

        def there(row: int, lines: list[str] = lines, prefix: str = prefix) -> Iterable[str]:
            return _cited_in(lines[row - 1], prefix)

        found.setdefault(step.key.span.place[0], []).extend(_carried_out(lines, start.place[0], there))
    return found


def _cited_in(line: str, prefix: str) -> tuple[str, ...]:
    texts = (part for match in _CITES.finditer(line) for part in match[1].split(","))
    return cited(tuple(n.Name(0, 0, text.strip()) for text in texts), prefix)


def _carried_out(lines: list[str], row: int, cites: Callable[[int], Iterable[str]]) -> Iterable[str]:
    """The citations of a row, or of the nearest row above that contains it."""
    depth = _depth(lines[row - 1])
    if depth < 0:
        return ()
    while row and not cites(row):
        row -= 1
        while row and not 0 <= _depth(lines[row - 1]) < depth:
            row -= 1
        depth = _depth(lines[row - 1]) if row else 0
    return cites(row) if row else ()


def _depth(line: str) -> int:
    """The indentation of a line; -1 for a blank line or a comment."""
    bare = line.lstrip(" ")
    return len(line) - len(bare) if bare and not bare.startswith("#") else -1


def _git(folder: str, *words: str, otherwise: str = "") -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
        )
    except OSError as why:
        raise NoCommit("git is not there") from why
    if done.returncode:
        raise NoCommit(otherwise or done.stderr.strip())
    return done.stdout
