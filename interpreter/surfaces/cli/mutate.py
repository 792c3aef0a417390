"""`umpire test --mutate`: the slips in a rule file that no example would notice.

Enters: names of rule sets, and which slips are to be tried. Leaves: a problem for each that nobody notices, counts, an
exit code. Knows nothing of how slips are made.
"""

from __future__ import annotations

import sys

import click

from interpreter.mutation import (
    Campaign,
    Mutant,
    Narrowing,
    Verdict,
    campaign,
    keep,
    mutants_of,
    ready,
    sheet_of,
    slips_file,
    told,
)  # fmt: skip
from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.surfaces.as_json import mutation, text

from .terminal import COULD_NOT, FINDINGS, nearby, paint, refuse, rendered, say

EVERY = 200  # slips


class Wanted(Struct):
    """What was said on the command line."""

    jobs: int
    sample: int | None
    seed: int
    at: tuple[str, ...]
    as_json: bool
    verbose: bool = False
    quick: bool = False


def mutate(names: tuple[str, ...], wanted: Wanted) -> None:
    if not names:
        problems = Problems()
        problems.add("F016", None, wanted="the name of a rule set", hint="say `umpire test --mutate NAME`")
        refuse(problems, wanted.as_json)
    found: list[tuple[str, Campaign, Problems]] = []

    def heard(done: int, all_: int, new: list[tuple[Mutant, Verdict]]) -> None:
        """What is found is said at once: it may take long, and whoever has seen enough may go."""
        if not wanted.as_json and len(open_ := told(new, problems)):
            say(rendered(open_, counted=False))
        _progress(done - len(new), done, all_, wanted.as_json)

    for name in names:
        problems = Problems()
        sets = ready(name, problems)
        if problems.has_errors or not sets:
            refuse(problems, wanted.as_json)
        sheet = sheet_of(name)
        mutants = mutants_of(sets, sheet)
        amiss = keep(sets, sheet, mutants, problems)
        if amiss.has_errors:
            refuse(amiss, wanted.as_json)
        if len(amiss) and not wanted.as_json:
            say(rendered(amiss, counted=False))
        chosen = Narrowing(sets, sheet, mutants).numbers(wanted.at, problems) if wanted.at else None
        if problems.has_errors:
            refuse(problems, wanted.as_json, typed=True)

        def takes(mutant: Mutant, chosen: set[int] | None = chosen) -> bool:
            return chosen is None or mutant.number in chosen

        made = campaign(
            sets, sheet, jobs=wanted.jobs, only=takes, sample=wanted.sample, seed=wanted.seed,
            quick=wanted.quick, told=heard,
        )  # fmt: skip
        open_ = told(made.survivors, problems)
        if not wanted.at and wanted.sample is None and made.mutants:
            for file in (made.mutants[0].span.source.name, slips_file(sets[0], sheet)):
                open_.report_unused(file, "mutate")
        open_.extend(amiss)
        found.append((name, made, open_))
        if not wanted.as_json:
            _show(name, made, open_, [m.definition for m, v in made.survivors if len(told([(m, v)], problems))])
            if wanted.verbose:
                _show_allowed(open_)
    if wanted.as_json:
        say(text(mutation(found)))
    if any(host.failed for _, made, _ in found for host in made.hosts):
        raise click.exceptions.Exit(COULD_NOT)
    if any(len(open_) for _, _, open_ in found):
        raise click.exceptions.Exit(FINDINGS)


def _progress(before: int, done: int, all_: int, as_json: bool) -> None:
    """On a terminal in one line that changes; else, for who looks into a log, a line now and then."""
    if not sys.stderr.isatty():
        if done // EVERY > before // EVERY:
            click.echo(f"{done} of {all_} slips tried", err=True)
    elif not as_json:
        click.echo(f"\r{done} of {all_}" + (" " * 20 + "\r" if done == all_ else ""), err=True, nl=False)


def _show(name: str, made: Campaign, open_: Problems, where: list[str]) -> None:
    for host in made.hosts:
        if host.failed:
            names = ", ".join(host.failed)
            say(paint(f"of the examples of {host.rules.name} these fail, and can notice nothing: {names}", "poor"))
    counts = made.counts()
    noticed = counts.get("noticed", 0) + counts.get("endless", 0)
    tail = f"{noticed} noticed" + (f" ({counts['endless']} never end)" if counts.get("endless") else "")
    by = ", ".join(h.rules.name for h in made.hosts)
    seen = "" if by == name else f", with the examples of {by}"
    needless = [problem for problem in open_ if problem.code == "A001"]
    if needless:
        say(rendered(needless, counted=False))
    places = ", ".join(dict.fromkeys(where))
    open_tail = paint(f"{len(where)} not noticed in {places}", "poor") if where else paint("all noticed", "good")
    tried = noticed + counts.get("survived", 0)
    said = f"{tried} slips tried{seen}: {tail}, {open_tail}" if tried else "nothing that changes here is a slip"
    say(f"{nearby(name)}: {said}")
    allowed = f", {len(open_.allowed)} not noticed and allowed" if open_.allowed else ""
    unread = f"{made.unread} more" if tried else str(made.unread)
    say(paint(f"{unread} cannot be read, {counts.get('same', 0)} mean the same{allowed}", "dim"))


def _show_allowed(open_: Problems) -> None:
    """Which slips the file allows: what an allowance would name."""
    for problem, allowance in open_.allowed:
        at = f"{nearby(problem.span.source.name)}:{problem.span.place[0]}" if problem.span is not None else ""
        say(f"  {paint('allowed', 'good')}  {problem.message}, because {allowance.reason}  {paint(at, 'dim')}")
