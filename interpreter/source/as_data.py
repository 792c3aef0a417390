"""Values that hold one another, in any circles, written as plain data, of which from_data.py makes them again.

Enters: a value and the classes of its objects. Leaves: bytes: whole numbers and texts. All objects of a class stand
together, field by field. Fields that are declared as such, and what is held nowhere else, are left for later: they are
a layer of their own. Knows nothing of what is in the values.

A layer is read by itself. In each everything has a number: first the plain values, then the objects class by class,
then what can be filled in later (lists, sets, dicts), then what must be made whole (tuples, fractions), each after
those that it holds. The column of a field is a number for each object, or one for all. Numbers go on from layer to
layer: the core, its rest, and then for each that stands apart anew: itself, its rest.

The bytes: how many layers; how long the titles of the classes are; how long each layer's numbers and its texts are; the
titles; the layers.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from fractions import Fraction

from interpreter.hints import Any
from interpreter.source.from_data import FILLED, FORMS, SAID, Classes, title
from interpreter.source.values import at_once, later, names

Forms = dict[type[Any], str]
Found = dict[int, tuple[Any, list[Any] | None]]  # by id: a value and what it holds; None where it is a plain one
_PLAIN = (type(None), bool, int, str)


def written(root: Any, classes: Classes, apart: Collection[Any] = ()) -> bytes:
    """`apart` are values (no plain ones) that may be read later, each by itself; what several of them hold comes with
    the root.

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
    pages = _Pages(holds)
    numbers = _Numbers()
    under = pages.layer(core, numbers)
    all_under = pages.layer(_without(all_, core), numbers, under, core)
    pages.ends(1, all_under - under, numbers[id(root)])
    for one, found, whole in zip(apart, own, its, strict=True):
        numbers_ = _Numbers(numbers)
        found = _without(found, core)
        under = pages.layer(found, numbers_, all_under)
        pages.layer(_without(_without(whole, all_), found), numbers_, under, found)
        pages.ends(1, 0, numbers_[id(one)])
    return pages.bytes()


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


class _Pages:
    """The layers so far, as numbers and texts."""

    def __init__(self, holds: _Holds) -> None:
        self._holds = holds
        self._layers: list[tuple[list[int], str]] = []
        self._titles: dict[str, int] = {}

    def layer(self, found: Found, numbers: _Numbers, first: int = 0, before: Found | None = None) -> int:
        """One of all that was found, numbered from the first on; with what was left for later of what is known from
        `before`. Leaves the number after them.
        """
        plain: dict[tuple[type[Any], Any], int] = {(type(each), each): number for number, each in enumerate(SAID)}
        objects: dict[type[Any], list[Any]] = {}
        filled: Found = {}
        whole: Found = {}
        said = [value for value, inside in found.values() if inside is None and type(value) in (str, int)]
        for value in sorted(said, key=lambda each: type(each) is int):  # texts first
            plain.setdefault((type(value), value), len(plain))
        for key, (value, inside) in found.items():
            kind = type(value)
            if inside is None:
                numbers[key] = first + plain[kind, value]
            elif kind in self._holds.forms:
                (filled if self._holds.forms[kind] in FILLED else whole)[key] = value, inside
            else:
                objects.setdefault(kind, []).append((key, inside))
        whole = _in_turn(whole)
        keys = (*(key for group in objects.values() for key, _ in group), *filled, *whole)
        numbers |= {key: number for number, key in enumerate(keys, first + len(plain))}

        words = [str(value) for _, value in plain][len(SAID) :]
        texts = sum(kind is str for kind, _ in plain)
        layer = [texts, len(words) - texts, *map(len, words), len(objects)]
        for cls, group in objects.items():
            columns = _columns((inside for _, inside in group), numbers)
            layer += self._title(cls), len(group), len(columns), *columns
        for values, forms in ((filled, FORMS[: len(FILLED)]), (whole, FORMS[len(FILLED) :])):
            layer.append(len(values))
            for value, inside in values.values():
                form = self._holds.forms[type(value)]
                number = forms.index(form) if form in forms else len(forms) + self._title(type(value))
                layer += number, len(inside or ()), *_numbered(inside or (), numbers)
        left: dict[type[Any], list[list[Any]]] = {}
        for value, _ in (before or {}).values():
            if fields := later(type(value)):
                left.setdefault(type(value), []).append([getattr(value, name) for name in fields])
        layer.append(len(left))
        for cls, rows in left.items():
            columns = _columns(rows, numbers)
            layer += self._title(cls), len(columns), *columns
        self._layers.append((layer, "".join(words)))
        return first + len(plain) + len(keys)

    def ends(self, back: int, *numbers: int) -> None:
        """What stands at the end of the layer so far back."""
        self._layers[-1 - back][0].extend(numbers)

    def bytes(self) -> bytes:
        named = "\n".join(self._titles).encode()
        pages = [
            page for layer, text in self._layers for page in (_words(layer), text.encode("utf-8", "surrogatepass"))
        ]
        return b"".join([_words([len(self._layers), len(named), *map(len, pages)]), named, *pages])

    def _title(self, of: type[Any]) -> int:
        return self._titles.setdefault(title(of), len(self._titles))


def _words(numbers: list[int]) -> bytes:
    return array("I", numbers).tobytes()


def _numbered(values: Iterable[Any], numbers: _Numbers) -> list[int]:
    return list(map(numbers.__getitem__, map(id, values)))


def _columns(rows: Iterable[Iterable[Any]], numbers: _Numbers) -> list[int]:
    """0 and the number of all, or 1 and the numbers of each."""
    found: list[int] = []
    for values in zip(*rows, strict=True):
        column = _numbered(values, numbers)
        found += [0, column[0]] if len(set(column)) == 1 else [1, *column]
    return found


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
