"""Whether a line was run: a variable of its own, set where the line gets its value.

Enters: checked steps, and the lines of which somebody asks whether they were run. Leaves: the same steps, which note
it. A line of a loop is a total outside it: that was run where the loop began, over however many rounds. A line of a
rule was run where one of its runs was: at any of its places, and of all for whom it set in. Nothing is noted of a line
of which nobody asks. Knows nothing of who asks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from interpreter.source.values import replace
from interpreter.vocabulary.types import TRUTH

from . import typed as t

RAN = "?ran"  # behind the address of a line: whether it was run

Flags = Mapping[t.Variable, t.Variable]


def flag_of(variable: t.Variable) -> t.Variable:
    return t.Variable(variable.name + RAN, TRUTH)


def always_run(steps: tuple[t.Step, ...]) -> set[t.Variable]:
    """The lines that are run whenever these steps are: no condition stands over them."""
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
    """The lines that add up the rounds of a loop."""
    return {step.total for step in checked.inside[t.Accumulate] if step.begun}


def noting(steps: tuple[t.Step, ...], flags: Flags) -> tuple[t.Step, ...]:
    """The steps, with each flag set where its line gets a value, and taken back where its lines begin afresh."""
    return _noting(steps, _with_runs(steps, flags))


def _with_runs(steps: tuple[t.Step, ...], flags: Flags) -> Flags:
    """A line of several runs was run where one of them was: so that is noted of each of these."""
    joins = [s for s in t.by_class(steps)[t.Accumulate] if not s.begun]
    found = dict(flags)
    while more := [s.value for s in joins if s.total in found and s.value not in found]:
        found.update({value: flag_of(value) for value in more})
    return found


def _with_totals(steps: tuple[t.Step, ...]) -> Iterator[tuple[t.Step, set[t.Variable]]]:
    """Each step, with the totals that begin there: those of the loop that follows it."""
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
                # Nothing comes between it and its loop, so that what is noted later finds that loop, too.
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
