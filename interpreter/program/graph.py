"""Writes the tree of a procedure: slots for variables, statements, sites, and what each reads and sets.

Enters: typed expressions without sites, through the emitter. Leaves: `Item`s. Knows nothing of steps.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

from interpreter.rulebook import typed as t
from interpreter.rulebook.construct import absent
from interpreter.rulebook.symbols import LineInfo, Procedure
from interpreter.vocabulary.types import Type

from .code import NOTHING, Do, If, Item, Site, Test, Uses
from .emit import Emitter
from .reads import Reads


class Graph:
    """Slots, statements and sites of one procedure as they are written."""

    def __init__(self, emitter: Emitter, procedure: Procedure) -> None:
        self.emitter = emitter
        self.procedure = procedure
        self.checked = emitter.checker.procedure(procedure)
        self.items: list[Item] = []
        self.sites: list[Site] = []
        self.first: list[str] = []
        self.snapshot = -1
        self.weight = 0  # parts of sentences, each as often as one pass may ask for it
        self.growing = False
        emitter.begin(self.slot)
        self._find_solid()

    def _find_solid(self) -> None:
        """Numbers that no line sets from what may be an empty cell."""
        values: dict[t.Variable, list[t.Expr]] = {}
        for step in self.checked.inside[t.Assign]:
            if step.variable.type.name in ("number", "inches"):
                values.setdefault(step.variable, []).append(step.value)
        solid = self.emitter.solid = set(values) - set(self.checked.params)
        while lacking := {v for v in solid if any(self.emitter.may_lack(e) for e in values[v])}:
            solid -= lacking

    # ---- slots and texts
    def slot(self, variable: t.Variable) -> int:
        known = self.emitter.own.get(variable)
        if known is None:
            known = self.emitter.own[variable] = len(self.first)
            self.first.append(self.emitter.expr(t.Lit(absent(variable.type), type=variable.type)))
            self.emitter.slots[variable] = f"l{known}"
        return known

    def temp(self, name: str, type_: Type) -> t.Variable:
        variable = t.Variable(name, type_)
        self.slot(variable)
        return variable

    def text(self, e: t.Expr) -> tuple[str, Uses]:
        """Python for a pure expression, and what it reads."""
        return self.written(lambda: self.emitter.expr(e))

    def written(self, write: Callable[[], str]) -> tuple[str, Uses]:
        """Python that the emitter writes, and what it reads."""
        reads, self.emitter.reads = self.emitter.reads, Reads()
        self.emitter.state = f"l{self.snapshot}" if self.snapshot >= 0 else "S"
        weight, self.emitter.weight = self.emitter.weight, 0
        text = write()
        self.weight += self.emitter.weight
        self.emitter.weight = weight
        mine, self.emitter.reads = self.emitter.reads, reads
        if self.snapshot >= 0 and self.emitter.state in text:
            mine.slots.add(self.snapshot)
        return text, Uses(frozenset(mine.slots), frozenset(mine.cells))

    def count(self, e: t.Expr) -> tuple[str, Uses]:
        """Like `text`, where a number is wanted: an empty cell counts nothing."""
        text, uses = self.text(e)
        return (f"({text} or 0)", uses) if self.emitter.may_lack(e) else (text, uses)

    def name(self, variable: t.Variable) -> tuple[str, Uses]:
        slot = self.slot(variable)
        return f"l{slot}", Uses(frozenset((slot,)))

    # ---- statements
    def do(self, text: str, uses: Uses = NOTHING, **more: Any) -> None:
        self.items.append(Do(text, uses, **more))

    def let(self, variable: t.Variable, text: str, uses: Uses = NOTHING, **more: Any) -> None:
        slot = self.slot(variable)
        self.items.append(Do(f"l{slot} = {text}", uses, sets=slot, **more))

    @contextmanager
    def into(self, items: list[Any]) -> Any:
        """What is written goes into a list of its own."""
        kept, self.items = self.items, items
        yield
        self.items = kept

    def branch(self, condition: t.Expr, yes: Callable[[], None], no: Callable[[], None]) -> None:
        made = If(Test(*self.text(condition)))
        with self.into(made.then):
            yes()
        with self.into(made.other):
            no()
        self.items.append(made)

    def site(self, kind: str, line: LineInfo, dest: t.Variable, asks: list[tuple[str, Uses]], **more: Any) -> Site:
        texts, uses = zip(*asks, strict=True) if asks else ((), ())
        site = Site(len(self.sites), kind, line, tuple(texts), tuple(uses), **more)
        site.dest, site.type = self.slot(dest), dest.type
        self.sites.append(site)
        self.items.append(site)
        return site
