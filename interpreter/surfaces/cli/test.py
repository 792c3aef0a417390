"""`umpire test`: runs the examples of rule sets; with --mutate, finds mutants of a rule file that no example detects.

Takes names of rule sets, files of examples, situations; a selection of mutants. Prints failures, or surviving mutants,
with their source positions; counts; gives an exit code. Knows nothing of how mutants are made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.mutation import (
    Campaign,
    Mutant,
    Narrowing,
    Verdict,
    allow_listed,
    campaign,
    hosts_of,
    mutants_of,
    sheet_of,
    slips_file,
    survivor_problems,
)  # fmt: skip
from interpreter.places import shipped
from interpreter.source import Problems, to_json
from interpreter.source.problems import count
from interpreter.source.values import Struct
from interpreter.surfaces.as_json import Json, place, text
from interpreter.surfaces.as_json import problems as plain
from interpreter.workbench.file_discovery import to_test
from interpreter.workbench.files import test_file
from interpreter.workbench.parallel import Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.running import Result
from interpreter.workbench.stacks import stacks_of

from .commands import UsageError, argument, at_least, command, flag, option, several
from .ends import CLEAN, COULD_NOT, FINDINGS
from .options import format_options, output_option, workers_options, worlds_option
from .terminal import (
    counted,
    ending,
    in_folders,
    lacking,
    located,
    nearby,
    paint,
    put,
    refuse,
    rendered,
    say,
    watched,
    wipe,
)

_MUTATE = ("--mutate",)


class Wanted(Struct):
    """The options of the command, by name."""

    verbose: bool
    as_json: bool
    form: str
    output: str | None
    workers: Workers
    worlds: int
    at: tuple[str, ...]
    quick: bool
    sample: int | None
    seed: int


@command(
    apart=[("--json", "--format"), ("--mutate", "--format"), ("--mutate", "--output")],
    beside={
        "--at": _MUTATE,
        "--quick": _MUTATE,
        "--sample": _MUTATE,
        "--seed": ("--sample",),
        "--output": ("--format", "--json"),
    },
)
@argument("rules", nargs="*", default=())
@flag("-v", "--verbose", help="Name every example; with --mutate, every slip that is allowed.")
@format_options("text", "json", "sarif", "github", "junit")
@output_option("Write a format for programs into this file.")
@flag("--mutate", dest="mutating", help="Try every slip in the rules: which does no example notice?")
@workers_options
@worlds_option
@several("--at", metavar="LINE", help="With --mutate: only this line of the file, or this definition.")
@flag(
    "--quick", help="With --mutate: ask few examples of each slip, and tell what they let pass."
)
@option("--sample", type=at_least(1), metavar="N", help="With --mutate: only so many, drawn by --seed.")
@option("--seed", type=int, default=1, metavar="N", help="With --sample. [default: 1]")
def test(rules: tuple[str, ...], mutating: bool, **options: Any) -> int:
    """Run examples: of rule sets by name or path, of a file of examples, a situation with expectations, or all of these
    in a folder.

    Without RULES, every rule set that comes along and has examples. Each example is played with its dice,
    and its odds are worked out and compared as fractions.

    With --mutate, every number, comparison, sign and name of the rules is changed by one step, and what no
    example notices is told.
    """
    wanted = Wanted(**{**options, "as_json": options["as_json"] or options["form"] == "json"})
    if wanted.form == "text" and wanted.output is not None and not wanted.as_json:
        raise UsageError("--output is for programs: `--format text` is not.")
    if mutating:
        return _mutate(rules, wanted)
    if wanted.form != "text" and not wanted.as_json:
        return _told_to_a_program(rules, wanted)
    sets = []
    broken = False
    for name in [stack for file in in_folders(rules, to_test) or shipped() for stack in stacks_of(file)]:
        problems = Problems()
        with watched(Progress(), keeps=True) as progress:
            found = test_file(name, problems, wanted.workers, progress, wanted.worlds)
        if found is None or problems.has_errors:
            if wanted.as_json:
                refuse(problems, True)
            say(rendered(problems))
            if ending(problems) == COULD_NOT:
                return COULD_NOT
            broken = True
        elif found[1] or rules:
            sets.append((name, found[1]))
            if not wanted.as_json:
                for line in _lines(name, found[1], wanted.verbose):
                    say(line)
    if wanted.as_json:
        put(text({"sets": [_plain(name, results) for name, results in sets]}), wanted.output)
    return FINDINGS if broken or any(not r.passed for _, results in sets for r in results) else CLEAN


def _told_to_a_program(rules: tuple[str, ...], wanted: Wanted) -> int:
    """Report every failure at its line, like `umpire check`. The report includes files that could not be opened."""
    names = [stack for file in in_folders(rules, to_test) or shipped() for stack in stacks_of(file)]
    suites: list[tuple[str, list[tuple[str, Problems]]]] = []
    everything = Problems()
    for name in names:
        problems = Problems()
        with watched(Progress(), keeps=True) as progress:
            found = test_file(name, problems, wanted.workers, progress, wanted.worlds)
        cases = [(result.example.name, result.problems) for result in (found[1] if found is not None else ())]
        if len(problems):
            cases.insert(0, ("the file", problems))
        suites.append((name, cases))
        for _, each in cases:
            everything.extend(each)
    many = sum(len(cases) for _, cases in suites)
    put(_reported(wanted.form, suites, everything, f"{counted(many, 'example')}: {count(everything)}"), wanted.output)
    return ending(everything)


def _reported(form: str, suites: list[tuple[str, list[tuple[str, Problems]]]], problems: Problems, total: str) -> str:
    from interpreter.surfaces.as_findings import examples, github, sarif  # lazily, as in `umpire check`

    if form == "github":
        return github(problems, total)
    if form == "sarif":
        return text(sarif(problems))
    return examples(suites)


def _plain(name: str, results: list[Result]) -> Json:
    return {
        "rules": name,
        "examples": len(results),
        "passed": sum(r.passed for r in results),
        "results": [
            {
                "example": r.example.name,
                "file": r.example.key.span.source.name,
                "row": r.example.key.span.place[0],
                "passed": r.passed,
                "clauses": sorted(r.clauses),
                "problems": [to_json(p) for p in r.problems],
            }
            for r in results
        ],
    }


def _lines(name: str, results: list[Result], verbose: bool) -> Iterator[str]:
    failed = [r for r in results if not r.passed]
    if verbose:
        for r in results:
            mark = paint("failed", "poor") if not r.passed else paint("passed", "good")
            yield f"  {mark}  {r.example.name}  {paint(located(r.example.key.span), 'dim')}"
    for r in failed:
        yield paint(f"{r.example.name} failed", "poor")
        yield rendered(r.problems)
    passed = len(results) - len(failed)
    tail = paint(f"{passed} passed", "good") + (", " + paint(f"{len(failed)} failed", "poor") if failed else "")
    yield f"{nearby(name)}: {counted(len(results), 'example')}, {tail}"


# ---- mutants
def _mutate(names: tuple[str, ...], wanted: Wanted) -> int:
    if not names:
        lacking("the name of a rule set", "say `umpire test --mutate NAME`", wanted.as_json)
    found: list[tuple[str, Campaign, Problems]] = []

    def heard(new: list[tuple[Mutant, Verdict]]) -> None:
        """Print survivors as soon as they are found, since a campaign may take long."""
        if not wanted.as_json and len(open_ := survivor_problems(new, problems)):
            wipe()
            say(rendered(open_, counted=False))

    for name in names:
        problems = Problems()
        sets = hosts_of(name, problems)
        if problems.has_errors or not sets:
            refuse(problems, wanted.as_json)
        sheet = sheet_of(name)
        mutants = mutants_of(sets, sheet)
        amiss = allow_listed(sets, sheet, mutants, problems)
        if amiss.has_errors:
            refuse(amiss, wanted.as_json)
        if len(amiss) and not wanted.as_json:
            say(rendered(amiss, counted=False))
        chosen = Narrowing(sets, sheet, mutants).numbers(wanted.at, problems) if wanted.at else None
        if problems.has_errors:
            refuse(problems, wanted.as_json, typed=True)

        def takes(mutant: Mutant, chosen: set[int] | None = chosen) -> bool:
            return chosen is None or mutant.number in chosen

        with watched(Progress(), keeps=True) as progress:
            made = campaign(
                sets, sheet, workers=wanted.workers, only=takes, sample=wanted.sample, seed=wanted.seed,
                quick=wanted.quick, told=heard, progress=progress,
            )  # fmt: skip
        open_ = survivor_problems(made.survivors, problems)
        if not wanted.at and wanted.sample is None and made.mutants:
            for file in (made.mutants[0].span.source.name, slips_file(sets[0], sheet)):
                open_.report_unused(file, "mutate")
        open_.extend(amiss)
        found.append((name, made, open_))
        if not wanted.as_json:
            where = [m.definition for m, v in made.survivors if len(survivor_problems([(m, v)], problems))]
            for line in _slip_lines(name, made, open_, where, wanted.verbose):
                say(line)
    if wanted.as_json:
        say(text({"sets": [_plain_slips(*each) for each in found]}))
    if any(host.failed for _, made, _ in found for host in made.hosts):
        return COULD_NOT
    return FINDINGS if any(len(open_) for _, _, open_ in found) else CLEAN


def _plain_slips(name: str, made: Campaign, told: Problems) -> Json:
    """Plain data for one file: the counts of verdicts, and each mutant with its verdict."""
    return {
        "rules": name,
        "examples of": [host.rules.name for host in made.hosts],
        "counts": {"unread": made.unread, **made.counts()},
        "slips": [_plain_slip(made.mutants[verdict.mutant], verdict) for verdict in made.verdicts],
        **plain(told),
    }


def _plain_slip(mutant: Mutant, verdict: Verdict) -> Json:
    return {
        "what": verdict.what,
        "line": mutant.address,
        **place(mutant.span),
        "before": mutant.now,
        "after": mutant.then,
        "by": verdict.by or None,
        "ran": list(verdict.ran),
        "unasked": verdict.left,
    }


def _slip_lines(name: str, made: Campaign, open_: Problems, where: list[str], verbose: bool) -> Iterator[str]:
    for host in made.hosts:
        if host.failed:
            names = ", ".join(host.failed)
            yield paint(f"of the examples of {host.rules.name} these fail, and can notice nothing: {names}", "poor")
    counts = made.counts()
    noticed = counts.get("noticed", 0) + counts.get("endless", 0)
    tail = f"{noticed} noticed" + (f" ({counts['endless']} never end)" if counts.get("endless") else "")
    by = ", ".join(h.rules.name for h in made.hosts)
    seen = "" if by == name else f", with the examples of {by}"
    needless = [problem for problem in open_ if problem.code == "A001"]
    if needless:
        yield rendered(needless, counted=False)
    places = ", ".join(dict.fromkeys(where))
    open_tail = paint(f"{len(where)} not noticed in {places}", "poor") if where else paint("all noticed", "good")
    tried = noticed + counts.get("survived", 0)
    said = f"{tried} slips tried{seen}: {tail}, {open_tail}" if tried else "nothing that changes here is a slip"
    yield f"{nearby(name)}: {said}"
    allowed = f", {len(open_.allowed)} not noticed and allowed" if open_.allowed else ""
    unread = f"{made.unread} more" if tried else str(made.unread)
    yield paint(f"{unread} cannot be read, {counts.get('same', 0)} mean the same{allowed}", "dim")
    for problem, allowance in open_.allowed if verbose else ():
        at = located(problem.span) if problem.span is not None else ""
        yield f"  {paint('allowed', 'good')}  {problem.message}, because {allowance.reason}  {paint(at, 'dim')}"
