"""Runs examples, in the engines that their expectations need, and checks their odds in two ways.

Takes a rule set and its examples. Gives one `Result` per example, with problems at the failed expectations. Knows
nothing of where examples are found.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from interpreter.document.alternatives import spread
from interpreter.document.nodes import Mapping, Scalar
from interpreter.document.shape import check_situation_shape
from interpreter.engines.trace_events import Event, walk
from interpreter.program import Program
from interpreter.program.trace_notes import Seen
from interpreter.rulebook.situation import Ask
from interpreter.source import CATALOGUE, Problem, Problems
from interpreter.source.values import Record, field, replace

from .answers import Answer, report_no_mean
from .bands import MOST_WORLDS, Band, answer_case, format_bounds
from .cases import Case, prepare
from .cross_checks import disagreements
from .examples import Example, examples_of
from .expected_tables import check_table
from .histories import Chooser, resolve
from .parallel import HERE, Workers, spread_over
from .passed_examples import PassedExamples
from .progress import Progress
from .reached_limits import limits_met
from .roster import muster
from .rule_sets import RuleSet
from .rules import open_rules
from .situation_cache import OFTEN

_OF_ALL = ("chance", "mean", "table")  # questions about all histories
_SHARE = 8  # examples that a process takes at a time


class Result(Record):
    """The result of an example. `lines` are the addresses that its play reached, `done` those without skipped ones.
    `problems` has no errors if every expectation holds.
    """

    example: Example
    problems: Problems
    lines: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    clauses: set[str] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        return not self.problems.has_errors


def run(
    rules: RuleSet,
    example: Example,
    *,
    shown: bool = True,
    alone: bool = True,
    seen: Seen | None = None,
    programs: dict[Any, Program] | None = None,
    limit: int = MOST_WORLDS,
) -> Result:
    """Run one example: check it, play it if it gives dice, compute its odds if it expects any.

    `shown`: play it even without expectations about a play, to collect the lines that run, and add traced values to
    failures. `alone`: also compute each question on its own, as `umpire odds` does. `seen` records coverage; `programs`
    caches programs for further examples. `limit` is the maximum number of worlds.
    """
    problems = Problems()
    result = Result(example, problems, clauses=set(example.cites))
    check_situation_shape(example.body, problems)
    if problems.has_errors:
        return result
    error = example.body.get("error")
    inner = Problems()
    several = spread(example.body, inner, rules.rows)
    programs = {} if programs is None and several is not None and several.axes else programs
    for said, one in several.told() if several is not None else ():
        mine = Problems()
        case = prepare(rules, one, mine, whole=False)
        if case is not None:
            case.seen, case.programs, case.cut = seen, programs, False
            _run(case, result, mine, shown, one if alone else None, limit)
        inner.extend((replace(p, hint=_where(p.hint, said)) for p in mine) if said else mine)
    if isinstance(error, Scalar):
        codes = [p.code for p in inner]
        if error.text.strip() not in codes:
            found = ", ".join(codes) or "nothing wrong"
            problems.add("X003", error.span, expected=error.text.strip(), found=found)
        return result
    problems.extend(inner)
    return result


def run_all(
    name: str | os.PathLike[str],
    problems: Problems,
    workers: Workers = HERE,
    progress: Progress | None = None,
    limit: int = MOST_WORLDS,
) -> tuple[RuleSet | None, list[Result]]:
    """Open a rule set and run all examples in it and beside it; see `run_examples`. Return the rule set, None if it
    cannot be read, and the results. There are none if it has mistakes, which are then in `problems`.
    """
    rules = open_rules(name, problems)
    if rules is None or problems.has_errors:
        return rules, []
    return rules, run_examples(rules, examples_of(rules, problems), workers, progress, limit)


def run_examples(
    rules: RuleSet,
    examples: Sequence[Example],
    workers: Workers = HERE,
    progress: Progress | None = None,
    limit: int = MOST_WORLDS,
    *,
    whole: bool = True,
) -> list[Result]:
    """Run examples of one rule set; those in the same process share compiled Programs. `whole`: also collect the lines
    that they run, and ask each question alone. Passed examples are recorded, and skipped while nothing has changed;
    then `lines` and `done` of the result are empty.
    """
    progress = progress if progress is not None else Progress()
    progress.more(len(examples), "examples")
    known = PassedExamples(rules) if limit == MOST_WORLDS else None
    clauses = [known.clauses(example) if known is not None and whole else None for example in examples]
    left = [example for example, said in zip(examples, clauses, strict=True) if said is None]
    progress.done += len(examples) - len(left)
    parts = [range(i, min(i + _SHARE, len(left))) for i in range(0, len(left), _SHARE)]
    runs = partial(_runs, rules, tuple(left), whole, limit, {})
    ran: list[Result] = []
    new: list[tuple[Example, frozenset[str] | None]] = []
    last = time.monotonic()
    try:
        for part, results in zip(parts, spread_over(runs, parts, workers), strict=True):
            for i, (problems, *reached) in zip(part, results, strict=True):
                mine = Problems()
                mine.extend(problems)
                result = Result(left[i], mine, *reached)
                ran.append(result)
                if result.passed:
                    new.append((left[i], frozenset(result.clauses) if whole and not problems else None))
            progress.done += len(part)
            if known is not None and time.monotonic() - last > OFTEN:
                known.keep(new)
                new, last = [], time.monotonic()
    finally:
        if known is not None:
            known.keep(new)
    following = iter(ran)
    return [
        next(following) if said is None else Result(example, Problems(), clauses={*example.cites, *said})
        for example, said in zip(examples, clauses, strict=True)
    ]


def _runs(
    rules: RuleSet, examples: Sequence[Example], whole: bool, limit: int, programs: dict[Any, Program], part: range
) -> list[tuple[list[Problem], set[str], set[str], set[str]]]:
    """The results of some of the examples. `programs` is a cache of Programs."""
    results = [run(rules, examples[i], shown=whole, alone=whole, programs=programs, limit=limit) for i in part]
    return [(list(r.problems), r.lines, r.done, r.clauses) for r in results]


def _where(hint: str | None, said: str) -> str:
    """The hint, with the alternative at which an example fails."""
    return f"with {said}" + (f"; {hint}" if hint else "")


def _run(case: Any, result: Result, problems: Problems, shown: bool, root: Mapping | None, limit: int) -> None:
    """Run one alternative; `root` is its tree if its questions are also computed alone."""
    situation = case.situation
    if situation.force is not None:
        _muster(case, result, problems)
        if not situation.asks:
            return
    wants_odds = any(a.kind in _OF_ALL for a in situation.asks)
    known = any(a.kind == "known" for a in situation.asks) and not situation.has_dice  # not about one play
    wants_play = [a for a in situation.asks if a.kind == "then"] or situation.trace or situation.has_dice
    if situation.error is None and not wants_odds and not wants_play:
        problems.add("X005", case.where)
        return
    if wants_odds or (known and wants_play) or (situation.error is not None and not situation.has_dice):
        answer = answer_case(case, limit=limit)
        if answer is None:  # reported already: a play would repeat it
            return
        other = Problems()
        if root is not None:
            disagreements(case, root, answer, other, limit)
        _check_odds(answer, other, situation.has_dice)
        for table in situation.tables:
            check_table(table, answer, other)
        met = _ends_met(case) if len(other) else None
        usual = CATALOGUE["X001"].hint
        problems.extend(replace(p, hint=met) if met and p.hint in (None, usual) else p for p in other)
    if wants_play or (wants_odds and shown):
        _play(case, result, problems, shown, bool(wants_play), None if wants_play else _whatever)


def _ends_met(case: Case) -> str | None:
    """The reason why a modifier had no effect, from the events of one play."""
    quiet = replace(case, problems=Problems(), seen=None)
    outcome = resolve(quiet, seed=None if case.situation.has_dice else 1, chooser=_whatever)
    return limits_met(walk(outcome.events), case.rules.book) if outcome is not None else None


def _muster(case: Case, result: Result, problems: Problems) -> None:
    """Check the limits of a force, and count the clauses of limits that it states to break as exercised."""
    found = muster(case)
    if found is not None:
        problems.extend(p for p in found.problems if p.code != "X001")
        result.clauses.update(c for v in found.limits if not v.kept and v.limit.name in found.agreed for c in v.clauses)


def _check_odds(answer: Answer | Band, problems: Problems, dice: bool) -> None:
    """Check expected chances and means. Without given dice, a `then` must hold with certainty."""
    for index, ask in enumerate(answer.asks):
        found = answer.bounds(index)
        if ask.kind == "then" and not dice and found is not None and found[0] != 1:
            problems.add("X001", ask.where.span, expected=f"`{ask.text}`", found=f"so in {_said(found)}")
        if ask.expected is None:
            continue
        if found is None:
            report_no_mean(ask, problems, answer.runs(index))
        elif found != ask.expected:
            hint = answer.advice if isinstance(answer, Band) and ask.expected[0] == ask.expected[1] else None
            wanted, label = _said(ask.expected), format_bounds(found)
            problems.add("X001", ask.where.span, expected=wanted, found=_said(found), label=label, hint=hint)


def _said(bounds: tuple[Fraction, Fraction]) -> str:
    least, greatest = bounds
    if least == greatest:
        return f"{least} ({float(least):.4f})"
    return f"{least} to {greatest} ({float(least):.4f} to {float(greatest):.4f})"


def _whatever(who: str, line: str, allowed: list[tuple[str, Any]], usual: Any) -> Any:
    """A chooser for plays that only collect the lines that run: the usual option, else the first."""
    return allowed[0][1] if usual is None else usual


def _play(
    case: Any, result: Result, problems: Problems, shown: bool, expected: bool, chooser: Chooser | None = None
) -> None:
    """Play with the given dice, or with a seed to collect the lines that run."""
    traced = shown or bool(case.situation.trace)
    seed = None if case.situation.has_dice else 1
    outcome = resolve(case, seed=seed, chooser=chooser, traced=traced)
    if outcome is None:
        return
    for event in walk(outcome.events):
        if event.line:
            result.lines.add(event.line)
            if event.kind != "skip" and event.data.get("applied", True):
                result.done.add(event.line)
                result.clauses.update(event.clauses)
    if not expected:
        return
    asked: tuple[Event, ...] | None = None
    for ask, held in outcome.then:
        if not held and (case.situation.has_dice or not any(a.kind in (*_OF_ALL, "known") for a in case.asks)):
            if asked is None:
                asked = _asked(case, seed, chooser) if shown else ()
            problems.add("X001", ask.where.span, expected=f"`{ask.text}`", found="not so", label=_came_to(ask, asked))
    if outcome.dice_left:
        problems.add("F007", outcome.left_at or case.where, left=outcome.left)
    texts = [e.text for e in walk(outcome.events)]
    for text, where in case.situation.trace:
        wanted, negated = (text[4:], True) if text.startswith("not ") else (text, False)
        if any(wanted in x for x in texts) is negated:
            close = max(texts, key=lambda x: len(set(x.split()) & set(wanted.split())), default="")
            problems.add("X002", where.span, expected=f"`{text}`", hint=f"nearest line: {close}" if close else None)


def _asked(case: Case, seed: int | None, chooser: Chooser | None) -> tuple[Event, ...]:
    """The events that evaluate the questions, from the same play with a trace."""
    outcome = resolve(replace(case, problems=Problems(), seen=None), seed=seed, chooser=chooser)
    return outcome.asked if outcome is not None else ()


def _came_to(ask: Ask, asked: tuple[Event, ...]) -> str:
    """The values of the operands of a question: `harm.dead is 1`."""
    operands = [event.data.get("parts", {}) for event in asked if event.line == ask.address]
    return ", ".join(f"{name} is {value}" for parts in operands for name, value in parts.items())
