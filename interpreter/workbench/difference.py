"""What a house rule changes: the text of the rules, and the odds of all that is typical, shared out among its patches.

Enters: the names of a base and of what is laid over it. Leaves: a `Difference`. Must not know how it is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

from interpreter.places import rule_file
from interpreter.rulebook.definitions import header
from interpreter.source import Problem, Problems
from interpreter.source.values import Struct

from .patches import Change, Patch, Patches, changes_of, laid_over
from .pricing import Key, Law, Measure, Prices, Shift, measure, prices
from .progress import Progress
from .rule_sets import RuleSet
from .rules import open_rules
from .stacks import parts_of
from .trees import read_tree
from .typical import Point, own_points, points_of, typical_of
from .witness import Sought, sought


class Row(Shift, Struct):
    """`alone` is what it is with one patch only, `without` with all but one, patch by patch; None where it cannot be
    asked so.
    """

    alone: tuple[Law | None, ...]
    without: tuple[Law | None, ...]

    @property
    def measure(self) -> Measure:
        """By which number the difference is told; of patches that undo each other, what one of them does."""
        others = (
            law for law in (self.after, *self.alone, *self.without) if law is not None and _unlike(law, self.before)
        )
        return measure(self.before, next(others, self.after))

    def touched_by(self, patch: int) -> bool:
        return _unlike(self.alone[patch], self.before) or _unlike(self.without[patch], self.after)

    def unsure_of(self, patch: int) -> bool:
        """Whether it cannot be told if a patch does something to it: not asked with that patch alone, or without it."""
        return not self.touched_by(patch) and None in (self.alone[patch], self.without[patch])

    def adds_up(self, worth: Callable[[Law], Fraction | None]) -> bool:
        """Whether what the patches do alone makes up what they do together; so too where one cannot be asked alone."""
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
    """`rows` are the questions that are answered otherwise, what differs most first; `undone` those that some patches
    change and others change back; `asked` how many there are in all. `refused` cannot be asked before, or after, or
    either way: the situation, and why. `unsure` are, patch by patch, the situations of which it cannot be told whether
    that patch does something there. Each situation is changed, unchanged or refused; `new` are those that only the
    house rule can say, with the law of each question. `sought` is, patch by patch, what was looked for where a patch
    does nothing in any of them; without any patch it is one search for all that is new.
    """

    points: tuple[Point, ...]
    asked: int
    patches: tuple[Patch, ...]
    rows: tuple[Row, ...]
    refused: tuple[tuple[Point, Problem], ...]
    undone: tuple[Row, ...] = ()
    unsure: tuple[tuple[str, ...], ...] = ()
    new: tuple[tuple[Point, str, Law], ...] = ()
    sought: tuple[Sought | None, ...] = ()

    def of(self, patch: int) -> list[Row]:
        """The rows to which a patch does something."""
        return [row for row in (*self.rows, *self.undone) if row.touched_by(patch)]

    @property
    def changed(self) -> int:
        """How many situations something changes in."""
        return len({row.point.name for row in self.rows})

    @property
    def unchanged(self) -> int:
        return len(self.points) - self.changed - len(self.refused) - len({point.name for point, *_ in self.new})


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
    return Difference(below, above, tuple(patches.changes), _odds(patches, points, progress))


def _files(rules: RuleSet) -> list[str]:
    return [sheet.root.span.source.name for sheet in rules.sheets]


def _over(base: str, ours: str) -> str:
    """A supplement is laid over the base that was named, whatever else it could lie on."""
    if base == ours:
        return ours
    first = parts_of(ours)[:1]
    path = rule_file(first[0]) if first else None
    root = read_tree(path, Problems()) if path is not None else None
    return f"{base} + {ours}" if root is not None and header(root).over and not _same(base, first[0]) else ours


def _same(one: str, other: str) -> bool:
    return Path(one).stem == Path(other).stem


def _odds(patches: Patches, points: list[Point], progress: Progress | None) -> Odds:
    before = prices(patches.none(), points, progress=progress)
    after = prices(patches.ours, points, progress=progress) if patches.changes else before
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
        tuple(_sought(patches, idle, progress)),
    )


def _sought(patches: Patches, idle: list[bool], progress: Progress | None) -> Iterator[Sought | None]:
    """For each patch that does nothing in any situation, one in which it does; of patches that only name something
    new, one in which that is said.
    """
    if not patches.patches and patches.changes:
        yield sought(patches.base, patches.ours, patches.changes[0].path, progress=progress)
    for index, nothing in enumerate(idle):
        rest = patches.only(i for i in range(len(idle)) if i != index) if nothing and len(idle) > 1 else patches.none()
        about = patches.patches[index].changes[0].path
        yield sought(rest, patches.ours, about, progress=progress) if nothing and rest is not None else None


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
