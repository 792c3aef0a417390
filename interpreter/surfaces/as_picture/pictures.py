"""What a picture shows, and nothing of how: all that the drawing needs, in the game's words already.

Enters and leaves: nothing; these are values. Every number is exact here, and what is written beside a bar is text.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from interpreter.source.values import Struct


class Value(Struct):
    """A chance or a mean; from `least` to `most` where somebody chooses. `said` is short, `exact` is whole."""

    least: Fraction
    most: Fraction
    said: str
    exact: str


class Row(Struct):
    """An outcome: one value in each series. `more` says how likely this or more is, where that means anything."""

    label: str
    values: tuple[Value, ...]
    more: tuple[Value, ...] = ()


class Series(Struct):
    """One of the distributions that stand side by side; one alone needs no name. `note` is of all of it: `mean 2`."""

    name: str
    note: str = ""


class Bars(Struct):
    """A distribution, or several side by side. `rows` are drawn; `table` has every outcome, also those drawn as one.
    `whole`: a full bar is certainty, not the likeliest outcome.
    """

    title: str
    first: str  # what the rows are: "outcome", "question"
    series: tuple[Series, ...]
    rows: tuple[Row, ...]
    table: tuple[Row, ...]
    whole: bool = False
    what: str = "chance"


class Axis(Struct):
    name: str
    labels: tuple[str, ...]


class Heat(Struct):
    """A number for each place on two axes: `cells[down][across]`, None where it is never so, or where it was not asked:
    those are `unasked`. `chances`: chances.
    """

    title: str
    note: str
    down: Axis
    across: Axis
    cells: tuple[tuple[Value | None, ...], ...]
    chances: bool = True
    unasked: frozenset[tuple[int, int]] = frozenset()

    def said(self, down: int, across: int, said: Callable[[Value], str]) -> str:
        """A cell in words, also one that is empty."""
        value = self.cells[down][across]
        if value is not None:
            return said(value)
        return "not asked" if (down, across) in self.unasked else "never"


Picture = Bars | Heat


class Page(Struct):
    """Pictures under one heading. `lines` describe what was asked; `remarks` follow the pictures."""

    rules: str
    heading: str
    lines: tuple[str, ...]
    pictures: tuple[Picture, ...]
    remarks: tuple[str, ...] = ()
