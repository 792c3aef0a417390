"""The files of a stack, what they did to each other, and which lines a sentence of one file can name.

A name of a line belongs to the file that gives it and to the files that lie over that one: `Ear` filters by that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language.called import words_called
from interpreter.source import Source, Span
from interpreter.source.values import Record, Struct, field

from .definitions import Header, header
from .symbols import Where


class Sheet(Struct, eq=False):
    """One file of a stack. `laid`: it is a supplement, laid over those before it; else they are what it extends."""

    name: str
    head: Header
    root: Mapping
    laid: bool = False

    @staticmethod
    def of(name: str, root: Mapping, laid: bool = False) -> Sheet:
        return Sheet(name, header(root), root, laid)

    @property
    def known(self) -> frozenset[str]:
        """The names of all sheets that this one says it can lie over: it was written with them in mind."""
        return frozenset(name for names in self.head.over for name in names)

    def strange_to(self, other: Sheet) -> bool:
        """Whether neither of two files was written with the other in mind."""
        return self is not other and other.name not in self.known and self.name not in other.known


def as_name(file: str) -> str:
    """A file as a part of an address: `My_House` is `from-my-house`."""
    return "-".join(("from", *re.findall(r"[a-z0-9]+", file.lower())))


def called_in(sheets: Iterable[Sheet]) -> frozenset[str]:
    """The words of the language by which lines of these files are called."""
    return words_called(sheet.root.span.source.text for sheet in sheets)


Place = tuple[str, int]


def place_of(entry: Entry) -> Place:
    """Which line of which file an entry is, also after its text was changed."""
    return entry.key.span.source.name, entry.key.span.start


class Step(Struct):
    """Something that a file did to a path: `what` is added, added to, changed or removed; `key` is where it says so."""

    what: str
    sheet: Sheet
    key: Scalar
    was: Node | None = None  # what stood there before


class Added(Struct, eq=False):
    """Lines that a supplement put at a place, as said at `key`; `of` is what kind of definition they belong to."""

    sheet: Sheet
    key: Scalar
    entries: tuple[Entry, ...]
    of: str
    name: str


class History(Record):
    """What every patched path went through, in the order of the sheets. A path is `weapons.lmg.shots`; `places` are
    where supplements added lines: `after weapons.lmg`, or `in shoot.men`.
    """

    steps: dict[str, list[Step]] = field(default_factory=dict)
    cells: dict[Scalar, Where] = field(default_factory=dict)
    places: dict[str, list[Added]] = field(default_factory=dict)
    rewritten: set[str] = field(default_factory=set)  # paths with other lines in their place
    # For each `otherwise` the line written before it, in the file that says both; what stands in a line's place by now;
    # and where a line was removed. Lines go by where their names stand.
    otherwise: dict[Place, Place] = field(default_factory=dict)
    instead: dict[Place, tuple[Place, ...]] = field(default_factory=dict)
    gone: dict[Place, Span] = field(default_factory=dict)
    files: dict[Source, Sheet] = field(default_factory=dict)  # undermost first
    # The lines that several files call alike: what each file is called in addresses of them.
    apart: dict[str, dict[Source, str]] = field(default_factory=dict)
    anew: list[Span] = field(default_factory=list)  # the lines that take the place of others
    private: dict[str, Span] = field(default_factory=dict)  # names that mean another line to who hears all

    def lies_over(self, upper: Source, lower: Source) -> bool:
        """Whether sentences of one file hear the lines of another: it is the same, or one that the first was written
        with in mind. What is no file of the stack hears all.
        """
        if upper == lower or upper not in self.files or lower not in self.files:
            return True
        order = list(self.files)
        one, two = self.files[upper], self.files[lower]
        return order.index(upper) > order.index(lower) and not (one.laid and two.laid and one.strange_to(two))

    def giver(self, path: str, entry: Entry) -> Source:
        """The file that gives a line its name; of what stands in the place of other lines, the undermost one."""
        here = entry.key.span
        instead = any(new.source is here.source and new.start <= here.start < new.end for new in self.anew)
        if instead or any(step.what == "removed" for step in self.steps.get(path, ())):
            return next(iter(self.files), here.source)
        return here.source

    def read(self, body: Node) -> None:
        """Notes to which line each `otherwise` of a body belongs, before anything is put between them."""
        before: Entry | None = None
        for entry in body if isinstance(body, Mapping) else ():
            if before is not None and "otherwise" in entry.key.text:
                self.otherwise[place_of(entry)] = place_of(before)
            self.read(entry.value)
            before = entry

    def now(self, place: Place) -> tuple[Place, ...]:
        """The lines that stand where one was written: itself, or what took its place."""
        if place not in self.instead:
            return (place,)
        return tuple([now for new in self.instead[place] for now in self.now(new)])

    def note(self, path: Iterable[str], step: Step) -> None:
        self.steps.setdefault(".".join(path), []).append(step)

    def replaced(self, key: Scalar, was: Where) -> None:
        """What a changed cell was before: known only when the columns of its table are."""
        self.cells[key] = was

    def last(self, path: str, what: str | None = None, by: Sheet | None = None) -> Step | None:
        """The latest thing done to a path or to what it is part of. Where several files call a line alike, that which
        others than `by` added is none of its.
        """
        parts = path.split(".")
        for size in range(len(parts), 0, -1):
            for step in reversed(self.steps.get(".".join(parts[:size]), ())):
                if by is not None and step.what == "added" and step.sheet.strange_to(by):
                    if ".".join(parts[:size]) in self.apart:
                        continue
                if what in (None, step.what) and (size == len(parts) or step.what[:5] != "added"):
                    return step
        return None


Givers = dict[str, Source]  # of each address the file that says its name


def ear_of(history: History, span: Span | None) -> Ear | None:
    """What a sentence there hears of lines by their names; None where there is one file, which hears all of its own,
    and of what no file says.
    """
    return Ear(history, span.source, span) if span is not None and len(history.files) > 1 else None


class Ear(Struct, eq=False):
    """What a sentence of one file hears; a situation, which is none of the stack's files, hears all."""

    history: History
    asker: Source
    place: Span

    def note(self, name: str, heard: Sequence[str], of_all: Sequence[str]) -> None:
        """That it matters to a file of the stack who says a name: in one file it would mean another line."""
        if heard != of_all and self.asker in self.history.files:
            self.history.private.setdefault(name, self.place)

    @property
    def file(self) -> str:
        """What the asking file is called in addresses."""
        sheet = self.history.files.get(self.asker)
        return as_name(sheet.name) if sheet is not None else ""

    def hears(self, giver: Source | None) -> bool:
        return giver is None or self.history.lies_over(self.asker, giver)

    def heard(self, addresses: Sequence[str], givers: Givers, *, whole: bool) -> list[str]:
        """Those that are heard. By more than the name alone (`whole`) others are, where none else is meant."""
        return [a for a in addresses if self.hears(givers.get(a))] or (list(addresses) if whole else [])

    def sure(self, addresses: Iterable[str], givers: Givers) -> bool:
        """Whether a line that is said in full is meant among others of its name. A situation may have been written
        for fewer files, and have meant another.
        """
        return self.asker in self.history.files or len({givers.get(a) for a in addresses}) == 1

    def nearest(self, addresses: Sequence[str], givers: Givers) -> list[str]:
        """Those of the asking file itself, else all."""
        return [a for a in addresses if givers.get(a) == self.asker] or list(addresses)

    def owns_one(self, addresses: Iterable[str], givers: Givers) -> bool:
        return any(givers.get(a) == self.asker for a in addresses)
