"""Several situations in one: `<1 to 12>`, `<6, 12, 24>`, `<slow, quick>` in place of a part of a text.

Enters: the tree of a situation. Leaves: a `Spread`: its axes, and for each of its points the tree that somebody would
have written out, every character at its place in the file. Knows nothing of what the words mean.

Brackets (brackets.py) are looked for where a situation says who is there, what is stated, done, chosen and ruled; not
where questions are asked, for there `<` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import product
from math import prod

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from interpreter.source import Problems, Span
from interpreter.source.values import Struct

MOST = 2_000  # situations in one

Rows = Callable[[str], Collection[str] | None]  # the rows of a table by its name
Place = tuple[int, ...]  # of a point: by axis, which of its values

_QUESTIONS = frozenset(("rules", "breaks", "dice", "then", "odds", "trace", "error", "about", "cites", "ask"))


class Axis(Struct):
    """What changes from one situation to the next: its name, and what is read there in each."""

    name: str
    values: tuple[str, ...]


class Bracket(Struct, eq=False):
    """Brackets in a text, and which axis stands there."""

    scalar: Scalar
    start: int
    end: int
    axis: int
    parts: tuple[Scalar, ...]  # one a value
    done: bool  # it is part of what is done


class Spread(Struct, eq=False):
    """A situation and all that its alternatives make of it; without any it is the situation, once."""

    root: Mapping
    axes: tuple[Axis, ...]
    brackets: tuple[Bracket, ...]

    @property
    def places(self) -> list[Place]:
        """Every point, in the order of the page: the last axis changes first."""
        return list(product(*(range(len(axis.values)) for axis in self.axes)))

    def at(self, place: Place) -> Mapping:
        """The situation of one point, as if it were written out."""
        changed: dict[int, Scalar] = {}
        for bracket in reversed(self.brackets):  # from the right, so that what is left of it keeps its place
            text = changed.get(id(bracket.scalar), bracket.scalar)
            changed[id(bracket.scalar)] = text.with_part(bracket.start, bracket.end, bracket.parts[place[bracket.axis]])
        return _rebuilt(self.root, changed) if changed else self.root

    def __iter__(self) -> Iterator[Mapping]:
        return map(self.at, self.places)

    def labels(self, place: Place) -> tuple[str, ...]:
        return tuple(axis.values[i] for axis, i in zip(self.axes, place, strict=True))

    def said(self, place: Place) -> str:
        """What sets a point apart: `shooters 6, distance 12`."""
        return ", ".join(f"{axis.name} {label}" for axis, label in zip(self.axes, self.labels(place), strict=True))

    def told(self) -> Iterator[tuple[str, Mapping]]:
        """Each situation, and what sets it apart."""
        return ((self.said(place), self.at(place)) for place in self.places)

    def place_of(self, axis: int) -> Span:
        """Where the values of an axis stand."""
        bracket = next(s for s in self.brackets if s.axis == axis)
        return bracket.scalar.at(bracket.start, bracket.end)

    def done(self, place: Place) -> Place:
        """The part of a place that says what is done: the same is done at all points where it is the same."""
        return tuple(i for axis, i in enumerate(place) if any(s.done and s.axis == axis for s in self.brackets))


def spread(root: Mapping, problems: Problems, rows: Rows = lambda name: None) -> Spread | None:
    """A situation with its alternatives taken apart; None with problems."""
    opened = list(_opened(root))
    if not opened:
        return Spread(root, (), ())
    from .brackets import Reading  # here, because most situations have none

    reading = Reading(problems, rows)
    before = len(problems)
    for whose, scalar, key in opened:
        reading.note(whose, scalar, key)
    reading.settle()
    if len(problems) > before:
        return None
    count = prod(len(axis.values) for axis in reading.axes)
    if count > MOST:
        last = reading.brackets[-1]
        hint = "take wider steps, such as `<6 to 36 by 6>`, or fewer alternatives"
        problems.add("G005", last.scalar.at(last.start, last.end), count=f"{count:,}", most=f"{MOST:,}", hint=hint)
        return None
    return Spread(root, tuple(reading.axes), tuple(reading.brackets))


def first_of(root: Mapping) -> Span | None:
    """Where the first alternatives stand, for whoever wants one situation only."""
    for _, scalar, key in _opened(root):
        from .brackets import first_in

        first = first_in(scalar, key)
        if first is not None:
            return first
    return None


def _opened(root: Mapping) -> Iterator[tuple[str, Scalar, str]]:
    """(whose it is, a text, under which key) of everything in which alternatives may stand."""
    for entry in root:
        key = entry.key.text
        if key in _QUESTIONS or key.startswith(("example ", "typical ")):
            continue
        whose = key.partition(" ")[2]
        for name, scalar in _within(entry.value, "", key == "do"):
            if "<" in scalar.text:
                yield whose or name, scalar, key


def _within(node: Node, name: str, keys: bool) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield name, node
    elif isinstance(node, Sequence):
        for item in node:
            yield from _within(item, name, keys)
    else:
        for entry in node:
            if keys:  # `shots, repeat 3 times:` is a sentence too
                yield name, entry.key
            yield from _within(entry.value, entry.key.text, keys)


def _rebuilt(node: Mapping, changed: dict[int, Scalar]) -> Mapping:
    def made(one: Node) -> Node:
        if isinstance(one, Scalar):
            return changed.get(id(one), one)
        if isinstance(one, Sequence):
            return Sequence(tuple(made(item) for item in one), one.span)
        return _rebuilt(one, changed)

    entries = (Entry(changed.get(id(e.key), e.key), made(e.value)) for e in node)
    return Mapping(tuple(entries), node.span)
