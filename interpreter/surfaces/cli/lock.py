"""`umpire lock`: the odds of all that is typical, written to a file; with --check, compared with it.

Enters: a rule set. Leaves: a file beside it; or every situation whose odds are others now, for people or a program.
"""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.source import Problems
from interpreter.source.problems import count
from interpreter.surfaces.as_github import github
from interpreter.surfaces.as_json import problems as plain
from interpreter.surfaces.as_json import text
from interpreter.workbench.locks import Compared, compared, read_source, write_lock
from interpreter.workbench.progress import Progress
from interpreter.workbench.rules import RuleSet, open_rules

from .examples import Command
from .progress import watched
from .terminal import CLEAN, ending, nearby, paint, put, refuse, rendered, say

FORMATS = ("text", "json", "github")


@click.command(cls=Command)
@click.argument("rules")
@click.option("--check", "checking", is_flag=True, help="Compare; write nothing. The exit code is 1 where odds differ.")
@click.option("-o", "--output", "file", metavar="FILE", help="The lock; else NAME.lock beside the rule file.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="With --check.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def lock(rules: str, checking: bool, file: str | None, form: str, as_json: bool) -> None:
    """Write the odds of all that is typical of a rule set into a file, a line a fraction; or compare them with it.

    \b
    umpire lock ours               writes ours.lock beside ours.yaml: commit it
    umpire lock ours --check       in CI: no change of the rules changes the odds unseen

    What is typical a rule set says itself, as `typical NAME:` among its examples.
    """
    form = "json" if as_json else form
    problems = Problems()
    opened = open_rules(rules, problems)
    if opened is None or problems.has_errors:
        refuse(problems, form == "json")
    path = file if file is not None else str(_beside(opened))
    if checking:
        raise click.exceptions.Exit(_check(opened, path, form))
    _write(opened, path)


def _beside(rules: RuleSet) -> Path:
    """Beside the rule file; of a set that came with Umpire, and lies elsewhere, in the folder one is in."""
    name = f"{rules.name.replace(' ', '')}.lock"
    near = rules.path.with_name(name)
    return near if near.resolve().is_relative_to(Path.cwd()) else Path(name)


def _write(rules: RuleSet, path: str) -> None:
    problems = Problems()
    with watched(Progress()) as progress:
        written = write_lock(rules, path, problems, progress)
    if written is None:
        refuse(problems, False)
    state, many = written
    if len(problems):
        say(rendered(problems, counted=False))
    say(f"{paint(state, 'good')}  {nearby(path)}  {many} typical situation{'' if many == 1 else 's'}")


def _check(rules: RuleSet, path: str, form: str) -> int:
    problems = Problems()
    source = read_source(path, problems)
    with watched(Progress()) as progress:
        found = compared(rules, source, problems, progress) if source is not None else Compared()
    _tell(rules, path, problems, found, form)
    return ending(problems) if len(problems) else CLEAN


def _tell(rules: RuleSet, path: str, problems: Problems, found: Compared, form: str) -> None:
    many, unasked = found.situations, found.unasked
    left = f", {len(unasked)} not asked" if unasked else ""
    total = f"{many} typical situation{'' if many == 1 else 's'} of {rules.name}{left}: {count(problems)}"
    if form == "json":
        told = [{"situation": name, "code": why.code, "message": why.message} for name, why in unasked]
        put(text({"rules": rules.name, "lock": path, "situations": many, "not asked": told, **plain(problems)}), None)
    elif form == "github":
        put(github(problems, total), None)
    else:
        if len(problems):
            say(rendered(problems, counted=False))
        for name, why in unasked:
            say(f"not asked: {name} ({why.code}: {why.message})")
        say(paint(f"as locked  {nearby(path)}  {total}", "good") if not len(problems) else total)
