"""Tables: printed rows → cells by column and marks by row, every column of one sort.

Enters: definitions of tables. Leaves: filled `Table`s. Knows nothing of expressions.
"""

from __future__ import annotations

import itertools
import re

from interpreter.document import Entry, Scalar
from interpreter.hints import Any
from interpreter.language import nodes as n
from interpreter.source import Fix, Label
from interpreter.vocabulary.types import INCHES, NUMBER, TARGET, Type

from .definitions import Definition, Patch, cited, lose, unknown
from .shelves import Shelves, where_of, whole
from .symbols import Column, RowDef, Table, Where


class Tabling(Shelves):
    def _rows(self, d: Definition) -> None:
        table = self.book.tables[d.title.name.text]
        table.cites = d.cites
        self.book.owners[table] = d
        params = [(p, each.key) for each in (d, *d.added) for p in each.title.params]
        names = [p.name.text for p, _ in params]
        if d.text is not None:
            words = self.sentences.read(d.text, "words", n.WordList)
            if words is None:
                self.problems.lost.update(re.findall(r"[\w-]+", d.text.text))
            for index, name in enumerate(words.names if words else ()):
                table.rows[name.text] = RowDef(name.text, where_of(d.text, name), index)
        cells: dict[str, dict[str, tuple[Type, Any, Where]]] = {}
        for entry, prefix in d.entries:
            key = self.sentences.read(entry.key, "line_key", n.LineKey)
            text = self._text(entry.value)
            if key is None or text is None:
                lose(self.problems, entry)
                continue
            row = RowDef(key.name.text, where_of(entry.key, key.name), len(table.rows))
            if row.name in table.rows:
                old = table.rows[row.name].where.span
                self.problems.add("N003", row.where.span, name=row.name, others=[Label(old, "declared here")])
                continue
            table.rows[row.name] = row
            self._note_cites(entry.key, key.cites, prefix)
            node = self.sentences.read(text, "row", n.Row) if text.text else None
            if not text.text and names:
                self._no_cells(table, row.name, row.where)
            if node is not None:
                self._note_cites(text, node.cites, prefix)
                row.cites = cited(node.cites, prefix) + cited(key.cites, prefix)
                self._cells(table, row, names, text, node, cells)
        seen: set[tuple[Definition, str]] = set()
        for entry, by in d.columns:
            self._in_columns(table, entry, by, seen, cells)
        for patch in d.cells:
            self._changed_cell(patch, names, cells)
        self._swapped(table, [p.name.text for p, _ in params], cells)
        for param, said in params:
            self._column(table, param, said, cells)

    def _in_columns(
        self,
        table: Table,
        entry: Entry,
        by: Definition,
        seen: set[tuple[Definition, str]],
        cells: dict[str, dict[str, tuple[Type, Any, Where]]],
    ) -> None:
        """What the columns of an addition hold in a row that was there before."""
        key = self.sentences.read(entry.key, "line_key", n.LineKey)
        text = self._text(entry.value)
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
            self._note_cites(entry.key, key.cites, by.prefix)
            self._note_cites(text, node.cites, by.prefix)
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
        cells: dict[str, dict[str, tuple[Type, Any, Where]]],
    ) -> None:
        position, closed = 0, False
        for cell in node.cells:
            where = Where(text, cell.start, cell.end)
            if isinstance(cell, n.Words) and len(cell.names) == 2 and cell.names[0].text in names:
                column, word = cell.names
                ruling = self.book.rulings.get(word.text)
                if ruling is None:
                    unknown(self.problems, text, word, "ruling", self.book.rulings)
                else:
                    cells.setdefault(column.text, {})[row.name] = (ruling.type, ruling, where)
                closed = True
            elif isinstance(cell, n.Named) and cell.name.text in names:
                type_, value = self.cell_value(cell.value)
                cells.setdefault(cell.name.text, {})[row.name] = (type_, value, where)
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
                elif (table.name, row.name) not in self._crowded:
                    self._crowded.add((table.name, row.name))
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
                    late = names[position] if position < len(names) else None
                    hint = f"`{late}` stands before the marks and the cells with a name" if late else None
                    columns = f"{len(names)} column" + ("" if len(names) == 1 else "s")
                    self.problems.add(
                        "T005",
                        where.span,
                        table=table.name,
                        columns=columns,
                        label="no column is left for this",
                        hint=hint,
                    )
            else:
                type_, value = self.cell_value(cell)
                cells.setdefault(names[position], {})[row.name] = (type_, (cell, value), where)
                position += 1

    def _changed_cell(
        self, patch: Patch, names: list[str], cells: dict[str, dict[str, tuple[Type, Any, Where]]]
    ) -> None:
        """`weapons.lmg.shots: 4, was 3` of a file laid over the table's."""
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
        if was is not None and old is not None and old[2].text != was.text.strip():
            self.problems.add(
                "N011",
                was.span,
                was=was.text,
                now=old[2].text,
                label="it says something else now",
                others=[Label(old[2].span, "here")],
            )
        if old is not None:
            self.book.history.replaced(patch.key, old[2])
        cell = read.cells[0]
        type_, value = self.cell_value(cell)
        cells.setdefault(column, {})[row] = (type_, (cell, value), Where(new, cell.start, cell.end))

    def _column(self, table: Table, param: n.Parameter, key: Scalar, cells: dict[str, Any]) -> None:
        name = param.name.text
        filled: dict[str, tuple[Type, Any, Where]] = {
            row: cell for row, cell in cells.get(name, {}).items() if (table.name, row) not in self._crowded
        }
        types = {t for t, _, _ in filled.values() if t.name != "none"}
        type_ = next(iter(types)) if types else Type("none")
        words = [where.text for t, _, where in filled.values() if t.name == "words"]
        if 0 < len(words) * 2 < len(filled) and not {*words} & self.problems.lost:
            self._odd_cell(name, filled)
            type_ = Type("any")
        elif words:
            type_ = self._word_column(table, name, filled)
        elif types == {Type("bands"), NUMBER}:
            type_ = NUMBER
        elif types == {Type("bands"), INCHES}:
            type_ = INCHES
        elif types == {Type("dicecell"), NUMBER} or types == {Type("dicecell")}:
            type_ = Type("dicecell")
            filled = {row: (t, _plain_dice(value), where) for row, (t, value, where) in filled.items()}
        elif len(types) > 1:
            self._odd_cell(name, filled)
            type_ = Type("any")
        column = Column(name, Where(key, param.start, param.end), type_, param.by.text if param.by else None)
        table.columns[name] = column
        for row_name, (cell_type, raw, where) in filled.items():
            value = raw[1] if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[0], n.Node) else raw
            if cell_type.name == "words" and type_.name == "row":
                value = type_.of.rows[value[0].text].index if value[0].text in type_.of.rows else -1
            table.rows[row_name].cells[name] = value
            table.rows[row_name].cell_places[name] = where

    def _swapped(self, table: Table, names: list[str], cells: dict[str, dict[str, tuple[Type, Any, Where]]]) -> None:
        """Two cells of a row that have changed places: each is of the other column's sort."""

        def usual(column: str, row: str) -> str | None:
            sorts = [c[0].name for r, c in cells.get(column, {}).items() if r != row and c[0].name != "none"]
            return max(sorts, key=sorts.count) if len(sorts) > 1 else None

        for one, two in itertools.pairwise(names):
            for row in list(cells.get(one, {})):
                if row not in cells.get(two, {}) or (table.name, row) in self._crowded:
                    continue
                (a, _, left), (b, _, right) = cells[one][row], cells[two][row]
                if a.name == b.name or (a.name, b.name) != (usual(two, row), usual(one, row)):
                    continue
                between = left.scalar.text[left.end : right.start]
                if left.scalar is not right.scalar or between.strip() != ",":
                    continue
                span = left.scalar.at(left.start, right.end)
                instead = right.text + between + left.text
                hint = f"have `{one}` and `{two}` changed places?"
                fix = Fix(span, instead, False, f"write `{instead}`")
                usually = cells[one][next(r for r in cells[one] if r != row)][0].words()
                self.problems.add("T004", span, column=one, found=a.words(), usual=usually, hint=hint, fix=fix)
                del cells[one][row], cells[two][row]

    def _odd_cell(self, column: str, filled: dict[str, tuple[Type, Any, Where]]) -> None:
        """The cells of one column differ in sort: point at the first of the rarer sort."""
        by_type: dict[str, list[tuple[Type, Any, Where]]] = {}
        for cell in filled.values():
            if cell[0].name != "none":
                kind = "number" if cell[0].name in ("bands", "dicecell") else cell[0].name
                by_type.setdefault(kind, []).append(cell)
        common = max(by_type.values(), key=len)
        rare = min(by_type.values(), key=len)
        if rare is common:
            rare = list(by_type.values())[-1]
        text, sort = rare[0][2].text, common[0][0].name
        number = text.lstrip("+")
        hint = fix = None
        digits = re.match(r"[0-9]+", number)
        if digits and sort in ("inches", "target", "number"):
            instead = digits.group() + {"inches": '"', "target": "+", "number": ""}[sort]
            hint, fix = f"did you mean `{instead}`?", Fix(rare[0][2].span, instead, False, f"write `{instead}`")
        self.problems.add(
            "T004",
            rare[0][2].span,
            column=column,
            found=rare[0][0].words(),
            usual=common[0][0].words(),
            hint=hint,
            label=f"this is {rare[0][0].words()}",
            others=[Label(common[0][2].span, f"here it is {common[0][0].words()}")],
            fix=fix,
        )

    def _word_column(self, table: Table, name: str, filled: dict[str, tuple[Type, Any, Where]]) -> Type:
        """A column of words: all must be rows of one table; the first whose rows hold them all."""
        used = [
            (value[1] if isinstance(value, tuple) and value and isinstance(value[0], n.Words) else value)
            for t, value, _ in filled.values()
            if t.name == "words"
        ]
        wanted = {w[0].text for w in used}
        fits = [t for t in self.book.tables.values() if wanted <= set(t.rows) or wanted <= self._row_names(t)]
        if fits:
            best = fits[0]
            return Type("row", best)
        marks = [k for k in self.book.kinds.values() if all(k.find(w) for w in wanted)]
        if marks:
            words = Table(name, table.where)
            for word in sorted(wanted):
                words.rows[word] = RowDef(word, table.where, len(words.rows))
            return Type("row", words)
        if not wanted & self.problems.lost:
            self._odd_word(table, wanted, filled)
        return Type("any")

    def _odd_word(self, table: Table, wanted: set[str], filled: dict[str, tuple[Type, Any, Where]]) -> None:
        """The word that keeps a column from being rows of one table, or marks of one kind: most others are."""
        rows = [self._row_names(other) for other in self.book.tables.values()]
        marks = [{a.name for a in kind.all_attributes() if a.is_mark} for kind in self.book.kinds.values()]
        meant = max([*rows, *marks], key=lambda names: len(names & wanted), default=set())
        for type_, value, where in filled.values():
            words = value[1] if type_.name == "words" and isinstance(value[0], n.Words) else value
            if type_.name == "words" and words[0].text not in meant:
                known = [*meant, *table.marks, *(row for names in rows for row in names)]
                unknown(self.problems, where.scalar, words[0], "row of a table, or mark,", known)
                return

    def _row_names(self, table: Table) -> set[str]:
        if table.rows:
            return set(table.rows)
        d = next(
            (x for x in self.book.definitions if x.title.what == "table" and x.title.name.text == table.name), None
        )
        return {e.key.text.split(" ")[0].rstrip(",") for e, _ in d.entries} if d else set()

    def cell_value(self, cell: n.Cell) -> tuple[Type, Any]:
        """Type and encoded value of a cell; inches that are whole are ints, like any number."""
        match cell:
            case n.Absent():
                return Type("none"), None
            case n.Number():
                return NUMBER, cell.value
            case n.Target():
                return TARGET, cell.value
            case n.Inches():
                return INCHES, whole(cell.value)
            case n.Dice():
                return Type("dicecell"), (cell.count, cell.sides, cell.plus)
            case n.Band():
                return (INCHES if cell.inches else Type("bands")), tuple(whole(v) for v in cell.values)
            case n.Named():
                return self.cell_value(cell.value)
        return Type("words"), cell.names


def _plain_dice(raw: Any) -> Any:
    """A plain number among dice: no die, and that much."""
    cell, value = raw if isinstance(raw, tuple) and len(raw) == 2 else (None, raw)
    value = (0, 1, value) if isinstance(value, int) else value
    return (cell, value) if cell is not None else value
