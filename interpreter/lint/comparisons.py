"""Lines that compare where they were meant to set.

Enters: a checked book without errors and its checker. Leaves: findings.
"""

from __future__ import annotations

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Procedure
from interpreter.source import Problems


def check_comparisons(checker: ProcedureChecker, problems: Problems) -> None:
    """A line `NAME = 0` that no line reads was meant to set the name: `=` only compares."""
    read: set[t.Variable] = set()
    fields: set[tuple[Procedure, str]] = set()
    found: list[tuple[t.Assign, Procedure]] = []
    totals: dict[t.Variable, t.Variable] = {}
    for procedure in checker.book.procedures.values():
        inside = checker.procedure(procedure).inside
        read.update([part.variable for part in inside[t.Var]])
        fields.update([(part.procedure, part.address) for part in inside[t.Field]])
        totals |= {part.value: part.total for part in inside[t.Accumulate]}
        for part in inside[t.Assign]:
            if isinstance(part.value, t.Op) and part.value.name == "equal":
                found.append((part, procedure))
    for step, procedure in found:
        said = step.value
        asked = {step.variable, totals.get(step.variable)} & read
        if asked or (procedure, step.variable.name) in fields or not isinstance(said, t.Op):
            continue
        if isinstance(said.args[0], t.Attr) and said.where is not None:
            left = said.args[0].where
            hint = f"to set it, say `{left.text} becomes …`" if left else "to set it, say `… becomes …`"
            problems.add("P015", said.where.span, hint=hint)
