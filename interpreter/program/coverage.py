"""Run-time coverage: which procedures were run, and which rows of tables were looked up. Gives a `Seen`."""

from __future__ import annotations

from typing import Any

from interpreter.rulebook.symbols import Procedure, Table


class Seen:
    """`procedures` were run; `rows` are names of tables with the places of the rows that were looked up there."""

    def __init__(self) -> None:
        self.procedures: set[Procedure] = set()
        self.rows: set[tuple[str, int]] = set()

    def column(self, table: Table, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        """The cells of a column, such that it is noted which are looked at."""
        column = _Column(cells)
        column.table, column.rows = table.name, self.rows
        return column


class _Column(tuple[Any, ...]):
    table: str
    rows: set[tuple[str, int]]

    def __getitem__(self, at: Any) -> Any:
        self.rows.add((self.table, at))
        return super().__getitem__(at)

    def __iter__(self) -> Any:
        self.rows |= {(self.table, at) for at in range(len(self))}
        return super().__iter__()
