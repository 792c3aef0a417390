"""The effect of a house rule on one situation: every question before and after, and with each of its patches alone.

Takes a checked rule set whose topmost file is the house rule, and situations. Gives rows, also for unchanged questions.
Knows nothing of its callers.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.source import Problem, Problems

from .difference import Row
from .patches import Patches
from .pricing import Prices, prices
from .progress import Progress
from .reading import checked
from .rule_sets import RuleSet
from .typical import Point


def below(rules: RuleSet) -> RuleSet | None:
    """The rules that the topmost file extends or is laid over; None for a single file."""
    sheets = rules.sheets[:-1]
    return checked(sheets, Problems(), odd=False) if sheets else None


def effect(
    patches: Patches, points: Sequence[Point], progress: Progress | None = None
) -> tuple[tuple[Row, ...], tuple[tuple[Point, Problem], ...]]:
    """A row for each question, and the situations that cannot be asked before or after, with the reason."""
    before = prices(patches.none(), points, progress=progress)
    after = prices(patches.ours, points, progress=progress) if patches.changes else before
    alone = [after] if len(patches.patches) == 1 else [_alone(patches, i, points, before) for i in _many(patches)]
    named = {point.name: point for point in points}
    rows = tuple(
        Row(named[key[0]], key[1], was, after.laws[key], tuple(each.laws.get(key) for each in alone), ())
        for key, was in before.laws.items()
        if key in after.laws
    )
    refused = {**before.refused, **after.refused}
    return rows, tuple((point, refused[point.name]) for point in points if point.name in refused)


def _many(patches: Patches) -> range:
    return range(len(patches.patches))


def _alone(patches: Patches, index: int, points: Sequence[Point], before: Prices) -> Prices:
    rules = patches.only({index})
    return prices(rules, points, before, patches.patches[index].touches) if rules is not None else Prices()
