"""`umpire rulings`: what each alternative reading of the rules is worth.

Enters: a rule set. Leaves: for each ruling and each of its other readings, the typical situations and examples whose
odds it changes, the largest change first.
"""

from __future__ import annotations

import click

from interpreter.source import Problems
from interpreter.surfaces.as_json import text
from interpreter.surfaces.as_json_balance import readings as plain
from interpreter.workbench.progress import Progress
from interpreter.workbench.readings import Option, Reading, Readings, Shift, readings_of
from interpreter.workbench.rules import open_rules

from .balance import columns, step, titled, told
from .ends import Ended
from .examples import Command
from .progress import watched
from .terminal import ending, nearby, paint, refuse, say

SHOWN = 6  # situations of one reading, unless all are wanted


@click.command(cls=Command)
@click.argument("rules")
@click.option("--all", "every", is_flag=True, help=f"Every change, not only the {SHOWN} largest of a reading.")
@click.option("--fraction", "exact", is_flag=True, help="Exact fractions in place of percent.")
@click.option("--json", "as_json", is_flag=True, help="Plain data on standard output.")
def rulings(rules: str, every: bool, exact: bool, as_json: bool) -> None:
    """What each alternative reading of the rules (`ruling pair-jams: 2, or 3`) is worth in odds.

    Each option is set beside the first one, in every typical situation and every example with odds that can meet it.
    """
    problems = Problems()
    opened = open_rules(rules, problems)
    with watched(Progress()) as progress:
        found = None
        if opened is not None and not problems.has_errors:
            found = readings_of(opened, problems, progress)
    if found is None or problems.has_errors:
        refuse(problems, as_json)
    if as_json:
        say(text(plain(found)))
        raise Ended(_ending(found))
    say(paint(found.rules.title, "dim"))
    if not found.readings:
        say("no alternative readings: the rules have no `ruling NAME: A, or B`")
    for reading in found.readings:
        say()
        say("\n".join(_reading(found, reading, every, exact)))
    raise Ended(_ending(found))


def _ending(found: Readings) -> int:
    """0 where all was asked; else as the problems are that kept it from being asked."""
    return ending(why for reading in found.readings for _, why in reading.refused)


def _reading(found: Readings, reading: Reading, every: bool, exact: bool) -> list[str]:
    ruling = reading.ruling
    place = f"{nearby(ruling.where.span.source.name)}:{ruling.where.span.place[0]}"
    first, *others = ruling.words
    head = f"{paint(ruling.name, 'cool')}: {paint(first, 'bold')}, or {', or '.join(others)}  {paint(place, 'dim')}"
    looked = f"{found.typical} typical situations and {found.examples} examples with odds"
    if not reading.met:
        return [head, f"  nothing meets it in {looked}"]
    unasked = [f"  not asked: {point.name} ({why.code}: {why.message})" for point, why in reading.refused]
    if reading.idle:
        where = f" of the {reading.met - len(reading.refused)} of them that were asked" if unasked else ""
        said = f"any{where}" if unasked else f"{looked}; {reading.met} of them can meet it"
        return [head, f"  changes nothing in {said}", *unasked]
    clauses = found.rules.clauses
    lines = [head, *(paint(f"  {c}: {clauses[c].says}", "dim") for c in ruling.cites if c in clauses)]
    for option in reading.options:
        lines += _option(option, first, every, exact)
    return [*lines, *unasked]


def _option(option: Option, first: str, every: bool, exact: bool) -> list[str]:
    if not option.shifts:
        return [f"  {option.word} in place of {first} changes nothing"]
    found = _together(option)
    rows: list[list[str]] = []
    for names, shifts in found if every else found[:SHOWN]:
        rows.append([f"  {', '.join(names)}"])
        for shift in shifts:
            how = shift.measure
            cells = [told(law, how, exact) for law in (shift.before, shift.after)]
            rows.append([f"    {titled(shift.ask, how)}", *cells, step(shift.before, shift.after, how, exact)])
    lines = columns(["", f"reading {first}", f"reading {option.word}", "change"], rows)
    if not every and len(found) > SHOWN:
        lines.append(paint(f"  {len(found) - SHOWN} more, with smaller changes: --all shows them", "dim"))
    return lines


def _together(option: Option) -> list[tuple[list[str], list[Shift]]]:
    """What changes, situation by situation; those that ask and answer the same are told once."""
    mine: dict[str, list[Shift]] = {}
    for shift in option.shifts:
        mine.setdefault(shift.point.name, []).append(shift)
    found: list[tuple[list[str], list[Shift]]] = []
    for name, shifts in mine.items():
        said = [(s.ask, s.before, s.after) for s in shifts]
        same = next((names for names, others in found if [(s.ask, s.before, s.after) for s in others] == said), None)
        if same is None:
            found.append(([name], shifts))
        else:
            same.append(name)
    return found
