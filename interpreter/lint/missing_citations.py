"""Checks for definitions without a clause, in a file whose other definitions cite theirs.

Takes the checker of a checked book without errors, and the file to check; adds remarks at titles. Only definitions that
implement a clause are checked: rolls, limits, rulings, printed tables, and procedures that no other one calls. Only in
a file that declares a prefix for its clauses and cites them nearly everywhere is a missing one reported.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Symbol
from interpreter.source import Problems, Source

from .unused_declarations import Words

CITING_SHARE = 4  # report only if there are at least this many definitions with a clause for each one without


def check_missing_citations(checker: Checker, problems: Problems, top: Source, shown: Words) -> None:
    """Report definitions of the file `top` without a clause (R004)."""
    book = checker.book
    if not book.header.prefix:
        return
    cites = sorted(where.span.start for _, where in book.pages.cites if where.scalar.span.source is top)
    bare: list[Symbol] = []
    judged = 0
    for symbol in _judged_symbols(checker):
        owner = book.pages.owners[symbol]
        if owner.key.span.source is not top:
            continue
        judged += 1
        at = bisect_left(cites, owner.key.span.start)
        if at == len(cites) or cites[at] >= owner.body.span.end:
            bare.append(symbol)
    called = _called_names(checker) if bare else set()
    bare = [symbol for symbol in bare if symbol.name not in called]
    if judged - len(bare) < CITING_SHARE * len(bare):
        return
    for symbol in bare:
        label = "all others here do" if len(bare) == 1 else "nearly all others here do"
        hint = f"a clause stands in brackets at the end of a title or a line: `[12]` is {book.header.prefix}-012"
        problems.add("R004", symbol.where.span, name=symbol.name, label=label, hint=hint)


def _judged_symbols(checker: Checker) -> Iterator[Symbol]:
    book = checker.book
    yield from (*book.rolls.values(), *book.limits.values(), *book.rulings.values())
    yield from (table for table in book.tables.values() if table.columns and table.name not in book.procedures)
    yield from book.procedures.values()


def _called_names(checker: Checker) -> set[str]:
    every = (checker.procedure(p).inside[t.Call] for p in checker.book.procedures.values())
    return {call.procedure.name for calls in every for call in calls}
