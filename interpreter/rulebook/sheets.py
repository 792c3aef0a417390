"""The files of a stack, the history of their patches, and which lines a sentence of one file can name.

The name of a line is visible in the file that defines it and in supplements to that file: `LineVisibility` filters by
this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language.parse import words_called
from interpreter.source import Source, Span
from interpreter.source.values import Record, Struct, field

from .definitions import Header, header
from .symbols import Where


class Sheet(Struct, eq=False):
    """One file of a stack. `laid` marks a supplement to the files before it; otherwise the file extends them."""

    name: str
    head: Header
    root: Mapping
    laid: bool = False

    @staticmethod
    def of(name: str, root: Mapping, laid: bool = False) -> Sheet:
        return Sheet(name, header(root), root, laid)

    @property
    def known(self) -> frozenset[str]:
        """The names of all sheets that this one may supplement, and was therefore written to work with."""
        return frozenset(name for names in self.head.over for name in names)

    def is_independent_of(self, other: Sheet) -> bool:
        """Return whether neither of two files names the other as one that it may supplement."""
        return self is not other and other.name not in self.known and self.name not in other.known


def address_part(file: str) -> str:
    """Return the part of an address that stands for a file: `My_House` → `from-my-house`."""
    return "-".join(("from", *re.findall(r"[a-z0-9]+", file.lower())))


def called_in(sheets: Iterable[Sheet]) -> frozenset[str]:
    """Return the keywords that lines of these files use as names."""
    return words_called(sheet.root.span.source.text for sheet in sheets)


Place = tuple[str, int]


def place_of(entry: Entry) -> Place:
    """Return the identity of a line, its file and the offset of its key, which survives changes to its text."""
    return entry.key.span.source.name, entry.key.span.start


class Step(Struct):
    """One patch of a path: `what` is added, added to, changed or removed; `key` is where the patch is written."""

    what: str
    sheet: Sheet
    key: Scalar
    was: Node | None = None  # the replaced text or lines


class Added(Struct, eq=False):
    """Lines that a supplement inserts at a place, written at `key`; `of` is the kind of definition that has the place.
    """

    sheet: Sheet
    key: Scalar
    entries: tuple[Entry, ...]
    of: str
    name: str


class History(Record):
    """All patches of each path, in the order of the sheets.

    A path is `weapons.lmg.shots`; the keys of `places` are the places where supplements inserted lines: `after
    weapons.lmg`, `in shoot.men`.
    """

    steps: dict[str, list[Step]] = field(default_factory=dict)
    cells: dict[Scalar, Where] = field(default_factory=dict)
    places: dict[str, list[Added]] = field(default_factory=dict)
    rewritten: set[str] = field(default_factory=set)  # paths whose lines were replaced
    # Keyed by `place_of`: the line written before each `otherwise` in its file, the lines that replaced a line, and
    # where a line was removed.
    otherwise: dict[Place, Place] = field(default_factory=dict)
    instead: dict[Place, tuple[Place, ...]] = field(default_factory=dict)
    gone: dict[Place, Span] = field(default_factory=dict)
    files: dict[Source, Sheet] = field(default_factory=dict)  # base first
    # Paths of lines whose name several files use: the part of the address that stands for each file.
    apart: dict[str, dict[Source, str]] = field(default_factory=dict)
    anew: list[Span] = field(default_factory=list)  # spans of replacement lines
    private: dict[str, Span] = field(default_factory=dict)  # names that would resolve otherwise in a single file

    def lies_over(self, upper: Source, lower: Source) -> bool:
        """Return whether lines of `lower` are visible in `upper`: the same file, or one that it supplements and names.

        Files outside the stack see all lines.
        """
        if upper == lower or upper not in self.files or lower not in self.files:
            return True
        order = list(self.files)
        one, two = self.files[upper], self.files[lower]
        return order.index(upper) > order.index(lower) and not (one.laid and two.laid and one.is_independent_of(two))

    def sees(self, upper: Source, lower: Iterable[Source]) -> bool:
        """Return whether a line that all of `lower` define is visible in `upper`: each of them must be."""
        return all(self.lies_over(upper, one) for one in lower)

    def lies_strictly_over(self, upper: Source, lower: Iterable[Source]) -> bool:
        """Return whether a file of the stack comes after each of the others (at least one), and sees their lines."""
        below = {*lower}
        known = {upper, *below} <= self.files.keys()
        return bool(below) and known and upper not in below and self.sees(upper, below)

    def giver(self, path: str, entry: Entry) -> Source:
        """Return the file that defines the name of a line; for replacement lines, the lowest file."""
        here = entry.key.span
        instead = any(new.source is here.source and new.start <= here.start < new.end for new in self.anew)
        if instead or any(step.what == "removed" for step in self.steps.get(path, ())):
            return next(iter(self.files), here.source)
        return here.source

    def earlier(self, path: Sequence[str], sheet: Sheet) -> tuple[str, ...]:
        """Return the texts at a path before other supplements changed it, which a supplement may expect."""
        steps = self.steps.get(".".join(path), []) if sheet.laid else []
        return tuple([step.was.text for step in steps if step.sheet.laid and isinstance(step.was, Scalar)])

    def read(self, body: Node) -> None:
        """Record the line before each `otherwise` in a body, before patches insert lines between them."""
        before: Entry | None = None
        for entry in body if isinstance(body, Mapping) else ():
            if before is not None and "otherwise" in entry.key.text:
                self.otherwise[place_of(entry)] = place_of(before)
            self.read(entry.value)
            before = entry

    def now(self, place: Place) -> tuple[Place, ...]:
        """Return the lines that now stand for one: itself, or its replacements."""
        if place not in self.instead:
            return (place,)
        return tuple([now for new in self.instead[place] for now in self.now(new)])

    def note(self, path: Iterable[str], step: Step) -> None:
        self.steps.setdefault(".".join(path), []).append(step)

    def replaced(self, key: Scalar, was: Where) -> None:
        """Record the old place of a patched cell, which is known only after the table's columns are."""
        self.cells[key] = was

    def last(self, path: str, what: str | None = None, by: Sheet | None = None) -> Step | None:
        """Return the latest patch of a path or of a path that contains it.

        With `by`, additions by independent files that use the same name are skipped.
        """
        parts = path.split(".")
        for size in range(len(parts), 0, -1):
            for step in reversed(self.steps.get(".".join(parts[:size]), ())):
                if by is not None and step.what == "added" and step.sheet.is_independent_of(by):
                    if ".".join(parts[:size]) in self.apart:
                        continue
                if what in (None, step.what) and (size == len(parts) or step.what[:5] != "added"):
                    return step
        return None


Givers = dict[str, frozenset[Source]]  # address of a line → the file that defines it; of a joined name, all files


def visibility_at(history: History, span: Span | None) -> LineVisibility | None:
    """Return the visibility filter for a sentence at `span`; None for a single file or without a span, where all is
    visible.
    """
    return LineVisibility(history, span.source, span) if span is not None and len(history.files) > 1 else None


class LineVisibility(Struct, eq=False):
    """The visibility of the names of lines in one file; a situation, which is outside the stack, sees all."""

    history: History
    asker: Source
    place: Span

    def note(self, name: str, visible: Sequence[str], of_all: Sequence[str]) -> None:
        """Record a name that would resolve differently if all lines were in one file."""
        if visible != of_all and self.asker in self.history.files:
            self.history.private.setdefault(name, self.place)

    @property
    def file(self) -> str:
        """The part of an address that stands for the asking file."""
        sheet = self.history.files.get(self.asker)
        return address_part(sheet.name) if sheet is not None else ""

    def sees(self, givers: Iterable[Source] | None) -> bool:
        return self.history.sees(self.asker, givers or ())

    def visible(self, addresses: Sequence[str], givers: Givers, *, whole: bool) -> list[str]:
        """The visible addresses. If there are none, a name of several words (`whole`) may refer to the others."""
        return [a for a in addresses if self.sees(givers.get(a))] or (list(addresses) if whole else [])

    def prefers_exact(self, addresses: Iterable[str], givers: Givers) -> bool:
        """Return whether an exact address takes precedence over longer ones. In a situation, only if all come from one
        file, because the situation may have been written for fewer files.
        """
        return self.asker in self.history.files or len({givers.get(a) for a in addresses}) == 1

    def nearest(self, addresses: Sequence[str], givers: Givers) -> list[str]:
        """Return the addresses defined by the asking file; if there are none, all."""
        return [a for a in addresses if self.asker in givers.get(a, ())] or list(addresses)

    def owns_one(self, addresses: Iterable[str], givers: Givers) -> bool:
        return any(self.asker in givers.get(a, ()) for a in addresses)
