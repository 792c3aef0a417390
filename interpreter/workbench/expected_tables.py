"""Compares the joint tables that a situation expects with its exact odds.

Takes a case, and the answer to its questions. Adds a problem for each row with another chance, and for outcomes missing
in a table. Knows nothing of how odds are computed.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.rulebook.joint_tables import OTHERWISE, JointTable, Row, report_sum
from interpreter.source import Problems

from .answers import Answer, sort_key
from .bands import Band

_FEW = 4  # outcomes listed individually

Outcome = tuple[Any, ...]


def check_table(table: JointTable, answer: Answer | Band, problems: Problems) -> None:
    """Report every row whose chance differs from the answer, and the outcomes that no row has."""
    if isinstance(answer, Band):
        problems.add("X034", table.where, who=answer.by, hint=answer.advice)
        return
    chances, left = _by_row(table, answer)
    if table.sum != 1:
        rows = tuple([f"{said}: {chance}" for said, chance in left.items()])
        report_sum(table, problems, rows if 0 < len(rows) <= _FEW and sum(left.values()) == 1 - table.sum else ())
    for row in table.rows:
        if row.outcomes is None and table.sum != 1:
            continue  # the sum is reported already
        if (found := chances.get(row, Fraction(0))) != row.chance:
            expected = f"{row.chance} ({float(row.chance):.4f})"
            got = f"{found} ({float(found):.4f})"
            problems.add("X001", row.place, expected=expected, found=got, label=str(found))
    if left and table.sum == 1:
        others = ", ".join(f"`{said}` in {chance}" for said, chance in [*left.items()][:_FEW])
        more = len(left) - _FEW
        others += f", and {more} more" if more > 0 else ""
        hint = f"a row for each, or `{OTHERWISE}: …` for all that are not named"
        problems.add("X001", table.where, expected="no other outcome than its rows", found=others, hint=hint)


def _by_row(table: JointTable, answer: Answer) -> tuple[dict[Row, Fraction], dict[str, Fraction]]:
    """The chance of each row, and of each outcome without a row, in words."""
    asks = [next(i for i, ask in enumerate(answer.asks) if ask.address == address) for address in table.asks]
    joint: dict[Outcome, int] = {}
    for values, weight in answer.joint:
        outcome = tuple([values[i] for i in asks])
        joint[outcome] = joint.get(outcome, 0) + weight
    rows: dict[Row, Fraction] = {}
    left: dict[str, Fraction] = {}
    for outcome in sorted(joint, key=lambda each: [sort_key(value) for value in each]):
        said = tuple([answer.words.say(value, answer.asks[i].type) for value, i in zip(outcome, asks, strict=True)])
        row, chance = table.row_of(outcome, said), Fraction(joint[outcome], answer.total)
        if row is None:
            left[", ".join(said)] = chance
        else:
            rows[row] = rows.get(row, Fraction(0)) + chance
    return rows, left
