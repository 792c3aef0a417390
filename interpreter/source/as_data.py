"""Values that hold one another, in any circles, written as plain data, and made again of it.

Enters: a value and the classes of its objects. Leaves: lists of whole numbers and texts, fit for JSON; or the value.
All objects of a class stand together, field by field, so that they are made and filled in by a few calls a class. What
was one object is one object again. Nothing is run but what makes tuples, sets, dicts and fractions. Knows nothing of
what is in the values.

Everything has a number: first the plain values, then the objects class by class, then what can be filled in later
(lists, sets, dicts), then what must be made whole (tuples, fractions), each after those that it holds. The column of a
field is a number for each object, or one for all.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import repeat
from typing import Any

from interpreter.source.values import names

Data = list[Any]
Classes = Iterable[type[Any]]
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


def written(root: Any, classes: Classes) -> Data:
    """TypeError where something in it is of no class that was given, and of none that is known here."""
    forms: dict[type[Any], str] = {each: each.__name__ for each in (list, set, dict, tuple, frozenset, Fraction)}
    forms |= {cls: title(cls) for cls in classes if issubclass(cls, tuple)}
    plain: dict[tuple[type[Any], Any], int] = {}
    objects: dict[type[Any], list[Any]] = {cls: [] for cls in classes if cls not in forms}
    filled: list[Any] = []
    whole: list[Any] = []
    seen: set[int] = set()
    left = [root]
    while left:
        value = left.pop()
        kind = type(value)
        if kind in _PLAIN:
            plain.setdefault((kind, value), len(plain))
        elif id(value) not in seen:
            seen.add(id(value))
            if kind in forms:
                (filled if forms[kind] in _FILLED else whole).append(value)
                left += _inside(value)
            elif kind in objects:
                objects[kind].append(value)
                left += [getattr(value, name) for name in names(kind)]
            else:
                raise TypeError(f"{kind.__qualname__} has no form as data")
    numbers: dict[int, int] = {}
    for each in (*(one for group in objects.values() for one in group), *filled, *_in_turn(whole)):
        numbers[id(each)] = len(plain) + len(numbers)

    def of(value: Any) -> int:
        return plain[type(value), value] if type(value) in _PLAIN else numbers[id(value)]

    def column(found: list[int]) -> int | list[int]:
        return found[0] if len(set(found)) == 1 else found

    return [
        [value for _, value in plain],
        [
            [title(cls), len(group), [column([of(getattr(each, name)) for each in group]) for name in names(cls)]]
            for cls, group in objects.items()
        ],
        [[forms[type(each)], *map(of, _inside(each))] for each in filled],
        [[forms[type(each)], *map(of, _inside(each))] for each in sorted(whole, key=of)],
        of(root),
    ]


def read(data: Data, classes: Classes) -> Any:
    """The value that was written so. Any error of Python's where it is no such data."""
    plain, objects, filled, whole, root = data
    known = {title(cls): cls for cls in classes}
    makers = _WHOLE | {name: _row(cls) for name, cls in known.items() if issubclass(cls, tuple)}
    found: list[Any] = [*plain]
    at = found.__getitem__
    columns: list[tuple[list[Any], str, int | list[int]]] = []
    for name, many, its in objects:
        made = list(map(object.__new__, repeat(known[name], many)))
        found += made
        columns += zip(repeat(made), names(known[name]), its)
    empty = [{"list": list, "set": set, "dict": dict}[form]() for form, *_ in filled]
    found += empty
    for form, *parts in whole:
        found.append(makers[form](map(at, parts)))
    for made, name, column in columns:
        values = repeat(at(column)) if isinstance(column, int) else map(at, column)
        deque(map(setattr, made, repeat(name), values), 0)
    for one, (form, *parts) in zip(empty, filled, strict=True):
        _FILLED[form](one, list(map(at, parts)))
    return at(root)


def title(of: type[Any]) -> str:
    """What a class is called in data."""
    return f"{of.__module__}.{of.__qualname__}"


def _row(of: type[Any]) -> Callable[[Any], Any]:
    return lambda parts: of(*parts)


def _inside(value: Any) -> list[Any]:
    if isinstance(value, Fraction):
        return [value.numerator, value.denominator]
    if isinstance(value, dict):
        return [part for pair in value.items() for part in pair]
    return list(value)


def _in_turn(whole: list[Any]) -> list[Any]:
    """Each after those of them that it holds itself; circles there are none, for they were made so."""
    ours = {id(each): each for each in whole}
    found: dict[int, Any] = {}
    left = [(each, False) for each in whole]
    while left:
        value, done = left.pop()
        if done:
            found[id(value)] = value
        elif id(value) not in found:
            left.append((value, True))
            left += [(each, False) for each in _inside(value) if id(each) in ours]
    return list(found.values())
