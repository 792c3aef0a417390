"""Answers a situation with alternatives (`<1 to 9>`) at each of its points.

Takes a rule set and the tree of a situation. Gives a `Grid`: its axes, and the answer at every point. The Program is
compiled once for all points at which the same is done. Knows nothing of tables or pictures.
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
from .bands import NEVER, Band, Bounds, answer_case
from .cases import Case, prepare
from .progress import Progress
from .rule_sets import RuleSet
from .summary_statistics import worth
from .texts import Asks as Asks


class Point(Struct, eq=False):
    """One of the situations: its index on each axis (`place`), the labels of these values, and its answer.

    With a condition, `likely` is the chance that it holds. `answer` is None where that is 0, and where the question was
    refused; `refused` then says why.
    """

    place: Place
    labels: tuple[str, ...]
    answer: Answer | Band | None
    likely: Bounds = (Fraction(1), Fraction(1))
    refused: Problem | None = None

    def worth(self, index: int) -> Bounds | None:
        """Bounds of the chance of a yes-or-no question, or of the mean of another; None where there is no answer."""
        return None if self.answer is None else worth(self.answer, index)


class Grid(Struct, eq=False):
    """All points, the last axis varying fastest. Each has the same questions."""

    axes: tuple[Axis, ...]
    points: tuple[Point, ...]

    @property
    def asks(self) -> list[Ask]:
        """The questions; an empty list if no point has an answer."""
        return next((point.answer.asks for point in self.points if point.answer is not None), [])

    @property
    def refused(self) -> list[Problem]:
        """Why points were refused: each reason once, with its first point and the number of others."""
        alike: dict[tuple[str, str], list[Problem]] = {}
        for why in (point.refused for point in self.points if point.refused is not None):
            alike.setdefault((why.code, why.message), []).append(why)
        return [_and_more(first, len(others)) for first, *others in alike.values()]

    def at(self, *place: int) -> Point:
        return next(p for p in self.points if p.place == place)

    def lines(self) -> Iterator[tuple[Place, list[Point]]]:
        """For each combination of values of the other axes, the points along the first axis."""
        rest = dict.fromkeys(p.place[1:] for p in self.points)
        return ((place, [p for p in self.points if p.place[1:] == place]) for place in rest)


class Reach(Struct, eq=False):
    """The first point along the first axis at which a chance is reached: `surely` by its lower bound, `perhaps` by its
    upper bound; None where it is not reached. `place`: the indices on the other axes.
    """

    place: Place
    surely: Point | None
    perhaps: Point | None


def answer_alternatives(
    rules: RuleSet,
    root: Mapping,
    problems: Problems,
    asks: Asks | None = None,
    *,
    limit: int = 200_000,
    progress: Progress | None = None,
) -> Grid | None:
    """Answer a situation's questions, and `asks`, at each of its points. A question of the kind `given` is a condition.

    A point that the engine refuses says why in `Point.refused`. Returns None and adds problems where something is
    written wrong, or every point is refused. `limit`: worlds for each point.
    """
    several = spread(root, problems, rules.rows)
    return None if several is None else answer_spread(rules, several, problems, asks, limit=limit, progress=progress)


def answer_spread(
    rules: RuleSet,
    several: Spread,
    problems: Problems,
    asks: Asks | None = None,
    *,
    limit: int = 200_000,
    progress: Progress | None = None,
    whole: bool = False,
) -> Grid | None:
    """The same for a situation that is expanded already. `whole`: return None at the first refused point."""
    points: list[Point] = []
    for place, case in prepare_points(rules, several, problems, asks):
        if case is None:
            return None
        if progress is not None:
            case.progress, progress.done, progress.of = progress, len(points), len(several.places)
        answer = answer_case(case, limit=limit)
        if answer is None:
            told = [tell_point(problem, several.said(place)) for problem in case.problems]
            why = next(problem for problem in told if problem.severity == "error")
            points.append(Point(place, several.labels(place), None, NEVER, why))
            if whole or not several.axes:
                problems.extend(told)
                return None
            continue
        found = apply_condition(answer)
        points.append(Point(place, several.labels(place), *(found or (None, NEVER))))
    made = Grid(several.axes, tuple(points))
    if points and all(point.refused is not None for point in points):
        problems.extend(made.refused)
        return None
    return made


def prepare_points(
    rules: RuleSet, several: Spread, problems: Problems, asks: Asks | None = None
) -> Iterator[tuple[Place, Case | None]]:
    """The place and the case of each point, or None for the case after adding its problems. Points share Programs."""
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


def tell_point(problem: Problem, said: str) -> Problem:
    """The problem with the values of its point (`said`) in its label."""
    if not said:
        return problem
    return replace(problem, label=f"with {said}" + (f": {problem.label}" if problem.label else ""))


def apply_condition(answer: Answer | Band) -> tuple[Answer | Band, Bounds] | None:
    """The answer restricted to the histories in which its condition holds, and the chance of that; None if that is 0.

    Without a condition the answer itself, and 1.
    """
    index = next((i for i, ask in enumerate(answer.asks) if ask.kind == "given"), None)
    if index is None:
        return answer, (Fraction(1), Fraction(1))
    return answer.where(index)


def find_reach(found: Grid, index: int, share: Fraction) -> list[Reach]:
    """For each combination of values of the other axes, the first point along the first axis with a chance (or mean) of
    question `index` of at least `share`.
    """

    def first(line: list[Point], end: int) -> Point | None:
        worths = ((point, point.worth(index)) for point in line)
        return next((point for point, bounds in worths if bounds is not None and bounds[end] >= share), None)

    return [Reach(place, first(line, 0), first(line, 1)) for place, line in found.lines()]
