"""Run-time coverage: which procedures ran, and which table rows were read. Gives a `Seen`."""

from __future__ import annotations

from typing import Any

from interpreter.rulebook.symbols import Procedure, Table


class Seen:
    """`procedures` have run; `rows` are pairs of a table's name and the index of a row that was read."""

    def __init__(self) -> None:
        self.procedures: set[Procedure] = set()
        self.rows: set[tuple[str, int]] = set()

    def column(self, table: Table, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        """The cells of a column, as a tuple that records reads."""
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
