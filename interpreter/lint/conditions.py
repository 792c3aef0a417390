"""Conditions that never hold, and such as always do.

Enters: a checked book without errors. Leaves: findings at the very part of a condition that cannot be, or cannot fail.
What is known of a line is what governs it, as long as nothing has happened since; a rule that sets in at many places
is judged by all of them together.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Where
from interpreter.source import Label, Problems
from interpreter.vocabulary.types import TRUTH

from .knowing import NOTHING, Knowing, Known

Place = tuple[int, int, int]
Verdict = tuple[bool | None, Where, Where | None, str]


def check_conditions(checker: ProcedureChecker, problems: Problems) -> None:
    found = _Found()
    book = checker.book
    for procedure in book.procedures.values():
        found.go_through(checker.procedure(procedure))
    for pure in (*book.values.values(), *book.rolls.values(), *book.limits.values()):
        found.knowing, found.asks = Knowing(), True
        for change in checker.pure(pure).changes:
            if change.condition is not None:
                found.judge(change.condition, NOTHING)
            for e in (change.amount, change.per, change.condition):
                if e is not None:
                    found.inside(e)
    found.tell(problems)


class _Found:
    """What was found of each condition, wherever its sentence came to stand."""

    def __init__(self) -> None:
        self.knowing = Knowing()
        self.verdicts: dict[Place, list[Verdict]] = {}
        self.calls = self.asks = True  # whether a call, a condition can stand inside an expression

    def go_through(self, checked: t.Checked) -> None:
        self.knowing = Knowing()
        self.calls = bool(checked.inside[t.Call])
        self.asks = bool(checked.inside[t.IfElse] or checked.inside[t.Filter])
        self.walk(checked.steps, NOTHING)

    def walk(self, steps: tuple[t.Step, ...], known: Known) -> bool:
        """Whether nothing happens in these steps that could change what a condition asks."""
        quiet = True
        for step in steps:
            flags = self.knowing.flags
            match step:
                case t.If(condition=condition, then=then, other=other):
                    so = self.judge(condition, known) if not _is_case(then) else None
                    self.inside(condition)
                    given = self.knowing.given
                    still = so is False or self.walk(then, given(condition, True, known))
                    still &= so is True or self.walk(other, given(condition, False, known))
                    if isinstance(condition, t.Var) and condition.variable in flags:
                        self.knowing.flags = flags  # `otherwise` looks at the state as it was when this was not run
                    elif not still:
                        self.knowing.flags = {}
                case t.Assign(variable=variable, value=value):
                    self.inside(value)
                    if variable.name.endswith("?") and value.type == TRUTH:  # a condition that a later line goes by
                        self._chained(value, known)
                    still = not (self.calls and any(isinstance(p, t.Call) for p in t.parts(value)))
                    still &= variable not in self.knowing.keys.variables
                    if (
                        still
                        and variable.name.endswith("?")
                        and not any(isinstance(p, t.SITES) for p in t.parts(value))
                    ):
                        self.knowing.flags = {**flags, variable: value}
                case t.Reset(variables=variables):
                    still = not self.knowing.keys.variables.intersection(variables)
                case t.Case() | t.Done():
                    still = True
                case t.ForEach(body=body) | t.Repeat(body=body) | t.RepeatUntil(body=body) | t.Together(body=body):
                    for name in t.children(type(step)):
                        if isinstance(e := getattr(step, name), t.Expr):
                            self.inside(e)
                    self.knowing.flags = {}
                    self.walk(body, NOTHING)
                    still = False
                case _:
                    for name in t.children(type(step)):
                        if isinstance(e := getattr(step, name), t.Expr):
                            self.inside(e)
                    still = False
            if not still:
                known, quiet = NOTHING, False
                if not isinstance(step, t.If):
                    self.knowing.flags = {}
        return quiet

    def _chained(self, e: t.Expr, known: Known) -> None:
        """The condition of a line behind `otherwise`, which is asked only where the line above was not run."""
        while isinstance(e, t.Op) and e.name == "and" and e.where is None:
            known, e = self.knowing.given(e.args[0], True, known), e.args[1]
        self.judge(e, known)

    def inside(self, e: t.Expr) -> None:
        """The conditions that stand inside an expression."""
        for part in t.parts(e) if self.asks else ():
            if isinstance(part, t.IfElse | t.Filter):
                self.judge(part.condition, NOTHING)

    def judge(self, e: t.Expr, known: Known) -> bool | None:
        so = self.knowing.truth(e, known)
        where = _where(e)
        if where is None:
            return so
        at, ruled, why = where, None, ""
        if so is False:
            at, ruled, why = self._culprit(e, where, known)
        self.verdicts.setdefault((id(where.scalar), where.start, where.end), []).append((so, at, ruled, why))
        return so

    def _culprit(self, e: t.Expr, where: Where, known: Known) -> tuple[Where, Where | None, str]:
        """The part that cannot be so, what rules it out, and why."""
        ruled: Where | None = None
        while isinstance(e, t.Op) and e.name == "and":
            left, right = e.args
            if self.knowing.truth(left, known) is False:
                e = left
            else:
                known, ruled, e = self.knowing.given(left, True, known), _where(left) or ruled, right
        return _where(e) or where, ruled, _why(e)

    def tell(self, problems: Problems) -> None:
        for verdicts in self.verdicts.values():
            so, at, ruled, why = verdicts[0]
            if so is None or any(other[0] is not so for other in verdicts):
                continue
            if so:
                hint = "leave the condition out, or ask what can also be otherwise"
                problems.add("P019", at.span, label="it cannot fail", hint=hint)
                continue
            others = [Label(ruled.span, "when this is so")] if ruled is not None else []
            hint = why or "what it governs would never happen: look for a slip in it, or remove the line"
            problems.add("P018", at.span, label="it cannot be", others=others, hint=hint)


def _is_case(steps: tuple[t.Step, ...]) -> bool:
    return bool(steps) and isinstance(steps[0], t.Case)


def _where(e: t.Expr) -> Where | None:
    """Where a condition is said; one that was made up of several, where its last part is."""
    if e.where is not None:
        return e.where
    if isinstance(e, t.Op) and e.name == "and":
        return next((w for arg in reversed(e.args) if (w := _where(arg)) is not None), None)
    return None


def _why(e: t.Expr) -> str:
    for attribute in _compared(e):
        low, high = attribute.attribute.low, attribute.attribute.high
        if low is not None and high is not None:
            return f"`{attribute.attribute.name}` goes from {low} to {high}"
    return ""


def _compared(e: t.Expr) -> Iterator[t.Attr]:
    for arg in e.args if isinstance(e, t.Op) else ():
        if isinstance(arg, t.Attr):
            yield arg
