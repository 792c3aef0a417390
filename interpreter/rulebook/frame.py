"""The procedure in hand, while its lines are checked: what it is about, and which rules are being woven in.

Enters: a declared procedure. Leaves: infos of its lines, each by its whole address. Knows nothing of particular lines.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.document.nodes import Entry, Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.types import ANY

from . import typed as t
from .checked_definitions import CheckedDefinitions
from .definitions import Definition
from .scope import Scope
from .symbols import LineInfo, Procedure, RuleDef, Where

Steps = list[t.Step]
Clauses = Callable[[list[n.Clause], Entry, str, str, LineInfo, Scope], Steps]  # what governs a line, and the line
Action = Callable[[n.Node, Scalar, LineInfo, Scope], tuple[Steps, t.Expr | None]]  # one sentence, and what it is worth


class Frame:
    def __init__(
        self, definitions: CheckedDefinitions, symbol: Procedure, scope: Scope, definition: Definition
    ) -> None:
        self.definitions = definitions
        self.symbol = symbol
        self.scope = scope
        self.definition = definition
        self.weaving: list[RuleDef] = []  # rules whose lines are being woven in, outermost first
        self.set_in: dict[RuleDef, t.Variable] = {}  # of rules instead of something: whether they set in for anybody
        self.place = ""  # with what the addresses of lines begin that are woven in here

    def info(self, address: str, where: Where, cites: tuple[str, ...]) -> LineInfo:
        """What stands in a program of one line; without an address, of the procedure."""
        whole = f"{self.symbol.name}.{self.place}{address}" if address else self.symbol.name
        return self.definitions.line_info(whole, where, cites)

    def own_address(self, info: LineInfo) -> str:
        """An address without the procedure, and without the place where a rule is woven in."""
        return info.address.removeprefix(f"{self.symbol.name}.{self.place}")


def unread_line(address: str, scope: Scope) -> Steps:
    """A line that says nothing, or that cannot be read, still has its name, so that one mistake is told once."""
    if scope.lines is not None:
        scope.lines.add(address, t.Variable(address, ANY))
    return []
