"""Monte Carlo estimates: many plays of a case instead of all histories, with 95 % confidence intervals.

Enters: a case, the number of plays, a seed. Leaves: `Plays`. Used only on request: odds are never sampled. The dice of
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
from interpreter.source import Problems
from interpreter.source.values import Struct
from interpreter.vocabulary.types import NOT_RUN

from .answers import sort_key
from .cases import Case
from .grids import Asks, Spread, prepare_points, tell_point
from .histories import decider
from .progress import Progress
from .rule_sets import RuleSet
from .run_setup import run_guarded, set_up

DEVIATIONS = 1.959963984540054  # standard deviations of a normal distribution that contain 95 %


class Estimate(Struct):
    """An estimate with its 95 % confidence interval."""

    found: float
    least: float
    greatest: float


class Plays(Struct, eq=False):
    """The count of each value, by question, in the plays in which the condition held."""

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

    def mean(self, index: int) -> Estimate:
        """The mean of the numbers, in plays where their line ran, with an interval from the standard error."""
        found = {v: many for v, many in self.counts[index].items() if v is not NOT_RUN}
        n = sum(found.values())
        mean = sum(float(v) * many for v, many in found.items()) / n
        spread = sum((float(v) - mean) ** 2 * many for v, many in found.items())
        error = DEVIATIONS * sqrt(spread / (n - 1) / n) if n > 1 else float("inf")
        return Estimate(mean, mean - error, mean + error)


def over(
    rules: RuleSet,
    several: Spread,
    problems: Problems,
    asks: Asks | None,
    plays: int,
    seed: int | str = 1,
    progress: Progress | None = None,
) -> list[Plays | None] | None:
    """The plays of each alternative of a situation, with the same seed; None for one where the condition never
    held. None overall with problems.
    """
    found: list[Plays | None] = []
    for place, case in prepare_points(rules, several, problems, asks):
        if case is None:
            return None
        if progress is not None:
            progress.part, progress.done, progress.of = "situations", len(found), len(several.places)
        found.append(sample(case, plays, seed))
        if found[-1] is None and case.problems.has_errors:
            problems.extend(tell_point(problem, several.said(place)) for problem in case.problems)
            return None
    return found


def is_number(found: Plays, index: int) -> bool:
    """Whether a question has a mean over the plays in which it ran."""
    came = {*found.counts[index]}
    return found.asks[index].type.name in ("number", "inches", "target") and None not in came and came != {NOT_RUN}


def wilson(many: int, n: int) -> Estimate:
    """The estimate of a chance by Wilson's interval, which is valid for small and zero counts too."""
    share, z = many / n, DEVIATIONS**2 / n
    middle = (share + z / 2) / (1 + z)
    wide = sqrt(z * share * (1 - share) + z * z / 4) / (1 + z)
    return Estimate(share, max(0.0, min(share, middle - wide)), min(1.0, max(share, middle + wide)))


def sample(case: Case, plays: int, seed: int | str = 1) -> Plays | None:
    """The plays of a case, each with dice of its own; None with problems, or if the condition never held."""
    ready = set_up(case, False)
    if ready is None:
        return None
    situation, start, progress = case.situation, ready.start, case.progress
    words = Words(case.rules.book, start.names)
    play = Play(ready.program, start.keys, start.state, SeededDice(seed), decider(ready, words, None))
    wants = frozenset(ask.address for ask in situation.asks)
    given = [ready.places[ask.address] for ask in situation.asks if ask.kind in ("known", "given")]
    asks = [ask for ask in situation.asks if ask.kind not in ("known", "given")]
    places = [ready.places[ask.address] for ask in asks]
    found: dict[tuple[Any, ...], int] = {}
    progress.part, progress.of = "plays", plays

    def every() -> bool:
        for number in range(plays):
            play.again(list(start.state), SeededDice(f"{seed}/{number}"))
            results = play.run(situation.procedure, ready.args, wants)
            if all(results[place] for place in given):
                key = tuple([results[place] for place in places])
                found[key] = found.get(key, 0) + 1
            progress.done = number
        return True

    held = sum(found.values()) if run_guarded(case, every) else 0
    if not held:
        return None
    counts: list[dict[Any, int]] = [{} for _ in asks]
    for key, many in found.items():
        for each, one in zip(counts, key, strict=True):
            each[one] = each.get(one, 0) + many
    return Plays(tuple(asks), words, seed, plays, held, tuple(counts))
