"""`umpire coverage`: the status of each clause of a printed page, and the examples that depend on lines that cite it.

Takes a rule set with a clause register. Prints every clause with its status, by heading, with counts; or refreshes the
record of the examples that show them.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.source import Problems
from interpreter.source.values import replace
from interpreter.surfaces.as_json import Json, fields, text
from interpreter.workbench.changed_clauses import NoCommit, changed_clauses
from interpreter.workbench.clause_coverage import (
    CARRIED_OUT,
    NOT_YET,
    SHOWN,
    STATUSES,
    TABLE_TALK,
    TOLD,
    Coverage,
    coverage_of,
)
from interpreter.workbench.examples import examples_of
from interpreter.workbench.parallel import Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.rule_sets import registers
from interpreter.workbench.rules import open_rules
from interpreter.workbench.shown_clauses import record_file, recorded, write_record
from interpreter.workbench.stacks import stacks_of

from .commands import argument, command, flag, option
from .ends import CLEAN, FINDINGS
from .options import json_option, workers_options
from .terminal import aligned, counted, lacking, nearby, needed, paint, rendered, say, watched, width

_SIGNS = {
    SHOWN: ("●", "good"),
    CARRIED_OUT: ("○", "warm"),
    TOLD: ("▫", "dim"),
    TABLE_TALK: ("□", "dim"),
    NOT_YET: ("·", "dim"),
}
_WORDS = {
    SHOWN: "carried out, and shown in company",
    CARRIED_OUT: "carried out",
    TOLD: "told by the table: a fact that is only taken over",
    TABLE_TALK: "table talk: nothing to work out",
    NOT_YET: "not yet",
}


@command(apart=[("--refresh", "--json"), ("--refresh", "--verbose"), ("--refresh", "--since")])
@argument("rules")
@flag("-v", "--verbose", help="Also where each clause is cited, and which example shows it.")
@option("--since", metavar="COMMIT", help="Only the clauses of lines that have changed since a commit of git.")
@flag("--refresh", help="Look for the examples that show each clause; write the record of them.")
@workers_options
@json_option
def coverage(rules: str, verbose: bool, since: str | None, refresh: bool, workers: Workers, as_json: bool) -> int:
    """Each clause of a rule set's register: carried out and shown in company, carried out, told by the table, table
    talk, or not yet.

    A clause counts as shown only where an example fails without a line that cites it. Which do is found out by
    --refresh, and kept in `tests/NAME.shown`; a line of that file counts for nothing once the example or the rule is
    another. In company: three units or more, figures that are not alike, or an example of a file `NAME-company.yaml`.
    Ends with 1 when no line carries out a clause, and its register does not say why.
    """
    stacks = stacks_of(rules)
    if refresh:
        return max(_refreshed(stack, workers) for stack in stacks)
    coverages = []
    for stack in stacks:
        found = _covered(stack, as_json, workers)
        if since is not None:
            found = _changed(found, stack, since, as_json)
        coverages.append(found)
        if not as_json:
            if len(coverages) > 1:
                say()
            for line in _lines(found, verbose):
                say(line)
    if as_json:
        say(text(_plain(coverages[0]) if len(coverages) == 1 else {"stacks": [_plain(c) for c in coverages]}))
    return FINDINGS if any(c.missing for each in coverages for c in each.clauses) else CLEAN


def _covered(stack: str, as_json: bool, workers: Workers) -> Coverage:
    problems = Problems()
    with watched(Progress(), keeps=True) as progress:
        covered = coverage_of(stack, problems, workers, progress)
    found = needed(covered, problems, as_json)
    if not found.clauses:
        _without_register(found.name, as_json)
    return found


def _changed(found: Coverage, stack: str, commit: str, as_json: bool) -> Coverage:
    """The coverage of those clauses whose lines differ from a commit."""
    problems = Problems()
    rules = needed(open_rules(stack, problems), problems, as_json)
    try:
        clauses = changed_clauses(rules, commit)
    except NoCommit as why:
        lacking("anything to compare with", str(why), as_json)
    kept = tuple(c for c in found.clauses if c.clause.id in clauses)
    stale = tuple(each for each in found.stale if each.clause in clauses)
    return replace(found, clauses=kept, stale=stale, title=f"{found.title}, changed since {commit}")


def _without_register(name: str, as_json: bool = False) -> None:
    hint = (
        "a register lists every clause of a printed page by its number, and there is none for "
        f"{name}; there is one for {', '.join(registers())}. Whether the examples of {name} notice "
        f"what its lines say: `umpire test --mutate {name.replace(' ', '')}`"
    )
    lacking("a clause register", hint, as_json)


def _refreshed(stack: str, workers: Workers) -> int:
    """Determine the examples that show clauses, and write the record."""
    from interpreter.mutation.clause_witnesses import Stopped, witnesses  # lazily: imports all checks

    problems = Problems()
    rules = needed(open_rules(stack, problems), problems)
    if not rules.clauses:
        _without_register(rules.name)
    known = recorded(rules, examples_of(rules, problems), Problems())
    with watched(Progress(), keeps=True) as progress:
        try:
            found = witnesses(rules, (*known.evidence, *known.stale), workers, progress)
        except Stopped as stopped:
            write_record(rules, stopped.evidence, problems)
            raise KeyboardInterrupt from None
    state = "written" if write_record(rules, found, problems) else "as it was"
    if len(problems):
        say(rendered(problems, counted=False))
    say(f"{paint(state, 'good')}  {nearby(record_file(rules))}  {counted(len(found), 'clause')}")
    return FINDINGS if problems.has_errors else CLEAN


def _plain(found: Coverage) -> Json:
    return {
        "rules": found.name,
        "counts": found.counts(),
        "headings": [
            {"heading": heading, "counts": found.counts(clauses)} for heading, clauses in found.by_heading().items()
        ],
        "missing": [c.clause.id for c in found.clauses if c.missing],
        "outdated": sorted({each.clause for each in found.stale}),
        "failed": list(found.failed),
        "clauses": [
            {
                **fields(c.clause, "id", "heading"),
                "status": c.status,
                **fields(c.clause, "says", "kind"),
                "cited_at": [{"file": f, "row": row} for f, row in c.places],
                "examples": [e.example for e in c.evidence],
                "shown_by": [fields(e, "example", "where", "address", "change") for e in c.evidence],
            }
            for c in found.clauses
        ],
    }


def _lines(found: Coverage, verbose: bool) -> Iterator[str]:
    yield paint(found.title, "bold")
    for heading, clauses in found.by_heading().items():
        yield ""
        yield paint(heading, "bold")
        for c in clauses:
            sign = _SIGNS[c.status] if not c.missing else ("✗", "poor")
            said = c.clause.says
            room = width() - len(c.clause.id) - 6
            if not verbose and len(said) > room:
                said = said[: room - 1].rstrip() + "…"
            yield f"  {paint(*sign)} {c.clause.id}  {said}"
            if verbose:
                places = ", ".join(f"{nearby(file)}:{row}" for file, row in c.places)
                if places:
                    yield paint(f"      at {places}", "dim")
                for e in c.evidence:
                    yield paint(f"      {e.where}: {e.example} fails with {e.address} {e.change}", "dim")
    yield ""
    rows = [
        [heading, *(str(n or "") for n in found.counts(clauses).values())]
        for heading, clauses in found.by_heading().items()
    ]
    total = ["in all", *map(str, found.counts().values())]
    yield from aligned([["", *STATUSES], *rows, total], lambda column: column > 0)
    yield ""
    yield f"{len(found.clauses):>5}  clauses"
    for status, n in found.counts().items():
        if n:
            yield f"{n:>5}  {paint(*_SIGNS[status])} {_WORDS[status]}"
    yield from _amiss(found)


def _amiss(found: Coverage) -> Iterator[str]:
    name = found.name.replace(" ", "")
    missing = [c.clause.id for c in found.clauses if c.missing]
    if missing:
        yield paint(f"no line carries these out, and the register does not say why: {', '.join(missing)}", "poor")
    if found.stale:
        many = counted(len({each.clause for each in found.stale}), "clause")
        yield paint(f"what showed {many} has changed since: umpire coverage {name} --refresh", "warm")
    if found.failed:
        yield paint(f"these examples fail, and show nothing: {', '.join(found.failed)}", "poor")
