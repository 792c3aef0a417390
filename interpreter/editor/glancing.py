"""A quick check of the edited definitions, before the full analysis.

Takes a file, the open texts, and the analysis of the file before the edit. Gives problems. All files of the stack are
read and all definitions declared; but only edited definitions, and those that they need, are checked. For the rest the
earlier problems are repeated, until `analyse` has finished.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from interpreter.disk import overlay_texts
from interpreter.places import LANGUAGE
from interpreter.rulebook.book import Book
from interpreter.rulebook.check import declare_book
from interpreter.rulebook.definitions import Definition
from interpreter.rulebook.layers import entries_below
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.sheets import Sheet
from interpreter.source import Problem, Problems, Source, Span
from interpreter.source.values import replace
from interpreter.workbench.garbage import rare_collections
from interpreter.workbench.stacks import open_sheets, stacks_of

from .analysis import Analysis, Texts
from .positions import Shift


def glance(path: str, texts: Texts, known: Analysis) -> tuple[Problem, ...] | None:
    """The problems of a rule file found quickly; None for other kinds of files."""
    if known.root is None or known.root.get("game") is None:
        return None
    source = Source(path, texts[path])
    shift = Shift(known.source.text, source.text)
    first, last = shift.head, len(source.text) - shift.tail
    fresh = Problems()
    edited: list[tuple[int, int]] = []
    with overlay_texts(texts), rare_collections():
        for stack in stacks_of(path)[:1]:
            sheets = open_sheets(stack, fresh, os.path.dirname(path))
            if sheets is None or sheets[-1].root.span.source != source:
                break
            edited = [span for span in _blocks(sheets[-1]) if span[0] <= last and first <= span[1]]
            if sheets[0].head.extends is not None:
                break  # its base is missing: nothing else is certain
            _check(sheets, edited, fresh)
    errors = [p for p in fresh if p.severity == "error" and (p.span is None or p.span.source == source)]
    seen = {(p.code, p.span.start) for p in errors if p.span is not None}
    kept = [p for p in _kept(known, source, shift, edited) if p.span is None or (p.code, p.span.start) not in seen]
    return tuple(errors + kept)


def _blocks(sheet: Sheet) -> Iterator[tuple[int, int]]:
    """The range of each definition of a file, and of each line of its `change:`."""
    for _, entry, _ in entries_below(sheet.root):
        yield entry.key.span.start, max(entry.key.span.end, entry.value.span.end)


def _check(sheets: list[Sheet], edited: list[tuple[int, int]], problems: Problems) -> None:
    try:
        book, checker = declare_book(sheets, LANGUAGE, problems)
        for name in dict.fromkeys(_named(book, sheets[-1], edited)):
            _check_one(book, checker, name)
    except RecursionError:  # the full check reports it
        return


def _named(book: Book, sheet: Sheet, edited: list[tuple[int, int]]) -> Iterator[str]:
    """The names of the definitions that the edited ranges concern."""
    starts = {start for start, _ in edited}
    source = sheet.root.span.source

    def mine(definition: Definition) -> bool:
        return definition.key.span.source == source and definition.key.span.start in starts

    for definition in book.pages.definitions:
        if mine(definition) or any(map(mine, definition.added)):
            yield from definition.names
            yield from (moment.path.parts[0].name for moment in definition.title.moments)
    for _, entry, changes in entries_below(sheet.root):
        if changes and entry.key.span.start in starts:
            yield entry.key.text.split(".")[0]


def _check_one(book: Book, checker: Checker, name: str) -> None:
    for pure in (book.values.get(name), book.rolls.get(name), book.limits.get(name)):
        if pure is not None:
            checker.pure(pure)
    if name in book.procedures:
        checker.procedure(book.procedures[name])


def _kept(known: Analysis, source: Source, shift: Shift, edited: list[tuple[int, int]]) -> Iterator[Problem]:
    """The earlier problems outside the edited definitions, and all warnings outside the edited text."""
    for problem in known.problems:
        span = problem.span
        if span is None or span.source != known.source:
            yield problem
            continue
        start, end = shift.there(span.start), shift.there(span.end)
        if start is None or end is None or start > end:
            continue
        if problem.severity != "error" or not any(a <= start <= b for a, b in edited):
            yield replace(problem, span=Span(source, start, end), fix=None, others=())
