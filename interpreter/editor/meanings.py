"""All meanings of the names of a rule file, each with the place that declares it.

Takes a checked rule set. Gives `Meaning`s by address, by name, by place and by symbol. Knows nothing of their uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.document.nodes import Entry, Mapping
from interpreter.rulebook.book import verb_forms
from interpreter.rulebook.definitions import SHOWING, Definition, line_name
from interpreter.rulebook.symbols import Attribute, Column, Kind, Procedure, Symbol, Table
from interpreter.source import Span
from interpreter.source.values import Record, Struct, field
from interpreter.workbench.rule_sets import RuleSet


class Meaning(Struct, eq=False):
    """`what` is the sort as a word (`table`, `row`, `mark`, …); `path` is its address, unique within its sort.

    `where` is the place of its declaration, None without one; `symbol` is the checked symbol.
    """

    what: str
    path: str
    name: str
    where: Span | None
    symbol: Any = None

    @property
    def key(self) -> tuple[str, str]:
        return self.what, self.path


class Meanings(Record):
    """All meanings of names, by address, by name, by place (file and offset of the declaration), and by `id` of the
    symbol. For a place or symbol only the first meaning added is kept.
    """

    by_path: dict[str, list[Meaning]] = field(default_factory=dict)
    by_name: dict[str, list[Meaning]] = field(default_factory=dict)
    by_place: dict[tuple[str, int], Meaning] = field(default_factory=dict)
    by_symbol: dict[int, Meaning] = field(default_factory=dict)

    def add(self, meaning: Meaning, *also: str) -> Meaning:
        """Add a meaning; `also` are other names for it."""
        self.by_path.setdefault(meaning.path, []).append(meaning)
        for name in dict.fromkeys((meaning.name, *also)):
            self.by_name.setdefault(name, []).append(meaning)
        if meaning.where is not None:
            self.by_place.setdefault((meaning.where.source.name, meaning.where.start), meaning)
        if meaning.symbol is not None:
            self.by_symbol.setdefault(id(meaning.symbol), meaning)
        return meaning

    def every(self) -> list[Meaning]:
        """All meanings, each once, in the order of their declaration."""
        return [meaning for found in self.by_path.values() for meaning in found]

    def called(self, name: str, *whats: str) -> list[Meaning]:
        """The meanings of a name; with `whats`, only of these sorts."""
        return [x for x in self.by_name.get(name, ()) if not whats or x.what in whats]

    def at(self, path: str, *whats: str) -> list[Meaning]:
        """The meanings of an address; with `whats`, only of these sorts."""
        return [x for x in self.by_path.get(path, ()) if not whats or x.what in whats]

    def of(self, symbol: Symbol) -> list[Meaning]:
        found = self.by_symbol.get(id(symbol))
        return [found] if found is not None else []


def meanings_of(rules: RuleSet) -> Meanings:
    """All declarations of a checked rule set: symbols, attributes of kinds, columns and rows of tables, lines of
    definitions, examples and typical situations.
    """
    book, found = rules.book, Meanings()

    def declared(what: str, symbol: Symbol, *also: str) -> None:
        found.add(Meaning(what, symbol.name, symbol.name, symbol.where.span, symbol), *also)

    for kind in book.kinds.values():
        declared("kind", kind, kind.plural)
        _card(kind, found)
    for table in book.tables.values():
        if table.name not in book.procedures:
            declared("table", table)
        _columns(table, (*table.columns.values(), *table.marks.values()), found)
        for row in table.rows.values():
            found.add(Meaning("row", f"{table.name}.{row.name}", row.name, row.where.span, row))
    for what, symbols in (
        ("value", book.values),
        ("roll", book.rolls),
        ("fact", book.facts),
        ("dice", book.conventions),
        ("ruling", book.rulings),
        ("rule", book.rules),
        ("moment", book.moments),
        ("limit", book.limits),
        ("policy", book.policies),
    ):
        for symbol in symbols.values():
            declared(what, symbol)
    for procedure in book.procedures.values():
        declared("table" if procedure.table is not None else "procedure", procedure, *_verbs(procedure))
        if procedure.table is not None:
            found.by_symbol.setdefault(id(procedure.table), found.by_symbol[id(procedure)])
    for definition in book.pages.definitions:
        name = definition.title.name
        if definition.title.what in SHOWING:
            where = definition.key.at(name.start, name.end)
            found.add(Meaning(definition.title.what, f"{definition.title.what} {name.text}", name.text, where))
        elif definition.title.what not in ("kind", "table", "mark", "fact", "dice", "ruling", "moment"):
            for each in definition.names:
                _lines((e for e, _ in definition.entries), each, definition, found)
    return found


def _verbs(procedure: Procedure) -> tuple[str, ...]:
    return verb_forms(procedure.name) if procedure.table is None else ()


def _card(kind: Kind, found: Meanings) -> None:
    for attribute in kind.attributes.values():
        if attribute.where.text == attribute.name and not _relation(kind, attribute):
            what = "mark" if attribute.is_mark else "attribute"
            path = f"{kind.name}.{attribute.name}"
            found.add(Meaning(what, path, attribute.name, attribute.where.span, attribute))


def _relation(kind: Kind, attribute: Attribute) -> bool:
    """Whether an attribute only names the owner of a thing: the `side` of a unit is the kind `side`."""
    return kind.owner is not None and attribute.name == kind.owner.name


def _columns(table: Table, columns: Iterable[Column], found: Meanings) -> None:
    for column in columns:
        found.add(Meaning("column", f"{table.name}({column.name})", column.name, column.where.span, column))


def _lines(entries: Iterable[Entry], path: str, definition: Definition, found: Meanings) -> None:
    for entry in entries:
        name = line_name(entry.key.text)
        start = entry.key.text.find(name) if name else -1
        if start >= 0:
            where = entry.key.at(start, start + len(name))
            address = f"{path}.{name}"
            if (where.source.name, where.start) not in found.by_place:
                found.add(Meaning("line", address, name, where, None))
        if isinstance(entry.value, Mapping):
            _lines(entry.value, f"{path}.{name}", definition, found)
