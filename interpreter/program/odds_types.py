"""Data types of code generation for odds: shapes of the state, variants, variables of a world, nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import Record, Struct, field

from .code import Code, Do, Item, Site, Until, While, inside
from .layout import CellKey
from .liveness import Live
from .path_conditions import Known
from .terms import Cells


class Shape(Struct, eq=False):
    """The part of the state that a question may change: its cells, and whether things are created."""

    keys: tuple[CellKey, ...]
    changing: Cells
    makes: bool
    moving: tuple[tuple[int, CellKey], ...]  # the cells that may change, each with its index

    def places(self, cells: Cells) -> tuple[int, ...]:
        return tuple([i for i, key in self.moving if key in cells]) if cells else ()


def shape_of(keys: tuple[CellKey, ...], changing: Cells, makes: bool) -> Shape:
    """Return the shape of a state with the cells `keys`, of which those in `changing` may change."""
    return Shape(keys, changing, makes, tuple([(i, key) for i, key in enumerate(keys) if key in changing]))


CLOSED = shape_of((), frozenset(), False)  # no state: every cell is a variable


class Variant(Record):
    """One procedure specialized for one question.

    `params` are the indices of live parameters, `cells` the places read, `exits` the places returned, or `gives` the
    slots that a closed procedure returns. An outcome is the record, if `heard`, followed by what is returned.
    """

    code: Code
    live: Live
    params: tuple[int, ...]
    cells: tuple[int, ...]
    exits: tuple[int, ...]
    heard: bool
    handed: frozenset[Any]
    chancy: bool
    asked: bool  # called from outside the program
    gives: tuple[int, ...] = ()
    bindings: list[tuple[str, Any]] = field(default_factory=list)
    make: Callable[..., Any] | None = None
    tails: bool = False
    circular: bool = False  # whether it may call itself
    drops: bool = False  # asked from outside: whether something that may not terminate is dead, here or in a callee


class Held(Struct, eq=False):
    """A variable of a world: how it is read, how it is assigned, and the name of its initial value. The functions below
    create one object for each variable, so that variables are compared by identity.
    """

    read: str
    target: str
    kept: str = ""


@cache
def held_slot(slot: int) -> Held:
    """Return the variable of a world that holds a slot."""
    return Held(f"l{slot}", f"l{slot}", f"kl{slot}")


@cache
def held_cell(place: int) -> Held:
    """Return the variable of a world that holds a cell of the state, by its index in the state."""
    return Held(f"S[{place}]", f"S[{place}]", f"kS_{place}_")


@cache
def held_new(size: int) -> Held:
    """Return the variable for the cells of things created since."""
    return Held(f"tuple(S[{size}:])", f"S[{size}:]", f"kS_{size}__")


@cache
def held_change(number: int) -> Held:
    """Return the variable for a cell that a call in a `together` block returns, to be merged."""
    return Held(f"c{number}", f"c{number}")


class Rest(Struct):
    """A continuation: the items of a list from `at` on, followed by `then`; or a join."""

    items: Sequence[Item]
    at: int
    then: Rest | None
    join: int = -1
    round: tuple[While | Until, Rest] | None = None  # a round of a loop ends here


class Node(Record):
    """A point of a generated function where worlds meet: a question, a loop or a join. `world`: the variables of a
    world there; `rest`: what follows; `known`: slots with a known truth value.
    """

    number: int
    item: Any  # a site, a loop, or None for a join
    rest: Rest | None
    world: list[Held]
    known: Known
    chain: tuple[Site, ...] = ()  # merged tallies: each throws the dice that the previous one leaves
    views: tuple[Do, ...] = ()  # merged counts of the dice thrown here
    seen: bool = False  # some earlier node may have added worlds


def packed(parts: Sequence[str]) -> str:
    """Return the source of a tuple of these parts; a single part is not wrapped in a tuple."""
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def assigned(items: Sequence[Item], writes_of: Callable[[Procedure], Cells]) -> tuple[frozenset[int], Cells]:
    """Return the slots and cells that items may set; `writes_of` returns the cells that a call may write."""
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
    """Return the target of an assignment to the variables of a world."""
    return packed([held.target for held in world])


def taken(world: Sequence[Held]) -> str:
    """Return the expression that reads the variables of a world."""
    return packed([held.read for held in world])


def node_suffix(number: int) -> str:
    """Return the number of a node as part of a name in generated source; `x` for a negative one."""
    return "x" if number < 0 else str(number)
