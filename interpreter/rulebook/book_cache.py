"""Keeps fully checked books in the cache, so that another run need not read their files.

Input: a cache key, the file accesses that the result depends on, and a book without problems. Output: the sheets, the
book and all check results, valid for the same version of Umpire; the steps of a procedure are read when it is first
asked for, since a question needs few of them. Knows nothing of how a book is used.
"""

from __future__ import annotations

from interpreter import cache, disk
from interpreter.source import Problems
from interpreter.source.values import replace

from .book import Book
from .procedures import Checker
from .reached import wanted_lines
from .sentences import Sentences
from .sheets import Sheet

Known = tuple[tuple[Sheet, ...], Book, Checker]

_OF_DICE = ("sides", "barred", "single", "taken", "throws")
_OF_DEFINITIONS = ("checked", "pures", "totals", "line_count", "wanted", "revision")
_OF_NAMES = ("lost", "removed", "changed")  # fields of `Problems` that explain unknown names


def recall_book(question: tuple[str, ...], grammar: str, problems: Problems) -> Known | None:
    """Return the cached book, or None if it is missing or stale. Adds the allowances of its files to `problems`."""
    answer = cache.load(("book", *question))
    if answer is None:
        return None
    stack, book, (names, called), allowed, name_sets, defaults, dice, found = answer
    for allowance in allowed:
        problems.allow(allowance)
    for name, known in zip(_OF_NAMES, name_sets, strict=True):
        getattr(problems, name).update(known)
    reading = Sentences(grammar, problems, frozenset(called))
    reading.names = names
    checker = Checker(book, reading)
    checker.defaults.update(defaults)
    _set_fields(checker.env.dice, _OF_DICE, dice)
    _set_fields(checker.definitions.found, _OF_DEFINITIONS, found)
    return stack, book, checker


def keep_book(question: tuple[str, ...], tracker: disk.InputTracker, known: Known, problems: Problems) -> None:
    """Cache a fully checked book without problems. It must be unused, because use changes it."""
    if not cache.can_store(tracker):
        return
    stack, book, checker = known
    wanted_lines(book, checker)
    sources = {sheet.root.span.source for sheet in stack}
    allowed = [each for each in problems.allowances if each.place.source in sources]
    name_sets = [getattr(problems, name) for name in _OF_NAMES]
    dice = [getattr(checker.env.dice, name) for name in _OF_DICE]
    known_all = checker.definitions.found
    found = {name: getattr(known_all, name) for name in _OF_DEFINITIONS}
    found["checked"] = {p: cache.apart((steps, known_all.lines[p])) for p, steps in known_all.checked.items()}
    found["pures"] = {symbol: cache.apart(pure) for symbol, pure in known_all.pures.items()}
    names = dict(checker.sentences.names), tuple(checker.sentences.called)
    bare = replace(book, kept=cache.apart(book.pages))
    answer = stack, bare, names, allowed, name_sets, checker.defaults, dice, [*found.values()]
    cache.store(("book", *question), tracker, answer)


def _set_fields(target: object, names: tuple[str, ...], values: list[object]) -> None:
    for name, value in zip(names, values, strict=True):
        setattr(target, name, value)
