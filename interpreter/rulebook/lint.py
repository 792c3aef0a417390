"""What is suspicious in a rule set that is right in every word.

Enters: a checked book without errors. Leaves: findings. Knows nothing of dice being thrown.
"""

from __future__ import annotations

from interpreter.source import Problems, nearest

from . import typed as t
from .book import Book
from .procedures import ProcedureChecker
from .symbols import Procedure


def lint(checker: ProcedureChecker, problems: Problems) -> None:
    _bands(checker.book, problems)
    _comparisons(checker, problems)


def _comparisons(checker: ProcedureChecker, problems: Problems) -> None:
    """A line `NAME = 0` that no line reads was meant to set the name: `=` only compares."""
    read: set[t.Variable] = set()
    fields: set[tuple[Procedure, str]] = set()
    found: list[tuple[t.Assign, Procedure]] = []
    totals: dict[t.Variable, t.Variable] = {}
    for procedure in checker.book.procedures.values():
        for part in t.parts(checker.procedure(procedure).steps):
            if isinstance(part, t.Var):
                read.add(part.variable)
            elif isinstance(part, t.Field):
                fields.add((part.procedure, part.address))
            elif isinstance(part, t.Accumulate):
                totals[part.value] = part.total
            elif isinstance(part, t.Assign) and isinstance(part.value, t.Op) and part.value.name == "equal":
                found.append((part, procedure))
    for step, procedure in found:
        said = step.value
        asked = {step.variable, totals.get(step.variable)} & read
        if asked or (procedure, step.variable.name) in fields or not isinstance(said, t.Op):
            continue
        if isinstance(said.args[0], t.Attr) and said.where is not None:
            left = said.args[0].where
            hint = f"to set it, say `{left.text} becomes …`" if left else "to set it, say `… becomes …`"
            problems.add("P015", said.where.span, hint=hint)


def _bands(book: Book, problems: Problems) -> None:
    """Near and far must ascend, and both columns must have as many parts."""
    for table in book.tables.values():
        for column in table.columns.values():
            if column.by is None or column.by not in table.columns:
                if column.by is not None:
                    close = nearest(column.by, table.columns)
                    hint = f"did you mean `{close[0]}`?" if close else "its columns are " + ", ".join(table.columns)
                    problems.add("N005", column.where.span, name=column.by, table=table.name, hint=hint)
                continue
            for row in table.rows.values():
                near = row.cells.get(column.by)
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
