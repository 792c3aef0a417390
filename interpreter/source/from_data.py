"""Values that as_data.py wrote, made again.

Enters: its lines, and the classes of the objects in them. Leaves: the value; what stands apart from it, when somebody
asks for that; what was left for later, when somebody touches it. All objects of a class are made and filled in by a
few calls a class. What was one object is one object again. Nothing is run but what makes tuples, sets, dicts and
fractions. Knows nothing of what is in the values.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import repeat

from interpreter.hints import Any
from interpreter.source.values import at_once, filler, later, names, waits

Data = list[Any]
Classes = Iterable[type[Any]]
Fields = Callable[[type[Any]], tuple[str, ...]]
FILLED: dict[str, Callable[[Any, list[Any]], None]] = {
    "list": list.extend,
    "set": set.update,
    "dict": lambda made, parts: made.update(zip(parts[::2], parts[1::2], strict=True)),
}
_EMPTY: dict[str, Callable[[], Any]] = {"list": list, "set": set, "dict": dict}
WHOLE: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "frozenset": frozenset,
    "Fraction": lambda parts: Fraction(*parts),
}


def read(text: str, classes: Classes) -> tuple[Any, list[Callable[[], Any]]]:
    """The value that was written so, and what gives those that stand apart. Any error of Python's where it is no such
    text.
    """
    core, rest, *parts = text.split("\n")
    known = {title(cls): cls for cls in classes}
    all_: list[Any] = []
    root = _read(core, rest, known, all_, core=True)
    return root, [_apart(*each, known, all_) for each in zip(parts[::2], parts[1::2], strict=True)]


def _apart(part: str, rest: str, known: dict[str, type[Any]], all_: list[Any]) -> Callable[[], Any]:
    return lambda: _read(part, rest, known, all_)


def _read(part: str, rest: str, known: dict[str, type[Any]], all_: list[Any], core: bool = False) -> Any:
    """What was written; all that is in it is put behind what was found before. What stands apart is numbered on from
    all that lies under it, as if nothing else did. For what is left for later there is the room alone.
    """
    *data, room, root = json.loads(part)
    first = len(all_)
    groups = _made(data, known, all_, at_once)
    one = all_[root]
    own = all_[first:]
    all_[first:] = [*own, *repeat(None, room)] if core else ()

    def fill() -> None:
        under = [*all_[:first], *own]
        *data, columns = json.loads(rest)
        _made(data, known, under, names)
        for name, its in columns:
            _fill(groups[name], filler(known[name], later(known[name])), its, under.__getitem__)
        if core:
            all_[:] = under

    waits(fill)
    return one


def _made(data: Data, known: dict[str, type[Any]], found: list[Any], fields: Fields) -> dict[str, list[Any]]:
    """What was written is put behind what was found before. The objects of each class."""
    plain, objects, filled, whole = data
    found += plain
    groups = {name: list(map(object.__new__, repeat(known[name], many))) for name, many, _ in objects}
    for made in groups.values():
        found += made
    empty = [_EMPTY[form]() for form, *_ in filled]
    found += empty
    at = found.__getitem__
    for form, *parts in whole:
        found.append(WHOLE[form](map(at, parts)) if form in WHOLE else known[form](*map(at, parts)))
    for name, _, its in objects:
        _fill(groups[name], filler(known[name], fields(known[name])), its, at)
    for one, (form, *parts) in zip(empty, filled, strict=True):
        FILLED[form](one, list(map(at, parts)))
    return groups


def _fill(made: list[Any], fill: Callable[..., None], its: list[int | list[int]], at: Callable[[int], Any]) -> None:
    """The fields of all objects of a class, from their columns."""
    columns = [repeat(at(column)) if isinstance(column, int) else map(at, column) for column in its]
    deque(map(fill, made, *columns), 0)


def title(of: type[Any]) -> str:
    """What a class is called in data."""
    return f"{of.__module__}.{of.__qualname__}"
