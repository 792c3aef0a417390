"""`umpire coverage`: which clauses of a printed page the rules implement, and which of them an example exercises.

Enters: a rule set with a clause register. Leaves: every clause with its status, by heading, with counts.
"""

from __future__ import annotations

from collections.abc import Iterator

import click

from interpreter.source import Problems
from interpreter.surfaces.as_json import Json, fields, text
from interpreter.workbench.clause_coverage import MISSING, Coverage, clause_coverage
from interpreter.workbench.registers import registers
from interpreter.workbench.running import run_all
from interpreter.workbench.stacks import stacks_of

from .ends import CLEAN, FINDINGS
from .options import Command, json_option
from .terminal import lacking, nearby, needed, paint, say, width

_SIGNS = {
    "exercised": ("●", "good"),
    "carried out": ("○", "warm"),
    "table talk": ("□", "dim"),
    "not yet": ("·", "dim"),
    "missing": ("✗", "poor"),
}
_WORDS = {
    "exercised": "carried out and exercised by an example",
    "carried out": "carried out, not yet shown by an example",
    "table talk": "table talk: nothing to work out",
    "not yet": "not yet: needs positions, the turn or a campaign",
    "missing": "missing: nothing carries it out",
}


@click.command(cls=Command)
@click.argument("rules")
@click.option("-v", "--verbose", is_flag=True, help="Also where each clause is cited, and which examples show it.")
@json_option
def coverage(rules: str, verbose: bool, as_json: bool) -> int:
    """Each clause of a rule set's register: exercised, carried out, table talk, not yet, or missing.

    A clause counts as exercised only when an example that passed ran a line that cites it, or names the
    clause itself. Ends with 1 when a clause is missing.
    """
    stacks = stacks_of(rules)
    told = []
    for stack in stacks:
        found, failed = _covered(stack, as_json)
        told.append(found)
        if not as_json:
            if len(told) > 1:
                say()
            for line in _lines(found, verbose):
                say(line)
            if failed:
                say(paint(f"{failed} examples failed and show nothing: umpire test {rules}", "poor"))
    if as_json:
        say(text(_plain(told[0]) if len(told) == 1 else {"stacks": [_plain(each) for each in told]}))
    return FINDINGS if any(each.counts()[MISSING] for each in told) else CLEAN


def _covered(stack: str, as_json: bool) -> tuple[Coverage, int]:
    """The coverage of one stack, and the number of its examples that failed."""
    problems = Problems()
    found, results = run_all(stack, problems)
    opened = needed(found, problems, as_json)
    if not opened.clauses:
        name = stack.replace(" ", "")
        hint = (
            "a register lists every clause of a printed page by its number, and there is none for "
            f"{opened.name}; there is one for {', '.join(registers())}. Whether the examples of {opened.name} notice "
            f"what its lines say: `umpire test --mutate {name}`"
        )
        lacking("a clause register", hint, as_json, problems)
    return clause_coverage(opened, results), len([r for r in results if not r.passed])


def _plain(found: Coverage) -> Json:
    return {
        "rules": found.rules.name,
        "counts": found.counts(),
        "clauses": [
            {
                **fields(c.clause, "id", "heading"),
                "status": c.status,
                **fields(c.clause, "says", "kind"),
                "cited_at": [{"file": f, "row": row} for f, row in c.places],
                "examples": list(c.examples),
            }
            for c in found.clauses
        ],
    }


def _lines(found: Coverage, verbose: bool) -> Iterator[str]:
    yield paint(found.rules.title, "bold")
    for heading, clauses in found.by_heading().items():
        counts = {s: n for s, n in found.counts(clauses).items() if n}
        yield ""
        yield f"{paint(heading, 'bold')}  {paint(', '.join(f'{n} {s}' for s, n in counts.items()), 'dim')}"
        for c in clauses:
            sign = _SIGNS[c.status]
            said = c.clause.says
            room = width() - len(c.clause.id) - 6
            if not verbose and len(said) > room:
                said = said[: room - 1].rstrip() + "…"
            yield f"  {paint(*sign)} {c.clause.id}  {said}"
            if verbose:
                places = ", ".join(f"{nearby(file)}:{row}" for file, row in c.places)
                if places:
                    yield paint(f"      at {places}", "dim")
                if c.examples:
                    more = f" and {len(c.examples) - 4} more" if len(c.examples) > 4 else ""
                    yield paint(f"      shown by {', '.join(c.examples[:4])}{more}", "dim")
    yield ""
    total = len(found.clauses)
    for status, n in found.counts().items():
        if n:
            sign = _SIGNS[status]
            yield f"{n:>5}  {paint(*sign)} {_WORDS[status]}"
    yield f"{total:>5}  clauses"
