"""What names can be heard where a sentence stands: loop variables, what a procedure was told, lines, open cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from interpreter.language import nodes as n

from . import Unsupported
from .layers import Entry
from .things import BLANK, NOT_RUN, Faces, Inches, Many, Row, empty
from .trees import can_read, parse

MISSING = object()
_EFFECTS = (n.Change, n.Deals, n.Leaves, n.Becomes, n.Umpire, n.Nothing)


@dataclass(eq=False)
class Block:
    """Lines in hand or done: what each came to, and what the whole is worth. `call`: it is the body of a procedure."""

    entries: list[Entry]
    call: bool = False
    results: dict[int, Any] = field(default_factory=dict)
    reached: set[int] = field(
        default_factory=set
    )  # lines with cases whose own `if` held, whether a case was run or not
    at: int | None = None  # the line in hand; None when all is done
    value: Any = BLANK


@dataclass(eq=False)
class Loop:
    """What each round of a loop came to."""

    entries: list[Entry]
    rounds: list[Any] = field(default_factory=list)
    of_none: Any = None  # what it adds up to where every round came to none


class Runs(Loop):
    """All runs of a rule or of a procedure: a line that was run in none of these was not run."""


@dataclass(eq=False)
class Taken:
    """A row of an outcome table that was carried out."""

    row: Row | None
    block: Block


@dataclass(eq=False)
class Scope:
    parent: Scope | None = None
    vars: dict[str, Any] = field(default_factory=dict)
    card: Any = None  # the thing whose card is open here
    block: Block | None = None

    def chain(self) -> Iterator[Scope]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def subject(self) -> Any:
        return next((s.card for s in self.chain() if s.card is not None), None)


def structural(value: Any) -> bool:
    return isinstance(value, Block | Loop | Taken)


def settled(value: Any) -> Any:
    """What a line is worth as a plain value."""
    if isinstance(value, Block):
        return settled(value.value)
    if isinstance(value, Loop):
        return total([settled(x) for x in value.rounds], value.of_none)
    if isinstance(value, Taken):
        return value.row
    return value


def total(values: list[Any], of_none: Any = None) -> Any:
    """Of all rounds: numbers are added, figures put together, yes if it was yes in any; one thing or row: the last.
    Of none alone it is `of_none`.
    """
    ran = [v for v in values if not empty(v)]
    if not ran:
        return BLANK
    if any(isinstance(v, Many) for v in ran):
        items: list[Any] = []
        for v in ran:
            for x in v.items if isinstance(v, Many) else [] if v is None else [v]:
                if not any(x is y for y in items) or isinstance(x, int | Fraction):
                    items.append(x)
        return Many(items)
    if any(isinstance(v, Faces) for v in ran):
        faces = [v for v in ran if isinstance(v, Faces)]
        joined = Faces([f for v in faces for f in v.faces], sum(v.plus for v in faces), faces[0].thrown)
        joined.inches, joined.throws = faces[0].inches, frozenset[Any]().union(*(v.throws for v in faces))
        return joined
    if any(isinstance(v, bool) for v in ran):
        return any(v is True for v in ran)
    if any(isinstance(v, Inches) for v in ran):
        return Inches(sum((v.value for v in ran if isinstance(v, Inches)), Fraction(0)))
    if any(isinstance(v, int | Fraction) for v in ran):
        return sum(v for v in ran if v is not None)
    return next((v for v in reversed(ran) if v is not None), of_none)


def says_a_value(entry: Entry) -> bool:
    """Whether later lines can mean it by its name: what only changes the table is worth nothing."""
    if not isinstance(entry.body, str):
        return True
    if not can_read(entry.body, "line"):
        return True
    return not isinstance(parse(entry.body, "line").action, _EFFECTS)


def lists_cases(entry: Entry) -> bool:
    """Whether what stands under it are cases (`by`): these are rows and numbers, and no lines that a name means."""
    return can_read(entry.key, "line_key") and any(isinstance(c, n.By) for c in parse(entry.key, "line_key").clauses)


def has(
    entries: list[Entry],
    name: str,
    effects: bool = False,
    hears: Callable[[str], bool] = lambda file: True,
    cases: bool = False,
) -> bool:
    return any(
        (not cases and e.name == name and (effects or says_a_value(e)) and hears(e.file))
        or has(e.lines, name, effects, hears, lists_cases(e))
        for e in entries
    )


def worth_something(entries: list[Entry], name: str) -> bool:
    """Whether a line of this name has a value: of one that only does something, or of a block, no loop makes a total."""
    for e in entries:
        if e.name == name and not (isinstance(e.body, list) and not parse(e.key, "line_key").clauses):
            return says_a_value(e)
        if e.lines and has(e.lines, name, True):
            return worth_something(e.lines, name)
    return True


def lines_called(entries: list[Entry], name: str) -> Iterator[Entry]:
    """The lines of this name: of these, then of the blocks below."""
    yield from (e for e in entries if e.name == name)
    for e in entries:
        yield from lines_called(e.lines, name)


def search(
    block: Block,
    name: str,
    effects: bool = False,
    hears: Callable[[str], bool] = lambda file: True,
    owns: Callable[[str], bool] | None = None,
    cases: bool = False,
) -> Any:
    """What a line of this name came to: of this block, else of a block within; MISSING where there is no such line.
    Lines of files that the one who asks does not hear (`hears`) are passed over; of blocks within, its own go first, and
    with them those of the branches to which its own is `otherwise`, or they to it.
    `cases`: what stands in this block are cases, and only lines under these are meant.
    """
    upto = len(block.entries) if block.at is None else block.at
    found: Any = MISSING
    for entry in () if cases else block.entries[:upto]:
        if entry.name == name and (effects or says_a_value(entry)) and hears(entry.file):
            result = block.results.get(id(entry), NOT_RUN)
            if result is not NOT_RUN or found is MISSING:
                found = result
    if found is not MISSING and found is not NOT_RUN:
        return found
    own = owns is not None and not cases and any(e.name == name and owns(e.file) for e in block.entries[:upto])
    for heard in (owns,) if own and owns else (owns, hears) if owns and found is MISSING else (hears,):
        for entry in block.entries[:upto]:
            if not entry.lines:
                continue
            result = block.results.get(id(entry), NOT_RUN)
            inner = descend(result, name, entry.lines, effects, heard, lists_cases(entry))
            if inner is not MISSING and inner is not NOT_RUN:
                return inner
            if inner is NOT_RUN:
                found = NOT_RUN
                for other in branches_with(block.entries[:upto], entry) if heard is owns else ():
                    there = block.results.get(id(other), NOT_RUN)
                    inner = descend(there, name, other.lines, effects, hears, lists_cases(other))
                    if inner is not MISSING and inner is not NOT_RUN:
                        return inner
        if found is not MISSING:
            return found
    return found


def branches_with(entries: list[Entry], entry: Entry) -> list[Entry]:
    """The lines of which one is run where this one is not, by `otherwise`: together they give a name."""

    def first(e: Entry) -> Entry:
        above = [x for x in entries if x.name == e.above and x is not e]
        return first(above[0]) if above and otherwise(e) else e

    return [e for e in entries if e is not entry and e.lines and first(e) is first(entry)]


def otherwise(entry: Entry) -> bool:
    if not can_read(entry.key, "line_key"):
        return False
    clauses = parse(entry.key, "line_key").clauses
    return bool(clauses) and isinstance(clauses[0], n.Otherwise)


def descend(
    result: Any,
    name: str,
    entries: list[Entry] | None = None,
    effects: bool = False,
    hears: Callable[[str], bool] = lambda file: True,
    cases: bool = False,
    owns: Callable[[str], bool] | None = None,
) -> Any:
    """A line within what a line came to; of a line with cases (`cases`), a line under one of these."""
    if isinstance(result, Taken):
        result = result.block
    if isinstance(result, Block):
        return search(result, name, effects, hears, owns, cases)
    if isinstance(result, Loop):
        inner = [descend(x, name, result.entries, effects, hears, cases) for x in result.rounds]
        known = [x for x in inner if x is not MISSING]
        if not known and result.rounds:
            return MISSING
        if not result.rounds and result.entries and not has(result.entries, name, effects, hears, cases):
            return MISSING
        ran = [x for x in known if x is not NOT_RUN]
        if any(structural(x) for x in ran):
            return type(result)([], [x for x in ran if structural(x)])
        lines = result.entries or [e for x in result.rounds if isinstance(x, Block) for e in x.entries]
        if not ran and (isinstance(result, Runs) or not worth_something(lines, name)):
            return NOT_RUN
        if isinstance(result, Runs) and ran == [None]:
            raise Unsupported(f"{name} of its only run is none: so it is, or 0 where there may be more runs")
        return total(ran, next((line.of_none for line in lines_called(lines, name)), None))
    if result is NOT_RUN:
        return NOT_RUN if entries is None or has(entries, name, effects, hears, cases) else MISSING
    return MISSING
