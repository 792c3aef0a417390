"""Checks whether rules of two supplements at one moment commute.

Input: a checked book, the steps of its rules as woven in, and the sheets. Output: a problem (N014) if the order of the
sheets would silently decide the result. It considers only what rules read and write, not their meaning.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from interpreter.document.nodes import Scalar
from interpreter.source import Label, Problems

from . import typed as t
from .book import Book
from .sheets import Added, Sheet
from .symbols import Hook, RuleDef

Woven = Mapping[RuleDef, Sequence[t.Step]]


def check_order(book: Book, woven: Woven, checker: Any, sheets: Sequence[Sheet], problems: Problems) -> None:
    """Report independent supplements that act at one moment, or place, in an order that matters."""
    by_source = {s.root.span.source: s for s in sheets if s.laid}
    if len(by_source) < 2:
        return
    _check_places(book, woven, checker, problems)
    moments: dict[tuple[str, str], list[Hook]] = {}
    for hook in book.hooks:
        if hook.rule is not None and hook.scalar.span.source in by_source:
            path = ".".join(part.name for part in hook.moment.path.parts)
            moments.setdefault((hook.when, path), []).append(hook)
    for (when, path), hooks in moments.items():
        for first, second in combinations(hooks, 2):
            one, two = by_source[second.scalar.span.source], by_source[first.scalar.span.source]
            if not one.is_independent_of(two):
                continue
            a, b = (_accesses(woven.get(h.rule, ()), checker, book, woven) for h in (first, second) if h.rule)
            if when == "instead of" or a.conflicts_with(b):
                span = second.scalar.at(second.moment.start, second.moment.end)
                others = [Label(first.scalar.at(first.moment.start, first.moment.end), f"{two.name} acts here")]
                moment = f"{when} `{path}`"
                problems.add("N014", span, one=one.name, two=two.name, moment=moment, others=others)


def _check_places(book: Book, woven: Woven, checker: Any, problems: Problems) -> None:
    """Report the same for lines that two supplements insert at one place: table rows, changes of a value, steps."""
    for place, found in book.history.places.items():
        when, _, path = place.partition(" ")
        for first, second in combinations(found, 2):
            one, two = second.sheet, first.sheet
            if not one.is_independent_of(two):
                continue
            if _differ(when, first, second, book, woven, checker):
                moment = f"{when} `{path}`" if when != "in" else f"at the end of `{path}`"
                others = [Label(first.key.span, f"{two.name} adds there")]
                problems.add("N014", second.key.span, one=one.name, two=two.name, moment=moment, others=others)


def _differ(when: str, a: Added, b: Added, book: Book, woven: Woven, checker: Any) -> bool:
    """Whether the order of two insertions at one place changes the result."""
    match a.of:
        case "table":
            return when != "in"  # `before` and `after` set the rank of a row; at the end no rank was requested
        case "value" | "roll":
            symbol = book.values.get(a.name) or book.rolls.get(a.name)
            if symbol is None:
                return False
            pure = checker.pure(symbol)
            ours, theirs = ([c for c in pure.changes if _within(c.line.where.scalar, x)] for x in (a, b))
            return any(not _commute(c, d, pure.type.name == "row") for c in ours for d in theirs)
        case "procedure":
            procedure = book.procedures.get(a.name)
            if procedure is None:
                return False
            steps = [s for s in t.parts(checker.procedure(procedure).steps) if isinstance(s, t.Step)]
            ours, theirs = ([s for s in steps if _within(s.line.where.scalar, x)] for x in (a, b))
            return _accesses(ours, checker, book, woven).conflicts_with(_accesses(theirs, checker, book, woven))
        case _:
            return False


def _within(scalar: Scalar, added: Added) -> bool:
    """Whether a scalar lies inside some inserted lines."""
    here = scalar.span
    return any(
        here.source is e.key.span.source and e.key.span.start <= here.start and here.end <= e.value.span.end
        for e in added.entries
    )


_LANES = {"passes": "verdict", "fails": "verdict", "best": "dice", "worst": "dice", "again": "again"}
_COMMUTING = ("add", "least", "most", "times", "passes", "fails", "again")


def _commute(a: t.Change, b: t.Change, scale: bool) -> bool:
    """Whether two changes of a value or roll commute. Steps along a scale saturate at its ends, so signs must agree."""
    if _LANES.get(a.what, a.touch) != _LANES.get(b.what, b.touch):
        return True
    if a.what != b.what or a.what not in _COMMUTING:
        return False
    return not scale or a.sign == b.sign


class _Accesses:
    def __init__(self) -> None:
        self.reads: set[Any] = set()
        self.writes: set[Any] = set()

    def conflicts_with(self, other: _Accesses) -> bool:
        """Whether one writes what the other reads or writes, so that their order matters."""
        return bool(self.writes & (other.reads | other.writes) or other.writes & self.reads)


def _accesses(steps: Iterable[t.Step], checker: Any, book: Book, woven: Woven) -> _Accesses:
    """The read and write sets of steps, through all calls: attributes, and kinds for membership."""
    found = _Accesses()
    left: list[Any] = [tuple(steps)]
    seen: set[Any] = set()  # procedures, values, rolls and rules
    while left:
        for part in t.parts(left.pop()):
            match part:
                case t.Attr():
                    found.reads.add(part.attribute)
                case t.FactOf():
                    found.reads.add(part.fact)
                case t.SetFact():
                    found.writes.add(part.fact)
                case t.Bag() | t.All():
                    found.reads.update((part.kind, *part.kind.lineage(), *part.kind.sorts()))
                case t.SetAttr() | t.AddAttr():
                    found.writes.add(part.attribute)
                    for hook in book.hooks:  # rules that act when a mark is gained
                        rule = hook.rule
                        if rule is None or rule in seen or hook.moment.path.parts[0].name != part.attribute.name:
                            continue
                        seen.add(rule)
                        left.append(tuple(woven.get(rule, ())))
                    if part.attribute.out_of_play:
                        found.writes.add(part.attribute.kind)
                case t.Rehome():
                    found.writes.add(part.figures.type.of)
                case t.Leave():
                    found.writes.add(part.thing.type.of)
                case t.New():
                    found.writes.add(part.kind)
                case t.Call() if part.procedure not in seen:
                    seen.add(part.procedure)
                    left.append(checker.procedure(part.procedure).steps)
                case t.CallValue() | t.RollOf():
                    symbol = part.value if isinstance(part, t.CallValue) else part.roll
                    if symbol not in seen:
                        seen.add(symbol)
                        changes = checker.pure(symbol).changes
                        left.append(tuple(e for c in changes for e in (c.amount, c.per, c.condition) if e is not None))
    return found
