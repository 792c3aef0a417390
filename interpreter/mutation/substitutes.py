"""Names that a mutant may put in the place of a name: the next of the same kind and type.

Enters: a checked rule set, a name, and the definition in which it stands. Leaves: at most `MOST` other names. Knows
nothing of sentences: whether the mutant can be read is for the checker to find out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from interpreter.document.nodes import Entry, Mapping
from interpreter.rulebook.symbols import Procedure, PureDef, Symbol
from interpreter.source import Span
from interpreter.vocabulary.types import Type
from interpreter.workbench.rule_sets import RuleSet

MOST = 3  # sorts of a name that are tried


class Namesakes:
    def __init__(self, rules: RuleSet) -> None:
        self.book, self.checker = rules.book, rules.checker
        self._known: dict[tuple[str, str], list[str]] = {}

    @cached_property
    def _said(self) -> set[Span]:
        return {part.key.span for d in self.book.definitions for part in (d, *d.added)}

    def knows(self, section: Entry) -> bool:
        """Whether anything of it counts in these rules: a supplement says something for each of its bases."""
        return isinstance(section.value, Mapping) and any(entry.key.span in self._said for entry in section.value)

    def of(self, word: str, inside: str) -> list[str]:
        """Names that could stand for `word` in the definition `inside`, the likeliest first."""
        key = (word, inside)
        if key not in self._known:
            found = [n for n in self._others(word, inside) if n is not None and n != word]
            self._known[key] = list(dict.fromkeys(found))[:MOST]
        return self._known[key]

    def _others(self, word: str, inside: str) -> Iterator[str | None]:
        book = self.book
        yield from self._local(word, inside)
        for kind in book.kinds.values():
            if word in kind.attributes:
                yield _next(word, kind.attributes.values(), lambda a: (a.type, a.is_mark))
        if word in book.values:
            yield _next(word, book.values.values(), lambda v: (*_asked(v), self.checker.pure(v).type))
        for table in book.tables.values():
            if word in table.rows:
                rows = list(table.rows)
                at = rows.index(word)
                yield rows[at + 1] if at + 1 < len(rows) else rows[at - 1]
            if word in table.columns:
                yield _next(word, table.columns.values(), lambda c: (c.type, c.by))
            if word in table.marks:
                yield _next(word, table.marks.values(), lambda c: None)
        if word in book.rolls:
            yield _next(word, book.rolls.values(), _asked)
        if word in book.facts:
            yield _next(word, book.facts.values(), lambda f: (f.kind, _told(f.params), f.type))
        if word in book.procedures:
            yield _next(word, book.procedures.values(), lambda p: p.params[0].type if p.params else None)
        if word in book.rulings:
            yield _next(word, book.rulings.values(), lambda r: r.type)
        if word in book.conventions:
            yield _next(word, book.conventions.values(), lambda c: None)
        for many in (False, True):
            kinds = {k.plural if many else k.name: k for k in book.kinds.values()}
            if word in kinds:
                yield _next(word, kinds.values(), lambda k: k.root, "plural" if many else "name")

    def _local(self, word: str, inside: str) -> Iterator[str | None]:
        """Among the parameters of a definition, and its lines."""
        book = self.book
        symbol = book.procedures.get(inside) or book.values.get(inside) or book.rolls.get(inside)
        if isinstance(symbol, PureDef):
            names = [(p.name, p.type) for p in symbol.params]
            if symbol.subject is not None:
                names.insert(
                    0, (symbol.subject.name, Type("figure" if symbol.subject.counted else "thing", symbol.subject))
                )
            yield _after(word, [n for n, _ in names], dict(names))
        elif isinstance(symbol, Procedure):
            yield _after(word, [p.name for p in symbol.params], {p.name: p.type for p in symbol.params})
            lines = self.checker.procedure(symbol).lines
            types = {address.rsplit(".", 1)[-1]: v.type for address, v in lines.items()}
            yield _after(word, list(types), types)


def _told(params: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(p.type for p in params)


def _asked(symbol: Any) -> tuple[Any, ...]:
    return (symbol.subject.root if symbol.subject is not None else None, _told(symbol.params))


def _next(word: str, symbols: Iterable[Symbol], sort: Any, called: str = "name") -> str | None:
    """The next of the same sort on the page; after the last comes the first."""
    found = list(symbols)
    return _after(word, [getattr(s, called) for s in found], {getattr(s, called): sort(s) for s in found})


def _after(word: str, names: list[str], sorts: dict[str, Any]) -> str | None:
    if word not in sorts:
        return None
    same = [n for n in names if sorts[n] == sorts[word]]
    return same[(same.index(word) + 1) % len(same)] if len(same) > 1 else None
