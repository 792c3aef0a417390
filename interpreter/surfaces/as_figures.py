"""Grids of odds and what else is said of a distribution, as plain data for JSON.

Enters: what the workbench gives. Leaves: plain data, exact: chances as `interpreter/surfaces/as_json.py` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from interpreter.workbench import plays
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band
from interpreter.workbench.figures import is_number, quantile, variance
from interpreter.workbench.grids import Grid, Point, Reach, Spread
from interpreter.workbench.plays import Estimate, Plays
from interpreter.workbench.rules import RuleSet

from .as_json import Json, bounds, chance, joint, plain, problems, question
from .as_rows import fraction


def said(answer: Answer | Band, index: int, shares: Sequence[Fraction] = ()) -> Json:
    """`variance` of numbers, and `quantiles` that were wished for: by share, the least and the greatest."""
    if not is_number(answer, index):
        return {"variance": None, "quantiles": []}
    found = variance(answer, index)
    ends = [(share, quantile(answer, index, share)) for share in shares]
    return {
        "variance": fraction(found) if found is not None else None,
        "quantiles": [
            {"share": fraction(share), "least": plain(answer, index, a), "greatest": plain(answer, index, b)}
            for share, (a, b) in ends
        ],
    }


def grid(
    rules: RuleSet,
    said_: str,
    found: Grid,
    given: str | None,
    shares: Sequence[Fraction] = (),
    reach: tuple[Fraction, list[list[Reach] | None]] | None = None,
) -> Json:
    """A table of any number of axes. A point's `answer` is as that of one situation; null where a condition never
    holds, and where it cannot be asked: then `refused` says why, as do the `problems` of all of them.
    """
    return {
        "rules": rules.name,
        "do": said_,
        "exact": True,
        "given": given,
        "axes": [{"name": axis.name, "values": list(axis.values)} for axis in found.axes],
        "points": [_point(found, point, given, shares) for point in found.points],
        "reach": None if reach is None else _reaches(found, *reach),
        "problems": problems(found.refused)["problems"],
    }


def _point(found: Grid, point: Point, given: str | None, shares: Sequence[Fraction]) -> Json:
    at = {axis.name: label for axis, label in zip(found.axes, point.labels, strict=True)}
    answer = point.answer
    if point.refused is not None:
        why = {"code": point.refused.code, "message": point.refused.message}
        return {"at": at, "given": None, "answer": None, "refused": why}
    if answer is None:
        return {"at": at, "given": bounds(point.likely), "answer": None, "refused": None}
    likely = None if given is None else chance(point.likely[0]) if isinstance(answer, Answer) else bounds(point.likely)
    questions = [{**question(answer, i), **said(answer, i, shares)} for i in range(len(answer.asks))]
    open_ = {} if isinstance(answer, Answer) else answer.open
    both = joint(answer) if isinstance(answer, Answer) and len(answer.asks) > 1 else None
    told = {
        "worlds": answer.worlds,
        "open": [{"line": address, "who": who} for address, who in open_.items()],
        "questions": questions,
        "joint": both,
    }
    return {"at": at, "given": likely, "answer": told, "refused": None}


def _reaches(found: Grid, share: Fraction, reached: list[list[Reach] | None]) -> Json:
    """By question (null for one that is not yes or no), and by place on the other axes: the first value of the first
    axis of those that could be asked; null where none does. `not asked`: the others.
    """
    first, *others = found.axes
    unasked = {place: [p.labels[0] for p in line if p.refused is not None] for place, line in found.lines()}

    def value(point: Point | None) -> str | None:
        return point.labels[0] if point is not None else None

    return {
        "chance": fraction(share),
        "axis": first.name,
        "questions": [
            [
                {
                    "at": {a.name: a.values[i] for a, i in zip(others, each.place, strict=True)},
                    "surely": value(each.surely),
                    "perhaps": value(each.perhaps),
                    "not asked": unasked[each.place],
                }
                for each in reaches
            ]
            if reaches is not None
            else None
            for reaches in reached
        ],
    }


# ---- estimates
def estimates(rules: RuleSet, said_: str, found: Plays, given: str | None) -> Json:
    """Never exact: each number between a least and a greatest, with the true one between them in `confidence` of all
    samples.
    """
    return {**_plays(rules, said_, found), **_answers(found, given), "problems": []}


def estimates_over(
    rules: RuleSet, said_: str, several: Spread, found: Sequence[Plays | None], given: str | None
) -> Json:
    """The same for each point of a situation with alternatives; null where the condition never held."""
    one = next(each for each in found if each is not None)
    points = [
        {
            "at": {axis.name: label for axis, label in zip(several.axes, several.labels(place), strict=True)},
            "answer": None if each is None else _answers(each, given),
        }
        for place, each in zip(several.places, found, strict=True)
    ]
    axes = [{"name": axis.name, "values": list(axis.values)} for axis in several.axes]
    return {**_plays(rules, said_, one), "axes": axes, "points": points, "problems": []}


def _plays(rules: RuleSet, said_: str, found: Plays) -> Json:
    seed = str(found.seed)
    told = {"exact": False, "plays": found.plays, "seed": seed, "confidence": 0.95}
    return {"rules": rules.name, "do": said_, **told}


def _answers(found: Plays, given: str | None) -> Json:
    questions: list[Json] = []
    for index, ask in enumerate(found.asks):
        values = {v: found.words.plain(v, ask.type) for v in found.counts[index]}
        outcomes = [
            {
                "value": values[v],
                "count": found.counts[index][v],
                **_estimate(each),
            }
            for v, each in found.of(index).items()
        ]
        mean = _estimate(found.mean(index)) if plays.is_number(found, index) else None
        told: Json = {"ask": ask.text, "type": ask.type.name, "outcomes": outcomes, "mean": mean}
        if found.unrun(index):
            told |= {"mean": None, "run": {**_estimate(found.runs(index)), "mean": mean}}
        questions.append(told)
    return {"given": None if given is None else {"text": given, "plays": found.held}, "questions": questions}


def _estimate(found: Estimate) -> Json:
    return {"estimate": found.found, "least": found.least, "greatest": found.greatest}
