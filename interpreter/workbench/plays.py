"""Monte Carlo estimates: many plays of a case instead of all histories, with 95 % confidence intervals.

Takes a case, the number of plays, and a seed. Gives `Plays`. Used only on request: odds are never sampled. The dice of
a play are keyed by the seed and the number of the play, so that the same seed gives the same plays on every machine.
Knows nothing of how estimates are shown.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from interpreter.engines.dice import SeededDice
from interpreter.engines.play import Play
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source import Problem, Problems
from interpreter.source.values import Record, Struct, field, replace
from interpreter.vocabulary.types import NOT_RUN

from .answers import sort_key
from .cases import Case
from .grids import Asks, Spread, prepare_points, with_point_label
from .histories import decider
from .parallel import HERE, Workers, spread_over
from .progress import Progress
from .rule_sets import RuleSet
from .run_setup import run_guarded, set_up

BLOCK = 250  # plays per piece of work
FIRST = 1_000  # plays before the first test of the error
DEVIATIONS = 1.959963984540054  # standard deviations of a normal distribution that contain 95 %


class Estimate(Struct):
    """An estimate with its 95 % confidence interval."""

    found: float
    least: float
    greatest: float

    @property
    def error(self) -> float:
        """The error: half the width of the interval."""
        return (self.greatest - self.least) / 2


class Plays(Struct, eq=False):
    """For each question the count of each value, over the plays in which the condition held."""

    asks: tuple[Ask, ...]
    words: Words
    seed: int | str
    plays: int
    held: int
    counts: tuple[dict[Any, int], ...]

    def of(self, index: int) -> dict[Any, Estimate]:
        return {v: wilson(n, self.held) for v, n in sorted(self.counts[index].items(), key=lambda p: sort_key(p[0]))}

    def chance(self, index: int) -> Estimate:
        return wilson(self.counts[index].get(True, 0), self.held)

    def unrun(self, index: int) -> bool:
        """Whether the line of a question did not run in some of the plays."""
        return NOT_RUN in self.counts[index]

    def runs(self, index: int) -> Estimate:
        return wilson(self.held - self.counts[index].get(NOT_RUN, 0), self.held)

    def estimate(self, index: int) -> Estimate:
        """The chance of a yes-or-no question, the mean of a numeric one, or the chance of the most frequent value of
        another.
        """
        if self.asks[index].type.name == "truth":
            return self.chance(index)
        return self.mean(index) if is_number(self, index) else max(self.of(index).values(), key=lambda e: e.found)

    def mean(self, index: int) -> Estimate:
        """The mean over the plays in which the line ran, with an interval from the standard error."""
        found = {v: many for v, many in self.counts[index].items() if v is not NOT_RUN}
        n = sum(found.values())
        mean = sum(float(v) * many for v, many in found.items()) / n
        spread = sum((float(v) - mean) ** 2 * many for v, many in found.items())
        error = DEVIATIONS * sqrt(spread / (n - 1) / n) if n > 1 else float("inf")
        return Estimate(mean, mean - error, mean + error)


def sample_points(
    rules: RuleSet,
    several: Spread,
    problems: Problems,
    asks: Asks | None,
    plays: int,
    seed: int | str = 1,
    progress: Progress | None = None,
    workers: Workers = HERE,
) -> list[Plays | None] | None:
    """The plays of each alternative of a situation, with the same seed; without alternatives, of the situation itself.
    An item is None if the condition never held. None with problems.
    """
    progress = progress or Progress()
    cases = []
    for _, case in prepare_points(rules, several, problems, asks):
        if case is None:
            return None
        if workers == HERE:
            case.progress = progress
        cases.append(case)
    blocks = [range(first, min(first + BLOCK, plays)) for first in range(0, plays, BLOCK)]
    work = [(place, block) for place in range(len(cases)) for block in blocks]
    progress.part, progress.done, progress.of = "plays", 0, plays * len(cases)
    playing = _Playing(rules, several, asks, seed, cases)
    found: list[Plays | None] = []
    counts: dict[tuple[Any, ...], int] = {}
    for (place, block), (errors, came) in zip(work, spread_over(playing.of, work, workers), strict=True):
        progress.done += len(block) if workers != HERE else 0
        for key, many in came.items():
            counts[key] = counts.get(key, 0) + many
        if errors:
            problems.extend(with_point_label(problem, several.said(several.places[place])) for problem in errors)
            return None
        if block is blocks[-1]:
            found.append(_counted(cases[place], counts, plays, seed))
            counts = {}
    return found


def is_number(found: Plays, index: int) -> bool:
    """Whether a question has a mean over the plays in which its line ran."""
    came = {*found.counts[index]}
    return found.asks[index].type.name in ("number", "inches", "target") and None not in came and came != {NOT_RUN}


def wilson(many: int, n: int) -> Estimate:
    """The estimate of a chance with the Wilson score interval, which is also valid for small and zero counts."""
    share, z = many / n, DEVIATIONS**2 / n
    middle = (share + z / 2) / (1 + z)
    wide = sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return Estimate(share, max(0.0, min(share, middle - wide)), min(1.0, max(share, middle + wide)))


def sample(case: Case, plays: int, seed: int | str = 1, error: float | None = None) -> Plays | None:
    """The plays of a case, each with its own dice; None with problems, or if the condition never held.

    With `error`, stop after `FIRST` plays, twice as many, and so on, as soon as no estimate has a larger error.
    """
    case.progress.part, case.progress.of = "plays", plays
    counts: dict[tuple[Any, ...], int] = {}
    made = 0
    while made < plays:
        until = plays if error is None else min(max(FIRST, 2 * made), plays)
        for key, many in _played(case, range(made, until), seed).items():
            counts[key] = counts.get(key, 0) + many
        made = until
        found = _counted(case, counts, made, seed) if counts else None
        if case.problems.has_errors or (found is not None and error is not None and _is_near(found, error)):
            break
    return found if not case.problems.has_errors else None


def _is_near(found: Plays, error: float) -> bool:
    """Whether the error of every estimate, half the width of its 95 % interval, is at most `error`.

    A number that was the same in all plays has no error yet, since rare other values are still possible.
    """
    return all(0 < found.estimate(i).error <= error for i in range(len(found.asks)))


class _Playing(Record):
    """The inputs for playing the points of a situation. Another process prepares the cases itself, on first use."""

    rules: RuleSet
    several: Spread
    asks: Asks | None
    seed: int | str
    cases: list[Case] = field(default_factory=list)

    def __reduce__(self) -> tuple[object, ...]:
        return _Playing, (self.rules, self.several, self.asks, self.seed)

    def of(self, piece: tuple[int, range]) -> tuple[list[Problem], dict[tuple[Any, ...], int]]:
        """The errors of the plays with these numbers at one point, and the count of each combination of values."""
        place, numbers = piece
        if not self.cases:
            prepared = prepare_points(self.rules, self.several, Problems(), self.asks)
            self.cases += [case for _, case in prepared if case is not None]
        case = replace(self.cases[place], problems=Problems())
        came = _played(case, numbers, self.seed)
        return list(case.problems) if case.problems.has_errors else [], came


def _played(case: Case, numbers: range, seed: int | str) -> dict[tuple[Any, ...], int]:
    """The count of each combination of values, in those of the numbered plays in which the condition held. Empty with
    problems.
    """
    ready = set_up(case, False)
    if ready is None:
        return {}
    situation, start = case.situation, ready.start
    words = Words(case.rules.book, start.names)
    play = Play(ready.program, start.keys, start.names, start.state, SeededDice(seed), decider(ready, words, None))
    wants = frozenset(ask.address for ask in situation.asks)
    given = [ready.places[ask.address] for ask in situation.asks if ask.kind in ("known", "given")]
    places = [ready.places[ask.address] for ask in _shown(case)]
    found: dict[tuple[Any, ...], int] = {}

    def every() -> bool:
        for number in numbers:
            play.again(list(start.state), SeededDice(f"{seed}/{number}"))
            results = play.run(situation.procedure, ready.args, wants)
            if all(results[place] for place in given):
                key = tuple([results[place] for place in places])
                found[key] = found.get(key, 0) + 1
            case.progress.done += 1
        return True

    return found if run_guarded(case, every) else {}


def _shown(case: Case) -> list[Ask]:
    return [ask for ask in case.situation.asks if ask.kind not in ("known", "given")]


def _counted(case: Case, found: dict[tuple[Any, ...], int], plays: int, seed: int | str) -> Plays | None:
    """The plays by question; None if the condition never held."""
    asks = _shown(case)
    counts: list[dict[Any, int]] = [{} for _ in asks]
    for key, many in found.items():
        for each, one in zip(counts, key, strict=True):
            each[one] = each.get(one, 0) + many
    ready = set_up(case, False) if found else None
    if ready is None:
        return None
    words = Words(case.rules.book, ready.start.names)
    return Plays(tuple(asks), words, seed, plays, sum(found.values()), tuple(counts))
