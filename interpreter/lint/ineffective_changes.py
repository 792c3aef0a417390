"""Checks of the lines of values: those that change nothing in any situation.

Takes the checker of a checked book without errors; adds findings at the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import PureDef
from interpreter.source import Label, Problems
from interpreter.vocabulary.intervals import ZERO, Interval

from .ranges import Ranges, ranges_of

ONE = Interval(1, 1)


def check_ineffective_changes(checker: Checker, problems: Problems) -> None:
    """Report lines of values that change nothing, or whose change a later limit always undoes (I003)."""
    ranges = ranges_of(checker)
    for value in checker.book.values.values():
        pure = checker.pure(value)
        if len(pure.changes) > 1:
            _report_ineffective(value, pure, ranges, problems)


def _report_ineffective(symbol: PureDef, pure: t.Pure, ranges: Ranges, problems: Problems) -> None:
    for change, before in _changes_with_intervals(pure, ranges):
        if change.amount is None or change.what == "set" or not _is_own_line(symbol, change):
            continue
        by = ranges.delta(change) if change.what == "add" else ranges.summand(change.amount)
        if _is_ineffective(change, before, by, pure):
            hint = None
            if isinstance(change.amount, t.Lit) and before.known:
                low, high = int(before.low), int(before.high)
                hint = f"before this line it is {low}" + (f" to {high}" if low != high else "")
                if pure.type.name == "row":
                    hint = f"before this line it is {pure.type.of.row_at(low)}" + (" at least" if low != high else "")
            problems.add("I003", change.line.where.span, name=_line_name(change), label="as it was before", hint=hint)
        elif change.what == "add" and (cap := _overriding_limit(change, before, by, pure, ranges)) is not None:
            others = [Label(cap.line.where.span, "this takes it back, whatever it is")]
            label = "it comes to nothing"
            problems.add("I003", change.line.where.span, name=_line_name(change), label=label, others=others)


def _overriding_limit(
    change: t.Change, before: Interval, by: Interval, pure: t.Pure, ranges: Ranges
) -> t.Change | None:
    """The later line that limits the value to the same number with this line or without it; None if there is none."""
    low, high = before.low + min(by.low, 0), before.high + max(by.high, 0)
    for later in pure.changes[pure.changes.index(change) + 1 :]:
        if later.amount is None or later.what == "times" or (later.what == "set" and later.condition is None):
            return None
        sure = later.condition is None
        if later.what == "add":
            delta = ranges.delta(later)
            low += delta.low if sure else min(delta.low, 0)
            high += delta.high if sure else max(delta.high, 0)
        elif later.what in ("least", "most"):
            end = ranges.summand(later.amount)
            if sure and (low >= end.high if later.what == "most" else high <= end.low):
                return later if end.low == end.high else None
            low = min(low, end.low) if later.what == "most" else low
            high = max(high, end.high) if later.what == "least" else high
    return None


def _changes_with_intervals(pure: t.Pure, ranges: Ranges) -> Iterator[tuple[t.Change, Interval]]:
    """Each line but the first, with the interval of the value before it."""
    after = list(ranges.intervals_after_changes(pure, {}))
    yield from zip(pure.changes[1:], after, strict=False)


def _is_ineffective(change: t.Change, before: Interval, by: Interval, pure: t.Pure) -> bool:
    """Whether the value is the same after the line as before it, in every situation."""
    match change.what:
        case "add" if pure.type.name == "row":
            top = len(pure.type.of.rows) - 1
            return (before.low >= top > 0 and by.low >= 0) or (before.high <= 0 < top and by.high <= 0)
        case "add":
            return by == ZERO and isinstance(change.amount, t.Lit)
        case "least":
            return by.high < before.low  # a limit equal to the bound is redundant on purpose
        case "most":
            return by.low > before.high
        case "times":
            return by == ONE or before == ZERO
    return False


def _is_own_line(symbol: PureDef, change: t.Change) -> bool:
    return change.line.address.split(".")[0] == symbol.name


def _line_name(change: t.Change) -> str:
    return change.line.address.rsplit(".", 1)[-1]
