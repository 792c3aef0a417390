"""The files of a stack, and what they did to each other.

Enters: located trees. Leaves: `Sheet`, and `History` with its steps. Knows nothing of how files are laid over each
other: layers.py and patching.py do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

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
