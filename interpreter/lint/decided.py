"""Comparisons that always come out the same: `face > 6` of a d6.

Enters: a checked book without errors and its checker. Leaves: findings. What has been said of a whole condition
(P018, P019) is not said again of its parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.source import Problems

from .ranges import Known, Ranges, Stretch, ranges_of

_COMPARED = ("at-least", "at-most", "more", "less", "equal")
_LABEL = "whatever happens"


def check_decided(checker: ProcedureChecker, problems: Problems) -> None:
    ranges = ranges_of(checker)
    told = [p.span for p in problems if p.code in ("P018", "P019") and p.span is not None]
    for e, known in _compared(checker, ranges):
        left, right = ranges.of(e.args[0], known), ranges.of(e.args[1], known)
        always = _comes_out(e.name, left, right)
        if always is None or (always and (ranges.lacks(e.args[0]) or ranges.lacks(e.args[1]))):
            continue
        assert e.where is not None
        here = e.where.span
        if any(s.source == here.source and s.start <= here.start and here.end <= s.end for s in told):
            continue
        problems.add("I004", here, always="always" if always else "never", label=_LABEL, hint=_said(e, left, right))


def _compared(checker: ProcedureChecker, ranges: Ranges) -> Iterator[tuple[t.Op, Known]]:
    """Every comparison that somebody wrote, with what the members of collections of faces can be."""
    known: Known = {}
    for inside in _wholes(checker):
        for part in (each for sort in (t.Filter, t.Extreme, t.Each, t.ForEach) for each in inside[sort]):
            if part.items.type.name in ("faces", "dice"):
                known[part.variable] = _face(part.items, ranges)
        for part in inside[t.Op]:
            if part.name in _COMPARED and part.where is not None:
                yield part, known


def _wholes(checker: ProcedureChecker) -> Iterator[dict[type[Any], list[Any]]]:
    for procedure in checker.book.procedures.values():
        yield checker.procedure(procedure).inside
    for symbol in (*checker.book.values.values(), *checker.book.rolls.values()):
        for change in checker.pure(symbol).changes:
            if change.line.address.split(".")[0] == symbol.name:
                yield t.by_class((change.amount, change.per, change.condition))


def _face(items: t.Expr, ranges: Ranges) -> Stretch:
    while isinstance(items, t.Filter):
        items = items.items
    throw = ranges.thrown(items)
    return ranges.faces_of(throw, {}) if throw is not None else Stretch(1, float("inf"))


def _comes_out(name: str, left: Stretch, right: Stretch) -> bool | None:
    match name:
        case "at-least":
            return True if left.low >= right.high else False if left.high < right.low else None
        case "more":
            return True if left.low > right.high else False if left.high <= right.low else None
        case "at-most" | "less":
            return _comes_out("at-least" if name == "at-most" else "more", right, left)
    if left.high < right.low or right.high < left.low:
        return False
    return True if left.low == left.high == right.low == right.high else None


def _said(e: t.Op, left: Stretch, right: Stretch) -> str:
    told = []
    for arg, stretch in zip(e.args, (left, right), strict=True):
        if not isinstance(arg, t.Lit) and arg.where is not None:
            row = (
                arg.type.of.row_at(int(stretch.low)) if arg.type.name == "row" and stretch.low == stretch.high else None
            )
            told.append(f"`{arg.where.text}` {f'is {row}' if row else between(stretch, arg.type.name == 'inches')}")
    return "; ".join(told)


def between(stretch: Stretch, inches: bool) -> str:
    """From where to where something goes, in words."""
    sign = '"' if inches else ""
    low, high = (f"{x:g}{sign}" if abs(x) < float("inf") else "" for x in map(float, stretch))
    if low and high:
        return f"is {low}" if low == high else f"goes from {low} to {high}"
    return f"is {low} or more" if low else f"is {high} or less" if high else "can be anything"
