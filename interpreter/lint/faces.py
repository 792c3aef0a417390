"""Whether outcome tables answer every face that they are asked for, and no other.

Enters: a checked book without errors and its checker. Leaves: gaps at the ends of a table, and rows that no
die reaches. What a table is asked with is followed back to the dice, through lines and sums; where that
cannot be told, nothing is said.
"""

from __future__ import annotations

from math import inf

from interpreter.rulebook import typed as t
from interpreter.rulebook.cases import Cases
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure
from interpreter.source import Problems

Stretch = tuple[float, float]
Ranges = dict[t.Variable, Stretch | None]


def check_faces(checker: ProcedureChecker, problems: Problems) -> None:
    asked: dict[Procedure, list[Stretch | None]] = {}
    for procedure in checker.book.procedures.values():
        checked = checker.procedure(procedure)
        ranges = _ranges(checked)
        for call in t.parts(checked.steps):
            if isinstance(call, t.Call) and call.procedure in checker.outcomes:
                given = dict(zip(checker.procedure(call.procedure).params, call.args, strict=False))
                known: Ranges = {param: _range(arg, ranges) for param, arg in given.items()}
                cases = checker.outcomes[call.procedure]
                asked.setdefault(call.procedure, []).append(_range(cases.value, known))
    for procedure, stretches in asked.items():
        told = [s for s in stretches if s is not None]
        if len(told) == len(stretches):
            low, high = min(s[0] for s in told), max(s[1] for s in told)
            _compare(procedure, checker.outcomes[procedure], low, high, problems)


def _compare(procedure: Procedure, cases: Cases, low: float, high: float, problems: Problems) -> None:
    first, last = min(s.low for s in cases.stretches), max(s.high for s in cases.stretches)
    gaps = [(low, first - 1), (last + 1, high)]
    missing = [str(int(a)) if a == b else f"{int(a)}-{int(b)}" for a, b in gaps if a <= b]
    by = procedure.by
    if missing and by is not None:
        hint = f"it is asked with {int(low)} to {int(high)}"
        place = procedure.scalar.at(by.start, by.end)
        problems.add("K001", place, missing=", ".join(missing), label="every outcome needs a case", hint=hint)
    for stretch in cases.stretches:
        face = stretch.high if high < stretch.high < inf else stretch.low if -inf < stretch.low < low else None
        if face is not None and low == 1:
            problems.add("K003", stretch.place, face=int(face), die=f"d{int(high)}", label="no die shows this")


def _ranges(checked: t.Checked) -> Ranges:
    """From where to where each line goes: all that is ever assigned to it."""
    assigned: dict[t.Variable, list[t.Expr | None]] = {}
    for step in t.parts(checked.steps):
        if isinstance(step, t.Assign):
            assigned.setdefault(step.variable, []).append(step.value)
        elif isinstance(step, t.Accumulate):
            assigned.setdefault(step.total, []).append(None)
    found: Ranges = {}
    for _ in range(2):  # a line may be worked out from one further up
        for variable, values in assigned.items():
            stretches = [None if e is None else _range(e, found) for e in values]
            told = [s for s in stretches if s is not None]
            whole = len(told) == len(stretches)
            found[variable] = (min(s[0] for s in told), max(s[1] for s in told)) if whole else None
    return found


def _range(e: t.Expr, known: Ranges) -> Stretch | None:
    """From the lowest to the highest that an expression can be; None when that is not known."""
    match e:
        case t.Lit(value=int() as value):
            return value, value
        case t.Var(variable=variable):
            return known.get(variable)
        case t.Throw(count=t.Lit(value=int() as count), sides=int() as sides):
            return count, count * sides
        case t.Op(name="lowest" | "highest", args=(t.Throw(sides=int() as sides),)):
            return 1, sides
        case t.Op(name="sum-faces", args=(inner,)):
            return _range(inner, known)
        case t.Op(name="add" | "subtract" as name, args=(left, right)):
            a, b = _range(left, known), _range(right, known)
            if a is None or b is None:
                return None
            return (a[0] + b[0], a[1] + b[1]) if name == "add" else (a[0] - b[1], a[1] - b[0])
        case t.IfElse(value=value, other=other):
            a, b = _range(value, known), _range(other, known)
            return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))
    return None
