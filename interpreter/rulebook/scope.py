"""Scopes: the names visible to a sentence, which are parameters, earlier lines, loop variables and open cards; and the
names that can be read from a card: of a thing, a figure or a row.

Input: variables and subjects as they come into scope. Output: what a name resolves to, or all candidates; whether a
card has a name. It does not know how the result is used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.source.values import Record, field
from interpreter.vocabulary.addresses import addressed
from interpreter.vocabulary.types import Type

from . import typed as t
from .book import Book, plural
from .sheets import Givers, LineVisibility
from .symbols import NEEDED, Attribute, Kind, Symbol, Where
from .typed import Expr, Variable


class Cards:
    """The names that can be read from things, figures, rows and rolls, memoized by kind."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self._names: dict[Kind, set[str]] = {}  # the names on a card of each kind

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
        return {NEEDED} if type_.name == "roll" else set()

    def declared(self, card: t.Expr, name: str) -> Where | None:
        """Return where a name that can be read from the card of a thing or figure is declared; None if it is not
        declared.
        """
        if card.type.name not in ("thing", "figure"):
            return None
        book = self.book
        symbols: tuple[Symbol | None, ...] = (find_attribute(card.type.of, name), book.values.get(name))
        symbols += (book.rolls.get(name), book.facts.get(name), book.procedures.get(name))
        return next((symbol.where for symbol in symbols if symbol is not None), None)


def fits(kind: Kind, wanted: Kind) -> bool:
    """Return whether one kind equals or is derived from the other, so that a name of `wanted` may be read from a card
    of `kind`.
    """
    return kind.is_a(wanted) or wanted.is_a(kind)


def find_attribute(kind: Kind, name: str) -> Attribute | None:
    """Return the attribute of a kind, of one of its bases, or of a kind derived from it."""
    found = kind.find(name)
    if found is None:
        found = next((s.attributes[name] for s in kind.sorts() if name in s.attributes), None)
    return found


def left_with(counted: Kind) -> dict[str, Attribute]:
    """The marks that put figures out of play, by the plural that names the figures with the mark: `casualties`."""
    return {plural(a.name): a for s in counted.sorts() for a in s.attributes.values() if a.out_of_play}


NO_NAMES: Mapping[str, Expr] = {}


class Lines(Record):
    """The lines of one block by address; a line is found by any unambiguous suffix of its address.

    `here` is the current block (`volleys.`), searched first. `deeds` are the addresses of lines without a value; the
    variables for these, and for such cases, are in `done`. `named` are the names of all lines in these blocks,
    including later ones; `words` are the parts of all addresses. Lines of rules (`brought`) are found only if no other
    line matches. `joined` lines total all runs at several places; `runs` are the single ones, with addresses that begin
    with the place. `shared` are names that several branches define, with the address in each branch. In an outcome
    table, the names in `rows` mean its rows rather than lines of other rows. `givers` are the source files that define
    the lines, by which a `LineVisibility` filters; where not every file may name all lines of a shared name, `narrower`
    has the addresses of those it may.
    """

    by_address: dict[str, Variable] = field(default_factory=dict)
    seen: dict[str, Where] = field(default_factory=dict)
    deeds: set[str] = field(default_factory=set)
    done: dict[str, Variable] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    here: str = ""
    words: set[str] = field(default_factory=set)
    brought: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    runs: dict[str, Variable] = field(default_factory=dict)
    shared: dict[str, tuple[str, ...]] = field(default_factory=dict)
    narrower: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: set[str] = field(default_factory=set)
    givers: Givers = field(default_factory=dict)

    def is_row(self, names: list[str]) -> bool:
        """Return whether the words name a row of the current outcome table rather than a line."""
        return len(names) == 1 and names[0] in self.rows and {*self.nearest(names[0])} <= {*names}

    def add(self, address: str, variable: Variable) -> None:
        self.by_address[address] = variable
        self.words.update(address.split("."))

    def add_rule_line(self, address: str, variable: Variable) -> None:
        """Add a line of a rule."""
        self.add(address, variable)
        self.brought.add(address)

    def run(self, address: str, variable: Variable) -> None:
        """Add one run of a rule's line, at one of its places."""
        self.runs[address] = variable
        self.words.update(address.split("."))

    def all(self) -> dict[str, Variable]:
        """Return every line, and every single run of lines that have several."""
        return {**self.by_address, **self.runs}

    def __getitem__(self, address: str) -> Variable:
        return self.by_address[address] if address in self.by_address else self.runs[address]

    def add_deeds(self, *addresses: str) -> None:
        self.deeds.update(addresses)
        for address in addresses:
            self.words.update(address.split("."))

    def deed_variable(self, address: str) -> Variable:
        """Return the variable of a line without a value; only its flag can be read."""
        return self.done.setdefault(address, Variable(address, Type("block")))

    def find(self, name: str, visibility: LineVisibility | None = None) -> list[str]:
        """All addresses that `name` is a suffix of, or the one that it equals; with a `visibility`, only visible ones.
        """
        found = self._find(name, visibility)
        if visibility is not None:
            visibility.note(name, found, self._find(name, None))
        return found

    def _find(self, name: str, visibility: LineVisibility | None) -> list[str]:
        exact = (name in self.by_address and name not in self.shared) or name in self.runs
        if exact and (visibility is None or name in self.runs):
            return [name]
        found = [a for a in self.by_address if a == name or a.endswith("." + name)]
        if visibility is not None:
            found = visibility.visible(found, self.givers, whole="." in name)
        found = self.without_branches(found)
        found = [a for a in found if a not in self.brought] or found
        if visibility is not None:
            if exact and name in found and visibility.prefers_exact(found, self.givers):
                return [name]
            found = self._own(found, visibility)
        return found or [a for a in self.runs if a.endswith("." + name)]

    def without_branches(self, found: list[str]) -> list[str]:
        """Return the addresses, without lines of branches whose shared name is among them."""
        held = {a for one in found for a in self.shared.get(one, ()) if a != one}
        return [a for a in found if a not in held]

    def _own(self, found: list[str], visibility: LineVisibility) -> list[str]:
        """The addresses defined by the asking file, at least in one branch; if there are none, all."""
        return [a for a in found if visibility.owns_one((a, *self.shared.get(a, ())), self.givers)] or found

    def find_by_words(self, names: list[str]) -> tuple[list[str], int]:
        """Return the lines named by some of the parts of their address, from the outermost on, and how many words were
        used.
        """
        for size in range(len(names), 1, -1):
            name = ".".join(names[:size])
            found = [a for a, v in self.by_address.items() if v.type.name != "block" and addressed(name, a, last=True)]
            if found:
                return self.without_branches(found), size
        return [], 0

    def nearest(self, name: str, visibility: LineVisibility | None = None) -> list[str]:
        """Like `find`, but prefer lines of the current block and its enclosing blocks."""
        found = self._nearest(name, visibility)
        if visibility is not None:
            visibility.note(name, found, self._nearest(name, None))
        return found

    def _nearest(self, name: str, visibility: LineVisibility | None) -> list[str]:
        block = self.here
        while block:
            own = (
                (f"{block}{visibility.file}.{name}", *self.narrower.get(block + name, ()))
                if visibility is not None
                else ()
            )
            for address in (block + name, *own):
                if address in self.by_address and (visibility is None or visibility.sees(self.givers.get(address))):
                    return [address] if address not in self.shared else self._inside(block, name, visibility)
            block = block[: block.rfind(".", 0, -1) + 1]
        return self._find(name, visibility)

    def _inside(self, block: str, name: str, visibility: LineVisibility | None) -> list[str]:
        """The candidates for a name shared by branches within a block, where other lines may have it too."""
        found = [a for a in self.by_address if a.startswith(block) and a.endswith("." + name)]
        found = [a for a in found if a not in self.brought]
        if visibility is None:
            return self.without_branches(found)
        return self._own(self.without_branches(visibility.visible(found, self.givers, whole="." in name)), visibility)

    def deed(self, names: list[str], visibility: LineVisibility | None = None) -> int:
        """Return how many of the first words name a line without a value; 0 if they name none."""
        for size in range(len(names), 0, -1):
            name = ".".join(names[:size])
            found = [a for a in self.deeds if a == name or a.endswith("." + name)]
            if found and (visibility is None or visibility.visible(found, self.givers, whole=size > 1)):
                return size
        return 0

    def all_deeds(self) -> dict[str, Variable]:
        """Return every line without a value, and every block."""
        return {**self.done, **{a: v for a, v in self.all().items() if v.type.name == "block"}}

    def find_deeds(self, name: str, visibility: LineVisibility | None = None) -> dict[str, Variable]:
        """Return the lines without a value, and blocks, that a name may refer to, by address."""
        every = self.all_deeds()
        if visibility is not None:
            visible = visibility.visible(
                [a for a in every if a == name or a.endswith("." + name)], self.givers, whole="." in name
            )
            every = {a: every[a] for a in visible}
        if name in every and (visibility is None or visibility.prefers_exact(every, self.givers)):
            return {name: every[name]}
        block = self.here
        while block:
            if block + name in every:
                return {block + name: every[block + name]}
            block = block[: block.rfind(".", 0, -1) + 1]
        return {a: v for a, v in every.items() if a.endswith("." + name)}

    def names(self) -> list[str]:
        return [*self.by_address, *(a.rsplit(".", 1)[-1] for a in self.by_address)]


def ambiguity_hint(found: Sequence[str], shared: Mapping[str, Sequence[str]]) -> str:
    """Return the hint for an ambiguous name. A name shared by branches has no longer form."""
    fuller = [f"`{a}`" for a in found if a not in shared]
    one = next((shared[a] for a in found if a in shared), ())
    if not one:
        return f"say {' or '.join(fuller)}"
    branches = " and ".join(f"`{a}`" for a in one)
    other = fuller[0] if fuller else "the other"
    return f"say {' or '.join(fuller)}; or give {other} another name, to mean what {branches} are together"


class Scope(Record):
    """One level of scope; attributes of its `card` can be written without a subject, the innermost scope first."""

    parent: Scope | None = None
    names: Mapping[str, Expr] = field(default=NO_NAMES)
    lines: Lines | None = None
    card: Expr | None = None
    card_name: str = ""
    pure: bool = True
    record: Expr | None = None  # the record of a situation's single call: its lines need no prefix
    runs: Any = None  # of a situation: the `Runs` or `Makers` that resolve full addresses

    def name(self, name: str) -> Expr | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def every_name(self) -> dict[str, Expr]:
        """Return all names in scope, each with its innermost value."""
        found: dict[str, Expr] = {}
        scope: Scope | None = self
        while scope is not None:
            for name, e in scope.names.items():
                found.setdefault(name, e)
            scope = scope.parent
        return found

    def cards(self) -> list[tuple[Expr, str]]:
        """Return the open cards, innermost first."""
        found: list[tuple[Expr, str]] = []
        scope: Scope | None = self
        while scope is not None:
            if scope.card is not None:
                found.append((scope.card, scope.card_name))
            scope = scope.parent
        return found

    def all_lines(self) -> list[Lines]:
        found: list[Lines] = []
        scope: Scope | None = self
        while scope is not None:
            if scope.lines is not None:
                found.append(scope.lines)
            scope = scope.parent
        return found

    def all_runs(self) -> Any:
        """The resolver for full addresses; None outside situations."""
        scope: Scope | None = self
        while scope is not None and scope.runs is None:
            scope = scope.parent
        return scope.runs if scope is not None else None

    def things(self) -> list[str]:
        """Return the names of a situation's things, which begin with a capital."""
        return [word for word in self.known() if word[:1].isupper()]

    def known(self) -> list[str]:
        words: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            words += scope.names
            if scope.lines is not None:
                words += scope.lines.names()
            scope = scope.parent
        return words
