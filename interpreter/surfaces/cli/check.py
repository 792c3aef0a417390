"""`umpire check`: finds the mistakes in rule files, situations and files of examples.

Takes names of rule sets and paths. Prints every problem with its place, as text or in a format for programs, and gives
an exit code. Modules that only an option needs are imported for that option, since most checks are of unchanged files,
where the start of the process takes nearly all the time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from interpreter.places import is_slips_file, shipped
from interpreter.source import Fix, Problem, Problems
from interpreter.source.problems import count
from interpreter.source.rendering import visible
from interpreter.source.values import Struct, replace
from interpreter.surfaces.as_json import Json, text
from interpreter.surfaces.as_json import problems as plain
from interpreter.workbench.checked import Checked, check_all, file_accesses_of
from interpreter.workbench.file_discovery import to_check

from .commands import UsageError, argument, command, flag, option
from .ends import CLEAN, FINDINGS
from .options import format_options, output_option
from .terminal import LEVELS, all_clean, clear, counted, echo, ending, in_folders, nearby, paint, put, rendered, say

PAUSE = 0.5  # seconds between two polls of the watched files
_NOT_BESIDE_DIFF = ("--fix", "--json", "--format", "--output", "--quiet", "--watch", "--fail-on", "--no-cache")


class Wanted(Struct):
    """The options of one invocation, by their names on the command line; `form` is the output format."""

    form: str
    fail_on: str
    output: str | None
    quiet: bool
    fix: bool
    no_cache: bool


@command(
    apart=[("--json", "--format"), *(("--diff", other) for other in _NOT_BESIDE_DIFF)],
    beside={"--output": ("--format", "--json")},
)
@argument("files", nargs="*", default=())
@format_options("text", "json", "sarif", "github", "junit")
@flag("--fix", help="Make the fixes that are marked safe, and write the files.")
@flag("--diff", help="Show what --fix would do; write nothing.")
@flag("--no-cache", help="Check anew what was checked before (UMPIRE_CACHE=off keeps nothing).")
@option(
    "--fail-on",
    choices=LEVELS,
    default="warning",
    help="The least grave finding that makes the exit code 1. [default: warning]",
)
@output_option("Write a format for programs into this file.")
@flag("-q", "--quiet", help="Say what is wrong and nothing else.")
@flag("--watch", dest="watching", help="Check again whenever a file changes that was read.")
def check(files: tuple[str, ...], form: str, as_json: bool, watching: bool, diff: bool, **options: Any) -> int:
    """Check rule files, situations and files of examples, or all in a folder; without FILES, every rule set that comes
    along.

    Exit codes: 0 clean, 1 findings (--fail-on says which count), 2 could not run.
    """
    wanted = Wanted("json" if as_json else form, **options)
    if wanted.form == "text" and wanted.output is not None:
        raise UsageError("--output is for programs: `--format text` is not.")
    if diff:
        return _show_fixes(in_folders(files, to_check) or shipped())
    if watching and wanted.form != "text":
        raise UsageError("--watch is for people: it goes with --format text only.")
    if watching:
        _watch(lambda: _check(files, replace(wanted, no_cache=True)))
        return CLEAN
    return _check(files, wanted)


def _watch(act: Callable[[], object]) -> None:
    """Call `act`, and again on a cleared screen whenever a file that it read has changed, until Ctrl-C. Polls every
    `PAUSE` seconds, which works on every operating system and file system.
    """
    try:
        while True:
            clear()
            found = file_accesses_of(act)
            say(paint(f"watching {counted(len(found.files), 'file')}; Ctrl-C ends this", "dim"))
            while not found.changed():
                time.sleep(PAUSE)
    except KeyboardInterrupt:
        echo("\n", err=True)  # after the ^C


def _check(files: tuple[str, ...], wanted: Wanted) -> int:
    """Check files (none: the shipped rule sets) and print the result. Return the exit code."""
    problems, in_words = Problems(), wanted.form == "text"
    files = tuple(in_folders(files, to_check))
    fixed = _make_fixes(files or shipped(), problems, quiet=not in_words) if wanted.fix else None
    checked = _checked(files, wanted.no_cache)
    for each in checked:
        problems.extend(each.problems)
    total = f"{len(checked)} checked: {count(problems)}"
    if not in_words:
        put(_for_a_program(wanted, checked, problems, total, fixed), wanted.output)
        return ending(problems, wanted.fail_on)
    unsure = sum(each.fix is not None and not each.fix.safe for each in problems)
    if wanted.fix and unsure:
        total += f"; {unsure} marked (look first) left to you"
    if len(problems):
        say(rendered(problems, counted=False))
    if not wanted.quiet:
        say(all_clean([(each.name, each.what) for each in checked if not each.problems], total))
    return ending(problems, wanted.fail_on)


def _checked(files: tuple[str, ...], anew: bool) -> list[Checked]:
    """One result per file, in order; `anew` ignores the cache. Files of slips need the mutation room."""
    if not any(map(is_slips_file, files)):
        return check_all(files, anew=anew)
    from interpreter.mutation import checked_slips

    return [
        each for name in files
        for each in ([checked_slips(name)] if is_slips_file(name) else check_all((name,), anew=anew))
    ]  # fmt: skip


def _for_a_program(
    wanted: Wanted, checked: list[Checked], problems: Problems, total: str, fixed: list[Json] | None
) -> str:
    """The result in the format that was asked for; `fixed` are the fixes made by --fix, or None without it."""
    from interpreter.surfaces.as_findings import github, junit, sarif  # lazily: it imports a network library

    if wanted.form == "github":
        return github(problems, total)
    if wanted.form == "junit":
        return junit(checked, lambda problem: ending([problem], wanted.fail_on) != CLEAN)
    if wanted.form == "sarif":
        return text(sarif(problems, dict.fromkeys(pair for each in checked for pair in each.allowed)))
    rows = [{"file": each.name, "what": each.what, "clean": not each.problems} for each in checked]
    made: Json = {} if fixed is None else {"fixed": fixed}
    return text({"files": rows, **made, **plain(problems)})


# ---- fixes
def _make_fixes(files: Sequence[str], problems: Problems, quiet: bool = False) -> list[Json]:
    """Make all safe fixes and write the files; print each fix unless `quiet`. Return one item of plain data per fix; a
    file that cannot be written becomes a problem.
    """
    from interpreter.workbench.fixes import fix_files, write  # lazily: imports all checks

    made = []
    for mending in write(fix_files(files), problems):
        for problem in mending.done:
            made.append(plain := _plain_fix(problem))
            if not quiet:
                place = nearby(f"{plain['file']}:{plain['line']}:{plain['column']}")
                say(f"{paint('fixed', 'good')}  {place}  {problem.code}: {problem.message}")
                say(f"  {paint('was', 'dim')}  {plain['before']}")
                say(f"  {paint('now', 'dim')}  {plain['after']}")
    return made


def _show_fixes(files: Sequence[str]) -> int:
    """Print the safe fixes as unified diffs without writing. Return the exit code, 1 if there are any."""
    from interpreter.workbench.fixes import fix_files

    from .diffs import show_diff

    mendings = fix_files(files)
    for mending in mendings:
        show_diff(mending.path, mending.before, mending.after)
    return FINDINGS if mendings else CLEAN


def _plain_fix(problem: Problem) -> Json:
    """A fix as plain data: its place (line and column from 1), its code, and the line before and after."""
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
    """The line that contains the fix, without and with it."""
    source, span = fix.span.source, fix.span
    start = span.start - span.place[1] + 1
    before = source.line(span.place[0])
    rest = source.text[span.end :].splitlines()
    return before, source.text[start : span.start] + fix.replacement + (rest[0] if rest else "")
