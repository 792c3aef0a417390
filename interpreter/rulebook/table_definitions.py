"""Parses tables: printed rows in, cells by column and marks by row out.

Input: definitions of tables. Output: filled `Table`s; columns.py infers the type of each column. It does not know
expressions.
"""

from __future__ import annotations

import re
from typing import Any

from interpreter.document.nodes import Entry, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label
from interpreter.vocabulary.types import INCHES, NUMBER, TARGET, Type

from .columns import Cells, Columns
from .declarations import Declarations, int_if_whole, where_of
from .definitions import Definition, Patch, cited, note_lost_names, unknown
from .edits import report_changed
from .symbols import RowDef, Table, Where


class TableReader:
    """Fills the tables of a book in two passes: `named_rows` for all tables, then `rows`, because a cell may name a row
    of any table.
    """

    def __init__(self, declarations: Declarations) -> None:
        self.declarations, self.sentences = declarations, declarations.sentences
        self.book, self.problems = declarations.book, declarations.problems
        self.columns = Columns(self.book, self.problems)
        self._unread: dict[Table, list[tuple[RowDef, Scalar, str]]] = {}  # rows whose cells are not parsed yet

    def named_rows(self, d: Definition) -> None:
        """Declare the rows of a table; their cells, which may name rows of any table, are parsed later."""
        table = self.book.tables[d.title.name.text]
        table.cites = d.cites
        self.book.pages.owners[table] = d
        self._unread[table] = []
        if d.text is not None:
            words = self.sentences.read(d.text, "words", n.WordList)
            if words is None:
                self.problems.lost.update(re.findall(r"[\w-]+", d.text.text))
            for index, name in enumerate(words.names if words else ()):
                table.rows[name.text] = RowDef(name.text, where_of(d.text, name), index)
        for entry, prefix in d.entries:
            key = self.sentences.read(entry.key, "row_key", n.LineKey)
            text = self.declarations.text(entry.value)
            if key is None or text is None:
                note_lost_names(self.problems, entry)
                continue
            row = RowDef(key.name.text, where_of(entry.key, key.name), len(table.rows))
            if row.name in table.rows:
                old = table.rows[row.name].where.span
                self.problems.add("N003", row.where.span, name=row.name, others=[Label(old, "declared here")])
                continue
            table.rows[row.name] = row
            self.declarations.note_cites(entry.key, key.cites, prefix)
            row.cites = cited(key.cites, prefix)
            self._unread[table].append((row, text, prefix))

    def rows(self, d: Definition) -> None:
        """Parse the cells of a table, after all tables have rows and all rulings their options."""
        table = self.book.tables[d.title.name.text]
        params = [(p, each.key) for each in (d, *d.added) for p in each.title.params]
        names = [p.name.text for p, _ in params]
        cells: Cells = {}
        for row, text, prefix in self._unread.pop(table):
            node = self.sentences.read(text, "row", n.Row) if text.text else None
            if not text.text and names:
                self._no_cells(table, row.name, row.where)
            if node is not None:
                self.declarations.note_cites(text, node.cites, prefix)
                row.cites = cited(node.cites, prefix) + row.cites
                self._cells(table, row, names, text, node, cells)
        seen: set[tuple[Definition, str]] = set()
        for entry, by in d.columns:
            self._in_columns(table, entry, by, seen, cells)
        earlier: dict[tuple[str, ...], list[str]] = {}
        for patch in d.cells:
            self._changed_cell(patch, names, cells, earlier.setdefault(patch.path, []))
        self.columns.swapped(table, [p.name.text for p, _ in params], cells)
        for param, key in params:
            self.columns.column(table, param, key, cells)

    def _in_columns(
        self,
        table: Table,
        entry: Entry,
        by: Definition,
        seen: set[tuple[Definition, str]],
        cells: Cells,
    ) -> None:
        """Parse the cells that an addition's columns have in an existing row."""
        key = self.sentences.read(entry.key, "row_key", n.LineKey)
        text = self.declarations.text(entry.value)
        row = table.rows.get(key.name.text) if key is not None else None
        if key is None or text is None or row is None:
            return
        where = where_of(entry.key, key.name)
        if (by, row.name) in seen:
            self.problems.add("N003", where.span, name=row.name, label="said again here")
        seen.add((by, row.name))
        if not text.text:
            self._no_cells(table, row.name, where)
        node = self.sentences.read(text, "row", n.Row) if text.text else None
        if node is not None:
            self.declarations.note_cites(entry.key, key.cites, by.prefix)
            self.declarations.note_cites(text, node.cites, by.prefix)
            row.cites += cited(node.cites, by.prefix) + cited(key.cites, by.prefix)
            self._cells(table, row, [p.name.text for p in by.title.params], text, node, cells)

    def _no_cells(self, table: Table, row: str, where: Where) -> None:
        hint = "write the cells behind the colon, `none` where there is nothing"
        self.problems.add("K009", where.span, row=row, table=table.name, label="it has no cells", hint=hint)

    def _cells(
        self,
        table: Table,
        row: RowDef,
        names: list[str],
        text: Scalar,
        node: n.Row,
        cells: Cells,
    ) -> None:
        position, closed = 0, False
        given: set[str] = set()

        def put(column: str, held: tuple[Type, Any, Where], at: Where) -> None:
            if column in given:
                self.problems.add("N003", at.span, name=column, label="this row has that cell already")
            given.add(column)
            cells.setdefault(column, {})[row.name] = held

        for cell in node.cells:
            where = Where(text, cell.start, cell.end)
            if isinstance(cell, n.Words) and len(cell.names) == 2 and cell.names[0].text in names:
                column, word = cell.names
                ruling = self.book.rulings.get(word.text)
                if ruling is not None:
                    put(column.text, (ruling.type, ruling, where), where)
                elif self.columns.is_word(word.text):
                    words = n.Words(word.start, word.end, (word,))
                    held = Where(text, word.start, word.end)
                    put(column.text, (Type("words"), (words, words.names), held), where)
                else:
                    known = [*self.book.rulings, *(r for other in self.book.tables.values() for r in other.rows)]
                    unknown(self.problems, text, word, "ruling, or row of a table,", known)
                closed = True
            elif isinstance(cell, n.Named) and cell.name.text in names:
                type_, value = cell_value(cell.value)
                put(cell.name.text, (type_, value, where), where)
                closed = True
            elif isinstance(cell, n.Words) and all(w.text in table.marks for w in cell.names):
                row.cells.update({w.text: True for w in cell.names})
                closed = True
            elif isinstance(cell, n.Named):
                unknown(self.problems, text, cell.name, f"column of {table.name}", names)
            elif closed or position >= len(names):
                if isinstance(cell, n.Words):
                    bad = next(w for w in cell.names if w.text not in table.marks)
                    unknown(self.problems, text, bad, f"mark of {table.name}", [*table.marks, *names])
                elif (table.name, row.name) not in self.columns.crowded:
                    self.columns.crowded.add((table.name, row.name))
                    fix = None
                    if (half := re.search(r"[0-9]+,[0-9]+\"?", text.text)) is not None:
                        point = half.group().replace(",", ".")
                        fix = Fix(text.at(*half.span()), point, False, f"write `{point}`")
                        self.problems.add(
                            "T005",
                            text.at(*half.span()),
                            table=table.name,
                            columns=f"{len(names)} columns",
                            label="the comma makes two cells of it",
                            hint="a half is written with a point",
                            fix=fix,
                        )
                        continue
                    late = next((name for name in names if name not in given), None)
                    hint = f"`{late}` stands before the marks and the cells with a name" if late else None
                    if late is not None and any(isinstance(each, n.Named) for each in node.cells):
                        named = f"{late} {where.text}"
                        hint = f"behind a cell with a name each says its own: `{named}`"
                        fix = Fix(where.span, named, False, f"write `{named}`")
                    columns = f"{len(names)} column" + ("" if len(names) == 1 else "s")
                    self.problems.add(
                        "T005",
                        where.span,
                        table=table.name,
                        columns=columns,
                        label="no column is left for this",
                        hint=hint,
                        fix=fix,
                    )
            else:
                type_, value = cell_value(cell)
                put(names[position], (type_, (cell, value), where), where)
                position += 1

    def _changed_cell(self, patch: Patch, names: list[str], cells: Cells, earlier: list[str]) -> None:
        """Apply the patch of a cell: `weapons.lmg.shots: 4, was 3`. `earlier` are the texts before supplements changed
        it; the current one is appended.
        """
        _, row, column = patch.path
        new, was = patch.new, patch.was
        if not isinstance(new, Scalar):
            return
        if column not in names:
            end = len(patch.key.text)
            unknown(self.problems, patch.key, n.Name(end - len(column), end, column), "column", names)
            return
        read = self.sentences.read(new, "row", n.Row)
        if read is None or len(read.cells) != 1:
            return
        old = cells.get(column, {}).get(row)
        file = self.book.history.files.get(patch.key.span.source)
        laid = file is not None and file.laid
        texts = [old[2].text, *(earlier if laid else ())] if old is not None else []
        texts += [text.removeprefix(f"{column} ") for text in texts]  # `jam 2`, or `2`
        if was is not None and old is not None and was.text.strip() not in texts:
            report_changed(was, old[2].text, old[2].span, self.problems)
        if old is not None and laid:
            earlier.append(old[2].text)
        if old is not None:
            self.book.history.replaced(patch.key, old[2])
        cell = read.cells[0]
        type_, value = cell_value(cell)
        cells.setdefault(column, {})[row] = (type_, (cell, value), Where(new, cell.start, cell.end))


def cell_value(cell: n.Cell) -> tuple[Type, Any]:
    """Return the type and encoded value of a cell; whole inches are ints, like other numbers."""
    match cell:
        case n.Absent():
            return Type("none"), None
        case n.Number():
            return NUMBER, cell.value
        case n.Target():
            return TARGET, cell.value
        case n.Inches():
            return INCHES, int_if_whole(cell.value)
        case n.Dice():
            return Type("dicecell"), (cell.count, cell.sides, cell.plus)
        case n.Band():
            return (INCHES if cell.inches else Type("bands")), tuple(int_if_whole(v) for v in cell.values)
        case n.Named():
            return cell_value(cell.value)
    return Type("words"), cell.names
