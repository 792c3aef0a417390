"""Checks the limits of a rule set against the things of a case.

Takes a case and its initial state. Gives one `Verdict` per line of each limit, with its `Breach`es. Knows nothing of
what a limit is about: it is evaluated like any condition, and the counted things are located.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from math import inf
from typing import Any

from interpreter.program.runtime import Figure
from interpreter.program.state import Start
from interpreter.program.words import Words
from interpreter.rulebook import typed as t
from interpreter.rulebook.symbols import Limit, Where
from interpreter.source import Label, Problems, Span
from interpreter.source.values import Struct
from interpreter.vocabulary.operations import OPERATIONS

from .cases import Case
from .run_setup import Ready


class Breach(Struct):
    """A violation: whose limit, the numbers in words (`4 of at most 3`), and the places of the counted things."""

    who: str
    found: str
    where: Span
    label: str = ""
    others: tuple[Label, ...] = ()


class Verdict(Struct):
    """The result for one line of a limit. `name` is its address: the limit's name, and the line's if it has several."""

    limit: Limit
    name: str
    clauses: tuple[str, ...]
    text: str
    asked: int
    breaches: tuple[Breach, ...]

    @property
    def kept(self) -> bool:
        return not self.breaches

    @property
    def said(self) -> str:
        return f"`{self.name}`" + (f" ({', '.join(self.clauses)})" if self.clauses else "")


def verdicts(case: Case, ready: Ready, words: Words) -> list[Verdict]:
    """The verdicts of all limits of the rules over the things of a case, in the order of their definitions."""
    judge = _Judge(case, ready, words)
    return [v for limit in case.rules.book.limits.values() for v in judge.of(limit)]


def report_breaches(found: Iterable[Verdict], agreed: list[tuple[str, Where]], problems: Problems) -> None:
    """Report each breach that was not agreed on, and each agreement without a breach."""
    names = {name for name, _ in agreed}
    for verdict in found:
        for breach in verdict.breaches if verdict.limit.name not in names else ():
            problems.add(
                "F017",
                breach.where,
                who=breach.who,
                limit=verdict.said,
                found=breach.found,
                label=breach.label,
                others=breach.others,
                hint=f"the limit: {verdict.text}",
            )
    broken = {v.limit.name for v in found if not v.kept}
    for name, where in agreed:
        if name not in broken:
            problems.add("F018", where.span, name=name)


class _Judge:
    def __init__(self, case: Case, ready: Ready, words: Words) -> None:
        self.case, self.ready, self.words = case, ready, words
        self.start: Start = ready.start
        self.wheres = {ready.start.places[x.name]: x.where for x in case.situation.things}
        self.kinds = list(case.rules.book.kinds.values())

    def of(self, limit: Limit) -> Iterator[Verdict]:
        pure = self.case.rules.checker.pure(limit)
        subjects = list(self._subjects(limit))
        for change in pure.changes:
            assert change.amount is not None
            asked = [s for s in subjects if change.condition is None or self._answer(change.condition, pure, s[0])]
            broken = [s for s in asked if not self._answer(change.amount, pure, s[0])]
            found = [b for s in broken for b in self._breaches(change.amount, pure, *s)]
            clauses = tuple(dict.fromkeys((*change.line.cites, *limit.cites)))
            text = change.line.where.text.split(" [")[0]
            yield Verdict(limit, change.line.address, clauses, text, len(asked), tuple(found))

    def _subjects(self, limit: Limit) -> Iterator[tuple[Any, str, Span]]:
        """All subjects of a limit: their encoded value, their name, and their place."""
        kind = limit.subject
        assert kind is not None
        if not kind.counted:
            for thing in self.case.situation.things:
                if thing.kind.is_a(kind):
                    yield self.start.places[thing.name], thing.name, thing.where.span
            return
        for figure, groups in self.start.groups.items():
            sort = self.kinds[figure[1]]
            if sort.is_a(kind):
                for group in filter(lambda g: g.count, groups):
                    many = sort.name if group.count == 1 else sort.plural
                    yield figure, f"{group.count} {many} of {self.words.thing(figure[0])}", group.where.span

    def _answer(self, e: t.Expr, pure: t.Pure, subject: Any) -> Any:
        return self._function(e, pure)(self.start.state, subject)

    def _function(self, e: t.Expr, pure: t.Pure) -> Callable[..., Any]:
        return self.ready.program.function(e, pure.params)

    # ---- breaches and their places
    def _breaches(self, e: t.Expr, pure: t.Pure, subject: Any, who: str, own: Span) -> Iterator[Breach]:
        for part in _conjuncts(e):
            if self._answer(part, pure, subject):
                continue
            found, counted, room = self._numbers(part, pure, subject)
            places = list(self._places(self._answer(counted, pure, subject), counted)) if counted is not None else []
            if not places:
                yield Breach(who, found, own)
                continue
            sums = accumulate(n for _, n in places)
            over = next((i for i, total in enumerate(sums) if total > room), -1)
            where, count = places.pop(over)  # the first that exceeds the limit
            yield Breach(who, found, where, f"{count} here", tuple(Label(s, f"{n} here") for s, n in places))

    def _numbers(self, e: t.Expr, pure: t.Pure, subject: Any) -> tuple[str, t.Expr | None, Any]:
        """The numbers in words; what was counted, if there is too much of it; and how many are allowed."""
        if isinstance(e, t.Op) and (row := OPERATIONS[e.name]).breach:
            args = e.args
            if isinstance(args[0], t.Lit):  # `1 >= X` is shown as `X <= 1`
                row, args = OPERATIONS[row.turned], args[::-1]
            left, right = (self._answer(a, pure, subject) for a in args)
            numbers = (self.words.say(v, a.type) for v, a in zip((left, right), args, strict=True))
            assert row.bounds is not None
            (fewest, _), (most, step) = row.bounds(right or 0)  # fewer than 3 is at most 3 - 1
            return row.breach.format(*numbers), _counted(args[0]) if fewest == -inf else None, most + step
        if isinstance(e, t.Op) and e.name == "not":
            inner = e.args[0]
            if isinstance(inner, t.Op) and inner.name == "any-of":
                items = self._answer(inner.args[0], pure, subject)
                figures = inner.args[0].type.name == "figures"
                return f"{sum(n for _, n in items) if figures else len(items)} of none", inner.args[0], 0
        if isinstance(e, t.Op) and e.name == "any-of":
            return "0 of at least 1", None, 0
        said = e.where.text.split(" [")[0] if e.where is not None else "this"
        return f"`{said}` is not so", None, 0

    def _places(self, items: Any, e: t.Expr) -> Iterator[tuple[Span, int]]:
        """The places where some things or figures were described, in the order of the file."""
        found: list[tuple[Span, int]] = []
        if e.type.name == "figures":
            bag: tuple[tuple[Figure, int], ...] = items
            for figure, _ in bag:
                found += [(g.where.span, g.count) for g in self.start.groups.get(figure, ())]
        elif e.type.name == "things":
            found += [(self.wheres[place].span, 1) for place in items if place in self.wheres]
        yield from sorted(found, key=lambda f: (f[0].source.name, f[0].start))


def _conjuncts(e: t.Expr) -> list[t.Expr]:
    if isinstance(e, t.Op) and e.name == "and":
        return [part for a in e.args for part in _conjuncts(a)]
    return [e]


def _counted(e: t.Expr) -> t.Expr | None:
    if isinstance(e, t.Op) and e.name == "count":
        return e.args[0]
    return None
