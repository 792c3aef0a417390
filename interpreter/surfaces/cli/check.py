"""`umpire check`: whether rule files, situations and files of examples say what can be carried out.

Enters: names and paths. Leaves: every problem with its place, a line for each clean file, an exit code.
"""

from __future__ import annotations

import click

from .fixing import make_fixes, show_fixes
from .terminal import CLEAN, COULD_NOT, FINDINGS, NOTHING_READ, clean, rendered, say


@click.command(short_help="Check rule files, situations and files of examples.")
@click.argument("files", nargs=-1)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--fix", is_flag=True, help="Make the fixes that are marked safe, and write the files.")
@click.option("--diff", is_flag=True, help="Show what --fix would do; write nothing.")
@click.option("--no-cache", is_flag=True, help="Check anew what was checked before (UMPIRE_CACHE=off keeps nothing).")
def check(files: tuple[str, ...], form: str, as_json: bool, fix: bool, diff: bool, no_cache: bool) -> None:
    """Check rule files, situations and files of examples; without FILES, every rule set that comes along.

    \b
    umpire check                       all rule sets that come with Umpire
    umpire check modern ours.yaml      one of them by name, and a file of your own
    umpire check --fix ours.yaml       mend what can be mended without a doubt, and say what is left
    """
    from interpreter.places import shipped
    from interpreter.source import Problems
    from interpreter.workbench.checked import check_all

    problems = Problems()
    fixed: dict[str, object] = {}
    if diff:
        raise click.exceptions.Exit(FINDINGS if show_fixes(files or shipped()) else CLEAN)
    if fix:
        fixed = {"fixed": make_fixes(files or shipped(), problems, quiet=form == "json" or as_json)}
    checked = check_all(files, anew=no_cache)
    for each in checked:
        problems.extend(each.problems)
    if form == "json" or as_json:
        from interpreter.surfaces.as_json import problems as plain
        from interpreter.surfaces.as_json import text

        told = [{"file": each.name, "what": each.what, "clean": not each.problems} for each in checked]
        say(text({"files": told, **fixed, **plain(problems)}))
    else:
        if len(problems):
            say(rendered(problems))
        for each in checked:
            if not each.problems:
                say(clean(each.name, each.what))
    raise click.exceptions.Exit(ending(problems))


def ending(problems: object) -> int:
    """0 clean, 1 findings, 2 where there was nothing to look at."""
    codes = [(p.code, p.span) for p in problems]  # type: ignore[attr-defined]
    if any(code in NOTHING_READ or (code == "F015" and span is None) for code, span in codes):
        return COULD_NOT
    return FINDINGS if codes else CLEAN
