"""The contents of a checked situation: things with their values, facts, the procedure, questions and expectations.

Values are encoded; a value that refers to another thing is its name. `report_unstated` reports values that a situation
must state.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from interpreter.document.nodes import Entry, Node, Scalar, Sequence
from interpreter.document.nodes import Mapping as Lines
from interpreter.language import nodes as n
from interpreter.source import Problem, Problems, Span
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import Type

from . import typed as t
from .joint_tables import JointTable
from .symbols import Attribute, Fact, Kind, NamedPolicy, Procedure, Where


class Shifted(Struct):
    """Text that ends a scalar, or follows words that are not in the file; its offsets are `shift` characters ahead of
    the scalar's.
    """

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
    """Equal figures that a description states: their kind, number and attributes."""

    kind: Kind
    count: int
    values: dict[Attribute, Any]
    where: Where


class Thing(Record):
    """A thing of the situation. Values are encoded; a value that refers to another thing is its name."""

    name: str
    kind: Kind
    where: Where
    values: dict[Attribute, Any] = field(default_factory=dict)
    groups: list[Group] = field(default_factory=list)
    described: bool = True  # False for an owner that is only mentioned


class FactGiven(Struct):
    """A stated fact of things (by name) and plain values (a number, a row), or an attribute of one thing."""

    symbol: Fact | Attribute
    things: tuple[Any, ...]
    value: Any


class Ask(Record):
    """A question. `kind` is `then` (must hold), `chance`, `mean`, `table` (part of a joint table), `show`, `known` (a
    condition of the situation) or `given` (a condition of the query); `address` is the line that computes it.
    """

    kind: str
    text: str
    where: Where
    address: str
    type: Type
    expected: tuple[Fraction, Fraction] | None = None  # lowest and highest value; equal unless it is a range
    given: bool = False
    unsure: tuple[str, ...] = ()  # source text of its lines that may not run


class Override(Record):
    """A line of `choose:`: how one choice is made, by every chooser or for one thing (`whose`)."""

    address: str
    wishes: tuple[n.Preference, ...]
    scalar: Scalar
    where: Span
    whose: str | None = None


class FollowedPolicy(Record):
    """A named policy in `choose:`, for one side, or for all (`whose` is None)."""

    whose: str | None
    tactic: NamedPolicy
    where: Span


class Script(Record):
    """Scripted dice. `by_line`: faces by key, as the situation writes it; `of`: rule line → key; `lines`: rule line →
    canonical name; `all`: faces for any line; `places`: key → span.
    """

    by_line: dict[str, list[int]] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    all: list[int] = field(default_factory=list)
    places: dict[str, Span] = field(default_factory=dict)
    whole: Span | None = None


class Situation(Record):
    """A checked situation. Its `procedure` has the things as parameters; its steps perform `do` and then evaluate
    `asks`.
    """

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
    followed: list[FollowedPolicy] = field(default_factory=list)
    force: Where | None = None  # the name of a force: its things must keep all limits not in `breaks`
    breaks: list[tuple[str, Where]] = field(default_factory=list)
    one: Procedure | None = None  # the procedure of the single call, whose lines need no prefix
    tables: list[JointTable] = field(default_factory=list)


def listed(node: Node | None) -> list[tuple[str, Where]]:
    """Return the words of a text or list, separated by blanks or commas, each with its place."""
    found = [(s, m) for s in texts(node) for m in re.finditer(r"[^\s,]+", s.text)]
    return [(m.group(), Where(s, *m.span())) for s, m in found]


def texts(node: Node | None) -> list[Scalar]:
    """Return the non-empty texts of a node: itself, or those of a list and of nested lists; none of a mapping."""
    if isinstance(node, Scalar):
        return [node] if node.text else []
    if isinstance(node, Sequence):
        return [s for item in node for s in texts(item)]
    return []


def unstated(
    things: Iterable[Thing], facts: Iterable[FactGiven], defaults: Mapping[Any, t.Expr | None]
) -> Iterator[tuple[str, Where, Attribute]]:
    """Yield the attributes that have no default and that a situation does not state: the text `rank of A`, the place of
    the thing or group, and the attribute.
    """
    stated = {(f.symbol, f.things[0]) for f in facts if isinstance(f.symbol, Attribute)}
    for thing in things:
        for attribute in thing.kind.all_attributes():
            is_stated = attribute in thing.values or (attribute, thing.name) in stated
            if not is_stated and defaults.get(attribute) is None:
                yield f"{attribute.name} of {thing.name}", thing.where, attribute
        for group in thing.groups:
            for attribute in group.kind.all_attributes():
                if attribute not in group.values and defaults.get(attribute) is None:
                    yield f"{attribute.name} of the {group.kind.plural} of {thing.name}", group.where, attribute


def report_unstated(
    root: Lines,
    things: Iterable[Thing],
    facts: Iterable[FactGiven],
    defaults: Mapping[Any, t.Expr | None],
    problems: Problems,
) -> None:
    """Report attributes that must be stated and are not.

    A thing with an unparsed word is skipped, because the word may have been meant to state it.
    """
    described = {thing.name: thing for thing in things if thing.described}
    for entry in root:
        thing = described.get(entry.key.text.split(" ")[-1])
        reported = [p for p in problems if _within(p, entry)]
        if thing is None or thing.where.scalar is not entry.key or any(p.code != "F010" for p in reported):
            continue
        for what, where, attribute in unstated([thing], facts, defaults):
            tried = any(p.span is not None and attribute.name in p.span.text for p in reported)
            if where is thing.where and not tried:
                problems.add("F001", where.span, name=what, hint=statement_hint(attribute))


def _within(problem: Problem, entry: Entry) -> bool:
    span = problem.span
    if span is None:
        return False
    return any(span.source is x.source and x.start <= span.start <= x.end for x in (entry.key.span, entry.value.span))


def statement_hint(attribute: Attribute) -> str:
    """Return a hint on how to state an attribute."""
    type_ = attribute.type
    if type_.name in ("row", "rows"):
        words = list(type_.of.rows)
        return "say one of " + ", ".join(f"`{w}`" for w in words[:7]) + (", …" if len(words) > 7 else "")
    if type_.name in ("number", "inches"):
        low = attribute.low if isinstance(attribute.low, int) and attribute.low > 1 else 6
        return f"say `{attribute.name} {low}" + ('"`' if type_.name == "inches" else "`")
    return f"say `{attribute.name} …`"
