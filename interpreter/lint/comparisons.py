"""Checks of single comparisons: unused ones, and those with a constant result.

Takes the checker of a checked book without errors; adds findings at the comparison.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import Procedure
from interpreter.source import Problems
from interpreter.vocabulary.intervals import Interval
from interpreter.vocabulary.operations import OPERATIONS, Operation

from .ranges import Bindings, Ranges, ranges_of
from .sentences import sentences


def check_unread_comparisons(checker: Checker, problems: Problems) -> None:
    """Report a line `NAME = 0` whose result no line reads (P015): it was meant to set the name, but `=` compares."""
    read: set[t.Variable] = set()
    fields: set[tuple[Procedure, str]] = set()
    found: list[tuple[t.Assign, Procedure]] = []
    totals: dict[t.Variable, t.Variable] = {}
    for procedure in checker.book.procedures.values():
        inside = checker.procedure(procedure).inside
        read.update([part.variable for part in inside[t.Var]])
        fields.update([(part.procedure, part.address) for part in inside[t.Field]])
        totals |= {part.value: part.total for part in inside[t.Accumulate]}
        for part in inside[t.Assign]:
            if isinstance(part.value, t.Op) and part.value.name == "equal":
                found.append((part, procedure))
    for step, procedure in found:
        comparison = step.value
        asked = {step.variable, totals.get(step.variable)} & read
        if asked or (procedure, step.variable.name) in fields or not isinstance(comparison, t.Op):
            continue
        if isinstance(comparison.args[0], t.Attr) and comparison.where is not None:
            left = comparison.args[0].where
            hint = f"to set it, say `{left.text} becomes …`" if left else "to set it, say `… becomes …`"
            problems.add("P015", comparison.where.span, hint=hint)


def check_constant_comparisons(checker: Checker, problems: Problems) -> None:
    """Report comparisons such as `face > 6` of a d6 that are always, or never, true (I004).

    Parts of a condition that was reported as a whole (P018, P019) are not reported again.
    """
    ranges = ranges_of(checker)
    reported = [p.span for p in problems if p.code in ("P018", "P019") and p.span is not None]
    for e, known in _comparisons(checker, ranges):
        left, right = ranges.interval_of(e.args[0], known), ranges.interval_of(e.args[1], known)
        always = _constant_result(OPERATIONS[e.name], left, right)
        if always is None or (always and (ranges.may_be_none(e.args[0]) or ranges.may_be_none(e.args[1]))):
            continue
        assert e.where is not None
        here = e.where.span
        if any(s.source == here.source and s.start <= here.start and here.end <= s.end for s in reported):
            continue
        problems.add(
            "I004",
            here,
            always="always" if always else "never",
            label="whatever happens",
            hint=_describe_sides(e, left, right),
        )


def _comparisons(checker: Checker, ranges: Ranges) -> Iterator[tuple[t.Op, Bindings]]:
    """Every comparison in the text of the rules, with the intervals of the variables that run over faces."""
    known: Bindings = {}
    book = checker.book
    for inside in sentences(
        checker, (*book.values.values(), *book.rolls.values())
    ):  # a limit may hold for all there is
        for part in (each for sort in (t.Filter, t.Extreme, t.Each, t.ForEach) for each in inside[sort]):
            if part.items.type.name in ("faces", "dice"):
                known[part.variable] = _face_interval(part.items, ranges)
        for part in inside[t.Op]:
            if OPERATIONS[part.name].bounds is not None and part.where is not None:
                yield part, known


def _face_interval(items: t.Expr, ranges: Ranges) -> Interval:
    while isinstance(items, t.Filter):
        items = items.items
    throw = ranges.resolve_dice(items)
    return ranges.faces_of(throw, {}) if throw is not None else Interval(1, float("inf"))


def _constant_result(row: Operation, left: Interval, right: Interval) -> bool | None:
    """The result of comparing any number of `left` with any of `right`; None where it differs."""
    if not row.rises:
        if left.high < right.low or right.high < left.low:
            return False
        return True if left.low == left.high == right.low == right.high else None
    assert row.evaluate is not None
    up = row.way(0) > 0
    if row.evaluate(*((left.low, right.high) if up else (left.high, right.low))):
        return True
    return None if row.evaluate(*((left.high, right.low) if up else (left.low, right.high))) else False


def _describe_sides(e: t.Op, left: Interval, right: Interval) -> str:
    texts = []
    for arg, stretch in zip(e.args, (left, right), strict=True):
        if not isinstance(arg, t.Lit) and arg.where is not None:
            row = (
                arg.type.of.row_at(int(stretch.low)) if arg.type.name == "row" and stretch.low == stretch.high else None
            )
            texts.append(
                f"`{arg.where.text}` {f'is {row}' if row else describe_interval(stretch, arg.type.name == 'inches')}"
            )
    return "; ".join(texts)


def describe_interval(stretch: Interval, inches: bool) -> str:
    """The interval as text: `is 3`, `goes from 1 to 6`, `is 2 or more`; lengths with the sign for inches."""
    sign = '"' if inches else ""
    low, high = (f"{x:g}{sign}" if abs(x) < float("inf") else "" for x in map(float, stretch))
    if low and high:
        return f"is {low}" if low == high else f"goes from {low} to {high}"
    return f"is {low} or more" if low else f"is {high} or less" if high else "can be anything"
