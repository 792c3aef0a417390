"""Things that are made while something is done, by the lines that make them: so a situation says facts of them.

Enters: what is done, and a path. Leaves: a stand-in for all that a line makes. Knows nothing of what is said of them.
"""

from __future__ import annotations

from interpreter.document.nodes import Scalar
from interpreter.language import nodes as n
from interpreter.vocabulary.addresses import addressed
from interpreter.vocabulary.types import ANY, Type

from . import typed as t
from .addressing import whole_address
from .procedures import Checker
from .reached import reached_in
from .symbols import Kind, Procedure


class Makers:
    """`bail.party`: what that line makes in all that `root` does; each by its own name is a single line's."""

    def __init__(self, checker: Checker, root: Procedure) -> None:
        self.c, self.root = checker, root
        self._lines: dict[str, Kind] | None = None

    @property
    def lines(self) -> dict[str, Kind]:
        """The lines that make something, with what that is."""
        if self._lines is None:
            rules = self.c.book.rules
            every = reached_in(self.c).procedures(self.root)
            made = [step for procedure in every for step in self.c.procedure(procedure).inside[t.New]]
            self._lines = {whole_address(step.line.address, rules): step.kind for step in made}
        return self._lines

    def deeds(self, node: n.Path, at: Scalar) -> dict[str, t.Expr]:
        """Nothing was done yet."""
        return {}

    def whole(self, procedures: list[str], name: str) -> list[str]:
        return []

    def lacks(self, node: n.Path, at: Scalar) -> t.Expr | None:
        return None

    def line(self, node: n.Path, at: Scalar) -> tuple[t.Expr, int] | None:
        """What the first words of a path name, and how many they are; None where they name no such line."""
        names = node.plain_names
        for size in range(len(names), 1, -1):
            key = ".".join(names[:size])
            found = [line for line in self.lines if line == key]
            found = found or [line for line in self.lines if addressed(key, line, last=True)]
            if len(found) > 1:
                hint = "say " + " or ".join(f"`{line}`" for line in found)
                place = at.at(node.parts[0].start, node.parts[size - 1].end)
                self.c.problems.add("N002", place, name=key, hint=hint)
                return t.Lit(0, type=ANY), size
            if found:
                type_ = Type("thing", self.lines[found[0]])
                return t.Var(t.Variable(found[0], type_), type=type_), size
        return None
