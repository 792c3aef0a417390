"""The check of one procedure, its ground: what it is about, and what it may ask of the whole book.

Enters: a declared procedure. Leaves: line infos. Knows nothing of particular lines.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY

from . import typed as t
from .definitions import Definition
from .expressions import Expressions
from .scope import Scope
from .symbols import LineInfo, Procedure, RuleDef, Where

Steps = list[t.Step]


class Work:
    """The check of one procedure. What is not given here is given by the parts built on it."""

    def __init__(self, expressions: Expressions, symbol: Procedure, scope: Scope, definition: Definition) -> None:
        self.c = expressions
        self.symbol = symbol
        self.scope = scope
        self.problems = expressions.problems
        self.definition = definition
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first
        self.set_in: dict[RuleDef, t.Variable] = {}  # of rules instead of something: whether they set in for anybody
        self.place = ""  # with what the addresses of lines begin that are woven in here

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        return self.c.definitions.line_info(
            f"{self.symbol.name}.{self.place}{address}" if address else self.symbol.name, where, cites
        )

    def _unsaid(self, address: str, scope: Scope) -> Steps:
        """A line that says nothing still has its name."""
        if scope.lines is not None:
            scope.lines.add(address, t.Variable(address, ANY))
        return []

    def clauses(
        self, clauses: list[n.Clause], entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope
    ) -> Steps:
        raise NotImplementedError

    def loop(
        self,
        scope: Scope,
        names: dict[str, t.Expr],
        info: LineInfo,
        inside: Callable[[Scope], Steps],
        build: Callable[[tuple[t.Step, ...]], t.Step],
        by_rule: bool = False,
    ) -> Steps:
        raise NotImplementedError

    def body(self, entry: Entry, ids: str, address: str, info: LineInfo, scope: Scope) -> Steps:
        raise NotImplementedError


def names_in(scope: Scope) -> dict[str, t.Expr]:
    found: dict[str, t.Expr] = {}
    level: Scope | None = scope
    while level is not None:
        for name, e in level.names.items():
            found.setdefault(name, e)
        level = level.parent
    return found
