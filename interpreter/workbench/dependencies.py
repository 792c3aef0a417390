"""The definitions that the odds of a situation depend on, directly or indirectly.

Takes a rule set and one of its cases. Gives names of definitions. The odds can change only if one of these changes, but
need not. Knows nothing of what is changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Procedure, PureDef, Ruling, Symbol, Table

from .cases import Case
from .rule_sets import RuleSet


class Reach:
    """The dependencies within one rule set; direct ones are cached."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._known: dict[Symbol, set[Symbol]] = {}
        defaults = [e for e in rules.checker.defaults.values() if e is not None]
        self._always = symbols(tuple(defaults), types=True)

    def of(self, case: Case) -> frozenset[str] | None:
        """The names of all definitions that may affect the case; None if every definition may."""
        if case.situation.choose or case.situation.followed:  # conditions in policies are outside the procedure
            return None
        left: list[Symbol] = [case.situation.procedure, *self._always]
        found = set(left)
        for symbol in left:
            new = self.direct(symbol) - found
            found |= new
            left += new
        return frozenset(symbol.name for symbol in found if symbol is not case.situation.procedure)

    def direct(self, symbol: Symbol) -> set[Symbol]:
        """The symbols that a definition refers to directly."""
        if symbol not in self._known:
            self._known[symbol] = set(self._said(symbol))
        return self._known[symbol]

    def _said(self, symbol: Symbol) -> Iterator[Symbol]:
        checker = self.rules.checker
        if isinstance(symbol, Procedure):
            yield from symbols(checker.procedure(symbol).steps, types=True)
            if symbol.name in self.rules.book.tables:  # a table of outcomes is both
                yield self.rules.book.tables[symbol.name]
        elif isinstance(symbol, PureDef):
            for change in checker.pure(symbol).changes:
                yield from symbols((change.amount, change.per, change.condition), types=True)
        elif isinstance(symbol, Table):
            for row in symbol.rows.values():
                yield from (cell for cell in row.cells.values() if isinstance(cell, Ruling))


def symbols(tree: object, *, types: bool) -> set[Symbol]:
    """The symbols that an expression or steps refer to directly; with `types`, also the tables and kinds of their
    types.
    """
    found: set[Symbol] = set()
    for node in t.parts(tree):
        left: list[object] = [getattr(node, name) for name in t.children(type(node))]
        if types:
            left.append(getattr(getattr(node, "type", None), "of", None))
        for each in left:
            if isinstance(each, Symbol):
                found.add(each)
            elif types and isinstance(each, t.Variable):
                left.append(each.type.of)
            elif isinstance(each, tuple):
                left += each
    return found
