"""What a rule changes in text and odds, as JSON: `umpire diff`, `rulings`, `lock --check`.

Enters: what the workbench gives. Leaves: plain data; every chance and mean exact, as `as_json` writes them. Knows
nothing of terminals.
"""

from __future__ import annotations

from interpreter.source import Span
from interpreter.workbench.difference import Difference, Odds, Row
from interpreter.workbench.patches import Change
from interpreter.workbench.pricing import Law
from interpreter.workbench.readings import Readings
from interpreter.workbench.typical import Point

from .as_json import Json, bounds
from .as_rows import fraction


def difference(found: Difference) -> Json:
    return {
        "base": found.base.name,
        "ours": found.ours.name,
        "changes": [_change(each) for each in found.changes],
        "odds": _odds(found, found.odds) if found.odds is not None else None,
        "problems": [],
    }


def _change(found: Change) -> Json:
    return {"what": found.what, "path": found.path, "was": found.was, "now": found.now, **place(found.place)}


def _odds(found: Difference, odds: Odds) -> Json:
    numbers = {id(change): i for i, change in enumerate(found.changes)}
    return {
        "exact": True,
        "situations": len(odds.points),
        "questions": odds.asked,
        "changed": odds.changed,
        "unchanged": odds.unchanged,
        "not asked": len(odds.refused),
        "patches": [
            {
                "name": patch.name,
                "changes": [numbers[id(change)] for change in patch.changes],
                "situations": list(dict.fromkeys(row.point.name for row in odds.of(i))),
                "unsure": list(odds.unsure[i]),
            }
            for i, patch in enumerate(odds.patches)
        ],
        "rows": [_row(row) for row in odds.rows],
        "undone": [_row(row) for row in odds.undone],
        "refused": [
            {**situation(point), "code": problem.code, "message": problem.message} for point, problem in odds.refused
        ],
    }


def _row(row: Row) -> Json:
    return {
        **situation(row.point),
        "ask": row.ask,
        "differs": fraction(row.size),
        "before": law(row.before),
        "after": law(row.after),
        "alone": [law(each) if each is not None else None for each in row.alone],
        "without": [law(each) if each is not None else None for each in row.without],
    }


def situation(point: Point) -> Json:
    return {"situation": point.typical.name, "at": point.at, **place(point.where)}


def law(found: Law) -> Json:
    """Every value with the least and the greatest of its chance; of yes or no, yes alone."""
    mean = [fraction(each) for each in found.mean] if found.mean is not None else None
    return {
        "values": [{"value": value, **bounds(likely)} for value, likely in found.values],
        "mean": {"least": mean[0], "greatest": mean[1]} if mean is not None else None,
    }


def place(where: Span) -> Json:
    row, column = where.place
    return {"file": where.source.name, "row": row, "column": column}


def readings(found: Readings) -> Json:
    return {
        "rules": found.rules.name,
        "exact": True,
        "situations": found.typical,
        "examples": found.examples,
        "rulings": [
            {
                "name": each.ruling.name,
                "first": each.ruling.words[0],
                "clauses": list(each.ruling.cites),
                "met": each.met,
                "not asked": [
                    {**situation(point), "code": problem.code, "message": problem.message}
                    for point, problem in each.refused
                ],
                **place(each.ruling.where.span),
                "options": [
                    {
                        "option": option.word,
                        "changes": [
                            {
                                **situation(shift.point),
                                "ask": shift.ask,
                                "differs": fraction(shift.size),
                                "before": law(shift.before),
                                "after": law(shift.after),
                            }
                            for shift in option.shifts
                        ],
                    }
                    for option in each.options
                ],
            }
            for each in found.readings
        ],
        "problems": [],
    }
