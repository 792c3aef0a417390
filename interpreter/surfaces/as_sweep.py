"""The results of a sweep as heat maps, as plain data and as lines of a spreadsheet.

Takes results. Gives `Heat`s, JSON, CSV. The output depends on the results only, not on the order of computation. Knows
nothing of how they are shown.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from interpreter.surfaces.as_charts import Axis, Heat, Page, Value
from interpreter.surfaces.as_json import Json, fields
from interpreter.workbench.sweep_points import PointAnswer
from interpreter.workbench.sweep_runs import Results
from interpreter.workbench.sweeps import At, Moment

Cells = dict[tuple[int, ...], PointAnswer]

_BASIS = (
    "Exact odds: every way that the dice can fall, each with its weight, except where a number has its error behind a "
    "±. Those are estimates from many plays: in about 95 of 100 such samples the true number is no further off."
)


# ---- heat maps
def maps_of(results: Results) -> list[Heat]:
    """A heat map for each question of each situation: the first axis is down, the second across; each rule set and each
    value of the other axes has a map of its own. With fewer than two axes, the rule sets are across.
    """
    sweep = results.sweep
    asked: dict[tuple[int, str], Cells] = {}
    sets = list(dict.fromkeys((at.rules, *at.readings) for at in sweep.points))
    number = {each: i for i, each in enumerate(sets)}
    for i, at in enumerate(sweep.points):
        for told in results.found[i].told if i in results.found else ():
            asked.setdefault((at.moment, told.ask), {})[(*at.place, number[at.rules, *at.readings])] = told
    names = [_set(results, At(each[0], each[1:], 0, ())) for each in sets]
    rules = Axis("rules", tuple(names))
    still: dict[str, list[tuple[Moment, Cells]]] = {}
    made: list[Heat] = []
    for (index, ask), cells in asked.items():
        moment = sweep.moments[index]
        axes = [Axis(axis.name, axis.values) for axis in moment.several.axes]
        if axes:
            made += _maps(f"{moment.name}: {ask}", [*axes, rules], cells)
        else:
            still.setdefault(ask, []).append((moment, cells))
    for ask, several in still.items():
        down = Axis("situation", tuple(moment.name for moment, _ in several))
        cells = {(i, *place): told for i, (_, mine) in enumerate(several) for place, told in mine.items()}
        made += _maps(ask, [down, rules], cells)
    return made


def _set(results: Results, at: At) -> str:
    said = [
        results.sweep.sets[at.rules][0],
        *(f"{name} {option}" for name, option in results.sweep.options(at).items()),
    ]
    return ", ".join(said)


def _maps(title: str, axes: list[Axis], cells: Cells) -> Iterator[Heat]:
    down, across, *others = axes
    chances = next((told.chance for told in cells.values() if told.how != "not asked"), True)
    known = [value for told in cells.values() if (value := _value(told)) is not None]
    ends = min([Fraction(0), *(v.least for v in known)]), max([Fraction(0), *(v.most for v in known)])
    for rest in product(*(range(len(axis.labels)) for axis in others)):
        where = "".join(
            f", {axis.labels[i]}" if axis.name == "rules" else f", {axis.name} {axis.labels[i]}"
            for axis, i in zip(others, rest, strict=True)
            if len(axis.labels) > 1
        )
        rows: list[tuple[Value | None, ...]] = []
        empty: dict[tuple[int, int], str] = {}
        for i in range(len(down.labels)):
            told = [cells.get((i, j, *rest)) for j in range(len(across.labels))]
            rows.append(tuple(None if each is None else _value(each) for each in told))
            empty |= {(i, j): "not asked" for j, value in enumerate(rows[-1]) if value is None}
        note = "chance in percent" if chances else "mean"
        yield Heat(title + where, note, down, across, tuple(rows), chances, empty, ends)


def _value(told: PointAnswer) -> Value | None:
    if told.exact is not None:
        return Value(*told.exact)
    if told.value is None or told.least is None or told.greatest is None:
        return None
    found = Fraction(told.value)
    return Value(found, found, None, Fraction(told.greatest - told.least) / 2)


def page_of(results: Results, maps: list[Heat], more: int) -> Page:
    """A page of these maps; `more` is the number of maps left out."""
    sweep = results.sweep
    left = [f"{more} maps more are left out; their numbers are in the file of results."] if more else []
    why = [f"Not asked at {count} points: {reason}." for reason, count in reasons(results).items()]
    sets = ", ".join(name for name, _ in sweep.sets)
    return Page(sets, sweep.title, (summary(results),), tuple(maps), (*why, *left), _BASIS)


# ---- text
def counts(results: Results) -> Counter[str]:
    """The number of points by kind of answer; a point counts by its least certain question."""
    order = ("not asked", "estimate", "between", "exact")
    hows = ({told.how for told in found.told} for found in results.found.values())
    return Counter(next((how for how in order if how in each), "exact") for each in hows)


def summary(results: Results) -> str:
    """`36 points: 30 exact, 6 estimates (off by 1.2% at most)`."""
    made = counts(results)
    parts = [f"{made['exact']:,} exact"]
    if made["between"]:
        parts.append(f"{made['between']:,} from the least to the greatest, as somebody chooses")
    if made["estimate"]:
        parts.append(f"{made['estimate']:,} {'estimate' if made['estimate'] == 1 else 'estimates'}{_worst(results)}")
    if made["not asked"]:
        parts.append(f"{made['not asked']:,} not asked")
    left = len(results.states) - len(results.found)
    parts += [f"{left:,} left to do"] if left else []
    return f"{len(results.states):,} points: {', '.join(parts)}"


def _worst(results: Results) -> str:
    told = [each for found in results.found.values() for each in found.told if each.how == "estimate"]
    errors: dict[bool, float] = {}
    for each in told:
        assert each.greatest is not None and each.least is not None
        errors[each.chance] = max(errors.get(each.chance, 0.0), (each.greatest - each.least) / 2)
    said = [
        f"{error * 100:.2g}%" if chance else f"{error:.2g}" for chance, error in sorted(errors.items(), reverse=True)
    ]
    return f" (off by {' or '.join(said)} at most)" if said else ""


def reasons(results: Results) -> dict[str, int]:
    """The reasons why points were not asked, each with the number of its points."""
    why = ({told.why for told in found.told if told.why} for found in results.found.values())
    return dict(Counter(reason for each in why for reason in sorted(each)))


# ---- data
def plain(results: Results) -> Json:
    """The results as plain data; exact numbers are texts."""
    sweep, points = results.sweep, results.sweep.points
    rows = []
    for i, found in sorted(results.found.items()):
        at = points[i]
        head = {"point": i + 1, "rules": sweep.sets[at.rules][0], "readings": sweep.options(at)}
        where = {"situation": sweep.moments[at.moment].name, "values": sweep.values(at)}
        rows.append({**head, **where, "name": found.name, "answers": [_plain_answer(each) for each in found.told]})
    effort = fields(sweep.effort, "worlds", "plays", "error", "seed")
    return {"sweep": sweep.title, "of": len(points), **effort, "points": rows}


def _plain_answer(told: PointAnswer) -> Json:
    found: Json = {"ask": told.ask, "how": told.how}
    if told.how == "not asked":
        return {**found, "why": told.why}
    found |= {"of": "chance" if told.chance else "mean", **fields(told, "value", "least", "greatest")}
    if told.exact is not None:
        return {**found, "exact": dict(zip(("least", "greatest"), told.exact, strict=True))}
    return {**found, "plays": told.plays}


def spreadsheet(results: Results) -> str:
    """The table of results as CSV: the columns, then a line for each question of each point."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(results.columns)
    writer.writerows(results.rows)
    return out.getvalue()
