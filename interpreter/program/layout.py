"""The layout of the state: the cell of each attribute of a thing, and the tuple place of each attribute of a figure.

Takes a checked book; returns a `Layout` with sizes, offsets and initial values. A kind and all kinds derived from it
share one layout, so that an attribute of a derived kind can be read from any of them (it is null there). Cell 0 of the
state lists the things in play; cell 1 has the figure variables that callers have lent to the current procedure; cell 2
records what a call in a `together` block has set (`landing.py`). Then come a cell for each declared moment, which tells
whether it is going on, and one for each fact that some line sets, with its values.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.rulebook.book import Book
from interpreter.rulebook.construct import NUMERIC, absent
from interpreter.rulebook.symbols import Attribute, Fact, Kind, MomentDef
from interpreter.source.values import Record, Struct, field

IN_PLAY = (-1, 0)
LENT = (-1, 1)
SET_AGAIN = (-1, 2)
ONGOING = 3  # the cell of the first moment; see `ongoing_key`
ORIGIN = 1  # the cell of a thing with its origin: None, or the creating line and the source thing
CellKey = tuple[int, int]
Landing = str | tuple[Any, ...]  # how simultaneous changes of a cell are merged: see `landing.landed`


class Bags(Struct):
    """The bags of one counted kind: their offsets in a holder, in play and out of play, and how simultaneous changes of
    each place of a figure are merged.
    """

    kind: int
    held: int
    gone: int
    places: tuple[Landing, ...]


class Layout(Record):
    """The place of every attribute, bag and fact. Keys of cells are (number of the root kind, offset), or (-1, offset)
    for the state itself; `bags` and `gone` are offsets of the figures in play and out of play.

    `empty` has the initial cells of a root kind, `kinds_of_cell` tells how simultaneous changes of a cell are merged,
    and `changing` maps each fact that some line sets to its cell.
    """

    book: Book
    sizes: dict[Kind, int] = field(default_factory=dict)  # root kind -> cells (or tuple places)
    empty: dict[Kind, list[Any]] = field(default_factory=dict)
    bags: dict[tuple[Kind, Kind], int] = field(default_factory=dict)  # (holder root, counted root) -> offset
    gone: dict[tuple[Kind, Kind], int] = field(default_factory=dict)
    kinds_of_cell: dict[CellKey, Landing] = field(default_factory=dict)
    other_bag: dict[CellKey, CellKey] = field(default_factory=dict)  # the bags of a kind: in play, and out of play
    attributes: dict[CellKey, Attribute] = field(default_factory=dict)
    changing: dict[Fact, int] = field(default_factory=dict)
    told: dict[Kind, tuple[int, ...]] = field(default_factory=dict)  # counted root -> the places that its figures have

    def key(self, attribute: Attribute) -> CellKey:
        return attribute.kind.root.number, attribute.place

    def ongoing_key(self, moment: MomentDef) -> CellKey:
        """Return the cell that tells whether a moment is going on."""
        return -1, ONGOING + moment.place

    def fact_key(self, fact: Fact) -> CellKey | None:
        """Return the cell of a fact that some line sets, which holds a sorted tuple of `(arguments, value)`; None for
        other facts.
        """
        place = self.changing.get(fact)
        return None if place is None else (-1, place)

    def bag_key(self, counted: Kind) -> CellKey:
        holder = counted.held_in()
        assert holder is not None
        return holder.root.number, self.bags[holder.root, counted.root]

    def gone_key(self, counted: Kind) -> CellKey:
        holder = counted.held_in()
        assert holder is not None
        return holder.root.number, self.gone[holder.root, counted.root]

    def with_other_bags(self, cells: frozenset[CellKey]) -> frozenset[CellKey]:
        """Return the cells, with each bag accompanied by the other one of its kind."""
        return cells.union([self.other_bag[key] for key in cells if key in self.other_bag])

    def counting(self, counted: Kind, recalls: bool) -> tuple[int, int, frozenset[CellKey]]:
        """Return the offsets of the bags in which equal figures are counted, in play and out of play (-1 if these are
        never read again), and the keys of both.
        """
        held, gone = self.bag_key(counted), self.gone_key(counted)
        if self.book.reads_gone and recalls:
            return held[1], gone[1], frozenset((held, gone))
        return held[1], -1, frozenset((held,))

    def landing(self, keys: list[CellKey], cells: Sequence[Any]) -> list[Landing]:
        """Return, for each cell of a state, how simultaneous changes are merged; created things follow those of the
        situation.
        """
        found = [self.kinds_of_cell.get(key, "value") for key in keys]
        kinds = list(self.book.kinds.values())
        while len(found) < len(cells):
            root = kinds[cells[len(found)]].root
            found += [self.kinds_of_cell.get((root.number, i), "value") for i in range(self.sizes[root])]
        return found

    def places(self, key: CellKey, keys: Sequence[CellKey], cells: Sequence[Any]) -> list[int]:
        """Return the indices of all cells of a state with this key; created things follow those of the situation."""
        found = [i for i, each in enumerate(keys) if each == key]
        at, kinds = len(keys), list(self.book.kinds.values())
        while at < len(cells):
            root = kinds[cells[at]].root
            found += [at + key[1]] if root.number == key[0] else []
            at += self.sizes[root]
        return found

    def place(self, attribute: Attribute) -> int:
        """Return the place of an attribute in the tuple of a figure, which has none for those that `lay_out` omits."""
        return self.told[attribute.kind.root].index(attribute.place)

    def narrowed(self, figure: Sequence[Any], root: Kind) -> tuple[Any, ...]:
        """Return a figure with all its attributes, without those that `lay_out` omits."""
        return tuple([figure[i] for i in self.told[root]])

    def thing(self, kind: Kind) -> list[Any]:
        """Return the initial cells of a thing: its kind first, then its origin."""
        cells = list(self.empty[kind.root])
        cells[0] = kind.number
        return cells

    def figure(self, kind: Kind, holder: int) -> list[Any]:
        places = list(self.empty[kind.root])
        places[0], places[1] = holder, kind.number
        return places


# How simultaneous changes of a cell are merged, by its type: see `landing.landed`.
_LANDING = {"number": "number", "inches": "number", "rows": "set", "things": "set"}


def lay_out(book: Book, alike: frozenset[Attribute] = frozenset()) -> Layout:
    """Return the layout of the state for a book. Sets the `place` of every attribute. Figures have no place for those
    of `alike`, which are equal for all figures and never read or set.
    """
    layout = Layout(book, kinds_of_cell={IN_PLAY: "set"})
    for kind in book.kinds.values():
        if kind.base is None:
            _family(layout, kind)
            if kind.counted:
                places = range(layout.sizes[kind])
                layout.told[kind] = tuple([i for i in places if layout.attributes.get((kind.number, i)) not in alike])
    first = ONGOING + len(book.moments)
    for place, fact in enumerate([fact for fact in book.facts.values() if fact.changes], first):
        layout.changing[fact] = place
        layout.kinds_of_cell[-1, place] = "facts"
    figures: dict[int, tuple[Landing, ...]] = {}  # kind → how changes of each place of its figures are merged
    for cells in (layout.bags, layout.gone):
        for (holder, root), place in cells.items():
            kinds = tuple([layout.kinds_of_cell.get((root.number, i), "value") for i in layout.told[root]])
            figures |= {sort.number: kinds for sort in root.sorts()}
            offsets = layout.bags[holder, root], layout.gone[holder, root]
            layout.kinds_of_cell[holder.number, place] = "bag", Bags(root.number, *offsets, kinds)
            layout.other_bag[holder.number, place] = holder.number, sum(offsets) - place
    layout.kinds_of_cell[LENT] = "lent", figures
    return layout


def _landing(attribute: Attribute) -> Landing:
    if attribute.out_of_play:
        return "out of play"
    kind = _LANDING.get(attribute.type.name, "value")
    if kind == "number" and attribute.low is not None and attribute.high is not None:
        return kind, attribute.low, attribute.high
    return kind


def _family(layout: Layout, root: Kind) -> None:
    places: list[Any] = [0, 0] if root.counted else [root.number, None]
    for sort in root.sorts():
        for attribute in sort.attributes.values():
            attribute.place = len(places)
            places.append(None if attribute.optional and attribute.type.name in NUMERIC else absent(attribute.type))
            layout.kinds_of_cell[root.number, attribute.place] = _landing(attribute)
            layout.attributes[root.number, attribute.place] = attribute
        for counted in sort.bags:
            for offsets in (layout.bags, layout.gone):
                offsets[root, counted.root] = len(places)
                places.append(())
    layout.sizes[root] = len(places)
    layout.empty[root] = places
