"""Checks of conditions that never hold, or always do.

Takes the checker of a checked book without errors; adds findings at the part of a condition that is constant. A line is
checked under the conditions around it, as long as nothing has changed since they were evaluated. A rule that is woven
in at several places is reported only if all of them agree.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Where
from interpreter.source import Label, Problems
from interpreter.vocabulary.types import TRUTH

from .implication import NO_ASSUMPTIONS, Assumptions, ConditionEvaluator

Place = tuple[int, int, int]
Verdict = tuple[bool | None, Where, Where | None, str]


def check_constant_conditions(checker: Checker, problems: Problems) -> None:
    """Report conditions of lines, values and rolls that never hold (P018) or always do (P019)."""
    found = _Verdicts()
    book = checker.book
    for procedure in book.procedures.values():
        found.check_procedure(checker.procedure(procedure))
    for pure in book.pure_definitions():
        found.evaluator, found.asks = ConditionEvaluator(), True
        for change in checker.pure(pure).changes:
            always = change.what in _NEED_A_CONDITION and isinstance(change.condition, t.Lit)
            if change.condition is not None and not always:
                found.judge(change.condition, NO_ASSUMPTIONS)
            for e in (change.amount, change.per, change.condition):
                if e is not None:
                    found.judge_inner(e)
    found.report(problems)


_NEED_A_CONDITION = ("again", "passes", "fails")  # `again if true` is how such a line is said to hold always


class _Verdicts:
    """The results for each condition, one for each place where it is woven in."""

    def __init__(self) -> None:
        self.evaluator = ConditionEvaluator()
        self.verdicts: dict[Place, list[Verdict]] = {}
        self.calls = self.asks = True  # whether the procedure contains any call; any condition inside an expression

    def check_procedure(self, checked: t.Checked) -> None:
        self.evaluator = ConditionEvaluator()
        self.calls = bool(checked.inside[t.Call])
        self.asks = bool(checked.inside[t.IfElse] or checked.inside[t.Filter])
        self.walk(checked.steps, NO_ASSUMPTIONS)

    def walk(self, steps: tuple[t.Step, ...], known: Assumptions) -> bool:
        """Check the conditions of some steps; return whether no step can change the inputs of a condition."""
        quiet = True
        for step in steps:
            flags = self.evaluator.flags
            match step:
                case t.If(condition=condition, then=then, other=other):
                    result = self.judge(condition, known) if not _is_case(then) else None
                    self.judge_inner(condition)
                    given = self.evaluator.assume
                    still = result is False or self.walk(then, given(condition, True, known))
                    still &= result is True or self.walk(other, given(condition, False, known))
                    if isinstance(condition, t.Var) and condition.variable in flags:
                        self.evaluator.flags = flags  # `otherwise` runs only if this did not, so nothing has changed
                    elif not still:
                        self.evaluator.flags = {}
                case t.Assign(variable=variable, value=value):
                    self.judge_inner(value)
                    if variable.name.endswith("?") and value.type == TRUTH:  # a result that `otherwise` reads
                        self._judge_otherwise(value, known)
                    still = not (self.calls and any(isinstance(p, t.Call) for p in t.parts(value)))
                    still &= variable not in self.evaluator.keys.variables
                    if (
                        still
                        and variable.name.endswith("?")
                        and not any(isinstance(p, t.SITES) for p in t.parts(value))
                    ):
                        self.evaluator.flags = {**flags, variable: value}
                case t.Reset(variables=variables):
                    still = not self.evaluator.keys.variables.intersection(variables)
                case t.Case() | t.Done():
                    still = True
                case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body) | t.Together(body=body):
                    for name in t.children(type(step)):
                        if isinstance(e := getattr(step, name), t.Expr):
                            self.judge_inner(e)
                    self.evaluator.flags = {}
                    self.walk(body, NO_ASSUMPTIONS)
                    still = False
                case _:
                    for name in t.children(type(step)):
                        if isinstance(e := getattr(step, name), t.Expr):
                            self.judge_inner(e)
                    still = False
            if not still:
                known, quiet = NO_ASSUMPTIONS, False
                if not isinstance(step, t.If):
                    self.evaluator.flags = {}
        return quiet

    def _judge_otherwise(self, e: t.Expr, known: Assumptions) -> None:
        """Check the condition of an `otherwise` line, assuming that the line before it did not run."""
        while isinstance(e, t.Op) and e.name == "and" and e.where is None:
            known, e = self.evaluator.assume(e.args[0], True, known), e.args[1]
        self.judge(e, known)

    def judge_inner(self, e: t.Expr) -> None:
        """Check the conditions inside an expression."""
        for part in t.parts(e) if self.asks else ():
            if isinstance(part, t.IfElse | t.Filter):
                self.judge(part.condition, NO_ASSUMPTIONS)

    def judge(self, e: t.Expr, known: Assumptions) -> bool | None:
        """Evaluate a condition and note the result at its place; None if it is not constant."""
        result = self.evaluator.evaluate(e, known)
        where = _where(e)
        if where is None:
            return result
        at, ruled, why = where, None, ""
        if result is False:
            at, ruled, why = self._culprit(e, where, known)
        self.verdicts.setdefault((id(where.scalar), where.start, where.end), []).append((result, at, ruled, why))
        return result

    def _culprit(self, e: t.Expr, where: Where, known: Assumptions) -> tuple[Where, Where | None, str]:
        """The part of a false condition that is false, the part that rules it out, and a hint."""
        ruled: Where | None = None
        while isinstance(e, t.Op) and e.name == "and":
            left, right = e.args
            if self.evaluator.evaluate(left, known) is False:
                e = left
            else:
                known, ruled, e = self.evaluator.assume(left, True, known), _where(left) or ruled, right
        return _where(e) or where, ruled, _bounds_hint(e)

    def report(self, problems: Problems) -> None:
        """Add P018 or P019 for each condition with the same constant result at all its places."""
        for verdicts in self.verdicts.values():
            result, at, ruled, why = verdicts[0]
            if result is None or any(other[0] is not result for other in verdicts):
                continue
            if result:
                hint = "leave the condition out, or ask what can also be otherwise"
                problems.add("P019", at.span, label="it cannot fail", hint=hint)
                continue
            others = [Label(ruled.span, "when this is so")] if ruled is not None else []
            hint = why or "what it governs would never happen: look for a slip in it, or remove the line"
            problems.add("P018", at.span, label="it cannot be", others=others, hint=hint)


def _is_case(steps: tuple[t.Step, ...]) -> bool:
    return bool(steps) and isinstance(steps[0], t.Case)


def _where(e: t.Expr) -> Where | None:
    """The place of a condition; of a synthesized one, that of its last part."""
    if e.where is not None:
        return e.where
    if isinstance(e, t.Op) and e.name == "and":
        return next((w for arg in reversed(e.args) if (w := _where(arg)) is not None), None)
    return None


def _bounds_hint(e: t.Expr) -> str:
    for attribute in _compared_attributes(e):
        low, high = attribute.attribute.low, attribute.attribute.high
        if low is not None and high is not None:
            return f"`{attribute.attribute.name}` goes from {low} to {high}"
    return ""


def _compared_attributes(e: t.Expr) -> Iterator[t.Attr]:
    for arg in e.args if isinstance(e, t.Op) else ():
        if isinstance(arg, t.Attr):
            yield arg
