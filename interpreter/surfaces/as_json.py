"""Everything that leaves as JSON is made here: problems, one history, exact odds, test results, clauses.

Enters: what the workbench gives. Leaves: plain data, and its text. Probabilities are exact: "n/d", with
numerator and denominator as texts, for they may have more digits than a program's numbers. Knows nothing of
terminals.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from interpreter.engines.events import Event
from interpreter.mutation import Campaign
from interpreter.source import Problem, Problems, Span, to_json
from interpreter.source.digits import any_digits
from interpreter.surfaces.as_rows import counted, fraction
from interpreter.surfaces.display import UNSEEN
from interpreter.workbench.answers import Answer
from interpreter.workbench.bands import Band
from interpreter.workbench.coverage import Coverage
from interpreter.workbench.histories import Outcome
from interpreter.workbench.muster import Listed, Muster, Shown
from interpreter.workbench.rules import RuleSet
from interpreter.workbench.running import Result
from interpreter.workbench.why import Why

Json = dict[str, Any]


def text(data: Json) -> str:
    """What would drive a terminal is written by its number, which is the same text to a program."""
    with any_digits():
        return re.sub(UNSEEN, _escaped, json.dumps(data, ensure_ascii=False, indent=2, default=_number))


def _number(value: object) -> str:
    """A number that is not whole, wherever it stands: "n/d"."""
    assert isinstance(value, Fraction)
    return fraction(value)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def chance(value: Fraction) -> Json:
    with any_digits():
        parts = {"numerator": str(value.numerator), "denominator": str(value.denominator)}
    return {"probability": fraction(value), **parts, "percent": round(float(value) * 100, 4)}


def problems(found: Iterable[Problem]) -> Json:
    listed = [to_json(p) for p in found]
    return {"problems": listed, **counts(listed)}


def counts(listed: list[dict[str, object]]) -> Json:
    """Also what is not told."""
    kinds = Counter[object]()
    for problem in listed:
        kinds[problem["severity"]] += int(str(problem.get("more", 1)))
    return {"errors": kinds["error"], "warnings": kinds["warning"], "remarks": kinds["style"]}


# ---- one history
def event(e: Event) -> Json:
    return {
        "kind": e.kind,
        "line": e.line,
        "file": e.file,
        "row": e.row,
        "clauses": list(e.clauses),
        "text": e.text,
        "data": e.data,
        "children": [event(child) for child in e.children],
    }


def outcome(rules: RuleSet, said: str, found: Outcome, before: dict[str, dict[str, str]], dice: Json) -> Json:
    return {
        "rules": rules.name,
        "do": said,
        **dice,
        "values": found.values,
        "then": [{"text": ask.text, "held": held} for ask, held in found.then],
        "before": before,
        "after": found.after,
        "dice_left": found.dice_left,
        "trace": [event(e) for e in found.events],
        "problems": [],
    }


# ---- exact odds
def plain(answer: Answer | Band, index: int, value: Any) -> Any:
    """A value of a question: numbers and yes or no as they are, everything else in words. `text` writes a fraction as
    "n/d".
    """
    return answer.words.plain(value, answer.asks[index].type)


def question(answer: Answer | Band, index: int) -> Json:
    """One question's distribution; `mean` where its values are numbers; where a choice is open, a `band` instead. What
    is not run is null, and then there is no mean but that where it is `run`.
    """
    ask = answer.asks[index]
    made: Json = {"ask": ask.text, "type": ask.type.name}
    if isinstance(answer, Band):
        made |= {"outcomes": None, "mean": None, "band": band(answer, index)}
    else:
        made["outcomes"] = [{"value": plain(answer, index, v), **chance(p)} for v, p in answer.of(index).items()]
        runs = answer.runs(index)
        made["mean"] = fraction(answer.mean(index)) if counted(answer, index) and runs == 1 else None
        made["band"] = None
        if runs != 1:
            mean = answer.mean_where_run(index) if counted(answer, index) else None
            made["run"] = {**chance(runs), "mean": fraction(mean) if mean is not None else None}
    if ask.expected is not None:
        least, greatest = ask.expected
        made["expected"] = (
            fraction(least) if least == greatest else {"least": fraction(least), "greatest": fraction(greatest)}
        )
    return made


def band(answer: Band, index: int) -> Json:
    """The least and the greatest chance of each value, and of it or more; the least and the greatest mean."""
    numbers = counted(answer, index)
    more = answer.at_least(index) if numbers else {}
    outcomes = [
        {"value": plain(answer, index, v), **bounds(b), "at_least": bounds(more[v]) if v in more else None}
        for v, b in answer.of(index).items()
    ]
    runs = answer.runs(index)
    if min(runs) == 1:
        return {"outcomes": outcomes, "mean": _least(answer.mean(index) if numbers else None)}
    mean = _least(answer.mean_where_run(index) if numbers else None)
    return {"outcomes": outcomes, "mean": None, "run": {**bounds(runs), "mean": mean}}


def _least(found: tuple[Fraction, Fraction] | None) -> Json | None:
    return None if found is None else {"least": fraction(found[0]), "greatest": fraction(found[1])}


def bounds(found: tuple[Fraction, Fraction]) -> Json:
    return {"least": chance(found[0]), "greatest": chance(found[1])}


def joint(answer: Answer) -> Json:
    outcomes = [
        {
            "values": [plain(answer, i, v) for i, v in enumerate(values)],
            **chance(Fraction(amount, answer.total)),
        }
        for values, amount in answer.joint
    ]
    return {"asks": [ask.text for ask in answer.asks], "outcomes": outcomes}


def odds(
    rules: RuleSet,
    said: str,
    questions: list[Json],
    whole: Answer | None,
    given: Json | None,
    worlds: int,
    open_: dict[str, str],
    too_long: Sequence[str] = (),
) -> Json:
    """`open`: lines where a choice is left to somebody, and who; then questions have bands. `left out`: what nobody
    asked for and would take long.
    """
    return {
        "rules": rules.name,
        "do": said,
        "exact": True,
        "worlds": worlds,
        "given": given,
        "open": [{"line": address, "who": who} for address, who in open_.items()],
        "questions": questions,
        "joint": joint(whole) if whole is not None else None,
        "left out": list(too_long),
        "problems": [],
    }


# ---- forces
def muster(found: Muster) -> Json:
    return {
        "force": found.force,
        "rules": found.rules.name,
        "kept": found.kept,
        "things": [_listed(x) for x in found.things],
        "limits": [
            {
                "name": v.name,
                "clauses": list(v.clauses),
                "text": v.text,
                "asked": v.asked,
                "kept": v.kept,
                "agreed": v.limit.name in found.agreed,
                "breaches": [{"who": b.who, "found": b.found, **_place(b.where)} for b in v.breaches],
            }
            for v in found.limits
        ],
        "then": [{"text": ask.text, "held": held} for ask, held in found.then],
        **problems(found.problems),
    }


def _listed(thing: Listed) -> Json:
    rows = [
        {"kind": r.kind, "count": r.count, "traits": list(r.traits), "values": _shown(r.values), **_place(r.where)}
        for r in thing.rows
    ]
    told = {"name": thing.name, "kind": thing.kind, "owner": thing.owner, "traits": list(thing.traits)}
    return {**told, "values": _shown(thing.values), "rows": rows, **_place(thing.where)}


def _shown(values: Iterable[Shown]) -> Json:
    return {v.name: {"each": v.each, "all": v.all} for v in values}


def _place(where: Span) -> Json:
    row, column = where.place
    return {"file": where.source.name, "row": row, "column": column}


# ---- tests and clauses
def tests(sets: list[tuple[str, list[Result]]]) -> Json:
    return {
        "sets": [
            {
                "rules": name,
                "examples": len(results),
                "passed": sum(r.passed for r in results),
                "results": [result(r) for r in results],
            }
            for name, results in sets
        ]
    }


def mutation(sets: list[tuple[str, Campaign, Problems]]) -> Json:
    """Per file: what became of its slips, and every one that no example notices."""
    return {
        "sets": [
            {
                "rules": name,
                "examples of": [host.rules.name for host in made.hosts],
                "counts": {"unread": made.unread, **made.counts()},
                "slips": [
                    {
                        "what": verdict.what,
                        "line": mutant.address,
                        "file": mutant.span.source.name,
                        "row": mutant.span.place[0],
                        "column": mutant.span.place[1],
                        "before": mutant.now,
                        "after": mutant.then,
                        "by": verdict.by or None,
                        "ran": list(verdict.ran),
                        "unasked": verdict.left,
                    }
                    for verdict in made.verdicts
                    for mutant in (made.mutants[verdict.mutant],)
                ],
                **problems(told),
            }
            for name, made, told in sets
        ]
    }


def result(found: Result) -> Json:
    span = found.example.key.span
    return {
        "example": found.example.name,
        "file": span.source.name,
        "row": span.place[0],
        "passed": found.passed,
        "clauses": sorted(found.clauses),
        "problems": [to_json(p) for p in found.problems],
    }


def coverage(found: Coverage) -> Json:
    return {
        "rules": found.rules.name,
        "counts": found.counts(),
        "clauses": [
            {
                "id": c.clause.id,
                "heading": c.clause.heading,
                "status": c.status,
                "says": c.clause.says,
                "kind": c.clause.kind,
                "cited_at": [{"file": f, "row": row} for f, row in c.places],
                "examples": list(c.examples),
            }
            for c in found.clauses
        ],
    }


# ---- where things come from
def origins(told: list[tuple[str, Why]]) -> Json:
    return {
        "found": [
            {
                "rules": name,
                "path": found.path,
                "now": found.now,
                "origins": [
                    {"what": o.what, "file": o.file, "row": o.row, "text": o.text, "clauses": list(o.clauses)}
                    for o in found.origins
                ],
                "clauses": found.clauses,
            }
            for name, found in told
        ]
    }
