"""A rule set as its printed page: headings in order, tables as rows of texts, definitions as the lines of their files.

Takes a checked rule set. Gives plain texts with their places. Knows nothing of how a page is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.document.nodes import Mapping, Node, Scalar
from interpreter.rulebook.definitions import SHOWING, Definition
from interpreter.rulebook.symbols import Column, RowDef
from interpreter.source.values import Struct

from .rule_sets import RuleSet


class Grid(Struct):
    """A table: names of columns, and rows of texts, each with the row's name first."""

    name: str
    clauses: tuple[str, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Line(Struct):
    """A line of a file: its path, its row from 1, and its text."""

    file: str
    row: int
    text: str


class Heading(Struct):
    """A heading with its `tables` in full; `said` are the names of its other definitions, by sort."""

    name: str
    tables: tuple[Grid, ...]
    said: tuple[tuple[str, tuple[str, ...]], ...]


def headings(rules: RuleSet) -> list[Heading]:
    """The headings of all files of a set, in page order; recurring ones are merged."""
    names = list(dict.fromkeys(d.heading for d in rules.book.pages.definitions))
    found = []
    for name in names:
        mine = [d for d in rules.book.pages.definitions if d.heading == name]
        tables = tuple(grid(rules, d.title.name.text) for d in mine if d.title.what in ("table", "outcomes"))
        said: dict[str, list[str]] = {}
        for d in mine:
            if d.title.what not in ("table", "outcomes", *SHOWING):
                said.setdefault(d.title.what, []).extend(d.names)
        found.append(Heading(name, tables, tuple((what, tuple(dict.fromkeys(n))) for what, n in said.items())))
    return found


def known_names(rules: RuleSet) -> set[str]:
    """All names that a page has something about."""
    return {*(name for d in rules.definitions for name in d.names), *rules.book.words}


def grid(rules: RuleSet, name: str, only: str | None = None) -> Grid:
    """A table as its page prints it; with `only`, a single row."""
    table = rules.book.tables[name]
    rows = [r for r in table.rows.values() if only in (None, r.name)]
    if name in rules.book.procedures:
        return Grid(name, rules.book.procedures[name].cites, (), tuple(_outcome(rules, name, r) for r in rows))
    columns = [c for c in table.columns.values() if any(c.name in r.cell_places for r in table.rows.values())]
    marks = [m for m in table.marks if any(r.cells.get(m) for r in rows)]
    made = tuple((r.name, *(_cell(r, c) for c in columns), *([_marks(r, marks)] if marks else [])) for r in rows)
    return Grid(name, table.cites, (*(c.name for c in columns), *([""] if marks else [])), made)


def _cell(row: RowDef, column: Column) -> str:
    where = row.cell_places.get(column.name)
    text = where.text.removeprefix(f"{column.name} ") if where is not None else ""
    return "" if text in ("", "none") else text


def _marks(row: RowDef, marks: list[str]) -> str:
    return ", ".join(m for m in marks if row.cells.get(m))


def _outcome(rules: RuleSet, name: str, row: RowDef) -> tuple[str, ...]:
    """The faces such as `1-2`, the name, and the condition of an outcome."""
    text = re.sub(r"\s*\[[^]]*\]\s*$", "", row.where.scalar.text)
    head, _, clause = text.partition(",")
    faces, _, title = head.strip().rpartition(" ")
    return (faces, title, clause.strip()) if faces else (title, "", clause.strip())


def tables_with(rules: RuleSet, row: str) -> list[str]:
    """The tables that have such a row."""
    return [t.name for t in rules.book.tables.values() if row in t.rows]


def lines(rules: RuleSet, name: str) -> list[list[Line]]:
    """The lines that define a name, one list per place: its own, then those added or changed by extending files."""
    found = []
    for d in rules.definitions:
        if name in d.names:
            for each in (d, *d.added):
                found.append(list(_of(each)))
            steps = [s for path, all_ in rules.book.history.steps.items() if path.split(".")[0] == name for s in all_]
            places = [s.key.span for s in steps if s.what != "added"]
            found += [[Line(p.source.name, p.place[0], p.source.line(p.place[0]))] for p in places]
    return found


def _of(d: Definition) -> Iterator[Line]:
    source = d.key.span.source
    last = max(_last(d.body), d.key.span.end)
    first_row, last_row = source.place(d.key.span.start)[0], source.place(last)[0]
    for row in range(first_row, last_row + 1):
        yield Line(source.name, row, source.line(row))


def _last(node: Node) -> int:
    if isinstance(node, Scalar):
        return node.span.end if node.text else 0
    if isinstance(node, Mapping):
        return max((max(e.key.span.end, _last(e.value)) for e in node), default=0)
    return node.span.end
