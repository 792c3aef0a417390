"""The symbols that a rule file declares: kinds, tables, values, rolls, marks, facts, procedures, rules, rulings.

Names resolve to these objects; after checking, typed expressions hold them and no names. Encoding of values: a row is
its index in its table, a thing the offset of its first cell, an absent row or thing -1, an absent number None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.document.nodes import Node, Scalar
from interpreter.language import nodes as n
from interpreter.source import Span
from interpreter.source.values import Record, Struct, field, reduce_by_fields
from interpreter.vocabulary.types import Type


class Where(Struct, eq=False):
    """A range of a scalar's text; its span in the file is computed on demand."""

    scalar: Scalar
    start: int
    end: int

    __reduce__ = reduce_by_fields

    @property
    def span(self) -> Span:
        return self.scalar.at(self.start, self.end)

    @property
    def text(self) -> str:
        return self.scalar.text[self.start : self.end]


class Symbol(Record):
    """A declared name, its place, and the clauses that its title cites."""

    name: str
    where: Where
    cites: tuple[str, ...] = field(default=(), kw_only=True)


class Attribute(Symbol, Record):
    """An attribute of a kind, or a mark (`is_mark`), with its bounds, its default `first`, and the `ending` of
    a mark.
    """

    kind: Kind
    type: Type
    optional: bool = False
    low: int | None = None
    high: int | None = None
    first: n.Expr | None = None
    is_mark: bool = False
    out_of_play: bool = False
    ending: n.Ending | None = None
    word: str | None = None  # of a mark between two things: the preposition before the other one
    both_ways: bool = False
    holding: Holding | None = None
    fresh: Attribute | None = None  # for `until after next P`: a mark set if this was gained since P last began
    place: int = 0  # offset in a thing's cells or in a figure's tuple

    @property
    def between(self) -> bool:
        """Whether it is a mark between two things: its value is the set of the other things."""
        return self.is_mark and self.type.name == "things"

    def stated(self) -> list[Attribute]:
        """Return the marks to set where a situation states this one. This includes those for `until after next`,
        because a stated mark counts as just gained.
        """
        return [*(a for a in self.kind.attributes.values() if a.fresh is self), self]

    @property
    def ordinary(self) -> int:
        """The index of the default row; -1 if there is none."""
        first = self.first
        word = first.parts[0].name if isinstance(first, n.Path) and len(first.parts) == 1 else ""
        row = self.type.of.rows.get(word) if self.type.name == "row" else None
        return -1 if row is None else int(row.index)


def within(symbol: Attribute | Fact, value: Any) -> Any:
    """Return a number clamped to the declared bounds; None stays None."""
    if value is None or symbol.low is None or symbol.high is None:
        return value
    return min(symbol.high, max(symbol.low, value))


class Kind(Symbol, Record):
    """A kind of things, or of figures (`counted`). `base`: the kind that it is derived from; `owner`: the kind that
    owns its things, or holds its figures; `subs`: the kinds derived from it.
    """

    plural: str
    number: int
    owner: Kind | None = None
    base: Kind | None = None
    counted: bool = False
    attributes: dict[str, Attribute] = field(default_factory=dict)
    bags: list[Kind] = field(default_factory=list)  # counted kinds whose figures things of this kind hold
    subs: list[Kind] = field(default_factory=list)

    def lineage(self) -> Iterator[Kind]:
        kind: Kind | None = self
        while kind is not None:
            yield kind
            kind = kind.base

    def find(self, name: str) -> Attribute | None:
        kind: Kind | None = self
        while kind is not None:
            if name in kind.attributes:
                return kind.attributes[name]
            kind = kind.base
        return None

    def all_attributes(self) -> list[Attribute]:
        return [a for kind in reversed(list(self.lineage())) for a in kind.attributes.values()]

    def is_a(self, other: Kind) -> bool:
        kind: Kind | None = self
        while kind is not None and kind is not other:
            kind = kind.base
        return kind is not None

    def sorts(self) -> list[Kind]:
        """Return this kind and all kinds derived from it."""
        return [self, *(s for sub in self.subs for s in sub.sorts())]

    @property
    def root(self) -> Kind:
        return list(self.lineage())[-1]

    def held_in(self) -> Kind | None:
        """For a counted kind, return the kind whose things hold its figures; else None."""
        return self.root.owner if self.root.counted else None


class RowDef(Symbol, Record):
    """A row of a table: its index, and the encoded values of its cells."""

    index: int
    cells: dict[str, Any] = field(default_factory=dict)  # by column or mark; for distance bands, the farthest
    reaches: dict[str, tuple[Any, ...]] = field(default_factory=dict)  # column → the ends of its distance bands
    cell_places: dict[str, Where] = field(default_factory=dict)


class Column(Symbol, Record):
    """A column of a table. `by`: the column with the distances at which the parts of its cells end."""

    type: Type
    by: str | None = None


class Table(Symbol, Record):
    """A table, with its columns, its boolean columns (`marks`) and its rows, each by name."""

    columns: dict[str, Column] = field(default_factory=dict)
    marks: dict[str, Column] = field(default_factory=dict)
    rows: dict[str, RowDef] = field(default_factory=dict)

    def row_at(self, index: int) -> str:
        return list(self.rows)[index] if 0 <= index < len(self.rows) else "none"


class Param(Record):
    """A parameter. `word`: the preposition before its argument in a sentence, if there is one."""

    name: str
    type: Type
    word: str | None
    where: Where


class Fact(Symbol, Record):
    """A fact that situations state, of a thing of `kind` and further arguments. `first`: its default."""

    kind: Kind
    params: tuple[Param, ...]
    type: Type
    optional: bool = False
    low: int | None = None
    high: int | None = None
    first: n.Expr | None = None
    both_ways: bool = False  # whether the fact is symmetric: told of two things, it holds of them in either order
    changes: bool = False  # whether some line sets it

    @property
    def of_two(self) -> bool:
        """Whether the fact is told of two things and of nothing else."""
        return len(self.params) == 1 and self.params[0].type.name in ("thing", "figure")


class Convention(Symbol, Record):
    """How the dice of a roll are read: the number of sides, whether high faces pass (`over`), and the faces that
    `always` or `never` pass.
    """

    sides: int
    over: bool
    always: int | None
    never: int | None


class Ruling(Symbol, Record):
    """An ambiguity of the rules: its options as encoded values and as words, and the chosen one."""

    options: tuple[Any, ...]
    type: Type
    chosen: Any
    words: tuple[str, ...] = ()


class Value(Symbol, Record):
    """A value that is computed from its lines, for a thing of the kind `subject` and parameters."""

    subject: Kind | None
    params: tuple[Param, ...]
    body: Node
    scalar: Scalar


class Holding(Symbol, Record):
    """The condition `while C` of a mark between two things: the mark counts only if C holds for both."""

    subject: Kind | None
    params: tuple[Param, ...]
    body: Node
    scalar: Scalar
    condition: n.Expr = field(kw_only=True)


class Limit(Symbol, Record):
    """A limit on a force: each of its lines must hold for each thing of its kind; a line with `if` only if that holds.
    """

    subject: Kind | None
    params: tuple[Param, ...]
    body: Node
    scalar: Scalar


class Roll(Symbol, Record):
    """A roll: what a die must show. `convention` is set when its lines are checked."""

    subject: Kind | None
    params: tuple[Param, ...]
    body: Node
    scalar: Scalar
    convention: Convention | None = None
    number: Needed | None = None  # created by `needed`

    @property
    def needed(self) -> Needed:
        """Return the number that the roll needs, as a value that can be read without a throw; created on first use."""
        if self.number is None:
            self.number = Needed(self.name, self.where, self, cites=self.cites)
        return self.number


NEEDED = "needed"  # the member of a roll that names its number


class Needed(Symbol, Record):
    """The number that a die of a roll must show: `unit.nerve.needed`. Its parameters are those of the roll."""

    roll: Roll

    @property
    def subject(self) -> Kind | None:
        return self.roll.subject

    @property
    def params(self) -> tuple[Param, ...]:
        return self.roll.params


PureDef = Value | Roll | Limit | Holding | Needed  # a definition without dice or choices


class NamedPolicy(Symbol, Record):
    """A named policy; its `lines` say how choices are made, like those under `choose:`."""

    lines: list[Any] = field(default_factory=list)


class Procedure(Symbol, Record):
    """A procedure or an outcome table."""

    params: tuple[Param, ...]
    body: Node
    scalar: Scalar
    table: Table | None = None
    by: n.Expr | None = None
    barred: n.Expr | None = None

    @property
    def subject(self) -> Kind | None:
        first = self.params[0].type if self.params else None
        return first.of if first is not None and first.name in ("thing", "figure") else None


class MomentDef(Symbol, Record):
    """A moment that a rule file declares. It lasts as long as one of its `procedures` runs, or a procedure that gives
    one of its `marks`.

    `inner` are moments that count as this one. `place` is the index of its cell in the state, which says whether it is
    going on.
    """

    kind: Kind | None
    marks: tuple[Attribute, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    inner: tuple[MomentDef, ...] = ()
    place: int = 0

    def with_inner(self) -> list[MomentDef]:
        """Return this moment and all that count as it, transitively."""
        found = [self]
        for moment in found:
            found += [m for m in moment.inner if m not in found]
        return found


class LineInfo(Record):
    """One line of the page: its address, its place, and the clauses that it implements."""

    address: str
    where: Where
    cites: tuple[str, ...]
    number: int = 0

    __reduce__ = reduce_by_fields


class Hook(Record):
    """The body of a rule, or the end of a mark, attached to a moment."""

    when: str
    moment: n.Moment
    scalar: Scalar
    rule: RuleDef | None = None
    mark: Attribute | None = None
    used: bool = False


class RuleDef(Symbol, Record):
    """A rule that is woven in at the moments of its `hooks`, for each thing that `each` names and that meets the
    condition.
    """

    each: n.Name | None
    condition: n.Expr | None
    body: Node
    scalar: Scalar
    hooks: tuple[Hook, ...] = ()
