"""Makes the mutants of one file of a rule set: every entry left out, and every sentence changed by one slip.

Takes a sheet, and a checked set that it is part of. Gives `Mutant`s in the order of the file, and the sheet with a
mutant applied. Does not check whether a mutant compiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, with_changes
from interpreter.rulebook.definitions import SHOWING, line_name
from interpreter.rulebook.layers import entries_below
from interpreter.source import Span
from interpreter.source.values import Struct, replace

from .mutation_operators import slips
from .substitutes import Substitutes

_HEAD = re.compile(r"(?<![\w-])(?:if|as|on|by|until|before|after|instead of)(?![\w-])(?![^(]*\))")
_LINES = ("value", "roll", "to", "rule", "limit", "table", "add", "change")


class Mutant(Struct, eq=False):
    """`definition`: the definition it lies in; `address`: that of its line (`shoot.volleys.hits`); `what`: the first
    word of its title. `instead` is None if a whole entry is left out. Of mutants with the same `choice`, the first that
    compiles counts.
    """

    number: int
    definition: str
    address: str
    what: str
    span: Span
    scalar: Scalar
    start: int
    end: int
    instead: str | None
    choice: tuple[int, int] | None = None

    @property
    def plain(self) -> bool:
        """Whether it can change no type and no name, so that all other definitions check as before."""
        return self.instead is not None and self.choice is None and self.what in ("to", "value", "roll", "table")

    @property
    def line(self) -> str:
        """The line of the file with its name, citations and comment."""
        text, span = self.span.source.text, self.span
        return text[text.rfind("\n", 0, span.start) + 1 : (text + "\n").index("\n", span.end)]

    @property
    def now(self) -> str:
        """The text of the line before."""
        return self.scalar.text

    @property
    def then(self) -> str:
        """The text of the line after; empty if it is left out."""
        if self.instead is None:
            return ""
        return " ".join((self.now[: self.start] + self.instead + self.now[self.end :]).split())

    @property
    def label(self) -> str:
        """The line with the slip in it; empty if it is left out."""
        return f"then: {self.then}" if self.then else ""

    @property
    def change(self) -> str:
        """The change as text: `>=` in place of `>`."""
        if self.instead is None:
            return f"`{self.address}` left out"
        said, instead = self.now[self.start : self.end].strip(), self.instead.strip()
        return f"`{instead}` in place of `{said}`" if instead else f"`{said.lstrip(', ')}` left out"

    def without_moment(self) -> Mutant | None:
        """For a mutant that changes whether a mark ends before or after a procedure: that mark, without its end."""
        swapped = {"before", "after"} == {self.now[self.start : self.end], self.instead}
        if self.what != "mark" or not swapped:
            return None
        found = re.match(r"\w+ [\w.-]+(?: as target)?(?:, (?=before|after))?", self.now[self.start :])
        assert found is not None
        end = self.start + found.end()
        if ", " in self.now[: self.start] or found.group().endswith(", "):
            start = self.start if found.group().endswith(", ") else self.now.rindex(", ", 0, self.start)
            return replace(self, start=start, end=end, instead="")
        return replace(self, start=0, end=len(self.now), instead="")

    def applied(self, root: Mapping) -> Mapping | None:
        """The file with the mutant; None if two entries would have the same key."""
        new = self.scalar.with_text(self.start, self.end, self.instead) if self.instead is not None else None

        def changed(entry: Entry) -> Entry | None:
            if self.scalar not in (entry.key, entry.value):
                return entry
            if new is None:
                return None
            return Entry(new, entry.value) if entry.key is self.scalar else Entry(entry.key, new)

        made = with_changes(root, changed)
        return made if _has_unique_keys(made) else None


class _Line(Struct):
    definition: str
    address: str
    what: str


class Mutants:
    """Makes the mutants of a file that several rule sets may include, each with names of its own."""

    def __init__(self, root: Mapping, names: Iterable[Substitutes]) -> None:
        self.root, self.every = root, tuple(names)
        self.names = self.every[0]
        self._made: list[Mutant] = []

    def all(self) -> list[Mutant]:
        last: Entry | None = None
        for section, entry, change in entries_below(self.root):
            if section is not last:
                self.names = next((names for names in self.every if names.knows(section)), self.every[0])
                last = section
            (self._change if change else self._definition)(entry)
        return self._made

    def _definition(self, entry: Entry) -> None:
        words = entry.key.text.split(" ")
        if words[0] in SHOWING or words[0] == "remove":
            return
        said = words[2] if words[:2] == ["add", "to"] and len(words) > 2 else words[1] if len(words) > 1 else ""
        name = said.strip(",:")
        line = _Line(name.split(".")[0], name, words[0])
        start = _HEAD.search(entry.key.text)
        if start is not None and words[0] != "add":
            self._text(entry.key, line, start.start())
        if words[0] in ("rule", "limit"):
            self._without_entry(entry, line)
        self._body(entry.value, line)

    def _body(self, value: Node, line: _Line, end: int | None = None) -> None:
        """Add the mutants of a text up to `end`, or of several lines."""
        if isinstance(value, Scalar):
            self._text(value, line, end=end)
        elif isinstance(value, Mapping):
            self._lines(value, line)

    def _change(self, entry: Entry) -> None:
        path = entry.key.text.split("[")[0].strip()
        line = _Line(path.split(".")[0], path, "change")
        was = entry.value.text.find(", was ") if isinstance(entry.value, Scalar) else -1
        self._body(entry.value, line, was if was >= 0 else None)

    def _lines(self, body: Mapping, above: _Line) -> None:
        for entry in body:
            key = entry.key.text
            line = _Line(above.definition, f"{above.address}.{line_name(key)}", above.what)
            comma, case = key.find(","), re.match(r"\d", key)
            if comma >= 0 or case:
                self._text(entry.key, line, 0 if case else comma)
            if len(body.entries) > 1 and above.what in _LINES and not self._row(above):
                self._without_entry(entry, line)
            self._body(entry.value, line)

    def _text(self, scalar: Scalar, line: _Line, start: int = 0, end: int | None = None) -> None:
        if "\n" in scalar.text.rstrip("\n"):
            return
        text = scalar.text if end is None else scalar.text[:end]
        for slip in slips(text, lambda word: self.names.of(word, line.definition), start):
            choice = (id(scalar), slip.choice) if slip.choice else None
            span = scalar.at(slip.start, slip.end)
            self._add(line, span, scalar, slip.start, slip.end, slip.instead, choice)

    def _row(self, above: _Line) -> bool:
        """Whether the entry is a row of a table, which cannot be left out, as sentences name it."""
        book = self.names.book
        return above.definition in book.tables and above.definition not in book.procedures

    def _without_entry(self, entry: Entry, line: _Line) -> None:
        if re.match(r"\d", entry.key.text):  # a case: its faces would belong to no line
            return
        self._add(line, entry.key.span, entry.key, 0, len(entry.key.text), None, None)

    def _add(
        self, line: _Line, span: Span, scalar: Scalar, start: int, end: int, instead: str | None,
        choice: tuple[int, int] | None,
    ) -> None:  # fmt: skip
        number = len(self._made)
        self._made.append(
            Mutant(number, line.definition, line.address, line.what, span, scalar, start, end, instead, choice)
        )


def _has_unique_keys(node: Node) -> bool:
    if not isinstance(node, Mapping):
        return True
    keys = {e.key.text for e in node.entries}
    return len(keys) == len(node.entries) and all(_has_unique_keys(e.value) for e in node.entries)
