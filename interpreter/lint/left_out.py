"""Rows that leave out a cell which all other rows of their table have: most often it was forgotten.

Enters: a checked book without errors. Leaves: findings at the row. A cell that is empty on purpose is written: `-` or
`none`. Columns that a file brings for rows that are there already may leave rows out. Knows nothing of what cells mean.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.source import Problems

FEW = 3  # with fewer rows nothing is the rule


def check_left_out(checker: ProcedureChecker, problems: Problems) -> None:
    for table in checker.book.tables.values():
        owner = checker.book.owners.get(table)
        brought = {p.name.text for _, made in owner.columns for p in made.title.params} if owner is not None else set()
        columns = [name for name in table.columns if name not in brought]
        for row in table.rows.values() if len(table.rows) > FEW else ():
            said = [name for name in columns if name in row.cell_places]
            left = columns[len(said) :]
            others = [r for r in table.rows.values() if r is not row]
            if not said or not left or said != columns[: len(said)]:
                continue  # who names a cell passes over others on purpose
            if all(name in r.cell_places for r in others for name in left):
                names = " and ".join(f"`{name}`" for name in left)
                hint = f"where it has none, say so: `{', '.join('-' for _ in left)}` behind the others"
                problems.add("K012", row.where.span, row=row.name, columns=names, table=table.name, hint=hint)
