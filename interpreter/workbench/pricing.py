"""Computes the odds of many situations by one rule set, in a form that can be compared with another rule set.

Takes a rule set and points. Gives `Prices`: for each question of each point its exact `Law`. Values are texts, since
the rows of a table may be numbered differently in another rule set.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from interpreter.program import Program
from interpreter.source import Problem, Problems
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import NOT_RUN

from .answers import Answer
from .bands import NEVER, Band, Bounds, answer_case, as_bounds
from .cases import Case
from .dependencies import Reach
from .parallel import HERE, Workers, spread_over
from .progress import Progress
from .rule_sets import RuleSet
from .situation_cache import SituationCache
from .typical import Point, ready

SHARE = 8  # most situations per piece of work

Key = tuple[str, str]  # the name of a point, and the question
Found = tuple[dict[str, "Law"], frozenset[str] | None]  # of one point: the law of each question, and their dependencies


class Law(Struct):
    """The distribution of a question: value (as text) → bounds of its chance, which differ if a choice is open. A
    yes-or-no question only has the value yes. `mean`: bounds of the mean, for numbers.
    """

    values: tuple[tuple[str, Bounds], ...]
    mean: Bounds | None

    @property
    def yes(self) -> Bounds | None:
        """Bounds of the chance of yes; None for other questions."""
        return self.values[0][1] if len(self.values) == 1 and self.values[0][0] == "yes" else None

    @property
    def certain(self) -> str | None:
        """The only value, if its chance is 1; else None."""
        if self.yes is not None:
            return "yes" if min(self.yes) == 1 else "no" if max(self.yes) == 0 else None
        sure = [value for value, bounds in self.values if min(bounds) == 1]
        return sure[0] if sure else None

    def likely(self, value: str) -> Bounds:
        return dict(self.values).get(value, NEVER)

    def same(self, other: Law) -> bool:
        """Whether both have the same values with the same bounds, in any order."""
        return dict(self.values) == dict(other.values) and self.mean == other.mean

    def far(self, other: Law) -> Fraction:
        """The distance, from 0 (equal) to 1 (no common value): the total variation distance if both laws are exact."""
        mine, yours = dict(self.values), dict(other.values)
        names = dict.fromkeys((*mine, *yours))
        steps = [_step(mine.get(name, NEVER), yours.get(name, NEVER)) for name in names]
        sure = all(a == b for a, b in (*mine.values(), *yours.values()))
        if sure and self.yes is None:
            return sum(steps, Fraction(0)) / 2
        return max(steps, default=Fraction(0))


def _step(one: Bounds, other: Bounds) -> Fraction:
    return max(abs(b - a) for a, b in zip(one, other, strict=True))


class Measure(Struct):
    """The number that describes a change: a chance of yes, a mean, or the chance of one `value`."""

    what: str
    value: str | None = None

    def of(self, law: Law) -> Bounds | None:
        if self.what == "mean":
            return law.mean
        return law.yes if self.value is None else law.likely(self.value)


def measure(before: Law, after: Law) -> Measure:
    """The number that describes the change from one law to another: the chance of yes; the mean, if it changes; else
    the value whose chance changes most.
    """
    if before.yes is not None and after.yes is not None:
        return Measure("chance")
    if before.mean is not None and after.mean is not None and before.mean != after.mean:
        return Measure("mean")
    names = dict.fromkeys(name for law in (before, after) for name, _ in law.values)
    most = max(names, key=lambda name: _step(before.likely(name), after.likely(name)))
    return Measure("mean") if before == after and before.mean is not None else Measure("chance", most)


class Shift(Struct):
    """The laws of one question of one situation before and after."""

    point: Point
    ask: str
    before: Law
    after: Law

    @property
    def size(self) -> Fraction:
        return self.before.far(self.after)

    @property
    def measure(self) -> Measure:
        """The number that describes the change."""
        return measure(self.before, self.after)


class Prices(Record):
    """The laws of all questions. `refused`: situations that cannot be asked, by name, with the reason; `gone`: those of
    them that cannot be read, since they refer to names missing in these rules.
    """

    laws: dict[Key, Law] = field(default_factory=dict)
    refused: dict[str, Problem] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    reach: dict[str, frozenset[str] | None] = field(default_factory=dict)

    def same(self, point: Point, changed: frozenset[str] | None) -> bool:
        """Whether a change of these definitions cannot affect a situation."""
        reach = self.reach.get(point.name)
        return reach is not None and changed is not None and not reach & changed


def prices(
    rules: RuleSet,
    points: Sequence[Point],
    known: Prices | None = None,
    changed: frozenset[str] | None = None,
    progress: Progress | None = None,
    workers: Workers = HERE,
    kept: SituationCache[Found] | None = None,
) -> Prices:
    """The odds of every question of some points. If they are `known` for rules that differ only in the definitions
    `changed`, points that do not depend on these are copied. Results in `kept` are reused too.
    """
    asked = [point for point in points if known is None or not known.same(point, changed)]
    progress = progress or Progress()
    progress.more(len(asked), "situations")
    priced: dict[str, _Priced] = {}
    left = []
    for point in asked:
        before = kept.get(point.body) if kept is not None else None
        if before is None:
            left.append(point)
        else:
            priced[point.name] = (*before, False)
    progress.done += len(asked) - len(left)
    parts = _parts(left)
    asking = _Pricing(rules, left, Reach(rules), progress)
    try:
        for part, several in zip(parts, spread_over(asking.of, parts, workers), strict=True):
            for i, one in zip(part, several, strict=True):
                priced[left[i].name] = one
                if kept is not None and not isinstance(one[0], Problem):
                    kept.note(left[i].body, (one[0], one[1]))
            progress.done += len(part)
    finally:
        if kept is not None:
            kept.keep()
    found = Prices()
    for point in points:
        if point.name not in priced:
            assert known is not None
            found.laws.update({key: law for key, law in known.laws.items() if key[0] == point.name})
            continue
        laws, found_reach, gone = priced[point.name]
        if isinstance(laws, Problem):
            found.refused[point.name] = laws
            if gone:
                found.gone.add(point.name)
            continue
        found.laws.update({(point.name, ask): law for ask, law in laws.items()})
        if known is None:
            found.reach[point.name] = found_reach
    return found


# The laws or the reason for none; their dependencies; whether the situation cannot be read.
_Priced = tuple[dict[str, Law] | Problem, frozenset[str] | None, bool]


def _parts(points: Sequence[Point]) -> list[tuple[int, ...]]:
    """The indices of the points in pieces of work: up to `SHARE` points that do the same, to share a Program. The
    division does not depend on the workers.
    """
    alike: dict[tuple[object, ...], list[int]] = {}
    for i, point in enumerate(points):
        alike.setdefault(point.does, []).append(i)
    return [tuple(those[i : i + SHARE]) for those in alike.values() for i in range(0, len(those), SHARE)]


class Asking(Record):
    """The inputs for asking some points; `programs` is a cache of this process. Pickled as its rules and points
    only.
    """

    rules: RuleSet
    points: Sequence[Point]
    reach: Reach
    progress: Progress
    programs: dict[Any, Program] = field(default_factory=dict)

    def __reduce__(self) -> tuple[object, ...]:
        return _received, (type(self), self.rules, tuple(self.points))


class _Pricing(Asking):
    """Asks for the laws of all points of a part."""

    def of(self, part: tuple[int, ...]) -> list[_Priced]:
        """The result of each point of a part."""
        like: Case | None = None
        found: list[_Priced] = []
        for point in (self.points[i] for i in part):
            problems = Problems()
            case = ready(self.rules, point, problems, like)
            laws = laws_of(case, self.programs, self.progress) if case is not None else None
            if case is None or laws is None:
                errors = [p for p in (*problems, *(case.problems if case is not None else ())) if p.severity == "error"]
                found.append((errors[0], None, case is None))
                continue
            like = like or case
            found.append((laws, self.reach.of(case), False))
        return found


def _received(kind: type[Asking], rules: RuleSet, points: Sequence[Point]) -> Asking:
    return kind(rules, points, Reach(rules), Progress())


def laws_of(case: Case, programs: dict[Any, Program], progress: Progress) -> dict[str, Law] | None:
    """The law of each question; None with a problem of the case. `programs`: a cache for these rules."""
    case.programs, case.progress = programs, progress
    answer = answer_case(case)
    if answer is None:
        return None
    return {ask.text: law_of(answer, i) for i, ask in enumerate(answer.asks)}


def law_of(answer: Answer | Band, index: int) -> Law:
    """The law of one question of an answer. Chances of values with the same text are added. The mean is None if a value
    is not a number, or the line may not run.
    """
    type_ = answer.asks[index].type
    if type_.name == "truth":
        return Law((("yes", as_bounds(answer.chance(index))),), None)
    values: dict[str, Bounds] = {}
    numbers = type_.name in ("number", "inches", "target")
    for found, likely in answer.of(index).items():
        numbers = numbers and found is not None and found is not NOT_RUN
        said = answer.words.say(found, type_)
        least, most = as_bounds(likely)
        before = values.get(said, NEVER)
        values[said] = before[0] + least, before[1] + most
    if not numbers:
        return Law(tuple(values.items()), None)
    return Law(tuple(values.items()), as_bounds(answer.mean(index)))
