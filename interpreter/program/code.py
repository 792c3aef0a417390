"""A procedure as a small graph: silent blocks of Python, and sites that ask.

Enters: nothing. Leaves: the types `Site`, `Block`, `Code`. A block's exits are other blocks, RETURN, or `-2 -
site`. Knows nothing of how they are written or run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.types import Type

from .layout import CellKey

RETURN = -1


@dataclass(eq=False, slots=True)
class Site:
    """A question. kind: throw, tally, sort, wish, choose, call, join. `ask` names a function (L, S) -> question."""

    index: int
    kind: str
    line: LineInfo
    dest: int = -1
    next: int = RETURN
    ask: str = ""
    uses: set[int] = field(default_factory=set)
    cells: set[CellKey] = field(default_factory=set)
    callee: Procedure | None = None
    snapshot: int = -1
    note: Any = None
    endless: int = -1  # for a join that ends an endless loop: the first site inside it
    passing: bool = True
    type: Type | None = None


@dataclass(eq=False, slots=True)
class Block:
    index: int
    body: list[str] = field(default_factory=list)
    cells: set[CellKey] = field(default_factory=set)
    writes: set[CellKey] = field(default_factory=set)
    goes: tuple[int, ...] = ()  # blocks, or -2 - site, or RETURN
    test: str = ""
    snapshot: int = -1  # the slot of the state as a `together` found it
    trail: list[tuple[int, set[int], bool]] = field(
        default_factory=list
    )  # in order: slot set (or -1), slots read, copy

    def live(self, slots: set[int]) -> set[int]:
        """The slots that matter at its start, from those that matter at its end. A mere copy matters if it is read."""
        found = set(slots)
        for slot, uses, copy in reversed(self.trail):
            wanted = slot in found
            found.discard(slot)
            if wanted or not copy:
                found |= uses
        return found

    def reads(self) -> set[int]:
        return self.live(set())


@dataclass(eq=False, slots=True)
class Code:
    """One procedure, lowered. Blocks and `ask` functions are emitted as Python; slots are the L of a world."""

    procedure: Procedure
    slots: int
    params: tuple[int, ...]
    first: list[Any]
    lines: dict[str, int]
    blocks: list[Block]
    sites: list[Site]
    source: str = ""
    functions: list[Callable[..., Any]] = field(default_factory=list)
    asks: dict[int, Callable[..., Any]] = field(default_factory=dict)
    line_types: dict[str, Type] = field(default_factory=dict)
