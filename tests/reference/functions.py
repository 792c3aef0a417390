"""The functions of the language: `min`, `sum`, `half`, `most-common` and their like."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil, floor
from typing import Any

from .expressions import Expressions
from .scopes import Scope
from .state import NotRun
from .things import NOT_RUN, Faces, Inches, Many, Row


class Functions(Expressions):
    def function(self, name: str, args: Any, scope: Scope) -> Any:
        if name == "ran":
            return self.was_run(args[0], scope)
        if name == "sum":
            value = self.value(args[0], scope)
            if isinstance(value, Faces):
                return sum(value.faces) + value.plus
            return self.added([(1, self.as_number(x)) for x in self.things(value)] or [(1, 0)])
        if name == "first":
            items = self.things(self.value(args[0], scope))
            return items[0] if items else None
        if name == "half":
            number = self.number(args[0], scope)
            if isinstance(number, Inches):
                return Inches(number.value / 2)
            return 0 if number is None else ceil(Fraction(number) / 2)
        if name == "whole":
            number = self.number(args[0], scope)
            if isinstance(number, Inches):
                return Inches(Fraction(floor(number.value)))
            return 0 if number is None else floor(number)
        if len(args) > 1:
            numbers = [self.number(arg, scope) for arg in args]
            return self.least_or_most(name, [0 if x is None else x for x in numbers])
        value = self.value(args[0], scope)
        if name in ("lowest", "highest"):
            faces = self.things(value)
            return (min(faces) if name == "lowest" else max(faces)) if faces else 0
        if name == "alike":
            return max(Counter(self.things(value)).values(), default=0)
        if name == "most-common":
            return self.most_common(value)
        found = self.least_or_most(name, self.things(value))
        return self.worth_of_none(args[0], scope) if found is None else found  # of an empty list: 0, or no row

    def most_common(self, value: Any) -> Any:
        items = self.things(value)
        counts = [(items.count(row), -row.place, row) for row in dict.fromkeys(items)]
        best = max(counts, key=lambda c: c[:2], default=None)
        nones = value.nones if isinstance(value, Many) else 0
        if best is None or nones >= best[0]:  # nothing comes before the first row
            return None
        return best[2]

    def least_or_most(self, name: str, values: list[Any]) -> Any:
        """Of numbers, inches or rows; an empty cell is none of them."""
        pick = min if name == "min" else max
        known = [x for x in values if x is not None]
        if not known:
            return None
        if any(isinstance(x, Row) for x in known):
            return pick(known, key=lambda row: row.place)
        if any(isinstance(x, Inches) for x in known):
            known = [x if isinstance(x, Inches) else Inches(Fraction(x)) for x in known]
        return pick(known)

    def was_run(self, node: Any, scope: Scope) -> bool:
        """`ran(LINE)`: whether a line of this name was run."""
        try:
            before, self.asking = self.asking, True
            found: Any = self.path(node, scope)
        except NotRun:
            return False
        finally:
            self.asking = before
        return found is not NOT_RUN
