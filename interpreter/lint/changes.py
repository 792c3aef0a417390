"""Lines of a value, or of what a roll needs, that change nothing in any situation.

Enters: a checked book without errors and its checker. Leaves: findings.
"""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.procedures import ProcedureChecker
from interpreter.rulebook.symbols import PureDef
from interpreter.source import Label, Problems

from .ranges import NOTHING, Ranges, Stretch, ranges_of

ONCE = Stretch(1, 1)


def check_changes(checker: ProcedureChecker, problems: Problems) -> None:
    ranges = ranges_of(checker)
    for value in checker.book.values.values():
        pure = checker.pure(value)
        if len(pure.changes) > 1:
            _without_effect(value, pure, ranges, problems)


def _without_effect(symbol: PureDef, pure: t.Pure, ranges: Ranges, problems: Problems) -> None:
    for change, before in _steps(pure, ranges):
        if change.amount is None or change.what == "set" or not _own(symbol, change):
            continue
        by = ranges.delta(change) if change.what == "add" else ranges.number(change.amount)
        if _kept(change, before, by, pure):
            hint = None
            if isinstance(change.amount, t.Lit) and before.known:
                low, high = int(before.low), int(before.high)
                hint = f"before this line it is {low}" + (f" to {high}" if low != high else "")
                if pure.type.name == "row":
                    hint = f"before this line it is {pure.type.of.row_at(low)}" + (" at least" if low != high else "")
            problems.add("I003", change.line.where.span, name=_name(change), label="as it was before", hint=hint)
        elif change.what == "add" and (cap := _swallowed(change, before, by, pure, ranges)) is not None:
            others = [Label(cap.line.where.span, "this takes it back, whatever it is")]
            label = "it comes to nothing"
            problems.add("I003", change.line.where.span, name=_name(change), label=label, others=others)


def _swallowed(change: t.Change, before: Stretch, by: Stretch, pure: t.Pure, ranges: Ranges) -> t.Change | None:
    """The limit behind a line that the value is past already, with the line or without it."""
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
            end = ranges.number(later.amount)
            if sure and (low >= end.high if later.what == "most" else high <= end.low):
                return later if end.low == end.high else None
            low = min(low, end.low) if later.what == "most" else low
            high = max(high, end.high) if later.what == "least" else high
    return None


def _steps(pure: t.Pure, ranges: Ranges) -> Iterator[tuple[t.Change, Stretch]]:
    """Each line with what the value can be before it."""
    after = list(ranges.steps_of(pure, {}))
    yield from zip(pure.changes[1:], after, strict=False)


def _kept(change: t.Change, before: Stretch, by: Stretch, pure: t.Pure) -> bool:
    """Whether the value is the same after the line as before it, in every situation."""
    match change.what:
        case "add" if pure.type.name == "row":
            top = len(pure.type.of.rows) - 1
            return (before.low >= top > 0 and by.low >= 0) or (before.high <= 0 < top and by.high <= 0)
        case "add":
            return by == NOTHING and isinstance(change.amount, t.Lit)
        case "least":
            return by.high < before.low  # one that just fits says again where it ends
        case "most":
            return by.low > before.high
        case "times":
            return by == ONCE or before == NOTHING
    return False


def _own(symbol: PureDef, change: t.Change) -> bool:
    return change.line.address.split(".")[0] == symbol.name


def _name(change: t.Change) -> str:
    return change.line.address.rsplit(".", 1)[-1]
