"""`umpire muster`: a side's list against its rules.

Enters: the file of a force. Leaves: the roster that a player brings, each limit kept or broken, and an exit code.
"""

from __future__ import annotations

import click

from interpreter.source import Problems
from interpreter.surfaces.as_json import muster as plain
from interpreter.surfaces.as_json import text as json_text
from interpreter.workbench.files import open_force
from interpreter.workbench.limits import Verdict
from interpreter.workbench.muster import Muster, Shown
from interpreter.workbench.muster import muster as mustered

from .examples import Command
from .terminal import FINDINGS, nearby, paint, refuse, rendered, say


@click.command(cls=Command)
@click.argument("force")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def muster(force: str, form: str, as_json: bool) -> None:
    """The roster of a side's list, with what its rules say of each, and every limit kept or broken.

    \b
    umpire muster ours.yaml

    FORCE is a file with `force:` and `rules:`, and the side's units written as in a situation. The limits are the
    rule set's own; those that both players have agreed to break stand under `breaks:`.
    """
    as_json = as_json or form == "json"
    problems = Problems()
    case = open_force(force, problems)
    if case is None or problems.has_errors:
        refuse(problems, as_json)
    found = mustered(case)
    if found is None:
        refuse(case.problems, as_json)
    if as_json:
        say(json_text(plain(found)))
    else:
        _show(found)
    if not found.kept:
        raise click.exceptions.Exit(FINDINGS)


def _show(found: Muster) -> None:
    lines: list[tuple[bool, str, str]] = [(True, found.force, paint(found.rules.title, "dim"))]
    for thing in found.things:
        values = _values(thing.values)
        if thing.name == found.force and not thing.traits:  # it has no line of its own in the file
            lines[0] = (True, found.force, f"{values}  {lines[0][2]}".lstrip())
            continue
        lines.append((True, _said(f"{thing.kind} {thing.name}", thing.traits), values))
        lines += [(False, _said(f"  {r.said}", r.traits), _values(r.values, r.count)) for r in thing.rows]
    wide = max(len(text) for _, text, _ in lines)
    for index, (head, text, values) in enumerate(lines):
        if head and index:
            say()
        said = f"{text:<{wide}}" if values else text
        say(f"{paint(said, 'bold') if head else said}  {values}".rstrip())
    _limits(found)
    for ask, held in found.then:
        say(f"{paint('holds', 'good') if held else paint('fails', 'poor')}   {ask.text}")
    if len(found.problems):
        say()
        say(rendered(found.problems).rstrip())


def _said(name: str, traits: tuple[str, ...]) -> str:
    return f"{name}: {', '.join(traits)}" if traits else name


def _values(values: tuple[Shown, ...], count: int = 1) -> str:
    """`price 7 each, 28`."""
    each = ((f"{v.name} {v.each}", f" each, {v.all}" if count > 1 and v.all != v.each else "") for v in values)
    return "; ".join(head + tail for head, tail in each)


def _limits(found: Muster) -> None:
    if not found.limits:
        return
    say()
    wide = max(len(v.name) for v in found.limits)
    for verdict in found.limits:
        state, kind = _state(found, verdict)
        clauses = paint("  " + " ".join(verdict.clauses), "dim") if verdict.clauses else ""
        say(f"{paint(f'{state:<6}', kind)}  {verdict.name:<{wide}}{clauses}".rstrip())
        for breach in verdict.breaches if state == "agreed" else ():  # others are told below, as mistakes are
            row, column = breach.where.place
            place = paint(f"{nearby(breach.where.source.name)}:{row}:{column}", "dim")
            say(f"        {breach.who}: {breach.found}  {place}")


def _state(found: Muster, verdict: Verdict) -> tuple[str, str]:
    if verdict.kept:
        return "kept", "good"
    return ("agreed", "warm") if verdict.limit.name in found.agreed else ("broken", "poor")
