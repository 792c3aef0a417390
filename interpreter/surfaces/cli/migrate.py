"""`umpire migrate`: rule files of an older version of the language, written in today's words.

Enters: paths of rule files. Leaves: the same files with the few words changed that had to be; what would change, with
--check or --diff; an exit code.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import click

from .terminal import CLEAN, COULD_NOT, FINDINGS, paint, rendered, say


@click.command(short_help="Rule files of an older version, in today's words.")
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
    from interpreter.document.files import read_file
    from interpreter.document.writing import write_file
    from interpreter.source import Problems
    from interpreter.workbench.migrating import CURRENT, migration

    target = CURRENT if to is None else to
    if target > CURRENT:
        click.echo(f"umpire: the newest version of the language here is {CURRENT}; leave --to out", err=True)
        raise click.exceptions.Exit(COULD_NOT)
    code = CLEAN
    for name in files:
        problems = Problems()
        source = read_file(Path(name), problems)
        made = migration(source, target, since, problems) if source is not None else None
        if source is None or made is None:
            say(rendered(problems).rstrip("\n"))
            code = COULD_NOT
            continue
        said, text = made
        if text == source.text:
            say(f"{paint('as it is', 'good')}  {name}")
            continue
        if diff:
            before, after = source.text.splitlines(keepends=True), text.splitlines(keepends=True)
            for line in difflib.unified_diff(before, after, name, f"{name}, schema {target}"):
                say(line.rstrip("\r\n"))
        elif not only and not write_file(name, text, problems, was=source.text):
            say(rendered(problems).rstrip("\n"))
            code = COULD_NOT
            continue
        done = "would change" if only or diff else "changed"
        say(f"{paint(done, 'warm')}  {name}  {paint(f'schema {said} to {target}', 'dim')}")
        if only:
            code = max(code, FINDINGS)
    raise click.exceptions.Exit(code)
