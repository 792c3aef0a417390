"""The variables that an expression reads and does not bind itself.

Enters: typed expressions. Leaves: variables. Knows nothing of where they live.
"""

from __future__ import annotations

from typing import Any

from interpreter.rulebook import typed as t


def free_variables(e: Any) -> list[t.Variable]:
    """The variables that an expression reads and does not bind itself."""
    found: list[t.Variable] = []
    bound: list[t.Variable] = []

    def look(node: Any) -> None:
        if isinstance(node, t.Var) and node.variable not in found:
            found.append(node.variable)
        elif isinstance(node, tuple):
            for child in node:
                look(child)
        elif isinstance(node, t.Expr):
            if isinstance(node, t.Filter | t.Extreme | t.Each | t.Fitting):
                bound.append(node.variable)
            for name in t.children(type(node)):
                look(getattr(node, name))

    look(e)
    return [v for v in found if v not in bound]
