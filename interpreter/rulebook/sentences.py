"""Reads the sentences of a file: scalar + start symbol → syntax node, or a problem at the exact character.

Enters: scalars of the located tree. Leaves: syntax nodes; refusals become problems in the author's words.
Knows nothing of names or types.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from interpreter.document import Scalar
from interpreter.language import Refusal, parse
from interpreter.language import nodes as n
from interpreter.source import Fix, Problems, nearest

T = TypeVar("T", bound=n.Node)

_WHAT = {
    "title": "title", "attribute": "attribute", "row": "row of a table", "words": "list of words",
    "ending": "end of a mark", "convention": "convention", "options": "ruling", "line_key": "name of a line",
    "case_key": "case", "line": "line", "adjust": "line", "thing": "description", "stated": "fact",
    "throws": "list of dice", "odds_of": "expected chance",
}  # fmt: skip


class Sentences:
    """Parses with one grammar and reports to one collector."""

    def __init__(self, grammar: Path, problems: Problems) -> None:
        self.grammar = grammar
        self.problems = problems

    def read(self, scalar: Scalar, start: str, want: type[T]) -> T | None:
        node = parse(scalar.text, start, self.grammar)
        if isinstance(node, Refusal):
            self._refuse(scalar, start, node)
            return None
        if not isinstance(node, want):
            raise TypeError(f"{start} gave {type(node).__name__}")
        return node

    def _refuse(self, scalar: Scalar, start: str, why: Refusal) -> None:
        span = scalar.at(why.start, why.end)
        what = _WHAT[start]
        if why.kind == "long":
            self.problems.add("L003", span, what=what)
        elif why.kind == "deep":
            self.problems.add("L004", span, what=what)
        elif why.kind == "character":
            hint = "words are lower case; things of a situation begin with a capital" if why.found.isalpha() else None
            if why.found in "\"'" or why.found == "”":
                hint = 'inches are written after a number: `6"`'
            if why.found == "-":
                hint = "a minus has a space on both sides: `a - b`"
            self.problems.add("L002", span, what=what, found=why.found, hint=hint, label="this does not belong here")
        elif not why.found:
            self.problems.add("L005", span, what=what, label=self._wanted(why), hint=None)
        else:
            close = nearest(why.found, why.words)
            fix = Fix(span, close[0], False, close[0]) if close else None
            hint = f"did you mean `{close[0]}`?" if close else None
            self.problems.add(
                "L001", span, what=what, found=why.found, label=self._wanted(why), hint=hint, fix=fix
            )

    @staticmethod
    def _wanted(why: Refusal) -> str:
        shown = [*why.wanted[:4], *(f"`{w}`" for w in why.words[: max(0, 6 - len(why.wanted[:4]))])]
        if not shown:
            return ""
        more = ", …" if len(why.wanted) + len(why.words) > len(shown) else ""
        return "here could stand " + ", ".join(shown) + more
