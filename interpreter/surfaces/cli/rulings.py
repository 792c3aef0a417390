"""`umpire rulings`: how much each alternative reading of the rules changes the odds.

Takes a rule set. Prints for each ruling and each alternative reading the typical situations and examples whose odds it
changes, the largest change first.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.source import Problems
from interpreter.surfaces.as_json import Json, place
from interpreter.workbench.parallel import Workers
from interpreter.workbench.pricing import Shift
from interpreter.workbench.progress import Progress
from interpreter.workbench.ruling_impact import Option, Reading, Readings, readings_of

from .balance import columns, plain_shift, told_shift, unasked
from .commands import argument, command, flag
from .options import fraction_option, json_option, workers_options
from .scenes import opened
from .terminal import answer, ending, located, needed, paint, watched

SHOWN = 6  # situations of one reading shown without --all


@command()
@argument("rules")
@flag("--all", dest="every", help=f"Every change, not only the {SHOWN} largest of a reading.")
@fraction_option
@json_option
@workers_options
def rulings(rules: str, every: bool, exact: bool, as_json: bool, workers: Workers) -> int:
    """What each alternative reading of the rules (`ruling pair-jams: 2, or 3`) is worth in odds.

    Each option is set beside the first one, in every typical situation and every example with odds that can meet it.
    """
    problems, rule_set = Problems(), opened(rules, as_json)
    with watched(Progress(), keeps=True) as progress:
        found = readings_of(rule_set, problems, progress, workers)
    found = needed(found, problems, as_json)
    answer(found, as_json, _plain, lambda found: _lines(found, every, exact))
    # Clean if everything was asked; else the exit code for the problems of the others.
    return ending(why for reading in found.readings for _, why in reading.refused)


# ---- plain data
def _plain(found: Readings) -> Json:
    return {
        "rules": found.rules.name,
        "exact": True,
        "situations": found.typical,
        "examples": found.examples,
        "rulings": [_plain_reading(each) for each in found.readings],
        "problems": [],
    }


def _plain_reading(found: Reading) -> Json:
    return {
        "name": found.ruling.name,
        "first": found.ruling.words[0],
        "clauses": list(found.ruling.cites),
        "met": found.met,
        "not asked": unasked(found.refused),
        **place(found.ruling.where.span),
        "options": [
            {
                "option": option.word,
                "changes": [plain_shift(s) for s in option.shifts],
            }
            for option in found.options
        ],
    }


# ---- text
def _lines(found: Readings, every: bool, exact: bool) -> Iterator[str]:
    yield paint(found.rules.title, "dim")
    if not found.readings:
        yield "no alternative readings: the rules have no `ruling NAME: A, or B`"
    for reading in found.readings:
        yield ""
        yield from _reading(found, reading, every, exact)


def _reading(found: Readings, reading: Reading, every: bool, exact: bool) -> list[str]:
    ruling = reading.ruling
    place = located(ruling.where.span)
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
    for other in reading.options:
        lines += _option(other, first, every, exact)
    return [*lines, *unasked]


def _option(option: Option, first: str, every: bool, exact: bool) -> list[str]:
    if not option.shifts:
        return [f"  {option.word} in place of {first} changes nothing"]
    found = _together(option)
    rows: list[list[str]] = []
    for names, shifts in found if every else found[:SHOWN]:
        rows.append([f"  {', '.join(names)}"])
        for shift in shifts:
            title, *cells = told_shift(shift, exact)
            rows.append([f"    {title}", *cells])
    lines = columns(["", f"reading {first}", f"reading {option.word}", "change"], rows)
    if not every and len(found) > SHOWN:
        lines.append(paint(f"  {len(found) - SHOWN} more, with smaller changes: --all shows them", "dim"))
    return lines


def _together(option: Option) -> list[tuple[list[str], list[Shift]]]:
    """The changes by situation; situations with equal questions and answers are merged."""
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
