"""A rule set as a reference sheet for the table: the lookups during play, with the lines of house rules marked.

Takes a checked rule set. Gives a `ReferenceSheet`: by heading its tables, its dice tables, and its rolls with their
modifiers; of house rules every line. Comments are left out. Knows nothing of how a sheet is shown.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language import nodes as n
from interpreter.rulebook.definitions import SHOWING, Definition, line_name
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Source, Span
from interpreter.source.values import Struct

from .pages import Grid, grid
from .rule_sets import RuleSet

_TABLES = ("table", "outcomes")
_ADJUSTED = ("roll", "value")


class Row(Struct):
    """A row with one cell per column of its block. `homemade`: a house rule added or changed it."""

    cells: tuple[str, ...]
    homemade: bool = False


class Block(Struct):
    """A table of texts. `columns` is empty if no column has a name."""

    title: str
    clauses: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Section(Struct):
    """The blocks under one heading of the page."""

    heading: str
    blocks: tuple[Block, ...]


class ReferenceSheet(Struct):
    """`homemade` are the titles of the house rules in it; `gone` are the lines that they remove, as (address, text)."""

    title: str
    homemade: tuple[str, ...]
    sections: tuple[Section, ...]
    gone: tuple[tuple[str, str], ...]


def reference_sheet(rules: RuleSet) -> ReferenceSheet:
    """The sheet of a rule set. House rules are the files above the last one with a register of clauses."""
    return _Writer(rules).sheet()


def spoken(name: str) -> str:
    """A name as a page prints it: `light-mortar` → `light mortar`."""
    return name.replace("-", " ")


def _titled(name: str) -> str:
    words = spoken(name)
    return words[:1].upper() + words[1:]


def house_sheets(sheets: tuple[Sheet, ...]) -> tuple[Sheet, ...]:
    """The files of a stack that were written for one table: those above the last that cites a printed page."""
    printed = [i for i, sheet in enumerate(sheets) if sheet.head.prefix]
    based = [i for i, sheet in enumerate(sheets) if not sheet.laid]
    return sheets[max(printed or based) + 1 :]


class _Writer:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        homemade = house_sheets(rules.sheets)
        self.titles = tuple(sheet.head.game for sheet in homemade)
        self.homemade: set[Source] = {sheet.root.span.source for sheet in homemade}
        self.patched = {
            path
            for path, done in rules.book.history.steps.items()
            if any(self._is_house(step.key.span) and step.what != "removed" for step in done)
        }

    def sheet(self) -> ReferenceSheet:
        shown = [d for d in self.rules.book.pages.definitions if d.title.what not in SHOWING]
        sections = []
        for heading in dict.fromkeys(d.heading for d in shown):
            blocks = tuple(b for d in shown if d.heading == heading for b in self._blocks(d) if b.rows)
            if blocks:
                sections.append(Section(heading, blocks))
        return ReferenceSheet(self.rules.title, self.titles, tuple(sections), tuple(self._gone()))

    def _is_house(self, span: Span) -> bool:
        return span.source in self.homemade

    def _blocks(self, d: Definition) -> Iterator[Block]:
        name = d.title.name.text
        if d.title.what in _TABLES:
            yield self._table(d, grid(self.rules, name))
            if d.title.what == "outcomes":  # the table has the names of the rows, these lines their effects
                changed = tuple(self._changed([e for e, _ in d.entries], name))
                yield Block(f"{_titled(name)}, in this house", (), (), changed)
        elif d.title.what in _ADJUSTED and (found := self._adjusted(d)) is not None:
            yield found
        else:
            yield Block(_titled(name), d.cites, (), tuple(self._house_lines(d)))

    # ---- tables
    def _table(self, d: Definition, found: Grid) -> Block:
        defined = self.rules.book.tables[found.name].rows.values()
        rows = []
        for row, cells in zip(defined, found.rows, strict=True):
            path = f"{found.name}.{row.name}"
            homemade = self._is_house(row.where.span) or any(
                p == path or p.startswith(path + ".") for p in self.patched
            )
            at = 1 if d.title.what == "outcomes" else 0  # the index of the row's name
            rows.append(Row((*cells[:at], spoken(cells[at]), *cells[at + 1 :]), homemade))
        width = max((len(row.cells) for row in rows), default=0)
        filled = tuple(Row(row.cells + ("",) * (width - len(row.cells)), row.homemade) for row in rows)
        if width == 1 and not any(row.homemade for row in filled):
            filled = ()  # names alone: nothing to look up
        columns = ("", *map(spoken, found.columns)) if any(found.columns) else ()
        return Block(_titled(found.name), found.clauses, columns, filled)

    # ---- rolls, and values that are summed up line by line
    def _adjusted(self, d: Definition) -> Block | None:
        """A roll with its modifiers; None for a value whose lines do not add to one another."""
        name = d.title.name.text
        texts = [(line_name(e.key.text), e.key, e.value) for e, _ in d.entries if isinstance(e.value, Scalar)]
        if d.text is not None:
            texts = [("", d.key, d.text)]
        rows, adds = [], d.title.what == "roll"
        for line, key, scalar in texts:
            read = self.rules.checker.sentences.read(scalar, "adjust", n.Adjust)
            if read is None:
                return None
            adds = adds or read.what == "add"
            path = f"{name}.{line}" if line else name
            homemade = self._is_house(key.span) or self._is_house(scalar.span) or path in self.patched
            rows.append(Row((spoken(line), *_split(scalar.text, read)), homemade))
        return Block(_titled(name), d.cites, (), tuple(rows)) if adds else None

    # ---- other lines of house rules
    def _house_lines(self, d: Definition) -> Iterator[Row]:
        name = d.title.name.text
        if self._is_house(d.key.span):
            yield Row((_written(d.key.text, d.text),), True)
            yield from self._lines([e for e, _ in d.entries], 1)
            return
        if d.text is not None and name in self.patched:
            yield Row((_written(d.key.text, d.text),), True)
        yield from self._changed([e for e, _ in d.entries], name)

    def _lines(self, entries: list[Entry], deep: int) -> Iterator[Row]:
        for entry in entries:
            yield Row(("\u2003" * deep + _written(entry.key.text, entry.value),), True)
            if isinstance(entry.value, Mapping):
                yield from self._lines(list(entry.value), deep + 1)

    def _changed(self, entries: list[Entry], path: str) -> Iterator[Row]:
        """The lines of a printed definition that house rules added or changed."""
        for entry in entries:
            here = f"{path}.{line_name(entry.key.text)}"
            if self._is_house(entry.key.span) or self._is_house(entry.value.span) or here in self.patched:
                above = path.partition(".")[2]
                address = f"{above}." if above else ""
                yield Row((address + _written(entry.key.text, entry.value),), True)
                if isinstance(entry.value, Mapping):
                    yield from self._lines(list(entry.value), 1)
            elif isinstance(entry.value, Mapping):
                yield from self._changed(list(entry.value), here)

    def _gone(self) -> Iterator[tuple[str, str]]:
        for path, done in self.rules.book.history.steps.items():
            last = done[-1]
            if last.what == "removed" and self._is_house(last.key.span):
                was = last.was
                yield path, _without_clauses(was.text) if isinstance(was, Scalar) else ""


def _written(key: str, value: Node | None) -> str:
    """A line of a file, on one line and without its citations."""
    said = _without_clauses(key)
    if isinstance(value, Scalar) and value.text:
        return f"{said}: {_without_clauses(value.text)}"
    return said


def _without_clauses(text: str) -> str:
    joined = " ".join(text.split())
    head, bracket, rest = joined.rpartition(" [")
    return head if bracket and rest.endswith("]") else joined


def _split(text: str, read: n.Adjust) -> tuple[str, str]:
    """The effect of a line of a roll, and its condition."""
    said = " ".join(text.split())
    if read.condition is None:
        return _without_clauses(said), ""
    effect, joint, when = said.partition(" if ")
    return effect, _without_clauses(joint.lstrip() + when)
