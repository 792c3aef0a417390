"""Values that hold one another, in any circles, written as plain data, and made again of it.

Enters: a value and the classes of its objects. Leaves: JSON of whole numbers and texts; or the value. All objects of a
class stand together, field by field, so that they are made and filled in by a few calls a class. What was one object is
one object again. Nothing is run but what makes tuples, sets, dicts and fractions. Knows nothing of what is in the
values.

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


def written(root: Any, classes: Classes, apart: Collection[Any] = ()) -> str:
    """`apart` are values (no plain ones) that may be read later, each by itself; what several of them hold comes with
    the root.

    TypeError where something in them is of no class that was given, and of none that is known here.
    """
    core = _Writer(classes)
    core.gather(root)
    own = []
    for each in apart:
        own.append(_Writer(classes, core))
        own[-1].gather(each)
    for value in _shared([writer.seen for writer in own]):
        core.gather(value)
    data = core.data(root)
    parts = []
    for each in apart:
        writer = _Writer(classes, core)
        writer.gather(each)
        parts.append(_text(writer.data(each)))
    return _text([data, parts])


def read(text: str, classes: Classes) -> tuple[Any, list[Callable[[], Any]]]:
    """The value that was written so, and what gives those that stand apart. Any error of Python's where it is no such
    text.
    """
    data, parts = json.loads(text)
    known = {title(cls): cls for cls in classes}
    all_ = _made(data, known, [])

    def later(part: str) -> Callable[[], Any]:
        return lambda: _made(json.loads(part), known, all_).pop()

    return all_.pop(), [later(part) for part in parts]


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


class _Writer:
    """Data of a value: what of it is not `under` it already."""

    def __init__(self, classes: Classes, under: _Writer | None = None) -> None:
        self._classes, self._under = classes, under
        self._forms: dict[type[Any], str] = {
            each: each.__name__ for each in (list, set, dict, tuple, frozenset, Fraction)
        }
        self._forms |= {cls: title(cls) for cls in classes if issubclass(cls, tuple)}
        self._plain: dict[tuple[type[Any], Any], int] = {}
        self._objects: dict[type[Any], list[Any]] = {cls: [] for cls in classes if cls not in self._forms}
        self._filled: list[Any] = []
        self._whole: list[Any] = []
        self._numbers: dict[int, int] = {}
        self.seen: dict[int, Any] = {}

    def gather(self, root: Any) -> None:
        """All that is in a value, however deep."""
        known = self._under.seen if self._under is not None else {}
        left = [root]
        while left:
            value = left.pop()
            kind = type(value)
            if kind in _PLAIN:
                self._plain.setdefault((kind, value), len(self._plain))
            elif id(value) not in self.seen and id(value) not in known:
                self.seen[id(value)] = value
                if kind in self._forms:
                    (self._filled if self._forms[kind] in _FILLED else self._whole).append(value)
                    left += _inside(value)
                elif kind in self._objects:
                    self._objects[kind].append(value)
                    left += [getattr(value, name) for name in names(kind)]
                else:
                    raise TypeError(f"{kind.__qualname__} has no form as data")

    def data(self, root: Any) -> Data:
        self._whole = _in_turn(self._whole)
        objects = [each for group in self._objects.values() for each in group]
        first = len(self._plain) + (self._under.size if self._under is not None else 0)
        for number, each in enumerate((*objects, *self._filled, *self._whole), first):
            self._numbers[id(each)] = number
        return [
            [value for _, value in self._plain],
            [
                [title(cls), len(group), [self._column(group, name) for name in names(cls)]]
                for cls, group in self._objects.items()
                if group
            ],
            [[self._forms[type(each)], *map(self._of, _inside(each))] for each in self._filled],
            [[self._forms[type(each)], *map(self._of, _inside(each))] for each in self._whole],
            self._of(root),
        ]

    @property
    def size(self) -> int:
        return len(self._plain) + len(self.seen)

    def _of(self, value: Any) -> int:
        if type(value) in _PLAIN:
            return self._plain[type(value), value] + (self._under.size if self._under is not None else 0)
        known = self._under is not None and id(value) in self._under._numbers
        return (self._under if known and self._under is not None else self)._numbers[id(value)]

    def _column(self, group: list[Any], name: str) -> int | list[int]:
        found = [self._of(getattr(each, name)) for each in group]
        return found[0] if len(set(found)) == 1 else found


def _shared(several: list[dict[int, Any]]) -> list[Any]:
    """What is in more than one."""
    often = Counter(key for seen in several for key in seen)
    return [value for seen in several for key, value in seen.items() if often[key] > 1]


def _made(data: Data, known: dict[str, type[Any]], under: list[Any]) -> list[Any]:
    """All that is in data, behind what lies under it; at the end once more what was written."""
    plain, objects, filled, whole, root = data
    found: list[Any] = [*under, *plain]
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
    found.append(at(root))
    return found


def title(of: type[Any]) -> str:
    """What a class is called in data."""
    return f"{of.__module__}.{of.__qualname__}"


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
