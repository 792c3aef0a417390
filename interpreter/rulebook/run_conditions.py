"""Questions whose lines may not have been run: what they are worth then, and when they are worth anything.

A test that reads a line that was not run is false, and `not` of it is true; a sum or a plain line is not run itself.
Enters: a typed question. Leaves: the same question, guarded by whether its lines were run, where that can be otherwise.
Inside rules nothing is guarded: there such a line counts as nothing, nobody, no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from interpreter.source.values import replace
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import TRUTH
from interpreter.vocabulary.unrun import NOT_RUN

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .construct import op
from .ran import RAN, totals_of

Flag = Callable[[t.Variable], t.Variable | None]


class RunConditions:
    """`flag`: what says whether a line of the procedure in hand was run; None where that is always so. `surely`: of its
    lines that are calls, whether they call somebody. `several`: the runs of which a line is made.
    """

    def __init__(
        self,
        definitions: CheckedDefinitions,
        flag: Flag,
        surely: Callable[[t.Variable], bool] = lambda _: False,
        several: Mapping[t.Variable, Sequence[t.Expr]] | None = None,
    ) -> None:
        self.definitions = definitions
        self.flag = flag
        self.surely = surely
        self.several: Mapping[t.Variable, Sequence[t.Expr]] = {} if several is None else several
        self.unsure: dict[str, None] = {}  # the lines that may be not run, as they are said from here

    def answer(self, e: t.Expr) -> t.Expr:
        """A question, worth `NOT_RUN` where it comes to nothing."""
        if e.type == TRUTH and not isinstance(e, t.Var | t.Field):
            return self.test(e)
        value, ran = self.value(e)
        if ran is None:
            return value
        return t.IfElse(ran, value, t.Lit(NOT_RUN, type=e.type), type=e.type, where=e.where)

    def test(self, e: t.Expr) -> t.Expr:
        """Yes or no, and never anything else."""
        match e:
            case t.Op(name="and" | "or", args=args):
                return replace(e, args=tuple([self.test(a) for a in args]))
            case t.Op(name="not", args=(inner,)) if inner.where is not None:  # that somebody wrote by itself
                return replace(e, args=(self.test(inner),))
            case t.IfElse():
                return replace(e, condition=self.test(e.condition), value=self.test(e.value), other=self.test(e.other))
        value, ran = self._whole(e)
        if isinstance(value, t.Op) and OPERATIONS[value.name].compares:  # so that a trace says what was not run
            value = replace(value, args=tuple([self._plain(a) for a in value.args]))
        return value if ran is None else op("and", (ran, value), TRUTH, e.where)

    def _plain(self, e: t.Expr) -> t.Expr:
        line = e.args[0] if isinstance(e, t.Op) and OPERATIONS[e.name].added_unsaid else e
        return self.answer(e) if isinstance(line, t.Var | t.Field) and e.where is not None else e

    def value(self, e: t.Expr) -> tuple[t.Expr, t.Expr | None]:
        """An expression, its tests guarded, and whether all lines were run that it is made of; None for always."""
        if isinstance(e, t.Var | t.Field):
            return e, self.ran(e)
        if e.type == TRUTH:
            return self.test(e), None
        if isinstance(e, t.IfElse):
            (value, one), (other, two) = self.value(e.value), self.value(e.other)
            condition = self.test(e.condition)
            made = replace(e, condition=condition, value=value, other=other)
            if one is None and two is None:
                return made, None
            yes = t.Lit(True, type=TRUTH)
            return made, t.IfElse(condition, one or yes, two or yes, type=TRUTH)
        return self._whole(e)

    def _whole(self, e: t.Expr) -> tuple[t.Expr, t.Expr | None]:
        """The same of what is worth nothing as soon as one of its parts is not run."""
        if isinstance(e, t.Var | t.Field):
            return e, self.ran(e)
        if isinstance(e, t.Op) and e.name == "not" and e.args[0].where is None:  # `is not`, `no …`: one test
            inner, ran = self._whole(e.args[0])
            return replace(e, args=(inner,)), ran
        changed: dict[str, t.Expr | tuple[t.Expr, ...]] = {}
        conditions: list[t.Expr] = []
        for name in t.holding(type(e)):
            part = getattr(e, name)
            if isinstance(part, t.Expr):
                now, ran = self.value(part)
                changed[name], mine = now, [ran]
            elif isinstance(part, tuple) and part and isinstance(part[0], t.Expr):
                both = [self.value(p) for p in part]
                changed[name], mine = tuple([now for now, _ in both]), [ran for _, ran in both]
            else:
                continue
            conditions += [self._of_each(e, ran) for ran in mine if ran is not None]
        return replace(e, **changed) if changed else e, _all(conditions)

    def _of_each(self, e: t.Expr, ran: t.Expr) -> t.Expr:
        """What hangs on each member of a collection has to be so of all of them."""
        if not isinstance(e, t.Each | t.Extreme | t.Filter):
            return ran
        if not any(isinstance(part, t.Var) and part.variable is e.variable for part in t.parts(ran)):
            return ran
        others = t.Filter(e.items, e.variable, op("not", (ran,), TRUTH), type=e.items.type)
        return op("not", (op("any-of", (others,), TRUTH),), TRUTH)

    # ---- one line
    def ran(self, e: t.Expr) -> t.Expr | None:
        """Whether a line was run, as far as that can be otherwise. Of what rounds of a loop come to, whether that loop
        was.
        """
        line = (self._added_up(e.record) or e) if isinstance(e, t.Field) and not self._alone(e) else e
        return self._noted(line, line.where.text if line is e and line.where is not None else said(line))

    def in_rounds(self, e: t.Expr) -> bool:
        """Whether this is what the rounds of a loop come to, and not whether a line of one of them was run."""
        return isinstance(e, t.Field) and not self._alone(e) and self._added_up(e.record) is not None

    def _noted(self, line: t.Expr, name: str) -> t.Expr | None:
        ran = self._ran(line)
        if ran is not None:
            self.unsure[name] = None
        return ran

    def _ran(self, e: t.Expr) -> t.Expr | None:
        match e:
            case t.Var(variable=variable) if variable in self.several:
                each = [self._ran(run) for run in self.several[variable]]  # also of rounds: any that was
                return _any([run for run in each if run is not None]) if None not in each else None
            case t.Var(variable=variable):
                flag = self.flag(variable)
                return None if flag is None else t.Var(flag, type=TRUTH)
            case t.Field(record=record, procedure=procedure, address=address) if not address.endswith(RAN):
                found = self.definitions.ran_line(procedure, address)
                if found is not None:
                    return t.Field(record, procedure, found, type=TRUTH)
                return None if self._called(record) else op("not", (op("absent", (record,), TRUTH),), TRUTH)
        return None

    def _added_up(self, record: t.Expr) -> t.Expr | None:
        """Of a record, or of that which it is a line of: what a loop adds up."""
        match record:
            case t.Var(variable=variable):
                return record if variable in self.definitions.found.totals else None
            case t.Field(procedure=procedure, address=address):
                inner = self._added_up(record.record) if not self._by_rule(record) else None
                line = self.definitions.procedure(procedure).lines.get(address)
                if inner is None and line is not None and line in self._totals(record):
                    return record
                return inner
        return None

    def _alone(self, line: t.Field) -> bool:
        """Whether a line was run only where one of its runs was: it is worth nothing, or a rule's."""
        return line.type.name == "block" or self._by_rule(line)

    def _by_rule(self, line: t.Field) -> bool:
        """Whether a rule brought it: that was run only where the rule set in, over whatever rounds."""
        lines = self.definitions.lines_of(line.procedure)
        return line.address in lines.brought or line.address in lines.runs

    def _totals(self, record: t.Field) -> Iterable[t.Variable]:
        return totals_of(self.definitions.procedure(record.procedure)) | self.definitions.found.totals

    def _called(self, record: t.Expr) -> bool:
        """Whether a record is surely there: its line is always run, and calls somebody."""
        match record:
            case t.Var(variable=variable):
                return self.flag(variable) is None and self.surely(variable)
            case t.Field(procedure=procedure, address=address):
                checked = self.definitions.procedure(procedure)
                if self.definitions.ran_line(procedure, address) is not None or not self._called(record.record):
                    return False
                return surely_calls(checked.inside, checked.lines[address])
        return False


def surely_calls(inside: dict[type[Any], list[Any]], line: t.Variable) -> bool:
    """Whether what a line is worth is a call of somebody, wherever it gets a value."""
    said = {step.variable for step in (*inside[t.Assign], *inside[t.New])}
    values = [step.value for step in inside[t.Assign] if step.variable is line]
    return bool(values) and all(
        isinstance(v, t.Call) and all(_somebody(a, said) for a in v.args if a.type.name in ("thing", "figure"))
        for v in values
    )


def said(line: t.Expr) -> str:
    """A line as it is said where its record is one of several."""
    match line:
        case t.Var(variable=variable):
            return variable.name
        case t.Field(record=record, address=address):
            return f"{said(record)}.{address}"
    return ""


def _somebody(e: t.Expr, said: set[t.Variable]) -> bool:
    """Whether it is certainly somebody: who takes part, or whose turn it is; and whom each of these must have."""
    match e:
        case t.Var(variable=variable):
            return variable not in said
        case t.Holder(of=of):
            return _somebody(of, said)
        case t.Attr(of=of, attribute=attribute):
            return not attribute.optional and _somebody(of, said)
    return False


def _all(conditions: list[t.Expr], how: str = "and") -> t.Expr | None:
    found: t.Expr | None = None
    for guard in conditions:
        found = guard if found is None else op(how, (found, guard), TRUTH)
    return found


def _any(conditions: list[t.Expr]) -> t.Expr | None:
    return _all(conditions, "or")
