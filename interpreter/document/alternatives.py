"""Several situations in one: `<1 to 12>`, `<6, 12, 24>`, `<slow, quick>` in place of a part of a text.

Takes the tree of a situation; returns a `Spread`: its axes, and for each of its points the tree of a single situation
in which every character keeps its position in the file. This module does not know what the words mean.

`<shooters = 1 to 12>` has a name, and `<shooters>` repeats its values elsewhere; `<all weapons>` stands for every row
of a table. No blanks stand directly inside the brackets. Brackets are recognized in things, facts, actions, choices and
rulings, but not in questions, where `<` compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from fractions import Fraction
from itertools import product
from math import prod

from interpreter.document.nodes import Entry, Mapping, Node, Scalar, Sequence
from interpreter.source import Fix, Label, Problems, Span, nearest, suggest
from interpreter.source.digits import format_exact
from interpreter.source.values import Struct

MOST = 2_000  # the most situations in one file

Rows = Callable[[str], Collection[str] | None]  # the rows of a table by its name
Place = tuple[int, ...]  # the coordinates of a point: for each axis, an index into its values
Given = dict[str, tuple[Scalar, tuple[Scalar, ...]]]  # by name: where the name is defined, and its values

_COMPARING = ("do", "choose")  # keys under which a `<` may compare too
# Patterns as strings, compiled on first use: most situations have no brackets.
BRACKETS = r"<([^\s<>=](?:[^<>]*[^\s<>])?)>"
_OPENED = r"<(?![\s<>=])"
_NAMED = r"([a-z][a-z0-9-]*)\s*([=:])\s*"
_RANGE = r'([+-]?\d+(?:\.\d+)?)("?)\s+to\s+([+-]?\d+(?:\.\d+)?)("?)(?:\s+by\s+(\d+(?:\.\d+)?)"?)?'
_ALL = r"all\s+([a-z][a-z0-9-]*)"
_WORD = r"[a-z][a-z0-9-]*"
_BEFORE = r"([a-z][a-z0-9.-]*)\s*(?:\([^()]*\))?\s*(?:is\s+|=\s*)?$"
_AFTER = r'"?\s*([a-z][a-z0-9-]*)'

_QUESTIONS = frozenset(("rules", "breaks", "dice", "then", "given", "odds", "trace", "error", "about", "cites", "ask"))


class Axis(Struct):
    """A dimension in which the situations differ: its name and its texts."""

    name: str
    values: tuple[str, ...]


class Bracket(Struct, eq=False):
    """One pair of brackets in a text, and the index of its axis."""

    scalar: Scalar
    start: int
    end: int
    axis: int
    parts: tuple[Scalar, ...]  # one for each value of the axis
    done: bool  # whether the brackets are under `do:`


class Spread(Struct, eq=False):
    """A situation with its alternatives separated. Without alternatives it has a single point, the situation itself."""

    root: Mapping
    axes: tuple[Axis, ...]
    brackets: tuple[Bracket, ...]

    @property
    def places(self) -> list[Place]:
        """All points; the last axis changes fastest."""
        return list(product(*(range(len(axis.values)) for axis in self.axes)))

    def at(self, place: Place) -> Mapping:
        """Return the tree of one point, with the values in place of the brackets."""
        changed: dict[int, Scalar] = {}
        for bracket in reversed(self.brackets):  # from the right, so that offsets further left stay valid
            text = changed.get(id(bracket.scalar), bracket.scalar)
            changed[id(bracket.scalar)] = text.with_part(bracket.start, bracket.end, bracket.parts[place[bracket.axis]])
        return _rebuilt(self.root, changed) if changed else self.root

    def __iter__(self) -> Iterator[Mapping]:
        return map(self.at, self.places)

    def labels(self, place: Place) -> tuple[str, ...]:
        return tuple(axis.values[i] for axis, i in zip(self.axes, place, strict=True))

    def said(self, place: Place) -> str:
        """Return the values of a point as text: `shooters 6, distance 12`."""
        return ", ".join(f"{axis.name} {label}" for axis, label in zip(self.axes, self.labels(place), strict=True))

    def told(self) -> Iterator[tuple[str, Mapping]]:
        """Yield the values of each point as text, with its situation."""
        return ((self.said(place), self.at(place)) for place in self.places)

    def place_of(self, axis: int) -> Span:
        """Return the place where the values of an axis are written."""
        bracket = next(s for s in self.brackets if s.axis == axis)
        return bracket.scalar.at(bracket.start, bracket.end)

    def done(self, place: Place) -> Place:
        """Return the coordinates of a point that affect `do:`; points that share them share a Program."""
        return tuple(i for axis, i in enumerate(place) if axis in self.doing)

    @property
    def doing(self) -> frozenset[int]:
        """The axes that affect `do:`."""
        return frozenset(bracket.axis for bracket in self.brackets if bracket.done)


def spread(
    root: Mapping, problems: Problems, rows: Rows = lambda name: None, given: Given | None = None, most: int = MOST
) -> Spread | None:
    """Separate the alternatives of a situation. Return None, with problems added, if they cannot be parsed.

    `rows` maps the name of a table to its rows, for `<all NAME>`. `given` are values defined elsewhere by name; those
    that the situation mentions come first among its axes. `most` is the largest number of situations.
    """
    candidates = list(_candidates(root))
    if not candidates:
        return Spread(root, (), ())
    reading = _BracketReader(problems, rows)
    reading.take_over(given or {}, " ".join(scalar.text for _, scalar, _ in candidates))
    before = len(problems)
    for whose, scalar, key in candidates:
        reading.read_text(whose, scalar, key)
    reading.resolve_names()
    if len(problems) > before:
        return None
    count = prod(len(axis.values) for axis in reading.axes)
    if count > most:
        last = reading.brackets[-1]
        hint = "take wider steps, such as `<6 to 36 by 6>`, or fewer alternatives"
        problems.add("G005", last.scalar.at(last.start, last.end), count=f"{count:,}", most=f"{most:,}", hint=hint)
        return None
    return Spread(root, tuple(reading.axes), tuple(reading.brackets))


def values_in(scalar: Scalar, problems: Problems, rows: Rows = lambda name: None) -> list[Scalar]:
    """Parse the values that a text lists as brackets do: `6, 12`, `1 to 12`, `all weapons`."""
    return _BracketReader(problems, rows).parse_values(scalar, 0, len(scalar.text))


def first_alternatives(root: Mapping) -> Span | None:
    """Return the place of the first alternatives, for commands that take a single situation; None if there are none."""
    for _, scalar, key in _candidates(root):
        for found in re.finditer(BRACKETS, scalar.text):
            if key not in _COMPARING or _holds_values(found[1]) or re.fullmatch(_WORD, found[1]):
                return scalar.at(found.start(), found.end())
    return None


def _candidates(root: Mapping) -> Iterator[tuple[str, Scalar, str]]:
    """Yield every text that may contain alternatives, as (name of the thing, text, key of the situation)."""
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


# ---- the contents of brackets
class _BracketReader:
    """Parses brackets; a name may be used before it is defined."""

    def __init__(self, problems: Problems, rows: Rows) -> None:
        self.problems, self.rows = problems, rows
        self.axes: list[Axis] = []
        self.values: list[tuple[Scalar, ...]] = []  # by axis, without an inch sign that follows the brackets
        self.brackets: list[Bracket] = []
        self.named: dict[str, int] = {}
        self.places: dict[str, Span] = {}
        self.uses: list[tuple[int, Scalar, int, int]] = []

    def take_over(self, given: Given, text: str) -> None:
        """Create an axis for each given name that occurs in the text."""
        for name, (where, values) in given.items():
            if f"<{name}>" in text or re.search(rf"<{name}\s*[=:]", text):
                self.named[name], self.places[name] = len(self.axes), where.span
                self.axes.append(Axis(name, tuple(value.text for value in values)))
                self.values.append(tuple(values))

    def read_text(self, whose: str, scalar: Scalar, key: str) -> None:
        """Parse all brackets of one text under the key `key` of the situation."""
        text, compares, done = scalar.text, key in _COMPARING, key == "do"
        end = 0
        for found in re.finditer(BRACKETS, text):
            self._report_unclosed(scalar, end, found.start(), compares)
            end = found.end()
            contents = found[1]
            named = re.match(_NAMED, contents)
            inner = contents[named.end() :] if named else contents
            one = not _holds_values(contents)
            if one and compares and not re.fullmatch(_WORD, contents):
                continue  # `if hits <2 and misses >1`
            if one:
                self.uses.append((len(self.brackets), scalar, found.start(), found.end()))
                self.brackets.append(Bracket(scalar, found.start(), found.end(), -1, (), done))
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
            parts = self.parse_values(scalar, found.end(1) - len(inner), found.end(1))
            self.brackets.append(Bracket(scalar, found.start(), found.end(), len(self.axes), tuple(parts), done))
            name = named[1] if named else self._name_axis(whose, text[: found.start()], text[found.end() :])
            sign = '"' if text[found.end() : found.end() + 1] == '"' else ""
            self.values.append(tuple(parts))
            self.axes.append(Axis(name, tuple(part.text + sign for part in parts)))
        self._report_unclosed(scalar, end, len(text), compares)

    def _report_unclosed(self, scalar: Scalar, start: int, end: int, compares: bool) -> None:
        opened = None if compares else re.compile(_OPENED).search(scalar.text, start, end)
        if opened is not None:
            at = opened.start()
            hint = "alternatives stand between `<` and `>`, with no blank inside of either: `<6, 12, 24>`"
            if scalar.style == "plain" and scalar.span.source.text[scalar.span.end :].lstrip()[:1] == ",":
                hint = "inside of […] or {…} a comma ends a text: put quotes around it, or give it a line of its own"
            self.problems.add("G001", scalar.at(at, at + 1), hint=hint)

    def _name_axis(self, whose: str, before: str, after: str) -> str:
        """Choose a name for unnamed alternatives: the word before them, else the word behind."""
        word = re.search(_BEFORE, before) or re.match(_AFTER, after)
        name = " ".join(part for part in (whose, word[1] if word else "") if part) or "alternatives"
        taken = {axis.name for axis in self.axes} | set(self.named)
        return next(n for n in (name, *(f"{name} {i}" for i in range(2, 1_000))) if n not in taken)

    def parse_values(self, scalar: Scalar, start: int, end: int) -> list[Scalar]:
        """Parse the values between two offsets of a text."""
        found: list[Scalar] = []
        at = start
        for item in scalar.text[start:end].split(","):
            left = at + len(item) - len(item.lstrip())
            right = left + len(item.strip())
            at += len(item) + 1
            span = scalar.at(left, max(right, left))
            ranged, every = re.fullmatch(_RANGE, item.strip()), re.fullmatch(_ALL, item.strip())
            if not item.strip():
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
                found += [
                    scalar.part(left, right).with_text(0, right - left, n) for n in self._parse_range(ranged, span)
                ]
            else:
                found.append(scalar.part(left, right))
        return found

    def _parse_range(self, match: re.Match[str], span: Span) -> list[str]:
        low, high, step = Fraction(match[1]), Fraction(match[3]), Fraction(match[5] or 1)
        if low >= high or not step:
            hint = f"from the least to the greatest: `{match[3]} to {match[1]}`" if low > high else None
            self.problems.add("G003", span, why="there is nothing from the one to the other", hint=hint)
            return []
        count = (high - low) // step + 1
        if count > MOST:
            self.problems.add("G005", span, count=f"{count:,}", most=f"{MOST:,}", hint="take wider steps: `by 10`")
            return []
        sign = '"' if match[2] or match[4] else ""
        return [format_exact(low + i * step) + sign for i in range(count)]

    def resolve_names(self) -> None:
        """Resolve names that repeat an axis, after all texts have been read."""
        for index, scalar, start, end in self.uses:
            name = scalar.text[start + 1 : end - 1]
            axis = self.named.get(name)
            if axis is None:
                close, place = nearest(name, self.named), scalar.at(start + 1, end - 1)
                meant = suggest(place, close[:1], "several: `<6, 12>`, `<1 to 12>`; one: no brackets")
                self.problems.add("G002", place, name=name, **meant)
                continue
            part = scalar.part(start, end)
            parts = tuple(part.with_text(0, end - start, value.text) for value in self.values[axis])
            self.brackets[index] = Bracket(scalar, start, end, axis, parts, self.brackets[index].done)


def _holds_values(text: str) -> bool:
    """Return whether the contents of brackets are values, rather than the name of an axis."""
    return bool("," in text or re.match(_NAMED, text) or re.fullmatch(_RANGE, text) or re.fullmatch(_ALL, text))
