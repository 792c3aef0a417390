"""Exact odds of every question of a case, over all its histories.

Takes a case and gives an `Answer`, or None with problems. Knows nothing of single histories.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar

from interpreter.engines.odds import Odds
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source import Problems
from interpreter.source.values import Struct, replace
from interpreter.vocabulary.types import NOT_RUN as NOT_RUN

from .cases import Case
from .run_setup import asking, run_guarded, set_up

Known = tuple[str, tuple[Fraction, Fraction]]  # the text of a condition, and bounds of its probability


class _Conditional(Protocol):
    @property
    def asks(self) -> list[Ask]: ...

    @property
    def known(self) -> tuple[Known, ...]: ...

    def where(self, index: int) -> tuple[Self, tuple[Fraction, Fraction]] | None: ...


Found = TypeVar("Found", bound=_Conditional)


class Answer(Struct, eq=False, slots=False):
    """Exact odds. `joint` gives each combination of values (one per question) with its integer weight; the weights add
    up to `total`. `worlds` is the number of worlds that the engine explored.
    """

    asks: list[Ask]
    total: int
    joint: list[tuple[tuple[Any, ...], int]]
    words: Words
    worlds: int
    known: tuple[Known, ...] = ()

    @cached_property
    def _laws(self) -> dict[int, dict[Any, Fraction]]:
        return {}  # by question, as they are asked for

    def of(self, index: int) -> dict[Any, Fraction]:
        """The distribution of question `index`, as value → chance, sorted by value. The chances add up to 1."""
        if index not in self._laws:
            found: dict[Any, int] = {}
            for values, weight in self.joint:
                found[values[index]] = found.get(values[index], 0) + weight
            each = sorted(found.items(), key=lambda p: sort_key(p[0]))
            self._laws[index] = {value: Fraction(weight, self.total) for value, weight in each}
        return self._laws[index]

    def mean(self, index: int) -> Fraction:
        """The mean of a numeric question. Raises ValueError if the line may not run: see `mean_where_run`."""
        if self.runs(index) != 1:
            raise ValueError(explain_no_mean(self.asks[index]))
        return sum((Fraction(v or 0) * p for v, p in self.of(index).items()), Fraction(0))

    def runs(self, index: int) -> Fraction:
        """The chance that the line of the question runs."""
        return 1 - self.of(index).get(NOT_RUN, Fraction(0))

    def mean_where_run(self, index: int) -> Fraction | None:
        """The mean over the histories in which the line runs; None if it never does."""
        found = {v: p for v, p in self.of(index).items() if v is not NOT_RUN}
        whole = sum(found.values(), Fraction(0))
        return sum((Fraction(v or 0) * p for v, p in found.items()), Fraction(0)) / whole if whole else None

    def chance(self, index: int) -> Fraction:
        return self.of(index).get(True, Fraction(0))

    def bounds(self, index: int) -> tuple[Fraction, Fraction] | None:
        """The value to compare an expectation with, as equal bounds: a mean or a chance. None for the mean of a line
        that may not run.
        """
        if self.asks[index].kind == "mean" and self.runs(index) != 1:
            return None
        found = self.mean(index) if self.asks[index].kind == "mean" else self.chance(index)
        return found, found

    def where(self, index: int) -> tuple[Answer, tuple[Fraction, Fraction]] | None:
        """The answer to the other questions given that question `index` holds, and the chance of that as equal bounds.
        None if that chance is 0.
        """
        kept: dict[tuple[Any, ...], int] = {}
        for values, weight in self.joint:
            if values[index]:
                others = values[:index] + values[index + 1 :]
                kept[others] = kept.get(others, 0) + weight
        total = sum(kept.values())
        if not total:
            return None
        likely = Fraction(total, self.total)
        asks = self.asks[:index] + self.asks[index + 1 :]
        return replace(self, asks=asks, total=total, joint=list(kept.items())), (likely, likely)


def as_known(answer: Found, problems: Problems) -> Found | None:
    """The answer conditioned on everything that the situation takes as known. Adds X031 and returns None if a condition
    never holds.
    """
    while (index := next((i for i, ask in enumerate(answer.asks) if ask.kind == "known"), None)) is not None:
        ask, kept = answer.asks[index], answer.where(index)
        if kept is None:
            problems.add("X031", ask.where.span, ask=ask.text)
            return None
        answer = replace(kept[0], known=(*answer.known, (ask.text, kept[1])))
    return answer


def sort_key(value: Any) -> tuple[int, Any]:
    """A sort key of values: NOT_RUN first, then None (no number), then numbers."""
    return (-1, 0) if value is NOT_RUN else (0, 0) if value is None else (1, value)


def report_no_mean(ask: Ask, problems: Problems, runs: Any = None) -> None:
    """Add X030: there is no mean, as the line may not run. `runs`: the chance that it runs, or its bounds."""
    several = runs if isinstance(runs, tuple) else () if runs is None else (runs,)
    share = " to ".join(dict.fromkeys(f"{float(1 - each) * 100:.4g}%" for each in reversed(several)))
    share = f"{share} of all ways" if share else "some ways"
    ran = " and ".join(f"ran({line})" for line in ask.unsure)
    text = f"({ask.text})" if " if " in ask.text else ask.text
    said = f"{text} if {ran} else 0"
    hint = (
        f"say what it counts as then: `mean ({said})`"
        if ask.kind == "mean"
        else f"say what it counts as then: `{said}`"
    )
    problems.add("X030", ask.where.span, ask=ask.text, share=share, hint=hint)


def explain_no_mean(ask: Ask) -> str:
    """The sentence that a question has no mean because its line may not run."""
    return f"`{ask.text}` may be not run, and then it has no number: ask for its mean where it was run"


def odds(case: Case, *, limit: int = 200_000, but: str | None = None) -> Answer | None:
    """Exact odds of every question of the case. None with problems, also if there are more than `limit` worlds. With
    `but="F008"`, an open choice raises `Refused` instead of adding that problem.
    """
    ready = set_up(case, certain=True)
    if ready is None:
        return None
    situation = case.situation
    engine = Odds(ready.program, ready.start.keys, limit)
    wants, places = asking(case, ready, engine)
    made = run_guarded(
        case, lambda: engine.of(situation.procedure, wants, ready.args, ready.start.state), but, lambda _: engine.last
    )
    if made is None:
        return None
    total, law = made
    joint: dict[tuple[Any, ...], int] = {}
    for results, weight in law:
        key = tuple(results[p] for p in places)
        joint[key] = joint.get(key, 0) + weight
    if sum(joint.values()) != total:  # outcomes are never dropped: a smaller sum is a bug
        raise AssertionError("the weights of all outcomes do not sum to their denominator")
    words = Words(case.rules.book, ready.start.names)
    return as_known(Answer(situation.asks, total, list(joint.items()), words, engine.worlds), case.problems)
