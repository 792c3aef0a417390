"""Finds which lines of records the rules read; the others need not be computed unless a question reads them.

Enters: a book and its checker, or steps. Leaves: addresses of lines by procedure, computed once per book. Knows nothing
of questions.
"""

from __future__ import annotations

from . import typed as t
from .book import Book
from .procedures import Checker
from .symbols import Procedure

Wanted = dict[Procedure, set[str]]


def wanted_lines(book: Book, checker: Checker) -> Wanted:
    """The lines of records that the rules of the book read, including rows of outcome tables."""
    known = checker.definitions.found
    if known.wanted is None:
        found: Wanted = {}
        for procedure in list(book.procedures.values()):
            look(checker.procedure(procedure).steps, found)
        known.wanted = found
    return {procedure: set(lines) for procedure, lines in known.wanted.items()}


def foretell(book: Book, checker: Checker, old_book: Book, old_checker: Checker) -> None:
    """Preset the lines that a slightly changed book reads to those of the old one, instead of scanning it.

    Other lines that a procedure reads are found when it is looked at.
    """
    known = wanted_lines(old_book, old_checker)
    checker.definitions.found.wanted = {
        book.procedures[p.name]: lines for p, lines in known.items() if p.name in book.procedures
    }


def look(steps: tuple[t.Step, ...], found: Wanted) -> None:
    """Add the lines that some steps read to `found`."""
    for node in t.parts(steps):
        if isinstance(node, t.Field):
            found.setdefault(node.procedure, set()).add(node.address)
        elif isinstance(node, t.Call):
            found.setdefault(node.procedure, set()).update(() if node.procedure.table is None else ("row",))
