"""Checks of the cells of tables: columns by distance bands, and cells that were probably forgotten.

Takes the checker of a checked book without errors; adds problems at the cells and rows.
"""

from __future__ import annotations

from interpreter.rulebook.procedures import Checker
from interpreter.source import Problems, nearest, offer

FEW = 3  # tables with at most this many rows are too small to infer a pattern


def check_distance_columns(checker: Checker, problems: Problems) -> None:
    """Report distances that do not ascend (K007), banded cells with another number of parts than their distances
    (K008), and a column banded by a column that does not exist (N005).
    """
    for table in checker.book.tables.values():
        for column in table.columns.values():
            if column.by is None or column.by not in table.columns:
                if column.by is not None:
                    place = column.where.scalar.at(column.where.end - len(column.by), column.where.end)
                    meant = offer(
                        place, nearest(column.by, table.columns)[:1], "its columns are " + ", ".join(table.columns)
                    )
                    problems.add("N005", place, name=column.by, table=table.name, **meant)
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
                        near=_count(bands, "distance"),
                        far=_count(counts, "number"),
                        hint=hint,
                    )


def _count(count: int, word: str) -> str:
    return f"{count} {word}" + ("" if count == 1 else "s")


def check_missing_cells(checker: Checker, problems: Problems) -> None:
    """Report rows that end before columns which all other rows of their table fill (K012).

    A cell that is empty on purpose is written: `-` or `none`. Columns that another file adds to an existing table may
    leave rows out.
    """
    for table in checker.book.tables.values():
        owner = checker.book.owners.get(table)
        brought = {p.name.text for _, made in owner.columns for p in made.title.params} if owner is not None else set()
        columns = [name for name in table.columns if name not in brought]
        for row in table.rows.values() if len(table.rows) > FEW else ():
            said = [name for name in columns if name in row.cell_places]
            left = columns[len(said) :]
            others = [r for r in table.rows.values() if r is not row]
            named = any(row.cell_places[name].text.startswith(f"{name} ") for name in said)
            if not said or not left or named or said != columns[: len(said)]:
                continue  # a row with named cells skips others on purpose
            if all(name in r.cell_places for r in others for name in left):
                names = " and ".join(f"`{name}`" for name in left)
                hint = f"where it has none, say so: `{', '.join('-' for _ in left)}` behind the others"
                problems.add("K012", row.where.span, row=row.name, columns=names, table=table.name, hint=hint)
