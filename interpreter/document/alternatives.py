"""Several situations in one: `<1 to 12>`, `<6, 12, 24>`, `<slow, quick>` in place of a part of a text.

Enters: the tree of a situation. Leaves: a `Spread`: its axes, and for each of its points the tree that somebody would
have written out, every character at its place in the file. Knows nothing of what the words mean.

`<shooters = 1 to 12>` has a name, and `<shooters>` is the same again wherever it stands; `<all weapons>` is every row
of a table. The brackets stand tight around what is in them. They are looked for where a situation says who is there,
what is stated, done, chosen and ruled; not where questions are asked, for there `<` compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from itertools import product
from math import prod

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from interpreter.source import Fix, Label, Problems, Span, nearest
from interpreter.source.patterns import regex
from interpreter.source.values import Struct

MOST = 2_000  # situations in one

Rows = Callable[[str], Collection[str] | None]  # the rows of a table by its name
Place = tuple[int, ...]  # of a point: by axis, which of its values

_QUESTIONS = frozenset(("rules", "breaks", "dice", "then", "odds", "trace", "error", "about", "cites", "ask"))
_COMPARING = ("do", "choose")  # where a `<` may compare too
BRACKETS = regex(r"<([^\s<>=](?:[^<>]*[^\s<>])?)>")
_OPENED = regex(r"<(?![\s<>=])")
_NAMED = regex(r"([a-z][a-z0-9-]*)\s*([=:])\s*")
_RANGE = regex(r'([+-]?\d+(?:\.\d+)?)("?)\s+to\s+([+-]?\d+(?:\.\d+)?)("?)(?:\s+by\s+(\d+(?:\.\d+)?)"?)?')
_ALL = regex(r"all\s+([a-z][a-z0-9-]*)")
_WORD = regex(r"[a-z][a-z0-9-]*")
_BEFORE = regex(r"([a-z][a-z0-9.-]*)\s*(?:\([^()]*\))?\s*(?:is\s+|=\s*)?$")
_AFTER = regex(r'"?\s*([a-z][a-z0-9-]*)')


class Axis(Struct):
    """What changes from one situation to the next: its name, and what is read there in each."""

    name: str
    values: tuple[str, ...]


class _Bracket(Struct, eq=False):
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
    brackets: tuple[_Bracket, ...]

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
    reading = _Reading(problems, rows)
    before = len(problems)
    for whose, scalar, key in _texts(root):
        if "<" in scalar.text:
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
    for _, scalar, key in _texts(root):
        for found in BRACKETS.finditer(scalar.text) if "<" in scalar.text else ():
            if key not in _COMPARING or _written(found[1]) or _WORD.fullmatch(found[1]):
                return scalar.at(found.start(), found.end())
    return None


def _texts(root: Mapping) -> Iterator[tuple[str, Scalar, str]]:
    """(whose it is, a text, under which key) of everything in which alternatives are looked for."""
    for entry in root:
        key = entry.key.text
        if key in _QUESTIONS or key.startswith(("example ", "typical ")):
            continue
        whose = key.partition(" ")[2]
        for name, scalar in _within(entry.value, "", key == "do"):
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


class _Reading:
    """Brackets as they are read: names may be used before the place where their values stand."""

    def __init__(self, problems: Problems, rows: Rows) -> None:
        self.problems, self.rows = problems, rows
        self.axes: list[Axis] = []
        self.brackets: list[_Bracket] = []
        self.named: dict[str, int] = {}
        self.places: dict[str, Span] = {}
        self.uses: list[tuple[int, Scalar, int, int]] = []

    def note(self, whose: str, scalar: Scalar, key: str) -> None:
        text, compares, done = scalar.text, key in _COMPARING, key == "do"
        end = 0
        for found in BRACKETS.finditer(text):
            self._unclosed(scalar, end, found.start(), compares)
            end = found.end()
            said = found[1]
            named = _NAMED.match(said)
            inner = said[named.end() :] if named else said
            one = not _written(said)
            if one and compares and not _WORD.fullmatch(said):
                continue  # `if hits <2 and misses >1`
            if one:
                self.uses.append((len(self.brackets), scalar, found.start(), found.end()))
                self.brackets.append(_Bracket(scalar, found.start(), found.end(), -1, (), done))
                continue
            if named and named[2] == ":":
                at = found.start() + 1 + named.start(2)
                fix = Fix(scalar.at(found.start() + 1 + named.end(1), at + 1), " =", True, "write `=`")
                hint = f"`<{named[1]} = {inner}>`; a colon means something else to YAML"
                self.problems.add("G006", scalar.at(at, at + 1), hint=hint, fix=fix)
            if named and named[1] in self.named:
                other = Label(self.places[named[1]], "first here")
                span = scalar.at(found.start(), found.end())
                hint = f"`<{named[1]}>` is the same again; other alternatives need another name"
                self.problems.add("G004", span, name=named[1], others=[other], hint=hint)
                continue
            if named:
                self.named[named[1]] = len(self.axes)
                self.places[named[1]] = scalar.at(found.start(), found.end())
            parts = self._parts(scalar, found.end(1) - len(inner), found.end(1))
            self.brackets.append(_Bracket(scalar, found.start(), found.end(), len(self.axes), tuple(parts), done))
            name = named[1] if named else self._called(whose, text[: found.start()], text[found.end() :])
            sign = '"' if text[found.end() : found.end() + 1] == '"' else ""
            self.axes.append(Axis(name, tuple(part.text + sign for part in parts)))
        self._unclosed(scalar, end, len(text), compares)

    def _unclosed(self, scalar: Scalar, start: int, end: int, compares: bool) -> None:
        opened = None if compares else _OPENED.search(scalar.text, start, end)
        if opened is not None:
            at = opened.start()
            hint = "alternatives stand between `<` and `>`, with no blank inside of either: `<6, 12, 24>`"
            if scalar.style == "plain" and scalar.span.source.text[scalar.span.end :].lstrip()[:1] == ",":
                hint = "inside of […] or {…} a comma ends a text: put quotes around it, or give it a line of its own"
            self.problems.add("G001", scalar.at(at, at + 1), hint=hint)

    def _called(self, whose: str, before: str, after: str) -> str:
        """What alternatives without a name are called: by the word before them, else the one behind."""
        word = _BEFORE.search(before) or _AFTER.match(after)
        name = " ".join(part for part in (whose, word[1] if word else "") if part) or "alternatives"
        taken = {axis.name for axis in self.axes} | set(self.named)
        return next(n for n in (name, *(f"{name} {i}" for i in range(2, 1_000))) if n not in taken)

    def _parts(self, scalar: Scalar, start: int, end: int) -> list[Scalar]:
        """The values that stand between two places of a text."""
        found: list[Scalar] = []
        at = start
        for said in scalar.text[start:end].split(","):
            left = at + len(said) - len(said.lstrip())
            right = left + len(said.strip())
            at += len(said) + 1
            span = scalar.at(left, max(right, left))
            ranged, every = _RANGE.fullmatch(said.strip()), _ALL.fullmatch(said.strip())
            if not said.strip():
                comma = at - 1 if at <= end else left - 1
                self.problems.add("G003", scalar.at(comma, comma + 1), why="something is missing beside this comma")
            elif every is not None:
                rows = self.rows(every[1])
                if not rows:
                    hint = "`all` goes with a table of the rules: `umpire show RULES` lists them"
                    place = scalar.at(right - len(every[1]), right)
                    self.problems.add("N001", place, what="table with rows", name=every[1], hint=hint)
                found += [scalar.part(left, right).with_text(0, right - left, row) for row in rows or ()]
            elif ranged is not None:
                found += [scalar.part(left, right).with_text(0, right - left, n) for n in self._range(ranged, span)]
            else:
                found.append(scalar.part(left, right))
        return found

    def _range(self, said: re.Match[str], span: Span) -> list[str]:
        low, high, step = Fraction(said[1]), Fraction(said[3]), Fraction(said[5] or 1)
        if low >= high or not step:
            hint = f"from the least to the greatest: `{said[3]} to {said[1]}`" if low > high else None
            self.problems.add("G003", span, why="there is nothing from the one to the other", hint=hint)
            return []
        count = (high - low) // step + 1
        if count > MOST:
            self.problems.add("G005", span, count=f"{count:,}", most=f"{MOST:,}", hint="take wider steps: `by 10`")
            return []
        sign = '"' if said[2] or said[4] else ""
        return [_number(low + i * step) + sign for i in range(count)]

    def settle(self) -> None:
        """Names used again, now that all are known."""
        for index, scalar, start, end in self.uses:
            name = scalar.text[start + 1 : end - 1]
            axis = self.named.get(name)
            if axis is None:
                close = nearest(name, self.named)
                hint = f"did you mean `<{close[0]}>`?" if close else "several: `<6, 12>`, `<1 to 12>`; one: no brackets"
                self.problems.add("G002", scalar.at(start + 1, end - 1), name=name, hint=hint)
                continue
            part = scalar.part(start, end)
            values = next(s.parts for s in self.brackets if s.axis == axis)
            parts = tuple(part.with_text(0, end - start, value.text) for value in values)
            self.brackets[index] = _Bracket(scalar, start, end, axis, parts, self.brackets[index].done)


def _written(said: str) -> bool:
    """Whether values stand here, rather than the name of some."""
    return bool("," in said or _NAMED.match(said) or _RANGE.fullmatch(said) or _ALL.fullmatch(said))


def _number(found: Fraction) -> str:
    return str(found.numerator) if found.denominator == 1 else str(float(found))
