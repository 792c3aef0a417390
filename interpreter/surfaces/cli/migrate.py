"""`umpire migrate`: rule files of an older version of the language, written in today's words.

Enters: paths of rule files. Leaves: the same files with the few words changed that had to be; what would change, with
--check or --diff; an exit code.
"""

from __future__ import annotations

import difflib

import click

from .examples import Command
from .terminal import CLEAN, COULD_NOT, FINDINGS, ending, paint, rendered, say


@click.command(cls=Command, short_help="Rule files of an older version, in today's words.")
@click.argument("files", nargs=-1, required=True)
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="The version to come to.  [default: the newest]")
@click.option(
    "--from", "since", type=click.IntRange(min=0), metavar="N", help="What a file is whose head does not say."
)
@click.option("--check", "only", is_flag=True, help="Write nothing; end with 1 if anything would change.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
def migrate(files: tuple[str, ...], to: int | None, since: int | None, only: bool, diff: bool) -> None:
    """Write rule files of an older version of the language in today's words. Remarks and layout stay as they are.

    \b
    umpire migrate ours.yaml             the version that its head says, `schema: 0`; 1 if it says none
    umpire migrate --from 0 old/*.yaml   files from before there were versions
    umpire migrate --check *.yaml        in CI: ends with 1 if one of them is behind
    """
    from interpreter.source import Problems
    from interpreter.workbench.migrating import CURRENT, migrate_file

    target = CURRENT if to is None else to
    if target > CURRENT:
        click.echo(f"umpire: the newest version of the language here is {CURRENT}; leave --to out", err=True)
        raise click.exceptions.Exit(COULD_NOT)
    code = CLEAN
    for name in files:
        problems = Problems()
        done = migrate_file(name, target, since, problems, write=not (only or diff))
        if done is None:
            say(rendered(problems).rstrip("\n"))
            code = max(code, ending(problems) or COULD_NOT)
            continue
        if done.after == done.before:
            say(f"{paint('as it is', 'good')}  {name}")
            continue
        if diff:
            before, after = done.before.splitlines(keepends=True), done.after.splitlines(keepends=True)
            for line in difflib.unified_diff(before, after, name, f"{name}, schema {target}"):
                say(line.rstrip("\r\n"))
        word = "would change" if only or diff else "changed"
        say(f"{paint(word, 'warm')}  {name}  {paint(f'schema {done.said} to {target}', 'dim')}")
        code = max(code, FINDINGS) if only else code
    raise click.exceptions.Exit(code)
