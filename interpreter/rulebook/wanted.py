"""Which lines of records the rules read: the others need not be worked out where nobody asks for them.

Enters: a book and its checker, or steps. Leaves: addresses of lines by procedure, looked for once a book. Knows nothing
of who asks from outside.
"""

from __future__ import annotations

from . import typed as t
from .book import Book
from .procedures import Checker
from .symbols import Procedure

Wanted = dict[Procedure, set[str]]


def wanted_lines(book: Book, checker: Checker) -> Wanted:
    """Every line of a record that some rule of the book reads, and the row of an outcome table."""
    known = checker.definitions.found
    if known.wanted is None:
        found: Wanted = {}
        for procedure in list(book.procedures.values()):
            look(checker.procedure(procedure).steps, found)
        known.wanted = found
    return {procedure: set(lines) for procedure, lines in known.wanted.items()}


def foretell(book: Book, checker: Checker, old_book: Book, old_checker: Checker) -> None:
    """What is read of a book that says nearly what another does: as much as is read there, so that nobody has to
    look through all of it. What else is read in a procedure is found when that is asked about.
    """
    known = wanted_lines(old_book, old_checker)
    checker.definitions.found.wanted = {
        book.procedures[p.name]: lines for p, lines in known.items() if p.name in book.procedures
    }


def look(steps: tuple[t.Step, ...], found: Wanted) -> None:
    """Note what some steps read."""
    for node in t.parts(steps):
        if isinstance(node, t.Field):
            found.setdefault(node.procedure, set()).add(node.address)
        elif isinstance(node, t.Call):
            found.setdefault(node.procedure, set()).update(() if node.procedure.table is None else ("row",))
