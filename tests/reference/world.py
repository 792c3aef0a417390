"""The table: who is there, and what stands on each card. Figures are objects of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from .book import Book, Mark
from .things import BLANK, Faces, Inches, Many, MarkName, Row, Thing, Word, empty
from .trees import Wrong


class World:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.things: list[Thing] = []
        self.first: Callable[[Thing, n.AttributeType], Any] = lambda thing, attribute: None
        self.keys: dict[int, tuple] = {}  # what `alike` said since something last changed
        self.worked: dict[tuple, object] = {}  # values worked out since something last changed
        self.landing: list[Callable[[], None]] | None = None  # inside `together`: what will land at its end
        self.dealt: set[int] = set()  # to whom something was dealt in here
        self.become: dict[tuple, Any] = {}  # facts that lines have set: the fact and what it is asked of
        self.called: list[Callable[[], None]] | None = None  # what a procedure called in there has done so far

    def make(self, sort: str, name: str = "") -> Thing:
        thing = Thing(sort, name, len(self.things))
        self.things.append(thing)
        return thing

    def changed(self) -> None:
        self.keys.clear()
        self.worked.clear()

    def do(self, change: Callable[[], None]) -> None:
        """Change the table; what is done together changes it at the end."""
        if self.landing is not None:
            self.landing.append(change)
            return
        change()
        self.changed()
        if self.called is not None:
            self.called.append(change)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Every sentence in here sees the table as it is now; at the end all that they did lands."""
        if self.landing is not None:
            yield
            return
        self.landing = landing = []
        self.dealt = set()
        yield
        self.landing = None
        for thing in self.things:
            if thing.coming:  # what a call did to one that it made lands with the rest
                thing.card, thing.marks, thing.fresh, thing.links = dict(thing.begun), set(), set(), {}
        for change in landing:
            self.do(change)

    @contextmanager
    def calling(self) -> Iterator[None]:
        """A procedure that is called among what is done together: it sees what it has done itself, and nobody else does."""
        landing, called = self.landing, self.called
        if landing is None:
            yield
            return
        kept = [(t, dict(t.card), set(t.marks), set(t.fresh), dict(t.links), t.gone) for t in self.things]
        self.landing, self.called, become = None, [], dict(self.become)
        yield
        landing += self.called
        self.landing, self.called, self.become = landing, called, become
        for t in self.things[len(kept) :]:
            t.gone = t.coming = True
        for t, card, marks, fresh, links, gone in kept:
            t.card, t.marks, t.fresh, t.links, t.gone = card, marks, fresh, links, gone
        self.changed()

    # ---- marks between two
    def link(self, mark: Mark, one: Thing, other: Thing, gains: bool) -> None:
        """One gains or loses a mark with another; both ways, the other with the one."""
        both = [(one, other), (other, one)] if mark.ending and mark.ending.both_ways else [(one, other)]
        for bears, whom in both:
            kept = [t for t in bears.links.get(mark.name, []) if t is not whom]
            bears.links = {**bears.links, mark.name: [*kept, whom] if gains and whom is not bears else kept}

    @contextmanager
    def supposed(self, things: list[Thing], name: str, worth: dict[int, Any]) -> Iterator[None]:
        """As if this stood on their cards under this name."""
        before = [thing.card.get(name) for thing in things]
        for thing in things:
            self.put(thing, name, worth[id(thing)])
        yield
        for thing, value in zip(things, before, strict=True):
            thing.card[name] = value
        self.changed()

    # ---- who is there
    def in_play(self, thing: Thing) -> bool:
        if thing.gone:
            return False
        return not any((m := self.book.marks.get(name)) and m.ending and m.ending.out_of_play for name in thing.marks)

    def comes(self, thing: Thing) -> None:
        """What a line has made is there."""
        thing.gone = thing.coming = False

    def all(self, kind: str) -> list[Thing]:
        return [t for t in self.things if self.book.is_a(t.sort, kind) and self.in_play(t)]

    def held(self, holder: Thing, kind: str, mark: str | None = None) -> list[Thing]:
        """What belongs to a thing: those in play, or those that bear a mark that took them out."""
        owner = self.book.owner_kind(kind)
        found = []
        for t in self.things:
            if not self.book.is_a(t.sort, kind) or t.gone or owner is None:
                continue
            if t.card.get(owner) is holder and (mark in t.marks if mark else self.in_play(t)):
                found.append(t)
        return sorted(found, key=self.order) if self.book.counted(kind) else found

    def owner(self, thing: Thing) -> Thing:
        """Who chooses for a thing: what it belongs to; what belongs to nobody chooses itself."""
        kind = self.book.owner_kind(thing.sort)
        above = self.get(thing, kind) if kind else None
        if not isinstance(above, Thing):
            return thing
        return self.owner(above) if self.book.counted(thing.sort) else above

    # ---- the order of the tables
    def order(self, thing: Thing) -> tuple:
        if not self.book.counted(thing.sort):
            return (thing.order,)
        holder = thing.card.get(self.book.owner_kind(thing.sort))
        return (holder.order if isinstance(holder, Thing) else -1, *self.alike(thing)[1:])

    def alike(self, thing: Thing) -> tuple:
        """Counted things with the same of these are alike: whose, which sort, what stands on the card, which marks."""
        if not self.book.counted(thing.sort):
            return (thing.order,)
        if id(thing) in self.keys:
            return self.keys[id(thing)]
        book = self.book
        holder = thing.card.get(book.owner_kind(thing.sort))
        card = tuple(_place(self.get(thing, name)) for name in book.attributes(thing.sort))
        marks = tuple(m in thing.marks for m in book.marks_of(thing.sort))
        fresh = tuple(m in thing.fresh for m in book.marks_of(thing.sort))
        sort = list(book.kinds).index(thing.sort)
        key = (holder.order if isinstance(holder, Thing) else -1, sort, *card, *marks, *fresh)
        self.keys[id(thing)] = key
        return key

    # ---- cards
    def get(self, thing: Thing, name: str) -> Any:
        if name in thing.card:
            return thing.card[name]
        attribute = self.book.attribute(thing.sort, name)
        if attribute is None:
            return None
        value = self._begins(thing, name, attribute)
        thing.card[name] = value
        return value

    def _begins(self, thing: Thing, name: str, attribute: n.AttributeType) -> Any:
        if attribute.first is not None:
            value = self.first(thing, attribute)
            return self.fitted(thing, attribute, value)
        if attribute.what == "number" and not attribute.optional:
            return self.fitted(thing, attribute, 0)
        if attribute.what == "many":
            return Many([])
        if attribute.what == "yes or no":
            return False
        if attribute.what == "inches" and not attribute.optional:
            return BLANK
        return None

    def fitted(self, thing: Thing, attribute: n.AttributeType, value: Any) -> Any:
        """A value as the card holds it: numbers within their bounds, words as rows of the column's table."""
        if attribute.what == "number":
            if attribute.optional and (value is None or empty(value)):
                return None
            if value is None or empty(value):
                value = 0
            if attribute.low is not None:
                low, high = self.bounds(thing, attribute)
                value = max(low, min(high, value))
            return value
        if attribute.what == "inches":
            if isinstance(value, Faces):  # a throw of inches is worth what it shows
                return Inches(Fraction(sum(value.faces) + value.plus))
            return Inches(Fraction(0)) if empty(value) else value
        if attribute.what == "yes or no":
            return False if value is None or empty(value) else value
        if attribute.what == "many":
            if value is None or empty(value):
                return Many([])
            items = value.items if isinstance(value, Many) else [value]
            return Many([self.row(attribute, x) for x in items])
        return self.row(attribute, value)

    def row(self, attribute: n.AttributeType, value: Any) -> Any:
        if empty(value):
            return None
        if isinstance(value, Word | MarkName):
            table = attribute.of.text if attribute.of else ""
            rows = self.book.rows.get(table, {})
            if value.name not in rows:
                raise Wrong(f"{value.name} is no row of {table}")
            return rows[value.name]
        return value

    def bounds(self, thing: Thing, attribute: n.AttributeType) -> tuple[int, int]:
        return self.bound(thing, attribute.low), self.bound(thing, attribute.high)

    def bound(self, thing: Thing, node: Any) -> int:
        raise NotImplementedError

    def put(self, thing: Thing, name: str, value: Any) -> None:
        attribute = self.book.attribute(thing.sort, name)
        if attribute is not None:
            value = self.fitted(thing, attribute, value)
        if isinstance(value, Many) and len(value.items) == 1 and attribute is None:
            value = value.items[0]
        thing.card[name] = value
        self.changed()


def _place(value: Any) -> Any:
    """Something by which cards can be compared, in the order of the tables; nothing comes first."""
    if value is None or empty(value):
        return (-1,)
    if isinstance(value, Row):
        return (value.place, value.name)
    if isinstance(value, Thing):
        return (value.order,)
    if isinstance(value, Many):
        return tuple(sorted(_place(x) for x in value.items))
    if isinstance(value, Inches):
        return (value.value,)
    return (value,)
