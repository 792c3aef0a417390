"""Situations: who is there, what the table tells, how is chosen, what is done; and one history of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from interpreter.document.alternatives import spread
from interpreter.document.nodes import Mapping
from interpreter.source import Problems

from . import Unsupported
from .book import Book
from .chance import Chance, Script
from .describing import Describing
from .layers import Entry, entries
from .scopes import Block, Scope
from .things import Word
from .trees import Lines, located, one_stack, parse, plain, real, stack

NOT_THINGS = {"rules", "force", "breaks", "facts", "do", "choose", "rulings", "dice", "ask", "then", "odds", "trace"}


@cache
def book_of(files: tuple[tuple[str, Path], ...]) -> Book:
    return Book(list(files))


@cache
def _located(path: Path, changed: int) -> Mapping:
    return located(path)


class Case:
    """A situation, ready to be played as often as somebody likes."""

    def __init__(self, book: Book, root: Lines, name: str, said: str) -> None:
        self.book, self.root, self.name, self.said = book, root, name, said
        self.rulings = {key: self._reading(key, str(text)) for key, text in root.get("rulings") or []}

    def _reading(self, key: str, text: str) -> Any:
        value = self.book.reading(parse(text, "options").options[0])
        usual = self.book.rulings.get(key)
        if isinstance(value, Word) and hasattr(usual, "table"):
            return self.book.rows[usual.table][value.name]
        return value

    def history(self, chance: Chance) -> Run:
        """What came of it."""
        self.book.fill(self.rulings)
        run = Run(self.book, chance)
        run.readings.update(self.rulings)
        run.set_up(self.root)
        run.do_all(self.root.get("do"))
        return run

    def script(self) -> Script | None:
        said = self.root.get("dice")
        if said is None:
            return None
        lines: dict[tuple[str, ...], list[int]] = {}
        bare: list[int] = []
        for text in texts(said):
            if re.match(r"^\d", text):
                bare += [int(x) for x in re.findall(r"\d+", text)]
                continue
            for throw in parse(text, "throws").throws:
                key = tuple(p.name for p in throw.path.parts)
                lines.setdefault(key, []).extend(throw.faces)
        return Script(lines, bare if bare or not lines else None)


class Run(Describing):
    """One history."""

    def do_all(self, said: Any) -> None:
        self.root = Block([])
        if not said:
            return
        self.root.entries = entries(said) if isinstance(said, Lines) else [Entry("", "", str(said))]
        self.run_lines(self.root, Scope(), [])

    def asked(self) -> Scope:
        """Where questions are asked: after all that was done; of one call the lines are said without its name."""
        scope = Scope(None, block=self.root)
        if self.force is not None:
            scope = Scope(scope, {}, self.force)
        calls = [x for x in self.root.results.values() if isinstance(x, Block) and x.call]
        if len(self.root.entries) == 1 and calls:
            scope = Scope(scope, block=calls[0])
        return scope


def texts(said: Any) -> list[str]:
    if said is None or said == "":
        return []
    return [str(x) for x in said] if isinstance(said, list) and not isinstance(said, Lines) else [str(said)]


def cases(path: Path | str, example: str | None = None) -> Iterator[Case]:
    """The situation of a file, or an example of a rule file or a file of examples, each of its alternatives."""
    path = real(path)
    whole = _located(path, path.stat().st_mtime_ns)
    root = plain(whole)
    if root.get("rules") is not None:
        book = book_of(tuple(stack(root.get("rules"), path.parent)))
    else:
        book = book_of(tuple(one_stack(path, [])))
    for name, node in _situations(whole, root):
        if example is not None and name != example:
            continue
        points = spread(node, Problems(), lambda table: list(book.rows[table]))
        if points is None:
            raise Unsupported("alternatives that cannot be read")
        for point in points:
            yield Case(book, plain(point), name, root.get("rules") or str(path))


def _situations(whole: Mapping, root: Lines) -> Iterator[tuple[str, Mapping]]:
    found = False
    for entry in whole:
        key = entry.key.text
        if key.startswith("example ") and isinstance(entry.value, Mapping):
            found = True
            yield _example_name(key), entry.value
        elif "game" in root and isinstance(entry.value, Mapping) and key not in ("change", "not over"):
            for inner in entry.value:
                if inner.key.text.startswith("example ") and isinstance(inner.value, Mapping):
                    found = True
                    yield _example_name(inner.key.text), inner.value
    if not found and "game" not in root and not any(key.startswith("typical ") for key, _ in root):
        yield "", whole


def _example_name(key: str) -> str:
    return key.split()[1]
