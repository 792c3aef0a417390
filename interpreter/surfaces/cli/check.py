"""`umpire check`: whether rule files, situations and files of examples say what can be carried out.

Enters: names and paths. Leaves: every problem with its place, for people or for a program, and an exit code. What only
an option needs is imported for it: most checks are of files that have not changed, and take no longer than to start.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from interpreter.places import shipped
from interpreter.source import Problems
from interpreter.source.problems import count
from interpreter.workbench.checked import Checked, check_all, is_slips_file

from .examples import Command
from .terminal import CLEAN, FINDINGS, LEVELS, all_clean, ending, put, rendered, say

FORMATS = ("text", "json", "sarif", "github", "junit")


@click.command(cls=Command)
@click.argument("files", nargs=-1)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", is_flag=True, help="Make the fixes that are marked safe, and write the files.")
@click.option("--diff", is_flag=True, help="Show what --fix would do; write nothing.")
@click.option("--no-cache", is_flag=True, help="Check anew what was checked before (UMPIRE_CACHE=off keeps nothing).")
@click.option(
    "--fail-on",
    type=click.Choice(LEVELS),
    default="warning",
    show_default=True,
    help="The least grave finding that makes the exit code 1.",
)
@click.option("-o", "--output", metavar="FILE", help="Write a format for programs into this file.")
@click.option("-q", "--quiet", is_flag=True, help="Say what is wrong and nothing else.")
@click.option("--watch", "watching", is_flag=True, help="Check again whenever a file changes that was read.")
def check(
    files: tuple[str, ...],
    form: str,
    as_json: bool,
    fail_on: str,
    output: str | None,
    quiet: bool,
    watching: bool,
    fix: bool,
    diff: bool,
    no_cache: bool,
) -> None:
    """Check rule files, situations and files of examples; without FILES, every rule set that comes along.

    Exit codes: 0 clean, 1 findings (--fail-on says which count), 2 could not run.
    """
    form = "json" if as_json else form
    if form == "text" and output is not None:
        raise click.UsageError("--output is for programs: `--format text` is not.")
    if diff:
        from .fixing import show_fixes

        raise click.exceptions.Exit(FINDINGS if show_fixes(_files(files)) else CLEAN)
    if watching:
        if form != "text":
            raise click.UsageError("--watch is for people: it goes with --format text only.")
        from .watch import watch

        watch(lambda: _check(files, form, fail_on, output, quiet, fix, True))
    else:
        raise click.exceptions.Exit(_check(files, form, fail_on, output, quiet, fix, no_cache))


def _files(files: tuple[str, ...]) -> Sequence[str]:
    return files or shipped()


def _check(
    files: tuple[str, ...], form: str, fail_on: str, output: str | None, quiet: bool, fix: bool, anew: bool
) -> int:
    problems = Problems()
    fixed = None
    if fix:
        from .fixing import make_fixes

        fixed = make_fixes(_files(files), problems, quiet=form != "text")
    checked = _checked(files, anew)
    for each in checked:
        problems.extend(each.problems)
    total = f"{len(checked)} checked: {count(problems)}"
    unsure = sum(each.fix is not None and not each.fix.safe for each in problems)
    if fix and unsure:
        total += f"; {unsure} marked (look first) left to you" if form == "text" else ""
    if form == "text":
        _show(checked, problems, "" if quiet else total)
    else:
        put(_for_a_program(form, checked, problems, fail_on, total, fixed), output)
    return ending(problems, fail_on)


def _checked(files: tuple[str, ...], anew: bool) -> list[Checked]:
    if not any(map(is_slips_file, files)):
        return check_all(files, anew=anew)
    from interpreter.mutation import checked_slips

    return [
        each for name in files
        for each in ([checked_slips(name)] if is_slips_file(name) else check_all((name,), anew=anew))
    ]  # fmt: skip


def _show(checked: list[Checked], problems: Problems, total: str) -> None:
    """`total` is empty where nothing is wanted but what is wrong."""
    if len(problems):
        say(rendered(problems, counted=False))
    if total:
        say(all_clean([(each.name, each.what) for each in checked if not each.problems], total))


def _for_a_program(
    form: str,
    checked: list[Checked],
    problems: Problems,
    fail_on: str,
    total: str,
    fixed: list[dict[str, object]] | None,
) -> str:
    if form == "github":
        from interpreter.surfaces.as_github import github

        return github(problems, total)
    if form == "junit":
        from interpreter.surfaces.as_junit import junit

        return junit(checked, lambda problem: ending([problem], fail_on) != CLEAN)
    from interpreter.surfaces import as_json

    if form == "sarif":
        from interpreter.surfaces.as_sarif import sarif

        return as_json.text(sarif(problems, dict.fromkeys(pair for each in checked for pair in each.allowed)))
    told = [{"file": each.name, "what": each.what, "clean": not each.problems} for each in checked]
    made = {} if fixed is None else {"fixed": fixed}
    return as_json.text({"files": told, **made, **as_json.problems(problems)})
