"""Columns that go by distance: near and far ascend, and both columns have as many parts.

Enters: a checked book without errors. Leaves: problems.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.source import Problems, nearest


def check_columns(checker: ProcedureChecker, problems: Problems) -> None:
    """Near and far must ascend, and both columns must have as many parts."""
    for table in checker.book.tables.values():
        for column in table.columns.values():
            if column.by is None or column.by not in table.columns:
                if column.by is not None:
                    close = nearest(column.by, table.columns)
                    hint = f"did you mean `{close[0]}`?" if close else "its columns are " + ", ".join(table.columns)
                    problems.add("N005", column.where.span, name=column.by, table=table.name, hint=hint)
                continue
            for row in table.rows.values():
                near = row.reaches.get(column.by, row.cells.get(column.by))
                held = row.cells.get(column.name)
                where = row.cell_places.get(column.by)
                if where is None:
                    continue
                if isinstance(near, tuple) and list(near) != sorted(set(near)):
                    problems.add("K007", where.span, label="the distances must grow")
                bands = len(near) if isinstance(near, tuple) else 1
                counts = len(held) if isinstance(held, tuple) else 1
                if bands != counts and held is not None:
                    hint = '`12"/24", 2/1` is 2 up to 12 inches and 1 up to 24'
                    problems.add(
                        "K008",
                        row.cell_places[column.name].span,
                        near=_some(bands, "distance"),
                        far=_some(counts, "number"),
                        hint=hint,
                    )


def _some(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")
