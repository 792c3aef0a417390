"""Definitions without a clause, in a file whose other definitions name theirs.

Enters: a checked book without errors and the file in hand. Leaves: remarks at the title. Only what carries a clause out
is looked at: rolls, limits, rulings, printed tables, and procedures that nobody calls; facts, marks and words serve
others. Only a file that gives its clauses a prefix, and names them nearly everywhere, can have forgotten one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import Symbol
from interpreter.source import Problems, Source

from .unused import Words

NEARLY = 4  # as many cite as this, for each that does not


def check_uncited(checker: ProcedureChecker, problems: Problems, top: Source, shown: Words) -> None:
    book = checker.book
    if not book.header.prefix:
        return
    cites = sorted(where.span.start for _, where in book.cites if where.scalar.span.source is top)
    bare: list[Symbol] = []
    many = 0
    for symbol in _carrying(checker):
        owner = book.owners[symbol]
        if owner.key.span.source is not top:
            continue
        many += 1
        at = bisect_left(cites, owner.key.span.start)
        if at == len(cites) or cites[at] >= owner.body.span.end:
            bare.append(symbol)
    called = _called(checker) if bare else set()
    bare = [symbol for symbol in bare if symbol.name not in called]
    if many - len(bare) < NEARLY * len(bare):
        return
    for symbol in bare:
        label = "all others here do" if len(bare) == 1 else "nearly all others here do"
        hint = f"a clause stands in brackets at the end of a title or a line: `[12]` is {book.header.prefix}-012"
        problems.add("R004", symbol.where.span, name=symbol.name, label=label, hint=hint)


def _carrying(checker: ProcedureChecker) -> Iterator[Symbol]:
    book = checker.book
    yield from (*book.rolls.values(), *book.limits.values(), *book.rulings.values())
    yield from (table for table in book.tables.values() if table.columns and table.name not in book.procedures)
    yield from book.procedures.values()


def _called(checker: ProcedureChecker) -> set[str]:
    every = (checker.procedure(p).inside[t.Call] for p in checker.book.procedures.values())
    return {call.procedure.name for calls in every for call in calls}
