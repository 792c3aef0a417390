"""Infers the type of each table column from its cells, and reports cells that do not fit.

Input: the cells of a table by column, and all tables with their rows. Output: typed columns, and the cells' values in
the rows. Knows nothing of how a row is written.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, Problems, Source
from interpreter.vocabulary.types import INCHES, NUMBER, Type

from .book import Book, plural
from .definitions import unknown
from .symbols import Column, RowDef, Table, Where

Filled = tuple[Type, Any, Where]  # a cell: its type, its value, its place
Cells = dict[str, dict[str, Filled]]  # column → row → cell


class Columns:
    """Infers the columns of tables from their cells, ignoring the rows in `crowded`."""

    def __init__(self, book: Book, problems: Problems) -> None:
        self.book, self.problems = book, problems
        self.crowded: set[tuple[str, str]] = set()  # (table, row): rows with more cells than there are columns

    def column(self, table: Table, param: n.Parameter, key: Scalar, cells: dict[str, Any]) -> None:
        """Add the column to the table, and the values of its cells to the rows."""
        name = param.name.text
        filled: dict[str, Filled] = {
            row: cell for row, cell in cells.get(name, {}).items() if (table.name, row) not in self.crowded
        }
        type_ = self._sort(table, name, filled)
        column = Column(name, Where(key, param.start, param.end), type_, param.by.text if param.by else None)
        table.columns[name] = column
        for row_name, (cell_type, raw, where) in filled.items():
            value = raw[1] if isinstance(raw, tuple) and len(raw) == 2 and isinstance(raw[0], n.Node) else raw
            if cell_type.name == "words" and type_.name == "row":
                value = type_.of.rows[value[0].text].index if value[0].text in type_.of.rows else -1
            if isinstance(value, tuple) and type_ == INCHES:  # without `at`, it reads as the farthest range
                table.rows[row_name].reaches[name] = value
                value = max(value)
            table.rows[row_name].cells[name] = value
            table.rows[row_name].cell_places[name] = where

    def _sort(self, table: Table, name: str, filled: dict[str, Filled]) -> Type:
        """The common type of the non-empty cells of a column; `any` after reporting a mismatch."""
        types = {t for t, _, _ in filled.values() if t.name != "none"}
        rulings = {t for t in types if t.name == "row"}
        if Type("words") in types and types - rulings == {Type("words")}:
            type_ = self._word_column(table, name, filled)
            types = {type_, *rulings} if type_.name == "row" else {type_}
        if not types:
            return Type("none")
        if len(types) == 1:
            return next(iter(types))
        if types in ({Type("bands"), NUMBER}, {Type("bands"), INCHES}):
            return next(iter(types - {Type("bands")}))
        if not {where.text for t, _, where in filled.values() if t.name == "words"} & self.problems.lost:
            self._odd_cell(name, filled, self.book.pages.owners[table].key.span.source)
        return Type("any")

    def swapped(self, table: Table, names: list[str], cells: Cells) -> None:
        """Report and drop neighbouring cells of a row that seem swapped: each has the other column's usual type."""

        def usual(column: str, row: str) -> str | None:
            sorts = [c[0].name for r, c in cells.get(column, {}).items() if r != row and c[0].name != "none"]
            return max(sorts, key=sorts.count) if len(sorts) > 1 else None

        for one, two in itertools.pairwise(names):
            for row in list(cells.get(one, {})):
                if row not in cells.get(two, {}) or (table.name, row) in self.crowded:
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

    def _odd_cell(self, column: str, filled: dict[str, Filled], home: Source) -> None:
        """Report the first cell of the rarer type in a column, or of the type that only other files' rows have."""
        by_type: dict[Type, list[tuple[Type, Any, Where]]] = {}
        for cell in filled.values():
            if cell[0].name != "none":
                by_type.setdefault(NUMBER if cell[0].name == "bands" else cell[0], []).append(cell)
        brought = [cells for cells in by_type.values() if all(cell[2].span.source is not home for cell in cells)]
        rare = min(brought or [*reversed(by_type.values())], key=len)
        common = max((cells for cells in by_type.values() if cells is not rare), key=len, default=rare)
        text, sort = rare[0][2].text, common[0][0].name
        number = text.lstrip("+")
        hint = fix = None
        digits = re.match(r"[0-9]+", number)
        if digits and sort in ("inches", "target", "number"):
            instead = digits.group() + {"inches": '"', "target": "+", "number": ""}[sort]
            hint, fix = f"did you mean `{instead}`?", Fix(rare[0][2].span, instead, False, f"write `{instead}`")
        if {sort, rare[0][0].name} == {"dicecell", "number"}:
            hint, fix = _dice_beside_numbers(rare[0], common[0]), None
        if rare[0][0].name == "dicecell" and any(cell[0].name == "bands" for cell in common):
            hint = "beside cells of near and far, as `2/1`, no cell is thrown: write a number, or give dice a column"
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

    def _word_column(self, table: Table, name: str, filled: dict[str, Filled]) -> Type:
        """The type of a column of words: row of the one table that has all of them, or marks of one kind."""
        used = [
            (value[1] if isinstance(value, tuple) and value and isinstance(value[0], n.Words) else value)
            for t, value, _ in filled.values()
            if t.name == "words"
        ]
        wanted = {w[0].text for w in used}
        fits = self.holding(name, wanted)
        if len(fits) > 1:
            where = next(where for t, _, where in filled.values() if t.name == "words")
            self.two_tables(name, where, fits)
            return Type("any")
        if fits:
            return Type("row", fits[0])
        marks = [k for k in self.book.kinds.values() if all(k.find(w) for w in wanted)]
        if marks:
            words = Table(name, table.where)
            for word in sorted(wanted):
                words.rows[word] = RowDef(word, table.where, len(words.rows))
            return Type("row", words)
        if not wanted & self.problems.lost:
            self._odd_word(table, name, wanted, filled)
        return Type("any")

    def _odd_word(self, table: Table, column: str, wanted: set[str], filled: dict[str, Filled]) -> None:
        """Report the first word that is not in the table, or among the marks, that most words of the column
        belong to.
        """
        tables = [x for x in self.book.tables.values() if x is not table or x.rows.keys() & wanted]
        rows = [{*other.rows} for other in tables]
        marks = [{a.name for a in kind.all_attributes() if a.is_mark} for kind in self.book.kinds.values()]
        meant = max([*rows, *marks], key=lambda names: len(names & wanted), default=set())
        for type_, value, where in filled.values():
            words = value[1] if type_.name == "words" and isinstance(value[0], n.Words) else value
            if type_.name == "words" and words[0].text not in meant:
                two = [other for names in (meant, {words[0].text}) for other in tables if other.rows.keys() >= names]
                if meant and len(two) > 1:
                    self._two_tables_of_words(column, where, two[0], two[-1], filled)
                    return
                known = [*meant, *table.marks, *(row for names in rows for row in names)]
                unknown(self.problems, where.scalar, words[0], "row of a table, or mark,", known)
                return

    def _two_tables_of_words(
        self, column: str, where: Where, usual: Table, other: Table, filled: dict[str, Filled]
    ) -> None:
        """Report a column whose cells are rows of two tables."""
        first = next(place for _, _, place in filled.values() if place.text.split(" ")[-1] in usual.rows)
        found, holds = f"a row of {other.name}", f"rows of {usual.name}"
        others = [Label(first.span, f"here it is a row of {usual.name}")]
        hint = f"a column has rows of one table: {', '.join(list(usual.rows)[:6])}"
        label = f"this is {found}"
        self.problems.add(
            "T004", where.span, column=column, found=found, usual=holds, label=label, others=others, hint=hint
        )

    def holding(self, name: str, words: Collection[str]) -> list[Table]:
        """Return the tables that have all these words as rows; only the one called `name` or its plural, if it is among
        them.
        """
        fits = [table for table in self.book.tables.values() if table.rows.keys() >= {*words}]
        named = [table for table in fits if table.name in (name, plural(name))]
        return named if len(named) == 1 else fits

    def two_tables(self, name: str, where: Where, fits: list[Table]) -> None:
        """Report words that are rows of several tables, none of which is named after the column."""
        word = next(word for word in re.findall(r"[\w-]+", where.text) if word in fits[0].rows)
        others = [Label(t.rows[word].where.span, f"a row of {t.name}") for t in fits[:2]]
        hint = f"call the table that is meant `{plural(name)}`, or give the rows of one of them other names"
        self.problems.add("N002", where.span, name=word, others=others, hint=hint)

    def is_word(self, word: str) -> bool:
        """Return whether a cell may contain this word: a row of some table, or a mark."""
        if any(word in table.rows for table in self.book.tables.values()):
            return True
        found = [kind.attributes.get(word) for kind in self.book.kinds.values()]
        return any(attribute is not None and attribute.is_mark for attribute in found)


def _dice_beside_numbers(rare: Filled, common: Filled) -> str:
    """A hint for a column that mixes dice and plain numbers: a number may mean that many dice, or a constant."""
    number, dice = (rare, common) if common[0].name == "dicecell" else (common, rare)
    die = re.search("d[0-9]+", dice[2].text)
    count = re.search("[0-9]+", number[2].text)
    assert die is not None and count is not None
    many = count.group()
    hint = f"`{many}{die.group()}` throws {many}, `0{die.group()}+{many}` is {many} without a die"
    if rare is number:
        return hint
    return f"give dice a column of their own, or write the numbers beside them as dice too: {hint}"
