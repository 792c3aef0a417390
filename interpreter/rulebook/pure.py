"""Values and rolls, each checked once, when first asked for (defining.py), or in an earlier run.

Enters: a declared value or roll. Leaves: its `Pure`, kept by the checker.
"""

from __future__ import annotations

from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.source import Problems
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .book import Book
from .definitions import cited
from .expressions import Expressions
from .sentences import Sentences
from .symbols import LineInfo, PureDef, Symbol, Where


class PureChecker(Expressions):
    def __init__(self, book: Book, sentences: Sentences, problems: Problems) -> None:
        super().__init__(book, problems)
        self.sentences = sentences
        self.line_count = 0
        self._pures: dict[PureDef, t.Pure] = {}
        self._working: dict[Symbol, None] = {}  # in the order in which each needed the next
        self.defaults: dict[Symbol, t.Expr | None] = {}  # what an attribute or fact is when nothing is said
        self.noted: dict[Any, Any] = {}  # what those who look at these rules found out, each under a key of its own

    def line_info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        self.line_count += 1
        return LineInfo(address, where, cites, self.line_count)

    def value_of(self, value: Any) -> Type:
        return self.pure(value).type

    def bases_of(self, value: Any) -> list[t.Expr]:
        return [c.amount for c in self.pure(value).changes if c.what == "set" and c.amount is not None]

    def pure(self, symbol: PureDef) -> t.Pure:
        if symbol in self._pures:
            return self._pures[symbol]
        if symbol in self._working:
            working = [s.name for s in self._working]
            circle = " → ".join([*working[working.index(symbol.name) :], symbol.name])
            hint = f"each of these needs the next: {circle}" if len(working) > 1 else None
            label = "it needs itself to be worked out"
            self.problems.add("M001", symbol.where.span, name=symbol.name, label=label, hint=hint)
            return t.Pure((), ANY, ())
        self._working[symbol] = None
        from .defining import Defining  # here, because what was kept is not checked again

        made = Defining(self).made(symbol)
        del self._working[symbol]
        self._pures[symbol] = made
        return made

    def note(self, scalar: Scalar, cites: n.Cites, prefix: str) -> None:
        for cite in cites:
            for whole_id in cited((cite,), prefix):
                self.book.cites.append((whole_id, Where(scalar, cite.start, cite.end)))
