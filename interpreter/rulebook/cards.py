"""Cards: the names that a thing, a figure or a row answers to.

Enters: a type, and a name. Leaves: whether it is on the card. Knows nothing of what stands behind it.
"""

from __future__ import annotations

from interpreter.vocabulary.types import Type

from . import typed as t
from .book import Book, plural
from .symbols import Attribute, Kind


class Cards:
    def __init__(self, book: Book) -> None:
        self.book = book
        self._names: dict[Kind, set[str]] = {}  # what a card of a kind can be asked

    def has(self, card: t.Expr, name: str) -> bool:
        return name in self.names(card.type)

    def names(self, type_: Type) -> set[str]:
        if type_.name in ("thing", "figure"):
            kind: Kind = type_.of
            if kind in self._names:
                return self._names[kind]
            names = {a.name for a in kind.all_attributes()}
            names |= {a.name for s in kind.sorts() for a in s.attributes.values()}
            names |= {b.plural for k in kind.lineage() for bag in k.bags for b in bag.sorts()}
            names |= {b.plural for s in kind.sorts() for bag in s.bags for b in bag.sorts()}
            names |= {name for h in (*kind.lineage(), *kind.sorts()) for bag in h.bags for name in left_with(bag)}
            names |= {k.plural for k in self.book.kinds.values() if not k.counted and k.owner and kind.is_a(k.owner)}
            names |= {v.name for v in self.book.values.values() if v.subject and fits(kind, v.subject)}
            names |= {r.name for r in self.book.rolls.values() if r.subject and fits(kind, r.subject)}
            names |= {f.name for f in self.book.facts.values() if fits(kind, f.kind)}
            names |= {p.name for p in self.book.procedures.values() if p.table and p.subject and fits(kind, p.subject)}
            if kind.owner is not None:
                names |= {"owner"} if not kind.counted else {kind.owner.name, "owner"}
            self._names[kind] = names
            return names
        if type_.name == "row":
            return {*type_.of.columns, *type_.of.marks}
        return set()


def fits(kind: Kind, wanted: Kind) -> bool:
    """A card may be asked what its kind, a base of it, or a special sort of it can answer."""
    return kind.is_a(wanted) or wanted.is_a(kind)


def find_attribute(kind: Kind, name: str) -> Attribute | None:
    """An attribute of a kind, or of a special sort of it."""
    found = kind.find(name)
    if found is None:
        found = next((s.attributes[name] for s in kind.sorts() if name in s.attributes), None)
    return found


def left_with(counted: Kind) -> dict[str, Attribute]:
    """Marks that put things of a kind out of play, by the name of those that bear them: `casualties`."""
    return {plural(a.name): a for s in counted.sorts() for a in s.attributes.values() if a.out_of_play}
