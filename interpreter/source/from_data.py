"""Values that as_data.py wrote, made again.

Enters: its bytes, and the classes of the objects in them. Leaves: the value; what stands apart from it, when somebody
asks for that; what was left for later, when somebody touches it. All objects of a class are made and filled in by a
few calls a class. What was one object is one object again. Nothing is run but what makes tuples, sets, dicts and
fractions. Knows nothing of what is in the values.
"""

from __future__ import annotations

from _thread import RLock
from collections import deque
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import accumulate, pairwise, repeat

from interpreter.hints import Any
from interpreter.source.later import wait
from interpreter.source.values import at_once, filler, later, names

Classes = Iterable[type[Any]]
Fields = Callable[[type[Any]], tuple[str, ...]]
SAID = (None, True, False)  # these stand in every layer
FILLED: dict[str, Callable[[Any, list[Any]], None]] = {
    "list": list.extend,
    "set": set.update,
    "dict": lambda made, parts: made.update(zip(parts[::2], parts[1::2], strict=True)),
}
_EMPTY: list[Callable[[], Any]] = [list, set, dict]
WHOLE: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "frozenset": frozenset,
    "Fraction": lambda parts: Fraction(*parts),
}
FORMS = (*FILLED, *WHOLE)
_FILLING, _MAKING = [*FILLED.values()], [*WHOLE.values()]


def read(answer: bytes | memoryview, classes: Classes) -> tuple[Any, list[Callable[[], Any]]]:
    """The value that was written so, and what gives those that stand apart. Any error of Python's where it is no such
    data.
    """
    whole = memoryview(answer)
    many, named = whole[:8].cast("I")
    sizes = whole[8 : 8 + 8 * many].cast("I").tolist()
    begin = 8 + 8 * many + named
    known = {title(cls): cls for cls in classes}
    made_of = [known[each] for each in str(whole[begin - named : begin], "utf-8").split("\n") if each]
    chunks = [whole[a:b] for a, b in pairwise(accumulate(sizes, initial=begin))]
    layers = [*zip(chunks[::2], chunks[1::2], strict=True)]
    data = _Data(made_of, [])
    root = data.read(layers[0], layers[1], core=True)
    return root, [_apart(data, *each) for each in zip(layers[2::2], layers[3::2], strict=True)]


def _apart(data: _Data, layer: Layer, rest: Layer) -> Callable[[], Any]:
    return lambda: data.read(layer, rest)


Layer = tuple[memoryview, memoryview]  # its numbers, its texts


class _Data:
    def __init__(self, classes: list[type[Any]], all_: list[Any]) -> None:
        self.classes = classes
        self.all = all_
        self._one_at_a_time = RLock()
        self._rest: list[Callable[[], None]] = []  # what fills in what was left for later of the core
        self._fillers: dict[Fields, dict[int, Callable[..., None]]] = {at_once: {}, later: {}, names: {}}

    def read(self, layer: Layer, rest: Layer, core: bool = False) -> Any:
        with self._one_at_a_time:  # all of them put what they find behind the same values for a while
            return self._read(layer, rest, core)

    def _read(self, layer: Layer, rest: Layer, core: bool) -> Any:
        """What was written; all that is in it is put behind what was found before. What stands apart is numbered on
        from all that lies under it, as if nothing else did. For what is left for later there is the room alone.
        """
        all_ = self.all
        first = len(all_)
        groups, (room, root), _ = self._made(layer, all_, at_once)
        one = all_[root]
        own = all_[first:]
        all_[first:] = [*own, *repeat(None, room)] if core else ()

        waiting = [True]

        def fill() -> None:
            with self._one_at_a_time:
                for before in () if core else self._rest:
                    before()
                if not waiting:
                    return
                under = [*all_[:first], *own]
                _, _, left = self._made(rest, under, names)
                for of, its in left:
                    _fill(groups[of], self._filler(of, later), its, under)
                if core:
                    all_[:] = under
                waiting.clear()  # at the end: whoever is interrupted begins anew

        if core:
            self._rest.append(fill)
        for of, made in groups.items():
            if later(self.classes[of]):
                wait(made, fill)
        return one

    def _made(
        self, layer: Layer, found: list[Any], fields: Fields
    ) -> tuple[dict[int, list[Any]], list[int], list[tuple[int, list[int]]]]:
        """What was written is put behind what was found before. The objects of each class; the numbers at the end;
        what was left for later of objects there are.
        """
        numbers = layer[0].cast("I").tolist()
        text = str(layer[1], "utf-8", "surrogatepass")
        texts, at = numbers[0], 2 + numbers[0] + numbers[1]
        said = [text[a:b] for a, b in pairwise(accumulate(numbers[2:at], initial=0))]
        found += SAID
        found += said[:texts]
        found += map(int, said[texts:])
        objects, at = _entries(numbers, at, 2)
        fillable, at = _entries(numbers, at, 1)
        whole, at = _entries(numbers, at, 1)
        left, at = _entries(numbers, at, 1)
        groups = {of: list(map(object.__new__, repeat(self.classes[of], many))) for of, many, _ in objects}
        for made in groups.values():
            found += made
        empty = [_EMPTY[form]() for form, _ in fillable]
        found += empty
        of_number = found.__getitem__
        for form, its in whole:
            parts = map(of_number, its)
            found.append(_MAKING[form](parts) if form < len(_MAKING) else self.classes[form - len(_MAKING)](*parts))
        for of, _, its in objects:
            _fill(groups[of], self._filler(of, fields), its, found)
        for one, (form, its) in zip(empty, fillable, strict=True):
            _FILLING[form](one, list(map(of_number, its)))
        return groups, numbers[at:], left

    def _filler(self, of: int, fields: Fields) -> Callable[..., None]:
        known = self._fillers[fields]
        if of not in known:
            known[of] = filler(fields(self.classes[of]))
        return known[of]


def _entries(numbers: list[int], at: int, head: int) -> tuple[list[Any], int]:
    """How many there are, then each: the numbers of its head, how many more, and these. And where they end."""
    many, at = numbers[at], at + 1
    found = []
    for _ in range(many):
        begin = at + head + 1
        end = begin + numbers[begin - 1]
        found.append((*numbers[at : begin - 1], numbers[begin:end]))
        at = end
    return found, at


def _fill(made: list[Any], fill: Callable[..., None], its: list[int], found: list[Any]) -> None:
    """The fields of all objects of a class, from their columns: 0 and the value of all, or 1 and that of each."""
    many = len(made)
    if many == 1:
        fill(made[0], *map(found.__getitem__, its[1::2]))
        return
    columns: list[Iterable[Any]] = []
    at = 0
    while at < len(its):
        if its[at]:
            columns.append(map(found.__getitem__, its[at + 1 : at + 1 + many]))
            at += 1 + many
        else:
            columns.append(repeat(found[its[at + 1]]))
            at += 2
    deque(map(fill, made, *columns), 0)


def title(of: type[Any]) -> str:
    """What a class is called in data."""
    return f"{of.__module__}.{of.__qualname__}"
