"""A situation with alternatives, worked out for each of them.

Enters: a rule set and the tree of a situation. Leaves: a `Grid`: its axes, and the answer at every point. What is done
and asked is made into a program once. Knows nothing of tables or pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from interpreter.document.alternatives import Axis as Axis
from interpreter.document.alternatives import Place
from interpreter.document.alternatives import Spread as Spread
from interpreter.document.alternatives import spread as spread
from interpreter.document.nodes import Mapping
from interpreter.program import Program
from interpreter.rulebook.situation import Ask
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct, replace

from .answers import Answer
from .bands import NEVER, Band, Bounds, weighed
from .cases import Case, prepare
from .progress import Progress
from .rule_sets import RuleSet
from .summary_statistics import worth
from .texts import Asks as Asks


class Point(Struct, eq=False):
    """One situation of many: where it stands, and its answer. Under a condition, `likely` is how often that holds;
    there is no answer where it never does, nor where it cannot be asked: `refused` says why.
    """

    place: Place
    labels: tuple[str, ...]
    answer: Answer | Band | None
    likely: Bounds = (Fraction(1), Fraction(1))
    refused: Problem | None = None

    def worth(self, index: int) -> Bounds | None:
        """What a table says of a question: how likely it is, or its mean; the least and the greatest of it."""
        return None if self.answer is None else worth(self.answer, index)


class Grid(Struct, eq=False):
    """Every point in the order of the page; the last axis changes first. The same is asked at each."""

    axes: tuple[Axis, ...]
    points: tuple[Point, ...]

    @property
    def asks(self) -> list[Ask]:
        """What is asked at each point; nothing where no point has an answer."""
        return next((point.answer.asks for point in self.points if point.answer is not None), [])

    @property
    def refused(self) -> list[Problem]:
        """Why some points cannot be asked; each reason once, with the first point that it is of."""
        alike: dict[tuple[str, str], list[Problem]] = {}
        for why in (point.refused for point in self.points if point.refused is not None):
            alike.setdefault((why.code, why.message), []).append(why)
        return [_and_more(first, len(others)) for first, *others in alike.values()]

    def at(self, *place: int) -> Point:
        return next(p for p in self.points if p.place == place)

    def lines(self) -> Iterator[tuple[Place, list[Point]]]:
        """The points along the first axis, for each place on the others."""
        rest = dict.fromkeys(p.place[1:] for p in self.points)
        return ((place, [p for p in self.points if p.place[1:] == place]) for place in rest)


class Reach(Struct, eq=False):
    """Where a chance is first reached along the first axis, at a place on the others: surely, whatever is chosen, and
    if everybody chooses for it. None where it never is.
    """

    place: Place
    surely: Point | None
    perhaps: Point | None


def grid(
    rules: RuleSet,
    root: Mapping,
    problems: Problems,
    asks: Asks | None = None,
    *,
    limit: int = 200_000,
    progress: Progress | None = None,
) -> Grid | None:
    """The answers to a situation's questions, and to `asks`, at each of its points; a point that cannot be asked says
    why. None with problems, where something is written wrong, or no point can be asked. A question of the kind `given`
    is a condition.
    """
    several = spread(root, problems, rules.rows)
    return None if several is None else of(rules, several, problems, asks, limit=limit, progress=progress)


def of(
    rules: RuleSet,
    several: Spread,
    problems: Problems,
    asks: Asks | None = None,
    *,
    limit: int = 200_000,
    progress: Progress | None = None,
    whole: bool = False,
) -> Grid | None:
    """The same for a situation that was taken apart already; `whole`: the first point that cannot be asked ends it."""
    points: list[Point] = []
    for place, case in cases(rules, several, problems, asks):
        if case is None:
            return None
        if progress is not None:
            case.progress, progress.done, progress.of = progress, len(points), len(several.places)
        answer = weighed(case, limit=limit)
        if answer is None:
            told = [at(problem, several.said(place)) for problem in case.problems]
            why = next(problem for problem in told if problem.severity == "error")
            points.append(Point(place, several.labels(place), None, NEVER, why))
            if whole or not several.axes:
                problems.extend(told)
                return None
            continue
        found = held(answer)
        points.append(Point(place, several.labels(place), *(found or (None, NEVER))))
    made = Grid(several.axes, tuple(points))
    if points and all(point.refused is not None for point in points):
        problems.extend(made.refused)
        return None
    return made


def cases(
    rules: RuleSet, several: Spread, problems: Problems, asks: Asks | None = None
) -> Iterator[tuple[Place, Case | None]]:
    """The case of each point, in turn, or None with problems. What one of them was made into serves the next."""
    programs: dict[object, Program] = {}
    before: dict[Place, Case] = {}
    for place in several.places:
        mine, done = Problems(), several.done(place)
        case = prepare(rules, several.at(place), mine, asks, before.get(done))
        if case is None:
            problems.extend(mine)
        else:
            before.setdefault(done, case)
            case.programs = programs
        yield place, case


def _and_more(problem: Problem, many: int) -> Problem:
    return replace(problem, label=f"{problem.label}; {many} more") if many else problem


def at(problem: Problem, said: str) -> Problem:
    """What is wrong at a point is told with it."""
    if not said:
        return problem
    return replace(problem, label=f"with {said}" + (f": {problem.label}" if problem.label else ""))


def held(answer: Answer | Band) -> tuple[Answer | Band, Bounds] | None:
    """The answer where its condition holds, if it has one, and how likely that is; None where it never holds."""
    index = next((i for i, ask in enumerate(answer.asks) if ask.kind == "given"), None)
    if index is None:
        return answer, (Fraction(1), Fraction(1))
    return answer.where(index)


def reached(found: Grid, index: int, share: Fraction) -> list[Reach]:
    """For each place on the other axes, the first value of the first axis with which a chance is so great."""

    def first(line: list[Point], end: int) -> Point | None:
        worths = ((point, point.worth(index)) for point in line)
        return next((point for point, bounds in worths if bounds is not None and bounds[end] >= share), None)

    return [Reach(place, first(line, 0), first(line, 1)) for place, line in found.lines()]
