"""Writes the results of a sweep as Parquet. The only module that knows the library.

Takes results. Gives a file with the columns and rows of their table.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from .sweep_runs import Results

LIBRARY = "pyarrow"


def write_parquet(path: str, results: Results) -> None:
    """Write the table to a file. Raises OSError, and ImportError without the library."""
    arrow, parquet = import_module(LIBRARY), import_module(f"{LIBRARY}.parquet")  # imported late: it is an extra

    types: dict[str, Any] = {"TEXT": arrow.string(), "INTEGER": arrow.int64(), "REAL": arrow.float64()}
    rows = results.rows
    made = arrow.schema([(name, types[type_]) for name, type_ in results.columns.items()])
    columns = [arrow.array([row[i] for row in rows], each.type) for i, each in enumerate(made)]
    beside = f"{path}.new"
    parquet.write_table(arrow.Table.from_arrays(columns, schema=made), beside)
    os.replace(beside, path)
