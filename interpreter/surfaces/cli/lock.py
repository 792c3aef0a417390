"""`umpire lock`: writes the odds of all typical situations to a file; with --check, compares them with it.

Takes a rule set. Writes a file beside it; or reports every situation whose odds have changed, as text or data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from interpreter.places import is_folder
from interpreter.source import Problems
from interpreter.source.problems import count
from interpreter.surfaces.as_findings import github
from interpreter.surfaces.as_json import Json, refused, text
from interpreter.surfaces.as_json import problems as plain
from interpreter.workbench.locks import Compared, compared, locked_in, locks_below, read_source, write_lock
from interpreter.workbench.parallel import Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules

from .commands import argument, command, flag
from .ends import CLEAN
from .options import format_options, output_option, workers_options
from .scenes import opened
from .terminal import cannot, counted, ending, nearby, needed, paint, rendered, say, watched


@command(
    apart=[("--json", "--format")],
    beside={"--format": ("--check",), "--json": ("--check",)},
)
@argument("rules", nargs="+")
@flag("--check", dest="checking", help="Compare; write nothing. The exit code is 1 where odds differ.")
@output_option("The lock, of all RULES together; else NAME.lock beside each rule file.")
@format_options("text", "json", "github", help="With --check.")
@workers_options
def lock(rules: tuple[str, ...], checking: bool, output: str | None, form: str, as_json: bool, workers: Workers) -> int:
    """Write the odds of all that is typical of rule sets into a file, a line a fraction; or compare them with it.

    \b
    umpire lock ours               writes ours.lock beside ours.yaml: commit it
    umpire lock ours --check       in CI: no change of the rules changes the odds unseen
    umpire lock --check .          every lock in this folder; or one by its name, club.lock
    umpire lock ours modern+ours -o club.lock    several rule sets and stacks in one file

    What is typical a rule set says itself, as `typical NAME:` among its examples.
    """
    form = "json" if as_json else form
    wanted = [each for name in rules for each in _wanted(name, output, form)]
    if checking:
        return _check(wanted, form, workers)
    paths = dict.fromkeys(path for path, _ in wanted)
    return max(_write([found for each, found in wanted if each == path], path, workers) for path in paths)


def _wanted(name: str, output: str | None, form: str) -> Iterator[tuple[str, RuleSet]]:
    """The rule sets that a name means, each with the path of its lock. A lock, or a folder of locks, means all rule
    sets named in it.
    """
    locks = [name] if name.endswith(".lock") else locks_below(name) if is_folder(name) else None
    if locks is None:
        found = opened(name, form == "json")
        yield output if output is not None else str(_beside(found)), found
        return
    if not any(map(locked_in, locks)):
        cannot(f"{nearby(name)} is no lock" if name.endswith(".lock") else f"no lock lies in {nearby(name)}")
    for path in locks:
        for stack in locked_in(path):
            problems = Problems()
            yield path, needed(open_rules(stack, problems, os.path.dirname(path)), problems, form == "json")


def _beside(rules: RuleSet) -> Path:
    """The lock beside the rule file; in the working directory if the rule file is not below it."""
    name = f"{rules.name.replace(' ', '')}.lock"
    near = Path(rules.path).with_name(name)
    return near if near.resolve().is_relative_to(Path.cwd()) else Path(name)


def _write(sets: list[RuleSet], path: str, workers: Workers) -> int:
    problems = Problems()
    with watched(Progress(), keeps=True) as progress:
        written = write_lock(sets, path, problems, progress, workers)
    state, many = needed(written, problems)
    if len(problems):
        say(rendered(problems, counted=False))
    say(f"{paint(state, 'good')}  {nearby(path)}  {counted(many, 'typical situation')}")
    return CLEAN


def _check(wanted: list[tuple[str, RuleSet]], form: str, workers: Workers) -> int:
    everything, compared_ = Problems(), []
    for path, rules in wanted:
        problems = Problems()
        source = read_source(path, problems)
        with watched(Progress(), keeps=True) as progress:
            found = compared(rules, source, problems, progress, workers) if source is not None else Compared()
        compared_.append((rules, path, problems, found))
        everything.extend(problems)
    if form == "json":
        plain_ = [_plain(*each) for each in compared_]
        say(text(plain_[0] if len(plain_) == 1 else {"locks": plain_}))
    elif form == "github":
        say(github(everything, "; ".join(_total(rules, problems, found) for rules, _, problems, found in compared_)))
    else:
        for each in compared_:
            _say(*each)
    return ending(everything) if len(everything) else CLEAN


def _total(rules: RuleSet, problems: Problems, found: Compared) -> str:
    left = f", {len(found.unasked)} not asked" if found.unasked else ""
    return f"{counted(found.situations, 'typical situation')} of {rules.name}{left}: {count(problems)}"


def _plain(rules: RuleSet, path: str, problems: Problems, found: Compared) -> Json:
    unasked = [{"situation": name, **refused(why)} for name, why in found.unasked]
    head = {"rules": rules.name, "lock": path, "situations": found.situations}
    return {**head, "not asked": unasked, **plain(problems)}


def _say(rules: RuleSet, path: str, problems: Problems, found: Compared) -> None:
    if len(problems):
        say(rendered(problems, counted=False))
    for name, why in found.unasked:
        say(f"not asked: {name} ({why.code}: {why.message})")
    total = _total(rules, problems, found)
    say(paint(f"as locked  {nearby(path)}  {total}", "good") if not len(problems) else total)
