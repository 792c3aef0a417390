"""What each option of a `ruling` changes: odds of all typical situations, and of the examples that can meet the ruling.

Enters: a checked rule set. Leaves: a `Reading` for each ruling. Knows nothing of how it is shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.document.alternatives import spread
from interpreter.program import Program
from interpreter.rulebook.symbols import Ruling
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct

from .cases import Case, prepare
from .dependencies import Reach
from .examples import examples_of
from .pricing import Law, Shift, laws_of
from .progress import Progress
from .rule_sets import RuleSet
from .texts import settings, with_entries, with_settings
from .typical import Point, points_of, typical_of

_NOT_ASKED = ("then", "dice", "trace")


class Option(Struct):
    """One alternative option of a ruling: the questions that it answers differently than the first option, the largest
    change first.
    """

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
    rules: RuleSet
    typical: int
    examples: int
    readings: tuple[Reading, ...]


def readings_of(rules: RuleSet, problems: Problems, progress: Progress | None = None) -> Readings:
    """Every ruling of a rule set, with the odds of its options."""
    typical = points_of(rules, typical_of(rules, problems), problems)
    examples = list(_examples(rules))
    pricer = _Pricer(rules, [*typical, *examples], progress or Progress())
    return Readings(rules, len(typical), len(examples), tuple(pricer.of(r) for r in rules.book.rulings.values()))


def _examples(rules: RuleSet) -> Iterator[Point]:
    """The examples that expect odds, as situations with these questions."""
    for example in examples_of(rules, Problems()):
        body = example.body
        if body.get("odds") is None or body.get("error") is not None or body.get("force") is not None:
            continue
        several = spread(body, Problems(), rules.rows)
        for place in several.places if several is not None else ():
            yield Point(example, several.said(place), with_entries(several.at(place), (), _NOT_ASKED), ())  # type: ignore[union-attr]


class _Pricer:
    def __init__(self, rules: RuleSet, points: Sequence[Point], progress: Progress) -> None:
        self.rules, self.progress = rules, progress
        self.reach = Reach(rules)
        self.programs: dict[Any, Program] = {}
        self.like: dict[str, Case] = {}  # what does and asks the same, by the example's name and its alternative
        self.laws: dict[tuple[str, tuple[Any, ...]], dict[str, Law] | Problem] = {}
        self.met = [(point, self._meets(point)) for point in points]

    def _meets(self, point: Point) -> frozenset[str] | None:
        case = prepare(self.rules, point.body, Problems())
        if case is not None:
            self.like[point.name] = case
        return self.reach.of(case) if case is not None else None  # nobody knows what it would meet

    def of(self, ruling: Ruling) -> Reading:
        points = [point for point, names in self.met if names is None or ruling.name in names]
        self.progress.more(len(points) * len(ruling.words), "situations")
        first = [self._laws(point, ruling, ruling.words[0]) for point in points]
        options, refused = [], dict[str, tuple[Point, Problem]]()
        for word in ruling.words[1:]:
            shifts = []
            for point, before in zip(points, first, strict=True):
                after = self._laws(point, ruling, word)
                for either in (before, after):
                    if isinstance(either, Problem):
                        refused.setdefault(point.name, (point, either))
                if isinstance(before, Problem) or isinstance(after, Problem):
                    continue
                both = (Shift(point, ask, law, after[ask]) for ask, law in before.items())
                shifts += [shift for shift in both if not shift.before.same(shift.after)]
            options.append(Option(word, tuple(sorted(shifts, key=lambda s: -s.size))))
        return Reading(ruling, tuple(options), len(points), tuple(refused.values()))

    def _laws(self, point: Point, ruling: Ruling, word: str) -> dict[str, Law] | Problem:
        """The law of each question, or why there are none."""
        self.progress.done += 1
        problems = Problems()
        case = self._case(point, ruling, word, problems)
        if case is None:
            return _first(problems)
        chosen = case.situation.rulings
        readings = tuple(chosen.get(name, r.options[0]) for name, r in self.rules.book.rulings.items())
        if (point.name, readings) not in self.laws:  # the first readings are the same whichever ruling is asked about
            laws = laws_of(case, self.programs, self.progress)
            self.laws[point.name, readings] = laws if laws is not None else _first(case.problems)
        return self.laws[point.name, readings]

    def _case(self, point: Point, ruling: Ruling, word: str, problems: Problems) -> Case | None:
        chosen = settings("reading", [f"{ruling.name}={word}"], Problems())
        body = with_entries(point.body, [("rulings", with_settings(point.body.get("rulings"), chosen))])
        return prepare(self.rules, body, problems, None, self.like.get(point.name))


def _first(problems: Problems) -> Problem:
    return next(p for p in problems if p.severity == "error")
