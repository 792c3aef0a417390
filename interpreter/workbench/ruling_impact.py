"""The changes by each option of a `ruling`: in odds of typical situations, and of examples that can meet the ruling.

Takes a checked rule set. Gives a `Reading` for each ruling. Knows nothing of how it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.document.alternatives import spread
from interpreter.rulebook.symbols import Ruling
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct

from .cases import Case, prepare
from .dependencies import Reach
from .examples import examples_of
from .parallel import HERE, Workers, spread_over
from .pricing import Asking, Law, Shift, laws_of
from .progress import Progress
from .rule_sets import RuleSet
from .situation_cache import SituationCache
from .texts import settings, with_entries, with_settings
from .typical import Point, points_of, typical_of

_NOT_ASKED = ("then", "dice", "trace")


class Option(Struct):
    """An option of a ruling other than the first: the questions whose odds it changes, the largest change first."""

    word: str
    shifts: tuple[Shift, ...]


class Reading(Struct):
    """A ruling and its effect. `met`: how many of the `typical` situations and `examples` can meet it; `refused`: those
    that could not be asked with some option, with the reason.
    """

    ruling: Ruling
    options: tuple[Option, ...]
    met: int
    refused: tuple[tuple[Point, Problem], ...] = ()

    @property
    def idle(self) -> bool:
        return not any(option.shifts for option in self.options)


class Readings(Struct):
    """The effect of every ruling of a set; `typical` and `examples` are the numbers of situations examined."""

    rules: RuleSet
    typical: int
    examples: int
    readings: tuple[Reading, ...]


def readings_of(
    rules: RuleSet, problems: Problems, progress: Progress | None = None, workers: Workers = HERE
) -> Readings:
    """Every ruling of a rule set, with the odds of its options."""
    typical = points_of(rules, typical_of(rules, problems), problems)
    examples = list(_examples(rules))
    points = [*typical, *examples]
    progress = progress or Progress()
    progress.more(len(points), "situations")
    kept: SituationCache[_Read] = SituationCache("readings", rules)
    found = {i: known for i, point in enumerate(points) if (known := kept.get(point.body)) is not None}
    left = [i for i in range(len(points)) if i not in found]
    progress.done += len(found)
    reading = _AllReadings(rules, points, Reach(rules), progress)
    try:
        for i, one in zip(left, spread_over(reading.of, left, workers), strict=True):
            found[i] = one
            progress.done += 1
            if not any(isinstance(laws, Problem) for laws in one.values()):
                kept.note(points[i].body, one)
    finally:
        kept.keep()
    read = [found[i] for i in range(len(points))]
    return Readings(
        rules, len(typical), len(examples), tuple(_reading(r, points, read) for r in rules.book.rulings.values())
    )


def _examples(rules: RuleSet) -> Iterator[Point]:
    """The examples that expect odds, as situations with these questions."""
    for example in examples_of(rules, Problems()):
        body = example.body
        if body.get("odds") is None or body.get("error") is not None or body.get("force") is not None:
            continue
        several = spread(body, Problems(), rules.rows)
        for place in several.places if several is not None else ():
            yield Point(example, several.said(place), with_entries(several.at(place), (), _NOT_ASKED), ())  # type: ignore[union-attr]


# (ruling that a point can meet, option) → the law of each question, or the reason for none.
_Read = dict[tuple[str, str], dict[str, Law] | Problem]


class _AllReadings(Asking):
    """Computes the laws of one point under all readings."""

    def of(self, index: int) -> _Read:
        """The laws of a point under every option of every ruling that it can meet."""
        point, book = self.points[index], self.rules.book
        like = prepare(self.rules, point.body, Problems())
        names = self.reach.of(like) if like is not None else None  # unknown, so all rulings count
        known: dict[tuple[Any, ...], dict[str, Law] | Problem] = {}
        found: _Read = {}
        for ruling in book.rulings.values():
            for word in ruling.words if names is None or ruling.name in names else ():
                problems = Problems()
                case = self._case(point, ruling, word, like, problems)
                if case is None:
                    found[ruling.name, word] = _first(problems)
                    continue
                chosen = case.situation.rulings
                readings = tuple(chosen.get(name, r.options[0]) for name, r in book.rulings.items())
                if readings not in known:  # the first readings are the same for all rulings
                    laws = laws_of(case, self.programs, self.progress)
                    known[readings] = laws if laws is not None else _first(case.problems)
                found[ruling.name, word] = known[readings]
        return found

    def _case(self, point: Point, ruling: Ruling, word: str, like: Case | None, problems: Problems) -> Case | None:
        chosen = settings("reading", [f"{ruling.name}={word}"], Problems())
        body = with_entries(point.body, [("rulings", with_settings(point.body.get("rulings"), chosen))])
        return prepare(self.rules, body, problems, None, like)


def _reading(ruling: Ruling, points: Sequence[Point], found: Sequence[_Read]) -> Reading:
    """The effect of a ruling, from the results of all points for each option."""
    first, *others = ruling.words
    met = [(point, read) for point, read in zip(points, found, strict=True) if (ruling.name, first) in read]
    options, refused = [], dict[str, tuple[Point, Problem]]()
    for word in others:
        shifts = []
        for point, read in met:
            before, after = read[ruling.name, first], read[ruling.name, word]
            for either in (before, after):
                if isinstance(either, Problem):
                    refused.setdefault(point.name, (point, either))
            if isinstance(before, Problem) or isinstance(after, Problem):
                continue
            both = (Shift(point, ask, law, after[ask]) for ask, law in before.items())
            shifts += [shift for shift in both if not shift.before.same(shift.after)]
        options.append(Option(word, tuple(sorted(shifts, key=lambda s: -s.size))))
    return Reading(ruling, tuple(options), len(met), tuple(refused.values()))


def _first(problems: Problems) -> Problem:
    return next(p for p in problems if p.severity == "error")
