"""Books that were checked whole, kept in the user's cache folder as data: another run need not read their files.

Enters: a question, the looks that its answer rests on, a book in which nothing is wrong. Leaves: the sheets, the book
and all that the check found out, by the same code of Umpire. Knows nothing of how a book is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from interpreter import disk, kept
from interpreter.document import nodes as trees
from interpreter.hints import Any
from interpreter.language import nodes as sentences
from interpreter.source import Problems, from_data
from interpreter.source import allowances as allowing
from interpreter.source import problems as finding
from interpreter.source import text as texts
from interpreter.vocabulary import types

from . import book as books
from . import definitions, scope, sheets, situation, symbols, typed
from .book import Book
from .procedures import ProcedureChecker
from .sentences import Sentences
from .sheets import Sheet
from .wanted import wanted_lines

Known = tuple[tuple[Sheet, ...], Book, ProcedureChecker]

_ROOMS = (
    *(texts, allowing, finding, trees, sentences, types),
    *(definitions, sheets, books, symbols, typed, scope, situation),
)
_FOUND_OUT = ("defaults", "sides", "barred", "single", "totals", "line_count", "wanted")
_GROWS = 16  # characters of data for each of the rules, as a rule
_OF_NAMES = ("lost", "removed", "changed")  # what problems know of names, for those who miss them


def recall_book(question: tuple[str, ...], grammar: str, problems: Problems) -> Known | None:
    """What was kept, as long as nothing that it rests on has changed; to the problems what its files allow."""
    answer = kept.recalled(("book", *question))
    if answer is None:
        return None
    (stack, book, names, allowed, told, found, checked), later = from_data.read(answer, _classes())
    for allowance in allowed:
        problems.allow(allowance)
    for name, known in zip(_OF_NAMES, told, strict=True):
        getattr(problems, name).update(known)
    reading = Sentences(grammar, problems)
    reading.names = names
    checker = ProcedureChecker(book, reading)
    for name, known in zip(_FOUND_OUT, found, strict=True):
        setattr(checker, name, known)
    checker.apart.update(zip(checked, later, strict=True))
    return stack, book, checker


def keep_book(question: tuple[str, ...], watch: disk.Watch, known: Known, problems: Problems) -> None:
    """Keep a book in which all was checked, and nothing is wrong. It must not have been used yet."""
    stack, book, checker = known
    sources = {sheet.root.span.source for sheet in stack}
    if not kept.would_keep(watch) or sum(len(source.text) for source in sources) * _GROWS > kept.LARGEST:
        return
    from interpreter.source import as_data  # here, because it is seldom that a book is kept

    wanted_lines(book, checker)
    allowed = [each for each in problems.allowances if each.place.source in sources]
    told = [getattr(problems, name) for name in _OF_NAMES]
    found = [getattr(checker, name) for name in _FOUND_OUT]
    checked = checker.all_checked()
    root = (stack, book, checker.sentences.names, allowed, told, found, list(checked))
    kept.keep(("book", *question), watch, as_data.written(root, _classes(), checked.values()))


def _classes() -> list[type[Any]]:
    """Those of all that a book is made of."""
    return list(dict.fromkeys(made for room in _ROOMS for made in _made_in(room)))


def _made_in(room: ModuleType) -> Iterator[type[Any]]:
    return (each for each in vars(room).values() if isinstance(each, type) and hasattr(each, "__names__"))
