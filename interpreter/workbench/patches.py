"""Divides the changes of a stack of files to a base into patches, and opens the rules with any set of them.

Takes two rule sets, the second built on the first. Gives `Change`s of the text, and `Patches`. New definitions without
references have no effect, so they belong to all sets. Patches that are invalid without each other are merged. Knows
nothing of the use of these variants.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, with_changes
from interpreter.rulebook.definitions import SHOWING, Definition, line_name
from interpreter.rulebook.edits import read_patch
from interpreter.rulebook.layers import entries_below
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problem, Problems, Span
from interpreter.source.values import Struct, replace

from .reading import checked
from .rule_sets import RuleSet
from .why import place_of

MOST = 12  # most patches kept apart; beyond, those of one heading are merged, then those of one file
_BY_LINE = ("roll", "value", "limit", "table")  # each line or row added to these is a change
_PLAIN = (*_BY_LINE, "procedure", "outcomes")  # these only affect definitions that refer to them


class Change(Struct, eq=False):
    """A change that a file makes to the base. `what`: changed, added, removed, acts or new; `entries`: the entries that
    state it; `was` and `now`: its text before and after, several lines separated by line breaks.
    """

    what: str
    path: str
    was: str | None
    now: str | None
    place: Span
    whole: Span
    sheet: Sheet
    heading: str
    entry: Entry
    touches: frozenset[str] | None  # the changed definitions; None if it may be any

    @property
    def acts(self) -> bool:
        """Whether it can have an effect by itself, unlike a definition that must be referred to."""
        return self.what != "new"


class Patch(Struct, eq=False):
    """Changes that are only valid together."""

    name: str
    changes: tuple[Change, ...]

    @property
    def place(self) -> Span:
        return self.changes[0].place

    @property
    def touches(self) -> frozenset[str] | None:
        found: set[str] = set()
        for change in self.changes:
            if change.touches is None:
                return None
            found |= change.touches
        return frozenset(found)


def laid_over(base: RuleSet, ours: RuleSet) -> bool:
    """Whether the files of a rule set begin with all the files of another."""
    mine, yours = ([s.root.span.source for s in rules.sheets] for rules in (base, ours))
    return len(mine) < len(yours) and all(a.name == b.name for a, b in zip(mine, yours, strict=False))


def changes_of(base: RuleSet, ours: RuleSet) -> list[Change]:
    """The changes by the files that only `ours` has, in their order."""
    reader = _Reader(base, ours)
    return [change for sheet in ours.sheets[len(base.sheets) :] for change in reader.sheet(sheet)]


class _Reader:
    def __init__(self, base: RuleSet, ours: RuleSet) -> None:
        self.base, self.ours = base, ours
        self.kinds = {name: d.title.what for d in base.book.pages.definitions for name in d.names}

    def sheet(self, sheet: Sheet) -> Iterator[Change]:
        for section, entry, change in entries_below(sheet.root):
            if change:
                yield self._changed(entry, sheet, section.key.text)
            else:
                yield from self._titled(entry, sheet, section.key.text)

    def _changed(self, entry: Entry, sheet: Sheet, heading: str) -> Change:
        path, value = entry.key.text, entry.value
        new = read_patch(entry.key, value, sheet).new if isinstance(value, Scalar | Mapping) else value
        return self._made("changed", path, self._before(path), _said(new), entry, sheet, heading)

    def _titled(self, entry: Entry, sheet: Sheet, heading: str) -> Iterator[Change]:
        words = entry.key.text.partition(" [")[0].split(" ")
        if words[0] in SHOWING:
            return
        name = " ".join(words[1:]).partition(",")[0].strip()
        if words[:2] == ["add", "to"]:
            yield from self._added(entry, words[2], sheet, heading)
        elif words[0] == "remove":
            names = " ".join(words[1:])
            was = [f"{n}: {t}" if "," in names else t for n in names.split(", ") if (t := self._before(n))]
            yield self._made("removed", names, "\n".join(was), None, entry, sheet, heading)
        elif words[0] == "rule":
            yield self._made("acts", " ".join(words[1:]), None, _said(entry.value), entry, sheet, heading)
        else:
            yield self._made("new", f"{words[0]} {name}", None, _said(entry.value), entry, sheet, heading)

    def _added(self, entry: Entry, path: str, sheet: Sheet, heading: str) -> Iterator[Change]:
        what = self.kinds.get(path.split(".")[0], "kind")  # additions to new names and kinds have no effect yet
        columns = "(" in entry.key.text
        if what in _BY_LINE and isinstance(entry.value, Mapping) and not columns:
            for line in entry.value:
                where = f"{path}.{line_name(line.key.text)}"
                yield self._made("added", where, None, _said(line.value), line, sheet, heading)
            return
        yield self._made("new" if what == "kind" else "added", path, None, _said(entry.value), entry, sheet, heading)

    def _made(
        self, what: str, path: str, was: str | None, now: str | None, entry: Entry, sheet: Sheet, heading: str
    ) -> Change:
        start, end = entry.key.span, entry.value.span
        whole = Span(start.source, start.start, max(start.end, end.end))
        names = [name.split(".")[0] for name in path.split(", ")] if what != "acts" else []
        plain = names and all(self.kinds.get(name) in _PLAIN for name in names)
        touches = frozenset(names) if plain else None
        return Change(what, path, was, now, start, whole, sheet, heading, entry, touches)

    def _before(self, path: str) -> str | None:
        parts = path.split(".")
        definition = self.base.defining(parts[0])
        place = place_of(self.base, definition, parts) if definition is not None else None
        if isinstance(place, Scalar) and definition is not None:  # the key of a block
            source = place.span.source
            found = next((_said(v) for k, v in _entries(definition) if k is place), None)
            return found or source.line(place.span.place[0]).strip()
        return place.text.split(" [")[0].strip() if place is not None else None


def _entries(definition: Definition) -> Iterator[tuple[Scalar, Node]]:
    left = [entry for entry, _ in definition.entries]
    yield definition.key, definition.body
    for entry in left:
        yield entry.key, entry.value
        if isinstance(entry.value, Mapping):
            left += entry.value


def _said(node: Node) -> str:
    """The text of a node; of a mapping its lines, separated by line breaks."""
    if isinstance(node, Scalar):
        return node.text.split(" [")[0].strip()
    if not isinstance(node, Mapping):
        return node.span.text.strip()
    lines = []
    for entry in node:
        said = _said(entry.value)
        below = [f"  {line}" for line in said.splitlines()] if isinstance(entry.value, Mapping) else []
        lines += [f"{entry.key.text}:" if below or not said else f"{entry.key.text}: {said}", *below]
    return "\n".join(lines)


class Patches:
    """The patches of a house rule, and the rules with any of them."""

    def __init__(self, base: RuleSet, ours: RuleSet) -> None:
        self.base, self.ours = base, ours
        self.changes = changes_of(base, ours)
        self._opened: dict[frozenset[int], tuple[RuleSet | None, frozenset[int]]] = {}
        self._parts = self._start()
        self._settle()
        self.patches = [self._named(part) for part in self._parts]

    def none(self) -> RuleSet:
        """The base with all new definitions, so that situations may refer to marks that only the house rule has."""
        return self._open(frozenset())[0] or self.base

    def only(self, chosen: Iterable[int]) -> RuleSet | None:
        """The base with some of the patches."""
        return self._open(frozenset(c for i in chosen for c in self._parts[i]))[0]

    # ---- grouping
    def _start(self) -> list[list[int]]:
        acting = [i for i, change in enumerate(self.changes) if change.acts]
        for key in (lambda c: id(c), lambda c: (c.sheet.name, c.heading), lambda c: c.sheet.name):
            parts: dict[object, list[int]] = {}
            for i in acting:
                parts.setdefault(key(self.changes[i]), []).append(i)
            if len(parts) <= MOST:
                return list(parts.values())
        return [acting]

    def _settle(self) -> None:
        """Merge patches until each is valid alone, and the others are valid without it."""
        every = frozenset(i for part in self._parts for i in part)
        index = 0
        while index < len(self._parts) and len(self._parts) > 1:
            mine = frozenset(self._parts[index])
            rules, broken = self._open(every - mine)
            others = {n for n, part in enumerate(self._parts) if n != index and broken & set(part)}
            if rules is None:
                self._join({index, *(others or range(len(self._parts)))})
                index = 0
            else:
                index += 1
        if len(self._parts) > 1 and any(self.only([i]) is None for i in range(len(self._parts))):
            failing = {i for i in range(len(self._parts)) if self.only([i]) is None}
            self._join(failing if len(failing) > 1 else set(range(len(self._parts))))
            self._settle()

    def _join(self, which: set[int]) -> None:
        first = min(which)
        joined = sorted(i for n in which for i in self._parts[n])
        self._parts = [
            joined if n == first else part for n, part in enumerate(self._parts) if n == first or n not in which
        ]

    def _named(self, part: Sequence[int]) -> Patch:
        changes = tuple(self.changes[i] for i in part)
        names = list(dict.fromkeys(c.path for c in changes))
        return Patch(names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more", changes)

    # ---- the rules with some patches
    def _open(self, kept: frozenset[int]) -> tuple[RuleSet | None, frozenset[int]]:
        """The rules with these changes and all new definitions, without new ones that are invalid then. If a change
        itself is invalid, None and the invalid changes.
        """
        if kept in self._opened:
            return self._opened[kept]
        acting = {i for i, c in enumerate(self.changes) if c.acts}
        if kept == acting:
            return self.ours, frozenset()
        out = acting - kept
        while True:
            problems = Problems()
            gone = {self.changes[i].entry for i in out}

            def left(sheet: Sheet, gone: set[Entry] = gone) -> Sheet:
                return replace(sheet, root=with_changes(sheet.root, lambda e: None if e in gone else e))

            sheets = [*self.base.sheets, *map(left, self.ours.sheets[len(self.base.sheets) :])]
            rules = checked(sheets, problems, odd=False)
            errors = [p for p in problems if p.severity == "error"]
            broken = frozenset(i for p in errors for i in self._at(p)) - out
            if not errors or not broken or broken & kept:
                break
            out |= broken
        self._opened[kept] = (None if errors else rules), broken & kept
        return self._opened[kept]

    def _at(self, problem: Problem) -> list[int]:
        """The changes that contain a mistake or, if it lies in the base, those that it refers to."""
        spans = [problem.span, *(other.span for other in problem.others)]
        for span in spans:
            found = [i for i, c in enumerate(self.changes) if span is not None and _holds(c.whole, span)]
            if found:
                return found
        return []


def _holds(whole: Span, span: Span) -> bool:
    return whole.source is span.source and whole.start <= span.start <= whole.end
