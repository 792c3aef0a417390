"""Functions that generated code calls: bags of figures, ranges, faces that pass, weights of worlds.

All take and return encoded values. A bag is a sorted tuple of (figure, count) with count > 0, so that equal bags are
equal tuples and equal worlds merge. A figure is a tuple (holder, kind, attributes…). A front is `{world: weight}`, with
integer weights over one common denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import lcm as lcm
from operator import itemgetter as itemgetter
from typing import Any

from interpreter.vocabulary.functions import Bag as Bag
from interpreter.vocabulary.functions import Figure as Figure
from interpreter.vocabulary.functions import Refused as Refused
from interpreter.vocabulary.functions import first_figure

# Limits against untrusted rules, far beyond any real game; both engines refuse to exceed them.
MOST_DICE = 2_000  # dice thrown at once
MOST_WAYS = 200_000  # answers to one question
MOST_THINGS = 1_000  # things in play
MOST_WEIGHT = 1_000_000  # expression nodes of one value, counted again for each use


def bag(groups: Iterable[tuple[Figure, int]]) -> Bag:
    """Return the canonical bag of some groups: equal ones summed, empty ones dropped, sorted."""
    counts: dict[Figure, int] = {}
    for figure, n in groups:
        counts[figure] = counts.get(figure, 0) + n
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def ordered(groups: list[tuple[Figure, int]]) -> Bag:
    """Return groups sorted by their figures' attributes; None sorts first."""
    try:
        return tuple(sorted(groups))
    except TypeError:
        return tuple(sorted(groups, key=lambda group: figure_order(group[0])))


def figure_order(figure: Figure) -> list[tuple[bool, Any]]:
    """Return a sort key for figures: None is less than every number."""
    return [(value is not None, value) for value in figure]


def size(b: Bag) -> int:
    """Return the number of figures in a bag."""
    if len(b) == 1:  # often; the sum takes three times as long
        return b[0][1]
    return sum([n for _, n in b])


def join(a: Bag, b: Bag) -> Bag:
    """Return the multiset sum of two bags."""
    return bag((*a, *b)) if a and b else a or b


def larger(a: Bag, b: Bag) -> Bag:
    """Return the union of two bags in which equal figures overlap as much as possible."""
    if not a or not b:
        return a or b
    counts = dict(a)
    for figure, n in b:
        counts[figure] = max(n, counts.get(figure, 0))
    return ordered(list(counts.items()))


def united(a: Bag, b: Bag, stocks: tuple[Bag, ...], state: Sequence[Any], held: int, gone: int) -> Bag:
    """Return the union of two bags with the smallest possible overlap.

    There cannot be more of a figure than exist, nor than any of `stocks` has, of which both bags are subsets. Figures
    out of play, if they are only counted, are taken to be distinct.
    """
    if not a or not b:
        return a or b
    counts = dict(a)
    for figure, n in b:
        mine = counts.get(figure)
        if mine is None:
            counts[figure] = n
            continue
        there = number_there(figure, state, held, gone)
        most = [dict(stock).get(figure, 0) for stock in stocks]
        most += [there] if there else []
        counts[figure] = max(mine, n, min([mine + n, *most]))
    return ordered(list(counts.items()))


def number_there(figure: Figure, state: Sequence[Any], held: int, gone: int) -> int:
    """Return the number of figures equal to this one, in play and, if `gone` is a cell, out of play."""
    there: int = dict(state[figure[0] + held]).get(figure, 0)
    return there + (dict(state[figure[0] + gone]).get(figure, 0) if gone >= 0 else 0)


def without(a: Bag, b: Bag) -> Bag:
    """Return the multiset difference of two bags."""
    counts = dict(a)
    for figure, n in b:
        if figure in counts:
            counts[figure] -= n
    return ordered([(f, n) for f, n in counts.items() if n > 0])


def only_figure(figure: Figure | None) -> Bag:
    """Return the bag of one figure; empty for None."""
    return () if figure is None else ((figure, 1),)


def only_one(value: int) -> tuple[int, ...]:
    """Return the tuple of one row or thing; empty for an absent one (-1)."""
    return () if value < 0 else (value,)


@lru_cache(4096)
def with_one(rows: tuple[int, ...], row: int) -> tuple[int, ...]:
    """Return the sorted rows or things, with one more."""
    return rows if row < 0 or row in rows else tuple(sorted((*rows, row)))


def holders(b: Bag) -> tuple[int, ...]:
    """Return the holders of the figures, sorted."""
    return tuple(sorted({f[0] for f, _ in b}))


def figures_of(record: tuple[Any, ...] | None, path: tuple[int, ...], one: bool) -> Bag:
    """Return the figures in a line of a record; empty if the line did not run or is not kept."""
    value: Any = record
    for place in path:
        value = None if value is None else value[place]
    return only_figure(value) if one else value or ()


def only_lines(record: tuple[Any, ...] | None, kept: tuple[bool, ...]) -> tuple[Any, ...] | None:
    """Return a record with the lines that are not kept set to None."""
    return None if record is None else tuple([x if keep else None for x, keep in zip(record, kept, strict=True)])


def with_part(record: tuple[Any, ...] | None, path: tuple[int, ...], figures: Bag, one: bool) -> Any:
    """Return a record with the figures of one line replaced."""
    if record is None or record[path[0]] is None:
        return record
    here = record[path[0]]
    if len(path) > 1:
        here = with_part(here, path[1:], figures, one)
    else:
        here = first_figure(figures) if one else figures
    return put(record, path[0], here)


def with_parts(record: tuple[Any, ...] | None, parts: tuple[tuple[tuple[int, ...], Bag], ...]) -> Any:
    """Return a record with the figures of several lines replaced, each given by its path."""
    for path, figures in parts:
        record = with_part(record, path, figures, False)
    return record


def without_one(b: Bag) -> Bag:
    """Return a bag with one figure of its first group less."""
    (figure, n), *rest = b
    return ((figure, n - 1), *rest) if n > 1 else tuple(rest)


def without_alike(b: Bag, figure: Any) -> tuple[Bag, int]:
    """A bag from which `figure` was taken, without the figures equal to it; and their number, including that one."""
    return (b[1:], b[0][1] + 1) if b and b[0][0] == figure else (b, 1)


def extremes(ranked: list[tuple[Any, Any]], most: bool, nothing: Any) -> tuple[Any, ...]:
    """Return the items with the highest (or lowest) value, in order; items without a value are skipped."""
    held = [value for _, value in ranked if value != nothing]
    if not held:
        return ()
    top = max(held) if most else min(held)
    return tuple([item for item, value in ranked if value == top])


def portion(portions: tuple[tuple[Any, Any], ...], whose: Any) -> Any:
    """Return the portion that was dealt to a receiver; the first portion if the receiver has changed since."""
    return next((part for who, part in portions if who == whose), portions[0][1])


def other_portions(portions: tuple[tuple[Any, Any], ...], whose: Any) -> tuple[tuple[Any, Any], ...]:
    """Return the portions without that of a receiver, which `portion` returns."""
    place = next((i for i, (who, _) in enumerate(portions) if who == whose), 0)
    return portions[:place] + portions[place + 1 :]


NO_ROLL = (1, 0, 1, True, False, False)  # a roll of an absent subject, for which no die is thrown


def grown(value: Any, by: Any) -> Any:
    """Return a sum in which None counts as 0; None plus 0 stays None."""
    return value + by if value is not None else by or None


def kept_within(value: Any, low: Any, high: Any) -> Any:
    """Return a number clamped to its bounds, if it has any; None stays None."""
    return value if value is None or low is None or high is None else min(high, max(low, value))


def put(figure: Figure, place: int, value: Any) -> Figure:
    """Return the figure with one attribute set."""
    return figure[:place] + (value,) + figure[place + 1 :]


def roomy(things: tuple[int, ...]) -> tuple[int, ...]:
    """Return the things in play including a new one. Raises `Refused` (E009) if there are too many."""
    if len(things) > MOST_THINGS:
        raise Refused("E009", None, most=f"{MOST_THINGS:,}")
    return things


def with_made(before: tuple[Any, ...], state: Sequence[Any]) -> tuple[Any, ...]:
    """Return the snapshot of a `together` block with the things created since, as they are now."""
    return (*before, *state[len(before) :])


def at(S: list[Any], thing: int, place: int, nothing: Any) -> Any:
    """Return a cell of a thing; `nothing` if the thing is absent."""
    return S[thing + place] if thing >= 0 else nothing


def of(parts: tuple[Any, ...] | None, place: int, nothing: Any) -> Any:
    """Return a member of a tuple; `nothing` if the tuple is None."""
    return nothing if parts is None else parts[place]


def asked(f: Callable[..., Any], args: tuple[Any, ...], unsure: tuple[int, ...], nothing: Any) -> Any:
    """Return `f(*args)`; `nothing` if one of the arguments at the indices `unsure` is absent (None or -1)."""
    for i in unsure:
        if args[i] is None or args[i] == -1:
            return nothing
    return f(*args)


def known(a: Any, op: str, b: Any) -> bool:
    """Return the result of a comparison; False if either operand is missing."""
    if a is None or b is None:
        return False
    return bool(_COMPARE[op](a, b))


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    ">=": lambda a, b: a >= b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}


def row_moved(row: int, by: Any, top: int) -> int:
    """Return the row `by` rows further on, clamped to the table; an absent row stays absent."""
    return -1 if row < 0 else int(min(top, max(0, row + by)))


Listed = Iterable[tuple[Any, int]]  # the values of a list, each with its count


def given_of(listed: Listed, nothing: Any) -> list[tuple[Any, int]]:
    """Return a list without missing values."""
    return [(value, n) for value, n in listed if n and value is not None and value != nothing]


def in_list(value: Any, listed: Listed, nothing: Any) -> bool:
    """Return whether a list contains a value."""
    return any(value == one for one, _ in given_of(listed, nothing))


def listed(several: Listed) -> tuple[tuple[Any, int], ...]:
    """Return a canonical list: equal values merged, sorted."""
    counts: dict[Any, int] = {}
    for value, n in several:
        counts[value] = counts.get(value, 0) + n
    return tuple(sorted([one for one in counts.items() if one[1]], key=lambda one: (one[0] is not None, one)))


def one_by_one(listed: Listed, nothing: Any) -> tuple[Any, ...]:
    """Return the values of a list in order, repeated by their count."""
    return tuple(sorted([value for value, n in given_of(listed, nothing) for _ in range(n)]))


def dice_part(cell: tuple[int, int, int] | None, part: int) -> int:
    """Return the count, sides or addition of a cell such as `2d6+1`; no dice if the cell is empty."""
    return (0, 1, 0)[part] if cell is None else cell[part]


def band_at(near: tuple[Any, ...], many: tuple[Any, ...], row: int, at: Any) -> int:
    """Return the number of a row at a distance: see `band`. `near` has the bands by row, `many` the numbers."""
    return band(near[row], many[row], at)


def every(answers: list[bool]) -> bool:
    """Return whether all of some answers hold, and there is at least one."""
    return bool(answers) and all(answers)


def band(limits: Any, numbers: Any, at: Any) -> int:
    """Return the number at a distance, by distance bands or one range."""
    if limits is None or numbers is None:
        return 0
    if not isinstance(limits, tuple):
        return int(numbers) if at <= limits else 0
    if not isinstance(numbers, tuple):
        numbers = (numbers,) * len(limits)
    for limit, number in zip(limits, numbers, strict=True):
        if at <= limit:
            return int(number)
    return 0


@lru_cache(4096)
def succeeding(sides: int, over: bool, always: int | None, never: int | None, need: Any, change: Any) -> int:
    """Return the faces that pass, as a bit mask (face f is bit f); none if there is no target."""
    if need is None:
        return 0
    bits = 0
    for face in range(1, sides + 1):
        total = face + change
        passes = total >= need if over else total <= need
        if face == always:
            passes = True
        elif face == never:
            passes = False
        bits |= passes << face
    return bits


def without_faces(faces: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Return the faces without `others`, each removed once."""
    left = list(faces)
    for face in others:
        if face in left:
            left.remove(face)
    return tuple(left)


def met(faces: tuple[int, ...], roll: tuple[Any, ...]) -> int:
    """Return the number of thrown faces that pass a roll."""
    mask = roll[1]
    return sum([mask >> f & 1 for f in faces])


def further(roll: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the roll of the dice thrown besides one already thrown, for best or worst of several."""
    sides, mask, dice, best, _, thrown = roll
    return sides, mask, max(1, dice - 1), best, False, thrown and dice > 1


def undecided(roll: tuple[Any, ...], passed: int, dice: int) -> int:
    """Return the number of dice already thrown for which a further die matters: those that failed for best, those that
    passed for worst.
    """
    if roll[2] <= 1 or not roll[5]:
        return 0
    return dice - passed if roll[3] else passed


def with_further(roll: tuple[Any, ...], passed: int, more: int) -> int:
    """Return the number that pass after the further dice."""
    if roll[2] <= 1 or not roll[5]:
        return passed
    return passed + more if roll[3] else more


def once_more(roll: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the roll for dice thrown again, which are not thrown a third time."""
    sides, mask, dice, best, _, thrown = roll
    return sides, mask, max(1, dice), best, False, thrown


def kept(place: list[Any], value: Any) -> Any:
    """Append a value to a list, and return it."""
    place.append(value)
    return value


def covered(number: Any, ranges: tuple[tuple[int | None, int | None], ...], line: Any) -> bool:
    """True. Raises `Refused` (K001) for a number that none of these closed intervals holds; None has no limit."""
    if number is None:
        return True
    if any((low is None or low <= number) and (high is None or number <= high) for low, high in ranges):
        return True
    raise Refused("K001", line, missing=str(number))


def whole_numbers(ranges: Sequence[Sequence[int | None]]) -> range:
    """The whole numbers that these closed intervals hold, from the least end that is a number up to the first gap."""
    ends = [[x for x in both if x is not None] for both in ranges]
    first = after = min(min(few) for few in ends)
    for few in sorted(ends):
        if few[0] <= after:
            after = max(after, few[-1] + 1)
    return range(first, after)


def scale(front: dict[Any, int], by: int) -> None:
    """Multiply all weights of a front, in place."""
    for world in front:
        front[world] *= by


def with_most(front: dict[Any, int], of: Callable[[Any], int]) -> tuple[dict[Any, int], dict[Any, int]]:
    """Return the worlds of a front for which `of` is greatest, and the other worlds."""
    rounds = list(map(of, front))
    most = max(rounds)
    if most == min(rounds):
        return front, {}
    now: dict[Any, int] = {}
    later: dict[Any, int] = {}
    for (world, weight), left in zip(front.items(), rounds, strict=True):
        (now if left == most else later)[world] = weight
    return now, later


def level(den: int, *fronts: Any) -> int:
    """Scale fronts to a common denominator and return it. `fronts` alternates fronts and their denominators."""
    both = den
    for front, other in zip(fronts[::2], fronts[1::2], strict=True):
        if front and other != both:
            both = lcm(both, other)
    for front, other in zip(fronts[::2], fronts[1::2], strict=True):
        if front and other != both:
            scale(front, both // other)
    return both


def merge(front: dict[Any, int], den: int, more: dict[Any, int] | None, other: int) -> int:
    """Add worlds to a front in place; return its new denominator."""
    if not more:
        return den
    both = lcm(den, other) if front else other
    if front and both != den:
        scale(front, both // den)
    by = both // other
    for world, weight in more.items():
        front[world] = front.get(world, 0) + weight * by
    return both
