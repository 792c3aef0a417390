"""Builds loop steps, with a total outside the loop for each line inside it.

Enters: a function that checks the lines inside. Leaves: the loop steps with their totals. Knows nothing of what the
loop iterates over.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.source import Problems
from interpreter.vocabulary.types import Type

from . import typed as t
from .deeds import BLOCK
from .frame import Frame, Steps, join_run
from .scope import Lines, Scope
from .symbols import LineInfo


class Loops:
    def __init__(self, frame: Frame) -> None:
        self.frame, self.definitions = frame, frame.definitions

    def loop(
        self,
        scope: Scope,
        names: dict[str, t.Expr],
        info: LineInfo,
        inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
        by_rule: bool = False,
    ) -> Steps:
        """The steps of a loop. `by_rule`: the loop applies a rule for each thing, and is no line of the page."""
        inner = Scope(scope, names, Lines(), pure=False)
        body = inside(inner)
        lines = inner.lines
        assert lines is not None
        totals: list[tuple[t.Variable, t.Variable]] = []
        theirs: set[t.Variable] = set()  # totals of rules' lines, which run only where a rule applies
        after: Steps = []
        for address, variable in lines.all().items():
            total = t.Variable(variable.name, variable.type)
            if variable.type.name == "dice":
                total.type = Type("dice")
            totals.append((total, variable))
            if by_rule or address in lines.brought or address in lines.runs:
                theirs.add(total)
            else:
                self.definitions.found.totals.add(total)
            if scope.lines is None:
                continue
            if address in lines.joined:
                after += join_run(scope.lines, address, total, info)
            elif address in lines.runs:
                scope.lines.run(address, total)
            elif address in lines.brought:
                scope.lines.add_rule_line(address, total)
            else:
                scope.lines.add(address, total)
        if scope.lines is not None:
            scope.lines.add_deeds(*lines.deeds)
            scope.lines.shared.update(lines.shared)
            scope.lines.seen.update(lines.seen)
            scope.lines.givers.update(lines.givers)
            scope.lines.brought.update(lines.brought.intersection(lines.done))
            totals += [(scope.lines.deed_variable(address), done) for address, done in lines.done.items()]
        fresh = tuple(v for _, v in totals)
        own = self.frame.own_address(info)  # the loop itself counts as run, even with no rounds
        theirs |= {total for total, v in totals if v.type == BLOCK and v.name != own}
        counted = [
            t.Accumulate(total, v, by_rule=total in theirs, line=info) for total, v in totals if v.type.name != "any"
        ]
        step = build((t.Reset(fresh, line=info), *body, *counted))
        return [t.Reset(tuple(total for total, _ in totals), line=info), step, *after]


def endless_totals(e: t.Expr, totals: set[t.Variable], some: bool, problems: Problems) -> None:
    """Report an `until` condition that reads a collection of all rounds other than by asking whether there is any.

    Such a collection only grows, so the state would never repeat.
    """
    if isinstance(e, t.Op) and e.name in ("and", "or", "not"):
        for part in e.args:
            endless_totals(part, totals, some is not (e.name == "not"), problems)
        return
    if some and isinstance(e, t.Op) and e.name == "any-of" and isinstance(e.args[0], t.Var):
        return
    for part in t.parts(e):
        if isinstance(part, t.Var) and part.variable in totals and part.where is not None:
            if part.type.many or part.type.name == "dice":
                name = part.where.text
                hint = f"give the round a line `settled: …` that speaks of `{name}`, and say `until settled`"
                problems.add("P016", part.where.span, name=name, label="of every round so far", hint=hint)
