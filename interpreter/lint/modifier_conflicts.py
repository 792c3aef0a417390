"""Checks of the lines of values and rolls: alone, against each other, and against their names.

Takes the checker of a checked book without errors; adds findings at the later of two lines with one condition (M010),
at a line that a later one always replaces (M011), at a line whose name says the opposite of what it does (M012), and at
a line of a value that changes nothing in any situation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.rulebook import typed as t
from interpreter.rulebook.definitions import Definition
from interpreter.rulebook.procedures import Checker
from interpreter.rulebook.symbols import PureDef, Roll, Value
from interpreter.source import Fix, Label, Problems
from interpreter.vocabulary.intervals import ZERO, Interval

from .implication import ConditionEvaluator, ExpressionKeys, conjuncts
from .ranges import Ranges, ranges_of

# Parts of a line's name that suggest its direction.
_WORSE = {"penalty", "malus", "worse", "handicap", "disadvantage"}
_BETTER = {"easier", "better", "advantage"}


def check_modifier_conflicts(checker: Checker, problems: Problems) -> None:
    """Report conflicting lines and misleading names (M010, M011, M012)."""
    book = checker.book
    symbols: list[Value | Roll] = [*book.values.values(), *book.rolls.values()]
    for symbol in symbols:
        pure = checker.pure(symbol)
        own = [c for c in pure.changes if c.line.address.split(".")[0] == symbol.name]  # without inherited lines
        for body in _bodies(book.pages.owners[symbol], own) if len(own) > 1 else ():
            _report_conflicts(symbol, body, problems)
        if pure.convention is not None:
            for change in own:
                _report_direction(change, pure.convention.over, problems)


def _bodies(definition: Definition, changes: list[t.Change]) -> Iterator[list[t.Change]]:
    """The lines grouped by the body they were written in, as an addition may overrule what it is added to."""
    added = [{id(entry.value) for entry, _ in each.entries} for each in definition.added]
    mine = definition.key.span.source
    yield [
        c
        for c in changes
        if c.line.where.scalar.span.source is mine and not any(_scalar_id(c) in texts for texts in added)
    ]
    for texts in added:
        yield [c for c in changes if _scalar_id(c) in texts]


def _scalar_id(change: t.Change) -> int:
    return id(change.line.where.scalar)


def _report_conflicts(symbol: Value | Roll, changes: list[t.Change], problems: Problems) -> None:
    """Report lines of one body that repeat a condition, or that a later line always replaces."""
    evaluator = ConditionEvaluator()
    keys = evaluator.keys
    seen: dict[tuple[str, str, int | None], t.Change] = {}  # (touch, what, key of the condition) → line
    before: list[t.Change] = []
    for change in changes:
        when = _condition_key(change.condition, keys)
        idle: list[t.Change] = []
        if change.what == "set" and change.condition is not None:
            idle = [c for c in before if _is_replaced(c, change, evaluator)]
        elif change.what == "set" and isinstance(symbol, Value):
            idle = list(before)
        elif change.what == "set":
            idle = [c for c in before if c.what == "set" and c.touch == change.touch]
        if idle:
            others = [Label(change.line.where.span, "this takes its place")]
            hint = "so it is with every line between the two" if len(idle) > 1 else None
            problems.add("M011", idle[0].line.where.span, label="never the last word", others=others, hint=hint)
        if change.what == "add" and when is not None and _plain(change):
            twin = seen.get((change.touch, "add", when))
            if twin is not None:
                others = [Label(twin.line.where.span, "the same condition")]
                problems.add("M010", change.line.where.span, label="when this one holds, both do", others=others)
            seen[(change.touch, "add", when)] = change
        elif change.what == "set":
            seen[(change.touch, "set", when)] = change
        before.append(change)


def _condition_key(condition: t.Expr | None, keys: ExpressionKeys) -> int | None:
    """A key that is the same for all orders of the parts of a condition; None without a condition."""
    if condition is None:
        return None
    return keys.number(("all of", frozenset([keys.key_of(part) for part in conjuncts(condition)])))


def _is_replaced(earlier: t.Change, change: t.Change, evaluator: ConditionEvaluator) -> bool:
    """Whether a conditional `set` is always replaced by a later one, whenever its condition holds."""
    if earlier.what != "set" or earlier.touch != change.touch or earlier.condition is None or change.condition is None:
        return False
    return evaluator.evaluate(change.condition, evaluator.assume(earlier.condition, True)) is True


def _plain(change: t.Change) -> bool:
    return change.per is None and isinstance(change.amount, t.Lit)


def _report_direction(change: t.Change, over: bool, problems: Problems) -> None:
    if change.what != "add" or not isinstance(change.amount, t.Lit) or not isinstance(change.amount.value, int):
        return
    amount = change.amount.value * change.sign
    helps = (amount > 0) is (over if change.touch == "roll" else not over)
    words = set(change.line.address.rsplit(".", 1)[-1].split("-"))
    if amount and words & (_WORSE if helps else _BETTER):
        name = change.line.address.rsplit(".", 1)[-1]
        does = "more likely" if helps else "less likely"
        turned = "-" if change.sign > 0 else "+"
        instead = f"{change.touch} {turned}{abs(change.amount.value)}"
        hint = f"did you mean `{instead}`? Else give the line another name"
        place, fix = change.line.where, None
        if (said := re.compile(r"(?:roll|needs) *[+-] *[0-9]+").match(place.scalar.text, place.start)) is not None:
            fix = Fix(place.scalar.at(*said.span()), instead, False, f"write `{instead}`")
        problems.add("M012", place.span, name=name, does=does, label="in the other direction", hint=hint, fix=fix)


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
