"""Totals of loops: how the value of a line is added to its running total.

`added` takes the type of the line and two terms, and returns the term of their sum. `RecordSum` adds records at run
time, line by line. Lines that nothing reads hold None, which adds nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from interpreter.rulebook.symbols import Procedure
from interpreter.vocabulary.types import Type

from .runtime import join, listed
from .terms import Term, call, infix, or_zero

if TYPE_CHECKING:
    from .rules import Rules


def numbers(a: Any, b: Any) -> Any:
    """Return the sum, where None counts as 0."""
    return (a or 0) + (b or 0)


def either(a: Any, b: Any) -> Any:
    """Return the disjunction."""
    return a or b


def members(a: Any, b: Any) -> Any:
    """Return the sorted union of rows or things."""
    return tuple(sorted({*(a or ()), *(b or ())}))


def lists(a: Any, b: Any) -> Any:
    """Return the multiset sum of two lists."""
    return listed((*(a or ()), *(b or ())))


def dice(a: Any, b: Any) -> Any:
    """Return all faces of both, sorted."""
    return tuple(sorted((a or ()) + (b or ())))


def latest_of(a: Any, b: Any) -> Any:
    """Return the later row or thing that is not absent (-1)."""
    return a if b in (None, -1) else b


def latest(a: Any, b: Any) -> Any:
    """Return the later value that is not None."""
    return a if b is None else b


def neither(_a: Any, _b: Any) -> Any:
    """Return None, the sum for lines without a value."""
    return None


_SUMS: dict[str, Callable[[Any, Any], Any]] = {
    "number": numbers,
    "inches": numbers,
    "target": numbers,
    "truth": either,
    "figures": join,
    "things": members,
    "rows": members,
    "list": lists,
    "dice": dice,
    "faces": dice,
    "row": latest_of,
    "thing": latest_of,
    "block": neither,
}
NAMES: dict[str, Any] = {f"sum_{f.__name__}": f for f in (*_SUMS.values(), latest)}


def added(type_: Type, a: Term, b: Term) -> Term:
    """Return the term for the sum of two values of a type other than record."""
    if _SUMS.get(type_.name) is numbers:
        return infix(or_zero(a), "+", or_zero(b))
    return call(f"sum_{_SUMS.get(type_.name, latest).__name__}", a, b)


class RecordSum:
    """Adds two records of a procedure, line by line; its lines are looked up on first use."""

    def __init__(self, checker: Rules, procedure: Procedure) -> None:
        self._checker, self._procedure = checker, procedure
        self._sums: list[Callable[[Any, Any], Any]] = []

    def __call__(self, a: Any, b: Any) -> Any:
        if a is None or b is None:
            return b if a is None else a
        if len(self._sums) != len(a):  # flags may have been added to the lines since
            lines = self._checker.procedure(self._procedure).lines.values()
            self._sums = [self._sum_of(line.type) for line in lines]
        return tuple(
            [y if x is None else x if y is None else add(x, y) for add, x, y in zip(self._sums, a, b, strict=True)]
        )

    def _sum_of(self, type_: Type) -> Callable[[Any, Any], Any]:
        return RecordSum(self._checker, type_.of) if type_.name == "record" else _SUMS.get(type_.name, latest)
