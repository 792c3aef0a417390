"""Plain data for JSON of exact odds, of grids of them, and of estimates.

Takes answers of the workbench. Gives dicts and lists: exact chances as fractions (as_json.py), numbers and truth values
with their own types, all other values as texts, and null for a line that was not run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.source.digits import fraction
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band
from interpreter.workbench.grids import Axis, Grid, Point, Reach, Spread
from interpreter.workbench.plays import Estimate, Plays
from interpreter.workbench.plays import is_number as has_mean
from interpreter.workbench.summary_statistics import is_counted

from . import as_statistics as statistics
from .as_json import Json, bounds, chance, interval, problems, refused
from .as_statistics import Wished


def plain(answer: Answer | Band | Plays, index: int, value: Any) -> Any:
    """One value of question `index` as plain data."""
    return answer.words.plain(value, answer.asks[index].type)


# ---- one question
def question(answer: Answer | Band, index: int) -> Json:
    """The distribution of question `index`.

    `outcomes` has each value with its chance, `mean` is set for numbers; if a choice is open, both are null and `band`
    has bounds of them. If the line is not always run, `mean` is null and `run` has the chance that it is run and the
    mean under that condition. `expected` is present if the situation states a chance.
    """
    ask = answer.asks[index]
    made: Json = {"ask": ask.text, "type": ask.type.name}
    if isinstance(answer, Band):
        made |= {"outcomes": None, "mean": None, "band": _band(answer, index)}
    else:
        made["outcomes"] = [{"value": plain(answer, index, v), **chance(p)} for v, p in answer.of(index).items()]
        runs = answer.runs(index)
        made["mean"] = fraction(answer.mean(index)) if is_counted(answer, index) and runs == 1 else None
        made["band"] = None
        if runs != 1:
            mean = answer.mean_where_run(index) if is_counted(answer, index) else None
            made["run"] = {**chance(runs), "mean": fraction(mean) if mean is not None else None}
    if ask.expected is not None:
        least, greatest = ask.expected
        made["expected"] = fraction(least) if least == greatest else interval(ask.expected)
    return made


def _band(answer: Band, index: int) -> Json:
    """Bounds over all open choices: of the chance of each value, of the chance of at least that value (numbers only),
    and of the mean.
    """
    numbers = is_counted(answer, index)
    more = answer.at_least(index) if numbers else {}
    outcomes = [
        {"value": plain(answer, index, v), **bounds(b), "at_least": bounds(more[v]) if v in more else None}
        for v, b in answer.of(index).items()
    ]
    runs = answer.runs(index)
    if min(runs) == 1:
        return {"outcomes": outcomes, "mean": interval(answer.mean(index) if numbers else None)}
    mean = interval(answer.mean_where_run(index) if numbers else None)
    return {"outcomes": outcomes, "mean": None, "run": {**bounds(runs), "mean": mean}}


def joint(answer: Answer) -> Json:
    """The joint distribution of all questions: `values` has one item per question, in the order of `asks`."""
    outcomes = [
        {
            "values": [plain(answer, i, v) for i, v in enumerate(values)],
            **chance(Fraction(amount, answer.total)),
        }
        for values, amount in answer.joint
    ]
    return {"asks": [ask.text for ask in answer.asks], "outcomes": outcomes}


def choosers(lines: dict[str, str]) -> list[Json]:
    """The lines with an open choice, each with who chooses; `lines` maps an address to a name."""
    return [{"line": address, "who": who} for address, who in lines.items()]


# ---- a grid
def grid(
    found: Grid,
    given: str | None,
    wished: Wished,
    reach: tuple[Fraction, list[list[Reach] | None]] | None = None,
) -> Json:
    """A grid of answers over any number of axes, one point per combination of alternatives.

    Takes the condition `given` as text or None, the statistics that are `wished`, and for `--reach` a chance with what
    reaches it. The `answer` of a point has the form of a single situation's; it is null where the condition never holds
    or the question is refused, in which case `refused` gives the reason.
    """
    return {
        "given": given,
        "axes": _axes(found.axes),
        "points": [_point(found, point, given, wished) for point in found.points],
        "reach": None if reach is None else _reaches(found, *reach),
        "problems": problems(found.refused)["problems"],
    }


def _axes(found: Iterable[Axis]) -> list[Json]:
    return [{"name": axis.name, "values": list(axis.values)} for axis in found]


def _at(axes: Iterable[Axis], labels: Iterable[str]) -> Json:
    return {axis.name: label for axis, label in zip(axes, labels, strict=True)}


def _point(found: Grid, point: Point, given: str | None, wished: Wished) -> Json:
    at = _at(found.axes, point.labels)
    answer = point.answer
    if point.refused is not None:
        return {"at": at, "given": None, "answer": None, "refused": refused(point.refused)}
    if answer is None:
        return {"at": at, "given": bounds(point.likely), "answer": None, "refused": None}
    sure = isinstance(answer, Answer)
    made = {
        "worlds": answer.worlds,
        "open": choosers(answer.open if isinstance(answer, Band) else {}),
        "questions": [{**question(answer, i), **statistics.plain(answer, i, wished)} for i in range(len(answer.asks))],
        "joint": joint(answer) if isinstance(answer, Answer) and len(answer.asks) > 1 else None,
    }
    likely = None if given is None else chance(point.likely[0]) if sure else bounds(point.likely)
    return {"at": at, "given": likely, "answer": made, "refused": None}


def _reaches(found: Grid, share: Fraction, reached: list[list[Reach] | None]) -> Json:
    """The first value on the first axis that reaches a chance, per yes-or-no question (others are null) and per
    combination of the other axes; null if no answered point reaches it. `not asked` lists values without an answer.
    """
    first, *others = found.axes
    unasked = {place: [p.labels[0] for p in line if p.refused is not None] for place, line in found.lines()}

    def value(point: Point | None) -> str | None:
        return point.labels[0] if point is not None else None

    def told(each: Reach) -> Json:
        return {
            "at": {axis.name: axis.values[i] for axis, i in zip(others, each.place, strict=True)},
            "surely": value(each.surely),
            "perhaps": value(each.perhaps),
            "not asked": unasked[each.place],
        }

    questions = [None if reaches is None else [told(each) for each in reaches] for reaches in reached]
    return {"chance": fraction(share), "axis": first.name, "questions": questions}


# ---- estimates
def estimates(several: Spread, found: Sequence[Plays | None], given: str | None) -> Json:
    """Estimates from random plays: each number with an interval that contains the true value in a share `confidence`
    of all samples. With alternatives, one answer per point; null where the condition never held. At least one of
    `found` is not None.
    """
    one = next(each for each in found if each is not None)
    made: Json = {"exact": False, "plays": one.plays, "seed": str(one.seed), "confidence": 0.95}
    if not several.axes:
        return {**made, **_estimated(one, given), "problems": []}
    points = [
        {
            "at": _at(several.axes, several.labels(place)),
            "answer": None if each is None else _estimated(each, given),
        }
        for place, each in zip(several.places, found, strict=True)
    ]
    return {**made, "axes": _axes(several.axes), "points": points, "problems": []}


def _estimated(found: Plays, given: str | None) -> Json:
    questions: list[Json] = []
    for index, ask in enumerate(found.asks):
        outcomes = [
            {"value": plain(found, index, v), "count": found.counts[index][v], **_estimate(each)}
            for v, each in found.of(index).items()
        ]
        mean = _estimate(found.mean(index)) if has_mean(found, index) else None
        told: Json = {"ask": ask.text, "type": ask.type.name, "outcomes": outcomes, "mean": mean}
        if found.unrun(index):
            told |= {"mean": None, "run": {**_estimate(found.runs(index)), "mean": mean}}
        questions.append(told)
    return {"given": None if given is None else {"text": given, "plays": found.held}, "questions": questions}


def _estimate(found: Estimate) -> Json:
    return {"estimate": found.found, "least": found.least, "greatest": found.greatest}
