"""`umpire lock`: writes the odds of all typical situations to a file; with --check, compares them with it.

Enters: a rule set. Leaves: a file beside it; or every situation whose odds have changed, as text or data.
"""

from __future__ import annotations

from pathlib import Path

import click

from interpreter.source import Problems
from interpreter.source.problems import count
from interpreter.surfaces.as_findings import github
from interpreter.surfaces.as_json import problems as plain
from interpreter.surfaces.as_json import refused, text
from interpreter.workbench.locks import Compared, compared, read_source, write_lock
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import RuleSet

from .ends import CLEAN
from .options import Command, format_options, output_option
from .scenes import opened
from .terminal import counted, ending, nearby, needed, paint, rendered, say, watched


@click.command(
    cls=Command,
    apart=[("--json", "--format")],
    beside={"--format": ("--check",), "--json": ("--check",)},
)
@click.argument("rules")
@click.option("--check", "checking", is_flag=True, help="Compare; write nothing. The exit code is 1 where odds differ.")
@output_option("The lock; else NAME.lock beside the rule file.")
@format_options("text", "json", "github", help="With --check.")
def lock(rules: str, checking: bool, output: str | None, form: str, as_json: bool) -> int:
    """Write the odds of all that is typical of a rule set into a file, a line a fraction; or compare them with it.

    \b
    umpire lock ours               writes ours.lock beside ours.yaml: commit it
    umpire lock ours --check       in CI: no change of the rules changes the odds unseen

    What is typical a rule set says itself, as `typical NAME:` among its examples.
    """
    form = "json" if as_json else form
    found = opened(rules, form == "json")
    path = output if output is not None else str(_beside(found))
    return _check(found, path, form) if checking else _write(found, path)


def _beside(rules: RuleSet) -> Path:
    """The lock beside the rule file; in the working directory if the rule file is not below it."""
    name = f"{rules.name.replace(' ', '')}.lock"
    near = Path(rules.path).with_name(name)
    return near if near.resolve().is_relative_to(Path.cwd()) else Path(name)


def _write(rules: RuleSet, path: str) -> int:
    problems = Problems()
    with watched(Progress()) as progress:
        written = write_lock(rules, path, problems, progress)
    state, many = needed(written, problems)
    if len(problems):
        say(rendered(problems, counted=False))
    say(f"{paint(state, 'good')}  {nearby(path)}  {counted(many, 'typical situation')}")
    return CLEAN


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
    total = f"{counted(many, 'typical situation')} of {rules.name}{left}: {count(problems)}"
    if form == "json":
        told = [{"situation": name, **refused(why)} for name, why in unasked]
        say(text({"rules": rules.name, "lock": path, "situations": many, "not asked": told, **plain(problems)}))
    elif form == "github":
        say(github(problems, total))
    else:
        if len(problems):
            say(rendered(problems, counted=False))
        for name, why in unasked:
            say(f"not asked: {name} ({why.code}: {why.message})")
        say(paint(f"as locked  {nearby(path)}  {total}", "good") if not len(problems) else total)
