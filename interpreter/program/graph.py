"""Writes the graph of a procedure: slots for variables, blocks, sites, and what each reads and defines.

Enters: typed expressions without sites, through the emitter. Leaves: `Block`s and `Site`s. Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.types import Type

from .code import Block, Site
from .emit import Emitter, Reads


class Graph:
    """Blocks, slots and sites of one procedure as they are written."""

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        self.emitter = emitter
        self.procedure = procedure
        self.checked = emitter.checker.procedure(procedure)
        self.blocks: list[Block] = []
        self.sites: list[Site] = []
        self.first: list[Any] = []
        self.snapshot = -1
        self.here = self.block()
        self.asks: list[str] = []
        emitter.allot = self.slot

    # ---- slots, blocks, sites
    def slot(self, variable: t.Variable) -> int:
        if variable.slot < 0 or variable not in self.emitter.slots:
            variable.slot = len(self.first)
            self.first.append(absent(variable.type))
            self.emitter.slots[variable] = f"L[{variable.slot}]"
        return variable.slot

    def temp(self, name: str, type_: Type) -> t.Variable:
        variable = t.Variable(name, type_)
        self.slot(variable)
        return variable

    def block(self) -> Block:
        made = Block(len(self.blocks), snapshot=self.snapshot)
        if self.snapshot >= 0:
            made.trail.append((-1, {self.snapshot}, False))
        self.blocks.append(made)
        return made

    def text(self, e: t.Expr) -> str:
        """Python for a pure expression, its reads noted on the block in hand."""
        reads, self.emitter.reads = self.emitter.reads, Reads()
        self.emitter.state = "Z" if self.snapshot >= 0 else "S"
        text = self.emitter.expr(e)
        mine, self.emitter.reads = self.emitter.reads, reads
        if self.snapshot >= 0 and "Z" in text:
            mine.slots.add(self.snapshot)
        self.here.trail.append((-1, mine.slots, False))
        self.here.cells |= mine.cells
        return text

    def count(self, e: t.Expr) -> str:
        """Like `text`, where a number is wanted: an empty cell counts nothing."""
        text = self.text(e)
        return f"({text} or 0)" if self.emitter.may_lack(e) else text

    def put(self, code: str) -> None:
        self.here.body.append(code)

    def assign(self, variable: t.Variable, text: str) -> None:
        self.put(f"L[{self.slot(variable)}] = {text}")
        self.here.trail.append((variable.slot, set(), False))

    def copy(self, variable: t.Variable, text: str, *slots: int) -> None:
        """Sets a variable from slots alone: what nobody reads keeps nothing alive."""
        self.put(f"L[{self.slot(variable)}] = {text}")
        self.here.trail.append((variable.slot, set(slots), True))

    def use(self, variable: t.Variable) -> str:
        self.here.trail.append((-1, {variable.slot}, False))
        return f"L[{variable.slot}]"

    def branch(self, test: str) -> tuple[Block, Block]:
        before, yes, no = self.here, self.block(), self.block()
        before.test, before.goes = test, (yes.index, no.index)
        return yes, no

    def go(self, block: Block, to: Block) -> None:
        block.goes = (to.index,)

    def site(
        self, kind: str, line: LineInfo, dest: t.Variable | None, question: Callable[[], str], **more: Any
    ) -> Site:
        """Ends the block in hand with a question; goes on in a new block."""
        site = Site(len(self.sites), kind, line, **more)
        self.sites.append(site)
        before = self.here
        self.here = asker = Block(-1)
        text = question()
        site.uses, site.cells = asker.reads(), asker.cells
        site.ask = self.emitter.fresh("ask")
        snapshot = f"    Z = L[{self.snapshot}]\n" if self.snapshot >= 0 else ""
        self.asks.append(f"def {site.ask}(L, S):\n{snapshot}    return {text}")
        before.goes = (-2 - site.index,)
        if dest is not None:
            site.dest = self.slot(dest)
            site.type = dest.type
        self.here = self.block()
        site.next = self.here.index
        return site
