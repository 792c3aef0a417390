"""What sentences speak of: things and figures, rows of tables, inches, dice that lie on the table, collections."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import total_ordering
from typing import Any


class Nothing:
    """What a line is worth that gave no value: in a sum 0, where yes or no is wanted no, of things nobody."""

    def __repr__(self) -> str:
        return "nothing"


BLANK = Nothing()  # of a loop without rounds, of a value none of whose lines applies
NOT_RUN = Nothing()  # of a line that was not run


def empty(value: Any) -> bool:
    return value is BLANK or value is NOT_RUN


@total_ordering
@dataclass(frozen=True)
class Inches:
    value: Fraction

    def __lt__(self, other: Inches) -> bool:
        return self.value < other.value


@dataclass(frozen=True)
class MarkName:
    """A word that is a mark, in a cell or handed on."""

    name: str


@dataclass(frozen=True)
class Option:
    """Which of the lines below `picks one` was picked."""

    name: str


@dataclass(frozen=True)
class DiceCell:
    count: int
    sides: int
    plus: int = 0


@dataclass(frozen=True)
class Band:
    values: tuple[Fraction, ...]
    inches: bool


@dataclass(eq=False)
class Row:
    table: str
    name: str
    place: int
    marks: set[str] = field(default_factory=set)
    cells: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Word:
    """A word that is a row of more than one table: what stands beside it says of which."""

    name: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Shots:
    """A cell that goes by another column: `shots by range`."""

    cell: Any
    ranges: Any


@dataclass(eq=False)
class Thing:
    """A unit, a side, a figure: its sort, who holds it, what its card says."""

    sort: str
    name: str
    order: int
    card: dict[str, Any] = field(default_factory=dict)
    marks: set[str] = field(default_factory=set)
    fresh: set[str] = field(default_factory=set)  # marks gained since what ends them last began
    links: dict[str, list[Thing]] = field(default_factory=dict)  # marks between two: with whom
    gone: bool = False
    coming: bool = False  # made among what is done together: it is there when that has landed
    begun: dict[str, Any] = field(default_factory=dict)  # its card as it was made
    made_at: tuple[str, ...] = ()  # the line that made it
    source: Thing | None = None  # made from: what the table says of that it says of this

    def __repr__(self) -> str:
        return self.name or self.sort


class Faces:
    """Dice: as thrown they are worth what they show; a part of them is a collection, and counted."""

    def __init__(self, faces: list[int], plus: int = 0, thrown: bool = True, inches: bool = False) -> None:
        self.faces, self.plus, self.thrown, self.inches = list(faces), plus, thrown, inches
        self.throws: frozenset[Any] = frozenset([self] if thrown else [])  # which throws they are of

    def part(self, faces: list[int]) -> Faces:
        made = Faces(faces, 0, False, False)
        made.throws = self.throws
        return made


class Many:
    """A collection: things, figures, rows or numbers; `nones` of those asked had none."""

    def __init__(self, items: list[Any], nones: int = 0) -> None:
        self.items, self.nones = list(items), nones

    def __repr__(self) -> str:
        return repr(self.items)


class Linked(Many):
    """Those with whom somebody bears a mark between two: as yes or no, whether there is any."""


def plus(one: Faces | Many, two: Faces | Many) -> Faces | Many:
    """Put together: nobody counts twice, dice do."""
    if isinstance(one, Faces) and isinstance(two, Faces):
        both = one.part(one.faces + two.faces)
        both.throws = one.throws | two.throws
        return both
    assert isinstance(one, Many) and isinstance(two, Many)
    return Many(one.items + [x for x in two.items if not holds(one.items, x)])


def minus(one: Faces | Many, two: Faces | Many) -> Faces | Many:
    if isinstance(one, Faces) and isinstance(two, Faces):
        left = Counter(one.faces) - Counter(two.faces)
        return one.part(sorted(left.elements()))
    assert isinstance(one, Many) and isinstance(two, Many)
    return Many([x for x in one.items if not holds(two.items, x)])


def holds(items: list[Any], wanted: Any) -> bool:
    return any(same(x, wanted) for x in items)


def same(one: Any, two: Any) -> bool:
    if isinstance(one, Word) and isinstance(two, Row):
        return one.name == two.name and any(row is two for row in one.rows)
    if isinstance(two, Word) and isinstance(one, Row):
        return same(two, one)
    if isinstance(one, Thing | Row) or isinstance(two, Thing | Row):
        return one is two
    if isinstance(one, Faces):
        one = sum(one.faces) + one.plus if one.thrown else len(one.faces)
    return type(one) is type(two) and one == two if isinstance(one, bool) else one == two


def row_beside(word: Any, other: Any) -> Any:
    """A word as a row of the table that the other one belongs to."""
    if isinstance(word, Word):
        if isinstance(other, Many):
            other = other.items[0] if other.items else None
        if isinstance(other, Row):
            return next((row for row in word.rows if row.table == other.table), word)
        return word.rows[0] if other is None else word
    return word
