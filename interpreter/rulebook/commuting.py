"""Rules of two supplements at one moment: whether it matters which of them is carried out first.

Enters: a checked book, its rules' steps as they were woven in, and the sheets. Leaves: problems where the order of
the sheets would decide unseen. Knows nothing of what the rules are about: only what they look at and what they change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from interpreter.source import Label, Problems

from . import typed as t
from .book import Book
from .layers import Sheet
from .symbols import Hook, RuleDef

Woven = Mapping[RuleDef, Sequence[t.Step]]


def check_order(book: Book, woven: Woven, checker: Any, sheets: Sequence[Sheet], problems: Problems) -> None:
    """Two supplements that do not know each other must not meet where their order matters."""
    by_source = {s.root.span.source: s for s in sheets if s.laid}
    if len(by_source) < 2:
        return
    moments: dict[tuple[str, str], list[Hook]] = {}
    for hook in book.hooks:
        if hook.rule is not None and hook.scalar.span.source in by_source:
            path = ".".join(part.name for part in hook.moment.path.parts)
            moments.setdefault((hook.when, path), []).append(hook)
    for (when, path), hooks in moments.items():
        for first, second in combinations(hooks, 2):
            one, two = by_source[second.scalar.span.source], by_source[first.scalar.span.source]
            if one is two or two.name in one.known or one.name in two.known:
                continue
            a, b = (_touched(woven.get(h.rule, ()), checker) for h in (first, second) if h.rule is not None)
            if when == "instead of" or a.writes & (b.reads | b.writes) or b.writes & a.reads:
                span = second.scalar.at(second.moment.start, second.moment.end)
                others = [Label(first.scalar.at(first.moment.start, first.moment.end), f"{two.name} acts here")]
                moment = f"{when} `{path}`"
                problems.add("N014", span, one=one.name, two=two.name, moment=moment, others=others)


class _Touched:
    def __init__(self) -> None:
        self.reads: set[Any] = set()
        self.writes: set[Any] = set()


def _touched(steps: Iterable[t.Step], checker: Any) -> _Touched:
    """What steps look at and change, through all that they call: attributes, and who belongs where."""
    found = _Touched()
    left: list[Any] = [tuple(steps)]
    seen: set[Any] = set()
    while left:
        for part in t.parts(left.pop()):
            match part:
                case t.Attr():
                    found.reads.add(part.attribute)
                case t.Bag() | t.All():
                    found.reads.add(part.kind)
                case t.SetAttr() | t.AddAttr():
                    found.writes.add(part.attribute)
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
