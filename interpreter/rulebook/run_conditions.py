"""Guards questions against lines that did not run; and resolves lines and blocks without a value, about which a
question can only ask whether they ran.

A test that reads a line that did not run is False, and `not` of it True; a sum or line is then itself not run. Input: a
typed question; the words of `ran(…)`. Output: the same question, guarded by the flags of its lines where they may not
run; a variable of type `block`, or a field of a call's record, which has no value. Rules are not guarded: in them a
line that did not run has the null value of its type. The flags are set in `run_flags.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from interpreter.source.values import replace
from interpreter.vocabulary.operations import OPERATIONS
from interpreter.vocabulary.types import NOT_RUN, TRUTH, Type

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .construct import op
from .run_flags import RAN, totals_of
from .scope import Lines, Scope
from .sheets import LineVisibility

Flag = Callable[[t.Variable], t.Variable | None]


class RunConditions:
    """Guards expressions against lines that did not run.

    `flag` returns the flag for a line of the current procedure; None if it always runs. `surely` tells whether the
    subject of a line with a call is never absent. `several` maps a total to its runs.
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
        self.unsure: dict[str, None] = {}  # source text of the lines that may not run

    def answer(self, e: t.Expr) -> t.Expr:
        """Return the question with the value `NOT_RUN` where its lines did not run."""
        if e.type == TRUTH and not isinstance(e, t.Var | t.Field):
            return self.test(e)
        value, ran = self.value(e)
        if ran is None:
            return value
        return t.IfElse(ran, value, t.Lit(NOT_RUN, type=e.type), type=e.type, where=e.where)

    def test(self, e: t.Expr) -> t.Expr:
        """Return a condition that is false where its lines did not run."""
        match e:
            case t.Op(name="and" | "or", args=args):
                return replace(e, args=tuple([self.test(a) for a in args]))
            case t.Op(name="not", args=(inner,)) if inner.where is not None:  # an explicit `not`
                return replace(e, args=(self.test(inner),))
            case t.IfElse():
                return replace(e, condition=self.test(e.condition), value=self.test(e.value), other=self.test(e.other))
        value, ran = self._whole(e)
        if isinstance(value, t.Op) and OPERATIONS[value.name].compares:  # a trace shows which side did not run
            value = replace(value, args=tuple([self._plain(a) for a in value.args]))
        return value if ran is None else op("and", (ran, value), TRUTH, e.where)

    def _plain(self, e: t.Expr) -> t.Expr:
        line = e.args[0] if isinstance(e, t.Op) and OPERATIONS[e.name].added_unsaid else e
        return self.answer(e) if isinstance(line, t.Var | t.Field) and e.where is not None else e

    def value(self, e: t.Expr) -> tuple[t.Expr, t.Expr | None]:
        """Return the expression with its tests guarded, and the condition that all its lines ran; None for always."""
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
        """Like `value`, for expressions that have no value if any part did not run."""
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
        """A condition on each member of a collection, quantified over all of them."""
        if not isinstance(e, t.Each | t.Extreme | t.Filter):
            return ran
        if not any(isinstance(part, t.Var) and part.variable is e.variable for part in t.parts(ran)):
            return ran
        others = t.Filter(e.items, e.variable, op("not", (ran,), TRUTH), type=e.items.type)
        return op("not", (op("any-of", (others,), TRUTH),), TRUTH)

    # ---- a single line
    def ran(self, e: t.Expr) -> t.Expr | None:
        """Return the condition that a line ran; None for always. For a total over rounds: that its loop ran."""
        line = (self._total_record(e.record) or e) if isinstance(e, t.Field) and not self._counts_runs(e) else e
        return self._ran_noted(line, line.where.text if line is e and line.where is not None else source_of(line))

    def in_rounds(self, e: t.Expr) -> bool:
        """Return whether this is a line's total over the rounds of a loop."""
        return isinstance(e, t.Field) and not self._counts_runs(e) and self._total_record(e.record) is not None

    def _ran_noted(self, line: t.Expr, name: str) -> t.Expr | None:
        ran = self._ran(line)
        if ran is not None:
            self.unsure[name] = None
        return ran

    def _ran(self, e: t.Expr) -> t.Expr | None:
        match e:
            case t.Var(variable=variable) if variable in self.several:
                each = [self._ran(run) for run in self.several[variable]]  # it ran if any of its runs did
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

    def _total_record(self, record: t.Expr) -> t.Expr | None:
        """The innermost record in a path of fields that is a total of a loop; None if there is none."""
        match record:
            case t.Var(variable=variable):
                return record if variable in self.definitions.found.totals else None
            case t.Field(procedure=procedure, address=address):
                inner = self._total_record(record.record) if not self._by_rule(record) else None
                line = self.definitions.procedure(procedure).lines.get(address)
                if inner is None and line is not None and line in self._totals(record):
                    return record
                return inner
        return None

    def _counts_runs(self, line: t.Field) -> bool:
        """Whether a line counts as run only if one of its runs did: it has no value, or belongs to a rule."""
        return line.type.name == "block" or self._by_rule(line)

    def _by_rule(self, line: t.Field) -> bool:
        """Whether the line belongs to a rule."""
        lines = self.definitions.lines_of(line.procedure)
        return line.address in lines.brought or line.address in lines.runs

    def _totals(self, record: t.Field) -> Iterable[t.Variable]:
        return totals_of(self.definitions.procedure(record.procedure)) | self.definitions.found.totals

    def _called(self, record: t.Expr) -> bool:
        """Whether a record always exists: its line always runs, and its call has a subject."""
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
    """Return whether every value assigned to a line is a call whose things and figures are never absent."""
    assigned = {step.variable for step in (*inside[t.Assign], *inside[t.New])}
    values = [step.value for step in inside[t.Assign] if step.variable is line]
    return bool(values) and all(
        isinstance(v, t.Call) and all(_never_absent(a, assigned) for a in v.args if a.type.name in ("thing", "figure"))
        for v in values
    )


def source_of(line: t.Expr) -> str:
    """Return the source text of a line, with the record that it is a field of."""
    match line:
        case t.Var(variable=variable):
            return variable.name
        case t.Field(record=record, address=address):
            return f"{source_of(record)}.{address}"
    return ""


def _never_absent(e: t.Expr, assigned: set[t.Variable]) -> bool:
    """Whether an expression is never absent: a parameter or loop variable, its holder, or a required attribute of
    these.
    """
    match e:
        case t.Var(variable=variable):
            return variable not in assigned
        case t.Holder(of=of):
            return _never_absent(of, assigned)
        case t.Attr(of=of, attribute=attribute):
            return not attribute.optional and _never_absent(of, assigned)
    return False


def _all(conditions: list[t.Expr], how: str = "and") -> t.Expr | None:
    found: t.Expr | None = None
    for guard in conditions:
        found = guard if found is None else op(how, (found, guard), TRUTH)
    return found


def _any(conditions: list[t.Expr]) -> t.Expr | None:
    return _all(conditions, "or")


BLOCK = Type("block")


def named_deeds(
    definitions: CheckedDefinitions, names: list[str], scope: Scope, visibility: LineVisibility | None
) -> dict[str, t.Expr]:
    """The lines without a value that the words may name, by full address; empty if they name a line with a value."""
    for lines in scope.all_lines():
        if found := _in_lines(definitions, lines, None, names, visibility):
            return found
    if scope.record is not None:
        return _in_record(definitions, scope.record, names, visibility)
    return {}


def _in_lines(
    definitions: CheckedDefinitions,
    lines: Lines,
    record: t.Expr | None,
    names: list[str],
    visibility: LineVisibility | None,
) -> dict[str, t.Expr]:
    name = ".".join(names)
    found = lines.find_deeds(name, visibility)
    named = [a for a in lines.nearest(name, visibility) if lines[a].type.name != "block"]
    if named and (
        visibility is None or not visibility.owns_one(found, lines.givers) or visibility.owns_one(named, lines.givers)
    ):
        return {}
    if found:
        return {a: _line(record, a, v) for a, v in found.items()}
    for size in range(len(names) - 1, 0, -1):
        for address in lines.nearest(".".join(names[:size]), visibility):
            if lines[address].type.name == "record":
                inner = _in_record(definitions, _line(record, address, lines[address]), names[size:], visibility)
                return {f"{address}.{a}": e for a, e in inner.items()}
    return {}


def _in_record(
    definitions: CheckedDefinitions, record: t.Expr, names: list[str], visibility: LineVisibility | None
) -> dict[str, t.Expr]:
    return _in_lines(definitions, definitions.lines_of(record.type.of), record, names, visibility)


def _line(record: t.Expr | None, address: str, variable: t.Variable) -> t.Expr:
    if record is None:
        return t.Var(variable, type=variable.type)
    return t.Field(record, record.type.of, address, type=variable.type)
