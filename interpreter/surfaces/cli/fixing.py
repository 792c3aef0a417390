"""`umpire check --fix`: the safe fixes made, and told.

Enters: the names that are checked. Leaves: files written, each fix with the line before and after it; or a unified
diff and nothing written. Knows nothing of what a fix is about.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Sequence

import click

from interpreter.source import Fix, Problem, Problems
from interpreter.source.excerpt import visible
from interpreter.surfaces.as_json import Json
from interpreter.workbench.mending import mend_files, write

from .terminal import harmless, nearby, paint, say


def make_fixes(files: Sequence[str], problems: Problems, quiet: bool = False) -> list[Json]:
    """Write what can be fixed safely, and say each; as plain data, one a fix. What could not be written: `problems`."""
    told = []
    for mending in write(mend_files(files), problems):
        for problem in mending.done:
            told.append(plain := _plain(problem))
            if not quiet:
                place = nearby(f"{plain['file']}:{plain['line']}:{plain['column']}")
                say(f"{paint('fixed', 'good')}  {place}  {problem.code}: {problem.message}")
                say(f"  {paint('was', 'dim')}  {plain['before']}")
                say(f"  {paint('now', 'dim')}  {plain['after']}")
    return told


def show_fixes(files: Sequence[str]) -> bool:
    """The same as a unified diff; nothing is written. Whether there is anything to fix."""
    mendings = mend_files(files)
    for mending in mendings:
        show_diff(mending.path, mending.before, mending.after)
    return bool(mendings)


def show_diff(path: str, before: str, after: str) -> None:
    """What would change in a file, as `patch` takes it; on a screen, without what would drive it."""
    told = "".join(_diff(nearby(path), before, after))
    click.echo(harmless(told) if sys.stdout.isatty() else told, nl=False)


def _diff(name: str, before: str, after: str) -> Iterable[str]:
    for line in difflib.unified_diff(_lines(before), _lines(after), name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """With their line ends. `splitlines` would also end one at signs that end none for `patch`."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _plain(problem: Problem) -> Json:
    fix = problem.fix
    assert fix is not None
    line, column = fix.span.place
    before, after = _before_and_after(fix)
    return {
        "file": fix.span.source.name,
        "line": line,
        "column": column,
        "code": problem.code,
        "before": visible(before.strip(" ")),
        "after": visible(after.strip(" ")),
    }


def _before_and_after(fix: Fix) -> tuple[str, str]:
    """The line that the fix stands in, and the same with the fix made."""
    source, span = fix.span.source, fix.span
    start = span.start - span.place[1] + 1
    before = source.line(span.place[0])
    rest = source.text[span.end :].splitlines()
    return before, source.text[start : span.start] + fix.replacement + (rest[0] if rest else "")
