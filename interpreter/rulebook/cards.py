"""Cards: the names that can be read from a thing, a figure or a row.

Enters: a type and a name. Leaves: whether a card of that type has the name. Knows nothing of the name's value.
"""

from __future__ import annotations

from interpreter.vocabulary.types import Type

from . import typed as t
from .book import Book, plural
from .symbols import Attribute, Kind, Symbol, Where


class Cards:
    def __init__(self, book: Book) -> None:
        self.book = book
        self._names: dict[Kind, set[str]] = {}  # cache: the names on a card of each kind

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

    def declared(self, card: t.Expr, name: str) -> Where | None:
        """Where a name on the card of a thing or a figure is declared; None for a name that nothing declares so."""
        if card.type.name not in ("thing", "figure"):
            return None
        book = self.book
        symbols: tuple[Symbol | None, ...] = (find_attribute(card.type.of, name), book.values.get(name))
        symbols += (book.rolls.get(name), book.facts.get(name), book.procedures.get(name))
        return next((symbol.where for symbol in symbols if symbol is not None), None)


def fits(kind: Kind, wanted: Kind) -> bool:
    """Whether one kind is a base of the other, or the same: then a name of `wanted` may be read from a card of
    `kind`.
    """
    return kind.is_a(wanted) or wanted.is_a(kind)


def find_attribute(kind: Kind, name: str) -> Attribute | None:
    """The attribute of a kind, of a base of it, or of a special sort of it."""
    found = kind.find(name)
    if found is None:
        found = next((s.attributes[name] for s in kind.sorts() if name in s.attributes), None)
    return found


def left_with(counted: Kind) -> dict[str, Attribute]:
    """For each mark that puts figures out of play, the plural that names those who bear it: `casualties`."""
    return {plural(a.name): a for s in counted.sorts() for a in s.attributes.values() if a.out_of_play}
