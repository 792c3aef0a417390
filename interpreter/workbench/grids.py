"""Answers a situation with alternatives (`<1 to 9>`) at each of its points.

Takes a rule set and the tree of a situation. Gives a `Grid`: its axes, and the answer at every point. The Program is
compiled once for all points at which the same is done. Knows nothing of tables or pictures.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.document.alternatives import Axis as Axis
from interpreter.document.alternatives import Place
from interpreter.document.alternatives import Spread as Spread
from interpreter.document.alternatives import spread as spread
from interpreter.document.nodes import Mapping
from interpreter.program import Program
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source import Problem, Problems
from interpreter.source.values import Record, Struct, field, replace

from .answers import Answer, Known
from .bands import NEVER, Band, Bounds, answer_case
from .cases import Case, prepare
from .parallel import HERE, Workers, spread_over
from .progress import Progress
from .rule_sets import RuleSet
from .summary_statistics import worth
from .texts import Asks as Asks

SHARE = 16  # points that are answered together


class Point(Struct, eq=False):
    """One of the situations: its index on each axis (`place`), the labels of these values, and its answer.

    With a condition, `likely` is the chance that it holds. `answer` is None if that is 0 or the question was refused;
    `refused` is then the reason of the refusal.
    """

    place: Place
    labels: tuple[str, ...]
    answer: Answer | Band | None
    likely: Bounds = (Fraction(1), Fraction(1))
    refused: Problem | None = None

    def worth(self, index: int) -> Bounds | None:
        """Bounds of the chance of a yes-or-no question, or of the mean of another; None without an answer."""
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
        """The reasons for refused points: each once, with its first point and the number of the others."""
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
    upper bound; None if it is not reached. `place`: the indices on the other axes.
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

    `Point.refused` has the reason if the engine refuses a point. Returns None and adds problems if the situation has
    mistakes or every point is refused. `limit`: worlds for each point.
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
    workers: Workers = HERE,
) -> Grid | None:
    """As `answer_alternatives`, of an expanded situation. `whole`: return None at the first refused point."""
    points: list[Point] = []
    progress = progress or Progress()
    progress.done, progress.of = 0, len(several.places)
    afar = _answered_afar(rules, several, asks, limit, workers) if workers != HERE else None
    for place, case in prepare_points(rules, several, problems, asks):
        if case is None:
            return None
        case.progress = progress
        answer = _answer(case, next(afar) if afar is not None else None, limit)
        progress.done += 1
        if answer is None:
            problems_here = [with_point_label(problem, several.said(place)) for problem in case.problems]
            why = next(problem for problem in problems_here if problem.severity == "error")
            points.append(Point(place, several.labels(place), None, NEVER, why))
            if whole or not several.axes:
                problems.extend(problems_here)
                return None
            continue
        found = apply_condition(answer)
        points.append(Point(place, several.labels(place), *(found or (None, NEVER))))
    made = Grid(several.axes, tuple(points))
    if points and all(point.refused is not None for point in points):
        problems.extend(made.refused)
        return None
    return made


# The result of another process for a point: an answer without its words, or problems; None with open choices.
_Afar = tuple[int, list[tuple[tuple[Any, ...], int]], dict[int, str], int, tuple[Known, ...]] | list[Problem] | None


def _answer(case: Case, afar: _Afar, limit: int) -> Answer | Band | None:
    """The answer at a point, completed from the result of another process if there is one."""
    if afar is None:
        return answer_case(case, limit=limit)
    if isinstance(afar, list):
        case.problems.extend(afar)
        return None
    total, joint, names, worlds, known = afar
    asks = [ask for ask in case.asks if ask.kind != "known"]
    return Answer(asks, total, joint, Words(case.rules.book, names), worlds, known)


def _answered_afar(rules: RuleSet, several: Spread, asks: Asks | None, limit: int, workers: Workers) -> Iterator[_Afar]:
    """The results of other processes for each point, in order."""
    places = range(len(several.places))
    parts = [places[i : i + SHARE] for i in places[::SHARE]]
    for found in spread_over(_Answering(rules, several, asks, limit).of, parts, workers):
        yield from found


class _Answering(Record):
    """The inputs for answering the points of a situation. Each process prepares the cases that it needs."""

    rules: RuleSet
    several: Spread
    asks: Asks | None
    limit: int
    programs: dict[object, Program] = field(default_factory=dict)  # made so far in this process

    def of(self, part: range) -> list[_Afar]:
        found: list[_Afar] = []
        for _, case in prepare_points(self.rules, self.several, Problems(), self.asks, part, self.programs):
            answer = answer_case(case, limit=self.limit) if case is not None else None
            if isinstance(answer, Answer):
                found.append((answer.total, answer.joint, answer.words.names, answer.worlds, answer.known))
            else:
                found.append(None if answer is not None or case is None else list(case.problems))
        return found


def prepare_points(
    rules: RuleSet,
    several: Spread,
    problems: Problems,
    asks: Asks | None = None,
    only: range | None = None,
    programs: dict[object, Program] | None = None,
) -> Iterator[tuple[Place, Case | None]]:
    """Yield the place and the case of each point, or None for the case after adding its problems. Points share
    Programs; specialized ones only `SHARE` consecutive points, so that no answer depends on the points asked earlier in
    the process. `only`: indices of the points to prepare, starting at a multiple of `SHARE`.
    """
    programs = programs if programs is not None else {}
    before: dict[Place, Case] = {}
    places = several.places
    for number in only if only is not None else range(len(places)):
        if number % SHARE == 0:
            before.clear()
        place, mine = places[number], Problems()
        done = several.done(place)
        case = prepare(rules, several.at(place), mine, asks, before.get(done))
        if case is None:
            problems.extend(mine)
        else:
            before.setdefault(done, case)
            case.programs = programs
        yield place, case


def _and_more(problem: Problem, many: int) -> Problem:
    return replace(problem, label=f"{problem.label}; {many} more") if many else problem


def with_point_label(problem: Problem, said: str) -> Problem:
    """The problem with the values of its point (`said`) in its label."""
    if not said:
        return problem
    return replace(problem, label=f"with {said}" + (f": {problem.label}" if problem.label else ""))


def apply_condition(answer: Answer | Band) -> tuple[Answer | Band, Bounds] | None:
    """The answer conditioned on its `given` question, and the chance of that; None if the chance is 0.

    Without a condition, the answer itself and 1.
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
