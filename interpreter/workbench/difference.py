"""What a house rule changes: the text of the rules, and the odds of all that is typical, shared out among its patches.

Enters: the names of a base and of what is laid over it. Leaves: a `Difference`. Must not know how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from interpreter.places import rule_file
from interpreter.rulebook.definitions import header
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct

from .patches import Change, Patch, Patches, changes_of, laid_over
from .pricing import Key, Law, Measure, Prices, measure, prices
from .progress import Progress
from .rules import RuleSet, open_rules
from .stacks import parts_of, read_tree
from .typical import Point, points_of, typical_of


class Row(Struct):
    """One question of one situation before and after. `alone` is what it is with one patch only, `without` with all but
    one, patch by patch; None where it cannot be asked so.
    """

    point: Point
    ask: str
    before: Law
    after: Law
    size: Fraction
    alone: tuple[Law | None, ...]
    without: tuple[Law | None, ...]

    @property
    def measure(self) -> Measure:
        """By which number the difference is told; of patches that undo each other, what one of them does."""
        others = (law for law in (self.after, *self.alone, *self.without) if law is not None and law != self.before)
        return measure(self.before, next(others, self.after))

    def touched_by(self, patch: int) -> bool:
        return self.alone[patch] not in (None, self.before) or self.without[patch] not in (None, self.after)

    def adds_up(self, worth: Callable[[Law], Fraction | None]) -> bool:
        """Whether what the patches do alone makes up what they do together; so too where one cannot be asked alone."""
        before, after, total = worth(self.before), worth(self.after), Fraction(0)
        for law in self.alone:
            one = worth(law) if law is not None else None
            if one is None or before is None or after is None:
                return True
            total += one - before
        return before is None or after is None or total == after - before


class Odds(Struct):
    """`rows` are the questions that something changes, what differs most first; `asked` how many there are in all.
    `refused` can be asked of one of the two only, or of neither: the situation, and why.
    """

    points: tuple[Point, ...]
    asked: int
    patches: tuple[Patch, ...]
    rows: tuple[Row, ...]
    refused: tuple[tuple[Point, Problem], ...]

    def of(self, patch: int) -> list[Row]:
        """The rows to which a patch does something."""
        return [row for row in self.rows if row.touched_by(patch)]

    @property
    def situations(self) -> int:
        """How many situations something changes in."""
        return len({row.point.name for row in self.rows})


class Difference(Struct):
    base: RuleSet
    ours: RuleSet
    changes: tuple[Change, ...]
    odds: Odds | None


def difference(
    base: str, ours: str, problems: Problems, *, odds: bool = True, progress: Progress | None = None
) -> Difference | None:
    """What is different in `ours`, which is built on `base` or is laid over it here."""
    below = open_rules(base, problems)
    above = open_rules(_over(base, ours), problems) if below is not None and not problems.has_errors else None
    if below is None or above is None or problems.has_errors:
        return None
    if not laid_over(below, above):
        made_of = " + ".join(dict.fromkeys(s.name for s in above.sheets))
        problems.add("N012", None, one=above.name, base=below.name, why=f"it is made of {made_of}")
        return None
    if not odds:
        return Difference(below, above, tuple(changes_of(below, above)), None)
    patches = Patches(below, above)
    found = Problems()
    points = points_of(above, typical_of(above, found), found)
    problems.extend(found)
    return Difference(below, above, tuple(patches.changes), _odds(patches, points, progress))


def _over(base: str, ours: str) -> str:
    """A supplement is laid over the base that was named, whatever else it could lie on."""
    first = parts_of(ours)[:1]
    path = rule_file(first[0]) if first else None
    root = read_tree(path, Problems()) if path is not None else None
    return f"{base} + {ours}" if root is not None and header(root).over and not _same(base, first[0]) else ours


def _same(one: str, other: str) -> bool:
    return Path(one).stem == Path(other).stem


def _odds(patches: Patches, points: list[Point], progress: Progress | None) -> Odds:
    before = prices(patches.none(), points, progress=progress)
    after = prices(patches.ours, points, progress=progress)
    many = range(len(patches.patches))
    if len(many) == 1:
        alone, without = [after], [before]
    elif len(many) == 2:  # all but the one is the other alone
        alone = [_priced(patches, {i}, points, before, progress) for i in many]
        without = alone[::-1]
    else:
        alone = [_priced(patches, {i}, points, before, progress) for i in many]
        without = [_priced(patches, set(many) - {i}, points, before, progress) for i in many]
    named = {point.name: point for point in points}
    rows = []
    for key, law in after.laws.items():
        if key not in before.laws:
            continue
        was = before.laws[key]
        row = Row(named[key[0]], key[1], was, law, was.far(law), _of(alone, key), _of(without, key))
        if row.size or any(row.touched_by(i) for i in many):
            rows.append(row)
    rows.sort(key=lambda row: -row.size)
    refused = {**before.refused, **after.refused}
    told = tuple((named[name], why) for name, why in refused.items())
    return Odds(tuple(points), len(before.laws.keys() & after.laws.keys()), tuple(patches.patches), tuple(rows), told)


def _priced(
    patches: Patches, chosen: set[int], points: list[Point], before: Prices, progress: Progress | None
) -> Prices:
    """The odds with some patches. What none of them can reach is as it was before."""
    changed: frozenset[str] | None = frozenset()
    for touched in (patches.patches[i].touches for i in chosen):
        changed = changed | touched if changed is not None and touched is not None else None
    rules = patches.only(chosen)
    return prices(rules, points, before, changed, progress) if rules is not None else Prices()


def _of(found: list[Prices], key: Key) -> tuple[Law | None, ...]:
    return tuple(each.laws.get(key) for each in found)
