"""Values that hold one another, in any circles, written as plain data, of which from_data.py makes them again.

Enters: a value and the classes of its objects. Leaves: lines of JSON, of whole numbers and texts. All objects of a
class stand together, field by field. Fields that are declared as such, and what is held nowhere else, are left for
later: they stand in a line of their own. Knows nothing of what is in the values.

Everything has a number: first the plain values, then the objects class by class, then what can be filled in later
(lists, sets, dicts), then what must be made whole (tuples, fractions), each after those that it holds. The column of a
field is a number for each object, or one for all.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from interpreter.hints import Any
from interpreter.source.from_data import FILLED, Classes, Data, title
from interpreter.source.values import at_once, later, names

Forms = dict[type[Any], str]
Found = dict[int, tuple[Any, list[Any] | None]]  # by id: a value and what it holds; None where it is a plain one
_PLAIN = (type(None), bool, int, str)


def written(root: Any, classes: Classes, apart: Collection[Any] = ()) -> str:
    """`apart` are values (no plain ones) that may be read later, each by itself; what several of them hold comes with
    the root. Each is two lines: what is read at once, and what is left for later.

    TypeError where something in them is of no class that was given, and of none that is known here.
    """
    holds = _Holds(classes)
    core = _gathered([root], holds.at_once)
    all_ = core | _gathered(holds.later(core), holds.all, core)
    own = [_gathered([each], holds.at_once, core) for each in apart]
    its = [found | _gathered(holds.later(found), holds.all, all_, found) for found in own]
    often = Counter(key for found in its for key in found if key not in all_)
    all_ |= {key: value for found in its for key, value in found.items() if often[key] > 1}
    core |= {key: value for found in own for key, value in found.items() if key in all_}
    numbers = _Numbers()
    data, under = _data(core, holds, numbers)
    rest, all_under = _data(_without(all_, core), holds, numbers, under, core)
    told = [[*data, all_under - under, numbers[id(root)]], rest]
    for one, found, whole in zip(apart, own, its, strict=True):
        numbers_ = _Numbers(numbers)
        found = _without(found, core)
        data, under = _data(found, holds, numbers_, all_under)
        rest, _ = _data(_without(_without(whole, all_), found), holds, numbers_, under, found)
        told += [[*data, 0, numbers_[id(one)]], rest]
    return "\n".join([json.dumps(each, separators=(",", ":")) for each in told])


def _without(found: Found, known: Found) -> Found:
    return {key: value for key, value in found.items() if key not in known}


class _Holds:
    """What a value holds: all, what of it is read at once, or what may be left for later."""

    def __init__(self, classes: Classes) -> None:
        self.forms: Forms = {each: each.__name__ for each in (list, set, dict, tuple, frozenset, Fraction)}
        self.forms |= {cls: title(cls) for cls in classes if issubclass(cls, tuple)}
        self._all = {cls: names(cls) for cls in classes if cls not in self.forms}
        self._at_once = {cls: at_once(cls) for cls in self._all}

    def all(self, value: Any) -> list[Any]:
        return self._inside(value, self._all)

    def at_once(self, value: Any) -> list[Any]:
        return self._inside(value, self._at_once)

    def later(self, found: Found) -> list[Any]:
        """What is left for later of all that was found."""
        return [getattr(value, name) for value, _ in found.values() for name in later(type(value))]

    def _inside(self, value: Any, fields: dict[type[Any], tuple[str, ...]]) -> list[Any]:
        kind = type(value)
        if kind in fields:
            return [getattr(value, name) for name in fields[kind]]
        if kind is dict:
            return [part for pair in value.items() for part in pair]
        if kind is Fraction:
            return [value.numerator, value.denominator]
        if kind in self.forms:
            return [*value]
        raise TypeError(f"{kind.__qualname__} has no form as data")


def _gathered(roots: Iterable[Any], inside: Callable[[Any], list[Any]], *known: Found) -> Found:
    """All that is in some values, however deep, but for what is known."""
    found: Found = {}
    left = [*roots]
    while left:
        value = left.pop()
        if id(value) in found or any(id(value) in each for each in known):
            continue
        its = None if type(value) in _PLAIN else inside(value)
        found[id(value)] = value, its
        left += its or ()
    return found


class _Numbers(dict[int, int]):
    """The numbers of values, by id; of others those under them."""

    def __init__(self, under: dict[int, int] | None = None) -> None:
        self._under = under or {}

    def __missing__(self, key: int) -> int:
        return self._under[key]


def _data(
    found: Found, holds: _Holds, numbers: _Numbers, first: int = 0, before: Found | None = None
) -> tuple[Data, int]:
    """Data of all that was found, numbered from the first on, and the number after them; with it, of what is known
    from before, what was left for later.
    """
    plain: dict[tuple[type[Any], Any], int] = {}
    objects: dict[type[Any], list[Any]] = {}
    filled: Found = {}
    whole: Found = {}
    for key, (value, inside) in found.items():
        kind = type(value)
        if inside is None:
            numbers[key] = first + plain.setdefault((kind, value), len(plain))
        elif kind in holds.forms:
            (filled if holds.forms[kind] in FILLED else whole)[key] = value, inside
        else:
            objects.setdefault(kind, []).append((key, inside))
    whole = _in_turn(whole)
    keys = (*(key for group in objects.values() for key, _ in group), *filled, *whole)
    numbers |= {key: number for number, key in enumerate(keys, first + len(plain))}

    def of(values: Iterable[Any]) -> list[int]:
        return list(map(numbers.__getitem__, map(id, values)))

    def columns(rows: Iterable[Iterable[Any]]) -> list[int | list[int]]:
        each = [of(column) for column in zip(*rows, strict=True)]
        return [column[0] if len(set(column)) == 1 else column for column in each]

    data = [
        [value for _, value in plain],
        [[title(cls), len(group), columns(inside for _, inside in group)] for cls, group in objects.items()],
        [[holds.forms[type(value)], *of(inside or ())] for value, inside in filled.values()],
        [[holds.forms[type(value)], *of(inside or ())] for value, inside in whole.values()],
    ]
    if before is not None:
        left: dict[type[Any], list[list[Any]]] = {}
        for value, _ in before.values():
            if fields := later(type(value)):
                left.setdefault(type(value), []).append([getattr(value, name) for name in fields])
        data.append([[title(cls), columns(rows)] for cls, rows in left.items()])
    return data, first + len(plain) + len(keys)


def _in_turn(whole: Found) -> Found:
    """Each after those of them that it holds itself; circles there are none, for they were made so."""
    found: Found = {}
    left = [(key, False) for key in whole]
    while left:
        key, done = left.pop()
        if done:
            found[key] = whole[key]
        elif key not in found:
            left.append((key, True))
            left += [(id(each), False) for each in whole[key][1] or () if id(each) in whole]
    return found
