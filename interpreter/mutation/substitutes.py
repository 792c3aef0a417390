"""Selects the names that a mutant may substitute for a name: the next ones of the same kind and type.

Takes a checked rule set, a name, and the definition that contains it. Gives at most `MOST` other names. Does not check
whether the result compiles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Names
from functools import cached_property
from typing import Any

from interpreter.document.nodes import Entry, Mapping
from interpreter.rulebook.symbols import Procedure, PureDef
from interpreter.source import Span
from interpreter.vocabulary.types import Type
from interpreter.workbench.rule_sets import RuleSet

MOST = 3  # most substitutes per name


class Substitutes:
    """The substitutes for names in one rule set, found by the checked definitions and cached."""

    def __init__(self, rules: RuleSet) -> None:
        self.book, self.checker = rules.book, rules.checker
        self._known: dict[tuple[str, str], list[str]] = {}

    @cached_property
    def _spans(self) -> set[Span]:
        return {part.key.span for d in self.book.pages.definitions for part in (d, *d.added)}

    def knows(self, section: Entry) -> bool:
        """Whether a section applies in these rules, as a supplement may be written for several bases."""
        return isinstance(section.value, Mapping) and any(entry.key.span in self._spans for entry in section.value)

    def of(self, word: str, inside: str) -> list[str]:
        """Substitutes for `word` in the definition `inside`, the likeliest first."""
        key = (word, inside)
        if key not in self._known:
            found = [n for n in self._others(word, inside) if n is not None and n != word]
            self._known[key] = list(dict.fromkeys(found))[:MOST]
        return self._known[key]

    def _others(self, word: str, inside: str) -> Iterator[str | None]:
        book = self.book
        yield from self._local(word, inside)
        for kind in book.kinds.values():
            yield _next(word, kind.attributes, lambda a: (a.type, a.is_mark))
        yield _next(word, book.values, lambda v: (*_signature(v), self.checker.pure(v).type))
        for table in book.tables.values():
            if word in table.rows:
                rows = list(table.rows)
                at = rows.index(word)
                yield rows[at + 1] if at + 1 < len(rows) else rows[at - 1]
            yield _next(word, table.columns, lambda c: (c.type, c.by))
            yield _next(word, table.marks, lambda m: None)
        yield _next(word, book.rolls, _signature)
        yield _next(word, book.facts, lambda f: (f.kind, _types(f.params), f.type))
        yield _next(word, book.procedures, lambda p: p.params[0].type if p.params else None)
        yield _next(word, book.rulings, lambda r: r.type)
        yield _next(word, book.conventions, lambda c: None)
        yield _next(word, {k.name: k for k in book.kinds.values()}, lambda k: k.root)
        yield _next(word, {k.plural: k for k in book.kinds.values()}, lambda k: k.root)

    def _local(self, word: str, inside: str) -> Iterator[str | None]:
        """Substitutes among the parameters and lines of a definition."""
        book = self.book
        symbol = book.procedures.get(inside) or book.values.get(inside) or book.rolls.get(inside)
        if isinstance(symbol, PureDef):
            owner = symbol.subject
            mine = {owner.name: Type("figure" if owner.counted else "thing", owner)} if owner is not None else {}
            yield _next(word, {**mine, **{p.name: p.type for p in symbol.params}}, lambda t: t)
        elif isinstance(symbol, Procedure):
            yield _next(word, {p.name: p.type for p in symbol.params}, lambda t: t)
            lines = self.checker.procedure(symbol).lines
            yield _next(word, {address.rsplit(".", 1)[-1]: v.type for address, v in lines.items()}, lambda t: t)


def _types(params: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(p.type for p in params)


def _signature(symbol: Any) -> tuple[Any, ...]:
    return (symbol.subject.root if symbol.subject is not None else None, _types(symbol.params))


def _next(word: str, named: Names[str, Any], sort: Callable[[Any], Any]) -> str | None:
    """The next definition of the same kind in the file, cyclically; None if there is no other."""
    if word not in named:
        return None
    wanted = sort(named[word])
    same = [name for name, one in named.items() if sort(one) == wanted]
    return same[(same.index(word) + 1) % len(same)] if len(same) > 1 else None
