"""Joint tables: the expected joint distribution of several questions.

A table is complete if its rows are disjoint and their chances sum to 1. `otherwise` is the row of all outcomes that no
other row covers. Output: `JointTable`, and a problem for an incomplete one. It does not know how a table is parsed
(table_rows.py), or the computed odds.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.source import Fix, Problems, Span
from interpreter.source.values import Struct
from interpreter.vocabulary.types import NOT_RUN

OTHERWISE = "otherwise"


class Outcomes(Struct):
    """The outcomes that one cell of a row covers: the numbers from `low` to `high`, or the outcome whose text is
    `word`.
    """

    word: str | None = None
    low: Any = None
    high: Any = None

    def holds(self, value: Any, text: str) -> bool:
        """Return whether these outcomes include a value with this text."""
        if self.word is not None:
            return text == self.word
        return value is not None and value is not NOT_RUN and bool(self.low <= value <= self.high)

    def meets(self, other: Outcomes) -> bool:
        if self.word is not None or other.word is not None:
            return self.word == other.word
        return bool(max(self.low, other.low) <= min(self.high, other.high))


class Row(Struct):
    """`outcomes` has one item for each question, or is None for `otherwise`; the row is written at `key`, its chance at
    `place`.
    """

    outcomes: tuple[Outcomes, ...] | None
    chance: Fraction
    key: Span
    place: Span


class JointTable(Struct):
    """`asks` are the addresses of its questions; `where` is the place of the table."""

    asks: tuple[str, ...]
    rows: tuple[Row, ...]
    where: Span

    @property
    def sum(self) -> Fraction:
        return sum((row.chance for row in self.rows), Fraction(0))

    def row_of(self, outcome: tuple[Any, ...], texts: tuple[str, ...]) -> Row | None:
        """Return the row of a joint outcome, else `otherwise`; None if the table has neither."""
        for row in self.rows:
            if row.outcomes is not None and all(map(Outcomes.holds, row.outcomes, outcome, texts)):
                return row
        return self.otherwise

    @property
    def otherwise(self) -> Row | None:
        return next((row for row in self.rows if row.outcomes is None), None)


def report_sum(table: JointTable, problems: Problems, missing: tuple[str, ...] = ()) -> None:
    """Report a table whose chances do not sum to 1. `missing` are the rows that it lacks, if they are known."""
    share = 1 - table.sum
    last, other = table.rows[-1], table.otherwise
    fix: Fix | None = None
    if other is not None and other.chance + share >= 0:
        hint = f"all others together are `{OTHERWISE}: {other.chance + share}`"
        fix = Fix(other.place, str(other.chance + share), False, f"write `{other.chance + share}`")
    elif share < 0:
        hint = "one of them is said too high, or stands in two rows: `umpire odds --fraction` has each"
    else:
        row = f"{OTHERWISE}: {share}"
        fix = _fix_adding_row(last, row)
        advice = "add " + ", ".join(f"`{each}`" for each in missing) if missing else "add the rows that are missing"
        hint = f"{advice}; or say all others in one row, `{row}`"
    left = f"{share} is missing" if share > 0 else f"{-share} too much"
    problems.add("X032", table.where, sum=table.sum, left=left, hint=hint, fix=fix)


def _fix_adding_row(last: Row, row: str) -> Fix:
    """The fix that adds a row: on a line of its own, or within the braces."""
    text, end = last.key.source.text, last.place.end
    indent = text[text.rfind("\n", 0, last.key.start) + 1 : last.key.start]
    if indent.strip():
        between = ", "
    else:
        between, end = f"\n{indent}", text.find("\n", end)
        end = len(text) if end < 0 else end
    return Fix(Span(last.key.source, end, end), between + row, False, f"add `{row}`")
