"""Flags that record whether a line ran, set where the line gets its value.

Input: checked steps, and the lines whose flags are needed. Output: the same steps, which set the flags. A total outside
a loop counts as run if the loop began, with any number of rounds. A line of a rule counts as run if one of its runs
did, at any place and for any thing. This module does not know how flags are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.source.values import replace
from interpreter.vocabulary.types import TRUTH

from . import typed as t

RAN = "?ran"  # suffix of a line's address for its flag

Flags = Mapping[t.Variable, t.Variable]


def flag_of(variable: t.Variable) -> t.Variable:
    """Return a new boolean variable that records whether the line of a variable ran."""
    return t.Variable(variable.name + RAN, TRUTH)


def always_run(steps: tuple[t.Step, ...]) -> set[t.Variable]:
    """Return the lines that run whenever these steps do, because they have no condition."""
    found: set[t.Variable] = set()
    for step, begun in _with_totals(steps):
        found |= begun
        match step:
            case t.Assign(variable=variable) | t.New(variable=variable) | t.Done(variable=variable):
                found.add(variable)
            case t.Accumulate(total=total, value=value, rounds=False) if value in found:
                found.add(total)
            case t.Together(body=body):
                found |= always_run(body)
    return found


def totals_of(checked: t.Checked) -> set[t.Variable]:
    """Return the variables that accumulate the rounds of a loop."""
    return {step.total for step in checked.inside[t.Accumulate] if step.begun}


def with_flags(steps: tuple[t.Step, ...], flags: Flags) -> tuple[t.Step, ...]:
    """Return the steps, with each flag set where its line gets a value, and cleared where its line is reset."""
    return _noting(steps, _with_runs(steps, flags))


def _with_runs(steps: tuple[t.Step, ...], flags: Flags) -> Flags:
    """The flags, with one more for each single run of a line with several runs: the line ran if one of these did."""
    joins = [s for s in _nested(steps) if isinstance(s, t.Accumulate) and not s.begun]
    found = dict(flags)
    while more := [s.value for s in joins if s.total in found and s.value not in found]:
        found.update({value: flag_of(value) for value in more})
    return found


def _nested(steps: tuple[t.Step, ...]) -> Iterator[t.Step]:
    """Each step, and each inside it."""
    for step in steps:
        yield step
        match step:
            case t.If(then=then, other=other):
                yield from _nested((*then, *other))
            case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body) | t.Together(body=body):
                yield from _nested(body)


def _with_totals(steps: tuple[t.Step, ...]) -> Iterator[tuple[t.Step, set[t.Variable]]]:
    """Each step, with the totals of the loop that follows it if it is the `Reset` of that loop."""
    for step, then in zip(steps, (*steps, None)[1:], strict=True):
        begun: set[t.Variable] = set()
        if isinstance(step, t.Reset) and isinstance(then, t.ForEach | t.Repeat | t.RepeatUntil):
            added = {each.total for each in then.body if isinstance(each, t.Accumulate) and each.begun}
            begun = added & {*step.variables}
        yield step, begun


def _noting(steps: tuple[t.Step, ...], flags: Flags) -> tuple[t.Step, ...]:
    made: list[t.Step] = []
    for step, begun in _with_totals(steps):
        match step:
            case t.Assign(variable=variable) | t.New(variable=variable) | t.Done(variable=variable):
                made += [step, *_set([variable], flags, step)]
            case t.Accumulate(total=total, value=value) if total in flags and not step.begun:
                either = t.Op("or", tuple([t.Var(flags[v], type=TRUTH) for v in (total, value)]), type=TRUTH)
                made += [step, t.Assign(flags[total], either, line=step.line)]
            case t.Reset(variables=variables):
                afresh = tuple([flags[v] for v in variables if v in flags and v not in begun])
                # The `Reset` stays directly before its loop, where a later call of `with_flags` looks for it.
                made += [*_set(begun, flags, step), replace(step, variables=(*variables, *afresh))]
            case t.If(then=then, other=other):
                made.append(replace(step, then=_noting(then, flags), other=_noting(other, flags)))
            case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body) | t.Together(body=body):
                made.append(replace(step, body=_noting(body, flags)))
            case _:
                made.append(step)
    return tuple(made)


def _set(variables: Iterable[t.Variable], flags: Flags, step: t.Step) -> list[t.Step]:
    yes = t.Lit(True, type=TRUTH)
    return [t.Assign(flags[v], yes, line=step.line) for v in variables if v in flags]
