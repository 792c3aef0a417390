"""What a call came to where no line of the page holds it: of an outcome table, whose value is a row; of a call inside
a longer sentence. It is kept in a name of its own, so that the lines of what is called can be asked.

Enters: checked steps, and which of their calls somebody asks for. Leaves: the same steps, in which these calls leave
what they came to, each in a name, over the rounds of a loop in a total. Knows nothing of who asks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from interpreter.source.values import replace
from interpreter.vocabulary.types import Type

from . import typed as t

KEPT = "?kept"  # behind the name of what is called: no line of the page has such an address


class KeptCalls:
    """`asked`: whether the lines of what is called are asked for; `rules`: the names of rules, whose lines run only
    where a rule sets in.
    """

    def __init__(self, asked: Callable[[t.Call], bool], rules: Collection[str]) -> None:
        self._asked, self._rules = asked, rules
        self.here: dict[t.Variable, bool] = {}  # the names of these steps, and whether a line of a rule calls
        self.totals: set[t.Variable] = set()  # those of loops of the page

    def steps(self, steps: tuple[t.Step, ...]) -> tuple[t.Step, ...]:
        made: list[t.Step] = []
        for step in steps:
            if isinstance(step, t.ForEach | t.Repeat | t.RepeatUntil):
                self._loop(step, made)
            else:
                made.append(self._step(step))
        return tuple(made)

    def _loop(self, step: t.ForEach | t.Repeat | t.RepeatUntil, made: list[t.Step]) -> None:
        """Each round keeps its own, which is put to a total; what the end of a round asks, as the next one begins."""
        outer, self.here = self.here, {}
        body = self.steps(step.body)
        rounds, self.here = self.here, {}
        changed: dict[str, t.Expr] = {}
        if isinstance(step, t.RepeatUntil):
            changed["condition"] = self._within(step.condition, step)
        ends, self.here = self.here, outer
        if isinstance(step, t.ForEach):
            changed["items"] = self._within(step.items, step)
        elif isinstance(step, t.Repeat):
            changed["times"] = self._within(step.times, step)
        step = replace(step, **changed)
        whole = {one: self._total(one, by_rule) for one, by_rule in {**rounds, **ends}.items()}
        if not whole:
            made.append(replace(step, body=body))
            return
        added = {v: t.Accumulate(all_, v, by_rule=self.here[all_], line=step.line) for v, all_ in whole.items()}
        late = [added[one] for one in ends]
        _begin(made, (*whole.values(), *ends), step)
        inside = list(body[:1])
        _begin(inside, tuple(rounds), step)
        inside += body[1:]
        made += [replace(step, body=(*late, *inside, *[added[one] for one in rounds])), *late]

    def _total(self, one: t.Variable, by_rule: bool) -> t.Variable:
        total = t.Variable(one.name, one.type)
        self.here[total] = by_rule
        if not by_rule:
            self.totals.add(total)
        return total

    def _step(self, step: t.Step) -> t.Step:
        changed: dict[str, Any] = {}
        for name in t.holding(type(step)):
            value = getattr(step, name)
            if isinstance(value, tuple) and value and isinstance(value[0], t.Step):
                changed[name] = self.steps(value)
            else:
                changed[name] = self._within(value, step)
        return replace(step, **changed) if changed else step

    def _within(self, value: Any, step: t.Step) -> Any:
        """An expression of a step, or several."""
        if isinstance(value, tuple):
            return tuple([self._within(each, step) for each in value])
        if not isinstance(value, t.Expr):
            return value
        changed = {name: self._within(getattr(value, name), step) for name in t.holding(type(value))}
        if isinstance(value, t.Call) and value.kept is None and self._asked(value):
            kept = t.Variable(f"{value.procedure.name}{KEPT}", Type("record", value.procedure))
            self.here[kept] = any(part in self._rules for part in step.line.address.split("."))
            changed["kept"] = kept
        return replace(value, **changed) if changed else value


def _begin(made: list[t.Step], afresh: tuple[t.Variable, ...], step: t.Step) -> None:
    """Names that begin afresh, with those that do so just before."""
    if made and isinstance(made[-1], t.Reset):
        made[-1] = replace(made[-1], variables=(*made[-1].variables, *afresh))
    else:
        made.append(t.Reset(afresh, line=step.line))
