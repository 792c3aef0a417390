"""Data types of code generation for odds: the part of the state that changes, variants, variables of a world, nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import Record, Struct, field

from .code import Code, Do, Item, Site, Until, While, inside
from .layout import CellKey
from .liveness import Live
from .path_conditions import Known
from .terms import Cells


class Shape(Struct, eq=False):
    """Which part of the state a question may change: the cells, by place, and whether things are made."""

    keys: tuple[CellKey, ...]
    changing: Cells
    makes: bool
    moving: tuple[tuple[int, CellKey], ...]  # those that may change, each with its place

    def places(self, cells: Cells) -> tuple[int, ...]:
        return tuple([i for i, key in self.moving if key in cells])


def shape_of(keys: tuple[CellKey, ...], changing: Cells, makes: bool) -> Shape:
    return Shape(keys, changing, makes, tuple([(i, key) for i, key in enumerate(keys) if key in changing]))


CLOSED = shape_of((), frozenset(), False)  # no state: every cell is a variable


class Variant(Record):
    """One procedure for one question: `params` that matter (by number), `cells` read and `exits` handed back (by
    place), or the slots that a closed one `gives`; an outcome is the record, if `heard`, and what is handed back.
    """

    code: Code
    live: Live
    params: tuple[int, ...]
    cells: tuple[int, ...]
    exits: tuple[int, ...]
    heard: bool
    handed: frozenset[Any]
    chancy: bool
    asked: bool  # a question from outside
    gives: tuple[int, ...] = ()
    bindings: list[tuple[str, Any]] = field(default_factory=list)
    make: Callable[..., Any] | None = None
    tails: bool = False
    circular: bool = False  # it may come back to itself


class Held(Struct):
    """A variable of a world: how it is read, how it is set, and where it is kept as it was when the function began."""

    read: str
    target: str
    kept: str = ""


@lru_cache(4096)
def held_slot(slot: int) -> Held:
    return Held(f"l{slot}", f"l{slot}", f"kl{slot}")


@lru_cache(4096)
def held_cell(place: int) -> Held:
    return Held(f"S[{place}]", f"S[{place}]", f"kS_{place}_")


def held_new(size: int) -> Held:
    """The things that were made since."""
    return Held(f"tuple(S[{size}:])", f"S[{size}:]", f"kS_{size}__")


class Rest(Struct):
    """What is still to be carried out: a list from some place on, then what follows it; or a meeting of paths."""

    items: Sequence[Item]
    at: int
    then: Rest | None
    join: int = -1
    round: tuple[While | Until, Rest] | None = None  # a round of a loop ends here


class Node(Record):
    number: int
    item: Any  # a site, a loop, or None where paths meet
    rest: Rest | None
    world: list[Held]
    known: Known
    chain: tuple[Site, ...] = ()  # tallies that are one: each throws as many dice as the one before has left
    views: tuple[Do, ...] = ()  # lines that look at the dice thrown here
    seen: bool = False  # some earlier node may have put worlds here


def packed(parts: Sequence[str]) -> str:
    """The text of a tuple; of one part, that part without a tuple around it."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def assigned(items: Sequence[Item], writes_of: Callable[[Procedure], Cells]) -> tuple[frozenset[int], Cells]:
    """The slots and cells that statements may set; `writes_of` a procedure, what a call of it may."""
    sets: set[int] = set()
    writes: set[Any] = set()
    for item in inside(list(items)):
        if isinstance(item, Do):
            sets.add(item.sets)
            writes |= item.writes
        elif isinstance(item, Site):
            sets |= {item.dest, *item.lands}
            if item.callee is not None and not item.lands:
                writes |= writes_of(item.callee)
    return frozenset(sets - {-1}), frozenset(writes)


def given(world: Sequence[Held]) -> str:
    """The target of an assignment to the variables of a world."""
    return packed([held.target for held in world])


def taken(world: Sequence[Held]) -> str:
    """The expression that reads the variables of a world."""
    return packed([held.read for held in world])


def place_name(number: int) -> str:
    return "x" if number < 0 else str(number)
