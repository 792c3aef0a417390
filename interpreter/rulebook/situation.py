"""What a situation is once read: things with their values, facts, what is done, what is asked and expected.

Values are encoded; a value that names another thing is its name. `tell_unsaid` reports what a situation had to say of
a thing and did not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from interpreter.document.nodes import Entry, Node, Scalar, Sequence
from interpreter.document.nodes import Mapping as Lines
from interpreter.language import nodes as n
from interpreter.source import Problem, Problems, Span
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import Type

from . import typed as t
from .symbols import Attribute, Fact, Kind, Procedure, Tactic, Where


class Shifted(Struct):
    """A scalar's text behind words that are not in the file."""

    text: str
    scalar: Scalar
    shift: int

    def at(self, start: int, end: int) -> Span:
        return self.scalar.at(max(0, start - self.shift), max(0, end - self.shift))

    def written(self, text: str) -> str:
        return self.scalar.written(text)

    @property
    def style(self) -> str:
        return self.scalar.style

    @property
    def span(self) -> Span:
        return self.scalar.span


class Group(Record):
    kind: Kind
    count: int
    values: dict[Attribute, Any]
    where: Where


class Thing(Record):
    """A thing of the situation. Values are encoded; a value that names another thing is its name."""

    name: str
    kind: Kind
    where: Where
    values: dict[Attribute, Any] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    described: bool = True  # False for an owner that was only named


class FactGiven(Struct):
    """A fact of some things (each by its name) and plain values (a number, a row), or an attribute of one thing."""

    symbol: Fact | Attribute
    things: tuple[Any, ...]
    value: Any


class Ask(Record):
    """kind: `then` (must hold), `chance`, `mean`, or `show`. `address` is the line that works it out."""

    kind: str
    text: str
    where: Where
    address: str
    type: Type
    expected: tuple[Fraction, Fraction] | None = None  # the least and the greatest: the same, but for a band
    given: bool = False
    unsure: tuple[str, ...] = ()  # the lines in it that may be not run


class Override(Record):
    """`choose:` for a line: how a choice is made here."""

    address: str
    wishes: tuple[n.Preference, ...]
    scalar: Scalar
    where: Span
    used: bool = False


class Followed(Record):
    """`choose:` for a side, or for everybody: a named policy."""

    whose: str | None
    tactic: Tactic
    where: Span


class Script(Record):
    """`by_line`: faces by what the situation calls a line; `of` which of these each line of the rules answers to, and
    `lines` the name that all runs of such a line have. `all`: faces for any line. `places`: where the faces of each
    are said.
    """

    by_line: dict[str, list[int]] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    all: list[int] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    whole: Span | None = None


class Situation(Record):
    things: list[Thing]
    facts: list[FactGiven]
    procedure: Procedure
    asks: list[Ask]
    choose: list[Override]
    rulings: dict[str, Any]
    script: Script
    has_dice: bool
    trace: list[tuple[str, Where]]
    error: tuple[str, Where] | None
    followed: list[Followed] = field(default_factory=list)
    force: Where | None = None  # where a force is named: its things keep the limits, except those of `breaks`
    breaks: list[tuple[str, Where]] = field(default_factory=list)
    one: Procedure | None = None  # whose lines are said without its name


def listed(node: Node | None) -> list[tuple[str, Where]]:
    """Words of a text or list, with or without commas between them."""
    found = [(s, m) for s in texts(node) for m in re.finditer(r"[^\s,]+", s.text)]
    return [(m.group(), Where(s, *m.span())) for s, m in found]


def texts(node: Node | None) -> list[Scalar]:
    if isinstance(node, Scalar):
        return [node] if node.text else []
    if isinstance(node, Sequence):
        return [s for item in node for s in texts(item)]
    return []


def tell_unsaid(
    root: Lines,
    things: Iterable[Thing],
    facts: Iterable[FactGiven],
    defaults: Mapping[Any, t.Expr | None],
    problems: Problems,
) -> None:
    """A thing of which a word could not be read is left out: that word may have said it."""
    stated = {(f.symbol, f.things[0]) for f in facts}
    described = {thing.name: thing for thing in things if thing.described}
    for entry in root:
        thing = described.get(entry.key.text.split(" ")[-1])
        told = [p for p in problems if _within(p, entry)]
        if thing is None or thing.where.scalar is not entry.key or any(p.code != "F010" for p in told):
            continue
        for attribute in thing.kind.all_attributes():
            said = attribute in thing.values or (attribute, thing.name) in stated
            tried = any(p.span is not None and attribute.name in p.span.text for p in told)
            if not said and not tried and defaults.get(attribute) is None:
                what = f"{attribute.name} of {thing.name}"
                problems.add("F001", thing.where.span, name=what, hint=to_say(attribute))


def _within(problem: Problem, entry: Entry) -> bool:
    span = problem.span
    if span is None:
        return False
    return any(span.source is x.source and x.start <= span.start <= x.end for x in (entry.key.span, entry.value.span))


def to_say(attribute: Attribute) -> str:
    """How a situation says what it must."""
    type_ = attribute.type
    if type_.name in ("row", "rows"):
        words = list(type_.of.rows)
        return "say one of " + ", ".join(f"`{w}`" for w in words[:7]) + (", …" if len(words) > 7 else "")
    if type_.name in ("number", "inches"):
        low = attribute.low if isinstance(attribute.low, int) and attribute.low > 1 else 6
        return f"say `{attribute.name} {low}" + ('"`' if type_.name == "inches" else "`")
    return f"say `{attribute.name} …`"
