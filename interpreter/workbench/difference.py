"""Compares a rule set with its base: the changed text, and the changed odds of typical situations, attributed to
patches.

Takes the names of a base and of the files laid over it. Gives a `Difference`. Knows nothing of presentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

from interpreter.places import rule_file
from interpreter.rulebook.definitions import header
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct

from .parallel import HERE, Workers, spread_over
from .patches import Change, Patch, Patches, changes_of, laid_over
from .pricing import Key, Law, Measure, Prices, Shift, measure, prices
from .progress import Progress
from .rule_sets import RuleSet
from .rules import open_rules
from .situation_cache import SituationCache
from .stacks import parts_of
from .trees import read_tree
from .typical import Point, own_points, points_of, typical_of
from .witness import WitnessSearch, find_witness


class Row(Shift, Struct):
    """A question whose odds change. By patch, `alone` are the odds with that patch only, `without` those with all other
    patches; None if it cannot be asked with these.
    """

    alone: tuple[Law | None, ...]
    without: tuple[Law | None, ...]

    @property
    def measure(self) -> Measure:
        """The number that measures the change, or that by one of the patches if they cancel each other."""
        others = (
            law for law in (self.after, *self.alone, *self.without) if law is not None and _unlike(law, self.before)
        )
        return measure(self.before, next(others, self.after))

    def touched_by(self, patch: int) -> bool:
        return _unlike(self.alone[patch], self.before) or _unlike(self.without[patch], self.after)

    def unsure_of(self, patch: int) -> bool:
        """Whether the effect of a patch is unknown, since the question cannot be asked with only or without that
        patch.
        """
        return not self.touched_by(patch) and None in (self.alone[patch], self.without[patch])

    def adds_up(self, worth: Callable[[Law], Fraction | None]) -> bool:
        """Whether the effects of the single patches add up to the whole change; also true if one of them is unknown."""
        before, after, total = worth(self.before), worth(self.after), Fraction(0)
        for law in self.alone:
            one = worth(law) if law is not None else None
            if one is None or before is None or after is None:
                return True
            total += one - before
        return before is None or after is None or total == after - before


def _unlike(one: Law | None, other: Law) -> bool:
    return one is not None and not one.same(other)


class Odds(Struct):
    """Changed odds. `rows`: the questions whose odds change, the largest change first; `undone`: those that some
    patches change and others change back; `asked`: the number of questions. `refused`: situations that cannot be asked
    before or after, with the reason; `unsure`: by patch, the situations in which its effect is unknown; `new`:
    situations that only the house rule can express, with the law of each question. Each situation is changed,
    unchanged, refused or new. `sought`: for each patch without an effect on them, the search for a witness; without
    patches, one search for all new definitions.
    """

    points: tuple[Point, ...]
    asked: int
    patches: tuple[Patch, ...]
    rows: tuple[Row, ...]
    refused: tuple[tuple[Point, Problem], ...]
    undone: tuple[Row, ...] = ()
    unsure: tuple[tuple[str, ...], ...] = ()
    new: tuple[tuple[Point, str, Law], ...] = ()
    sought: tuple[WitnessSearch | None, ...] = ()

    def of(self, patch: int) -> list[Row]:
        """The rows that a patch affects."""
        return [row for row in (*self.rows, *self.undone) if row.touched_by(patch)]

    @property
    def changed(self) -> int:
        """The number of situations in which some answer changes."""
        return len({row.point.name for row in self.rows})

    @property
    def unchanged(self) -> int:
        return len(self.points) - self.changed - len(self.refused) - len({point.name for point, *_ in self.new})


class Difference(Struct):
    """The changes of `ours` to `base`, and of the odds (None if not requested)."""

    base: RuleSet
    ours: RuleSet
    changes: tuple[Change, ...]
    odds: Odds | None


def difference(
    base: str,
    ours: str,
    problems: Problems,
    *,
    odds: bool = True,
    progress: Progress | None = None,
    workers: Workers = HERE,
) -> Difference | None:
    """The changes of `ours`, which extends `base` or is laid over it here. None with problems."""
    below = open_rules(base, problems)
    above = open_rules(_over(base, ours), problems) if below is not None and not problems.has_errors else None
    if below is None or above is None or problems.has_errors:
        return None
    if _files(below) != _files(above) and not laid_over(below, above):
        made_of = " + ".join(dict.fromkeys(s.name for s in above.sheets))
        problems.add("N012", None, one=above.name, base=below.name, why=f"it is made of {made_of}")
        return None
    if not odds:
        return Difference(below, above, tuple(changes_of(below, above)), None)
    patches = Patches(below, above)
    found = Problems()
    points = [*points_of(above, typical_of(above, found), found), *own_points(above)]
    problems.extend(found)
    return Difference(below, above, tuple(patches.changes), _odds(patches, points, progress or Progress(), workers))


def _files(rules: RuleSet) -> list[str]:
    return [sheet.root.span.source.name for sheet in rules.sheets]


def _over(base: str, ours: str) -> str:
    """The stack of a supplement over the given base, even if it could also be laid over another one."""
    if base == ours:
        return ours
    first = parts_of(ours)[:1]
    path = rule_file(first[0]) if first else None
    root = read_tree(path, Problems()) if path is not None else None
    return f"{base} + {ours}" if root is not None and header(root).over and not _same(base, first[0]) else ours


def _same(one: str, other: str) -> bool:
    return Path(one).stem == Path(other).stem


def _odds(patches: Patches, points: list[Point], progress: Progress, workers: Workers) -> Odds:
    base, ours = patches.none(), patches.ours
    before = prices(base, points, progress=progress, workers=workers, kept=SituationCache("laws", base))
    after = before
    if patches.changes:
        after = prices(ours, points, progress=progress, workers=workers, kept=SituationCache("laws", ours))
    many = range(len(patches.patches))

    def priced(chosen: set[int]) -> Prices:
        return _priced(patches, chosen, points, before, progress, workers)

    if len(many) == 1:
        alone, without = [after], [before]
    elif len(many) == 2:  # without one is the other alone
        alone = [priced({i}) for i in many]
        without = alone[::-1]
    else:
        alone = [priced({i}) for i in many]
        without = [priced(set(many) - {i}) for i in many]
    named = {point.name: point for point in points}
    both = [
        Row(named[key[0]], key[1], was, after.laws[key], _of(alone, key), _of(without, key))
        for key, was in before.laws.items()
        if key in after.laws
    ]
    only_ours = before.gone - after.refused.keys()
    refused = {name: why for name, why in {**before.refused, **after.refused}.items() if name not in only_ours}
    rows = [row for row in both if not row.before.same(row.after)]
    undone = [row for row in both if row.before.same(row.after) and any(map(row.touched_by, many))]
    idle = [not any(row.touched_by(i) for row in both) for i in many]
    return Odds(
        tuple(points),
        len(both),
        tuple(patches.patches),
        tuple(sorted(rows, key=lambda row: -row.size)),
        tuple((point, refused[point.name]) for point in points if point.name in refused),
        tuple(undone),
        tuple(tuple(dict.fromkeys(row.point.name for row in both if row.unsure_of(i))) for i in many),
        tuple((named[name], ask, law) for (name, ask), law in after.laws.items() if name in only_ours),
        tuple(_sought(patches, idle, progress, workers)),
    )


def _sought(patches: Patches, idle: list[bool], progress: Progress, workers: Workers) -> list[WitnessSearch | None]:
    """For each patch without an effect, the search for a situation in which it has one. If the changes only add names,
    one search for a situation that uses them.
    """
    many = range(len(idle))
    below: list[tuple[RuleSet, str] | None] = [None for _ in many]
    for i in many:
        if idle[i]:
            rest = patches.only(n for n in many if n != i) if len(idle) > 1 else patches.none()
            below[i] = (rest, patches.patches[i].changes[0].path) if rest is not None else None
    if not patches.patches and patches.changes:
        below = [(patches.base, patches.changes[0].path)]
    asked = tuple(each for each in below if each is not None)
    if workers != HERE:  # without workers, each search counts its own attempts
        progress.more(len(asked), "searches for a difference")
    searched = []
    for found in spread_over(partial(_witness, patches.ours, asked, progress), range(len(asked)), workers):
        searched.append(found)
        progress.done += workers != HERE
    left = iter(searched)
    return [next(left) if each is not None else None for each in below]


def _witness(above: RuleSet, below: Sequence[tuple[RuleSet, str]], progress: Progress, index: int) -> WitnessSearch:
    rules, about = below[index]
    return find_witness(rules, above, about, progress=progress)


def _priced(
    patches: Patches, chosen: set[int], points: list[Point], before: Prices, progress: Progress, workers: Workers
) -> Prices:
    """The odds with some of the patches. Questions that none of them can affect are copied from the base."""
    changed: frozenset[str] | None = frozenset()
    for touched in (patches.patches[i].touches for i in chosen):
        changed = changed | touched if changed is not None and touched is not None else None
    rules = patches.only(chosen)
    if rules is None:
        return Prices()
    return prices(rules, points, before, changed, progress, workers, SituationCache("laws", rules))


def _of(found: list[Prices], key: Key) -> tuple[Law | None, ...]:
    return tuple(each.laws.get(key) for each in found)
