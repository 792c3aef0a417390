"""Values that hold one another, in any circles, written as plain data, and made again of it.

Enters: a value and the classes of its objects. Leaves: lines of JSON, of whole numbers and texts; or the value. All
objects of a class stand together, field by field, so that they are made and filled in by a few calls a class. What was
one object is one object again. Nothing is run but what makes tuples, sets, dicts and fractions. Knows nothing of what
is in the values.

Everything has a number: first the plain values, then the objects class by class, then what can be filled in later
(lists, sets, dicts), then what must be made whole (tuples, fractions), each after those that it holds. The column of a
field is a number for each object, or one for all.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from itertools import repeat

from interpreter.hints import Any
from interpreter.source.values import names

Data = list[Any]
Classes = Iterable[type[Any]]
Forms = dict[type[Any], str]
_PLAIN = (type(None), bool, int, str)
_FILLED: dict[str, Callable[[Any, list[Any]], None]] = {
    "list": list.extend,
    "set": set.update,
    "dict": lambda made, parts: made.update(zip(parts[::2], parts[1::2], strict=True)),
}
_WHOLE: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "frozenset": frozenset,
    "Fraction": lambda parts: Fraction(*parts),
}


def written(root: Any, classes: Classes, apart: Collection[Any] = ()) -> str:
    """`apart` are values (no plain ones) that may be read later, each by itself; what several of them hold comes with
    the root.

    TypeError where something in them is of no class that was given, and of none that is known here.
    """
    forms: dict[type[Any], str] = {each: each.__name__ for each in (list, set, dict, tuple, frozenset, Fraction)}
    forms |= {cls: title(cls) for cls in classes if issubclass(cls, tuple)}
    fields = {cls: names(cls) for cls in classes if cls not in forms}
    core = _gathered(root, forms, fields, {})
    own = [_gathered(each, forms, fields, core) for each in apart]
    often = Counter(key for found in own for key in found)
    for found in own:
        core |= {key: found.pop(key) for key in [*found] if often[key] > 1}
    numbers = _Numbers()
    data = _data(root, core, forms, numbers)
    under = len(data[0]) + sum(parts is not None for _, parts in core.values())
    told = [_text(_data(each, f, forms, _Numbers(numbers), under)) for each, f in zip(apart, own, strict=True)]
    return "\n".join([_text(data), *told])


def read(text: str, classes: Classes) -> tuple[Any, list[Callable[[], Any]]]:
    """The value that was written so, and what gives those that stand apart. Any error of Python's where it is no such
    text.
    """
    core, *parts = text.split("\n")
    known = {title(cls): cls for cls in classes}
    all_: list[Any] = []
    root = _made(json.loads(core), known, all_)

    def later(part: str) -> Callable[[], Any]:
        return lambda: _apart(json.loads(part), known, all_)

    return root, [later(part) for part in parts]


def _apart(data: Data, known: dict[str, type[Any]], all_: list[Any]) -> Any:
    """What stands apart is numbered on from all that lies under it, as if nothing else did."""
    many = len(all_)
    try:
        return _made(data, known, all_)
    finally:
        del all_[many:]


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


Found = dict[int, tuple[Any, list[Any] | None]]  # by id: a value and what it holds; None where it is a plain one


def _gathered(root: Any, forms: Forms, fields: dict[type[Any], tuple[str, ...]], known: Found) -> Found:
    """All that is in a value, however deep, but for what is known."""
    found: Found = {}
    left = [root]
    while left:
        value = left.pop()
        if id(value) in found or id(value) in known:
            continue
        kind = type(value)
        if kind in _PLAIN:
            found[id(value)] = value, None
            continue
        if kind in fields:
            inside = [getattr(value, name) for name in fields[kind]]
        elif kind is dict:
            inside = [part for pair in value.items() for part in pair]
        elif kind is Fraction:
            inside = [value.numerator, value.denominator]
        elif kind in forms:
            inside = [*value]
        else:
            raise TypeError(f"{kind.__qualname__} has no form as data")
        found[id(value)] = value, inside
        left += inside
    return found


class _Numbers(dict[int, int]):
    """The numbers of values, by id; of others those under them."""

    def __init__(self, under: dict[int, int] | None = None) -> None:
        self._under = under or {}

    def __missing__(self, key: int) -> int:
        return self._under[key]


def _data(root: Any, found: Found, forms: Forms, numbers: _Numbers, first: int = 0) -> Data:
    """Data of all that was found, numbered from the first on."""
    plain: dict[tuple[type[Any], Any], int] = {}
    objects: dict[type[Any], list[Any]] = {}
    filled: Found = {}
    whole: Found = {}
    for key, (value, inside) in found.items():
        kind = type(value)
        if inside is None:
            numbers[key] = first + plain.setdefault((kind, value), len(plain))
        elif kind in forms:
            (filled if forms[kind] in _FILLED else whole)[key] = value, inside
        else:
            objects.setdefault(kind, []).append((key, inside))
    whole = _in_turn(whole)
    keys = (*(key for group in objects.values() for key, _ in group), *filled, *whole)
    numbers |= {key: number for number, key in enumerate(keys, first + len(plain))}

    def of(values: Iterable[Any]) -> list[int]:
        return list(map(numbers.__getitem__, map(id, values)))

    def column(values: Iterable[Any]) -> int | list[int]:
        each = of(values)
        return each[0] if len(set(each)) == 1 else each

    return [
        [value for _, value in plain],
        [
            [title(cls), len(group), [*map(column, zip(*(inside for _, inside in group), strict=True))]]
            for cls, group in objects.items()
        ],
        [[forms[type(value)], *of(inside or ())] for value, inside in filled.values()],
        [[forms[type(value)], *of(inside or ())] for value, inside in whole.values()],
        numbers[id(root)],
    ]


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


def _made(data: Data, known: dict[str, type[Any]], found: list[Any]) -> Any:
    """What was written; all that is in it is put behind what was found before."""
    plain, objects, filled, whole, root = data
    found += plain
    at = found.__getitem__
    columns: list[tuple[list[Any], str, int | list[int]]] = []
    for name, many, its in objects:
        made = list(map(object.__new__, repeat(known[name], many)))
        found += made
        columns += zip(repeat(made), names(known[name]), its)
    empty = [{"list": list, "set": set, "dict": dict}[form]() for form, *_ in filled]
    found += empty
    for form, *parts in whole:
        found.append(_WHOLE[form](map(at, parts)) if form in _WHOLE else known[form](*map(at, parts)))
    for made, name, column in columns:
        values = repeat(at(column)) if isinstance(column, int) else map(at, column)
        deque(map(setattr, made, repeat(name), values), 0)
    for one, (form, *parts) in zip(empty, filled, strict=True):
        _FILLED[form](one, list(map(at, parts)))
    return at(root)


def title(of: type[Any]) -> str:
    """What a class is called in data."""
    return f"{of.__module__}.{of.__qualname__}"
