"""Joint tables under `odds:`: what their rows say, and which of them comes out otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import Value
from .trees import Lines

OTHERWISE = "otherwise"


@dataclass
class Table:
    questions: list[str]
    rows: dict[str, Fraction]

    @property
    def sum(self) -> Fraction:
        return sum(self.rows.values(), Fraction(0))

    def others(self, leaves: Iterable[tuple[Sequence[Value], Fraction]]) -> dict[str, Fraction]:
        """The rows that are otherwise than is said, and the outcomes that have none, with what they are."""
        found = dict.fromkeys(self.rows, Fraction(0))
        for values, weight in leaves:
            row = self.row_of(values[: len(self.questions)])
            found[row] = found.get(row, Fraction(0)) + weight
        return {row: chance for row, chance in found.items() if self.rows.get(row) != chance}

    def row_of(self, values: Sequence[Value]) -> str:
        for row in self.rows:
            said = row.split(",")
            if row != OTHERWISE and all(holds(one.strip(), value) for one, value in zip(said, values, strict=True)):
                return row
        return OTHERWISE if OTHERWISE in self.rows else str(tuple(values))


def holds(said: str, value: Value) -> bool:
    """Whether an outcome is what a place of a row says."""
    if said in ("yes", "no"):
        return value is not None and bool(value) is (said == "yes")
    if said == "not run":
        return value is None
    if not re.match(r"[-+0-9]", said):
        return value == said
    if isinstance(value, bool | str) or value is None:
        return False
    numbers = re.sub(r"[\"]|(?<=[0-9])\+", "", said)
    if " or " in numbers:
        least, _, way = numbers.split()
        return value >= Fraction(least) if way == "more" else value <= Fraction(least)
    low, _, high = numbers[1:].partition("-")
    low = numbers[0] + low
    return Fraction(low) <= value <= Fraction(high or low)


def tables_in(said: Any) -> list[Table]:
    if not isinstance(said, Lines):
        return []
    return [Table(parts(key), {row: Fraction(chance) for row, chance in rows}) for key, rows in said]


def parts(text: str) -> list[str]:
    """What stands between commas, those in brackets left out."""
    found, depth = [""], 0
    for letter in text:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found]
