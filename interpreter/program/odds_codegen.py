"""Code generation for odds: a procedure becomes a function from what it reads to all outcomes with weights.

Takes a `Variant` (a procedure, its liveness, and what is wanted of it). Returns Python source and the values to bind:
`make(E, S0, spend, …)` returns the function, where `E` is the engine and `S0` the initial state. A round of a loop is a
function of its own, memoized by what it reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import typed as t

from .code import DICE, Do, Site, Until, While, inside
from .liveness import Live, Liveness
from .odds_function import FunctionWriter
from .odds_types import CLOSED, Held, Shape, Variant, assigned, held_cell, held_new, held_slot
from .printer import INDENT, Printer
from .terms import NOTHING, Uses

if TYPE_CHECKING:
    from .interfaces import Compiled


class OddsWriter:
    """Generates the code of one variant."""

    def __init__(self, program: Compiled, shape: Shape, variant: Variant) -> None:
        self.program, self.shape, self.variant = program, shape, variant
        self.code = variant.code
        self.bound: dict[str, Any] = {}
        self.printer = Printer(engine="E")
        self.functions: list[str] = []  # lines
        self.rolls: dict[Any, str] = {}
        self.rounds = 0

    def source(self) -> str:
        v = self.variant
        return self.factory_source(FunctionWriter(self, v.live, v.code.items).function("run", *self.edges()), "run")

    def factory_source(self, lines: list[str], gives: str) -> str:
        """Return the source of `make`, which returns `gives`, with all bound values as parameters."""
        self.variant.bindings = list(self.bound.items())
        names = "".join(f", {name}" for name in self.bound)
        body = [INDENT + line for line in (*self.functions, *lines, f"return {gives}")]
        return "\n".join([f"def make(E, S0, spend{names}):", *body])

    def edges(self) -> tuple[list[Held], list[int], list[str]]:
        """Return the inputs of a variant, the slots that begin at their initial value, and its outputs."""
        v = self.variant
        given = [held_slot(v.code.params[i]) for i in v.params]
        entry = set(v.live.entry.slots) - {v.code.params[i] for i in v.params}
        record = None
        if v.heard:
            lines = self.program.checker.procedure(v.code.procedure).lines
            results = [
                f"{self.holding(line, f'l{s}', outside=not v.asked)}, " if s >= 0 else "None, "
                for line, s in zip(lines.values(), v.live.results, strict=True)
                if s >= 0 or not v.asked  # lines asked for from outside are packed without gaps
            ]
            record = f"({''.join(results)})"
        ends = ([record] if record else []) + [f"l{s}" for s in v.gives] + [held.read for held in self.state(v.exits)]
        return [*given, *self.state(v.cells)], sorted(entry), ends

    def state(self, places: Sequence[int]) -> list[Held]:
        """Return cells of the state as variables."""
        found = [held_cell(i) for i in places]
        return [*found, held_new(len(self.shape.keys))] if self.shape.makes else found

    def world(self, uses: Uses) -> list[Held]:
        return [*map(held_slot, sorted(uses.slots)), *self.state(self.shape.places(uses.cells))]

    def holding(self, variable: t.Variable, text: str, *, outside: bool = False) -> str:
        """Return the source of a value; of a record, only the lines that are read later."""
        if variable.type.name != "record":
            return text
        kept = self.program.holding.kept(variable, outside=outside)
        wanted = self.program.wanted(variable.type.of)
        lines = self.program.checker.procedure(variable.type.of).lines
        if kept is None or all(keep for address, keep in zip(lines, kept, strict=True) if address in wanted):
            return text
        return f"only_lines({text}, {kept})"

    def bind(self, stem: str, value: Any) -> str:
        for name, known in self.bound.items():
            if known == value:
                return name
        name = f"{stem}{len(self.bound)}"
        self.bound[name] = value
        return name

    def constant(self, what: Any, law: str) -> str:
        """Return the name of a distribution without dependencies, computed once."""
        if what not in self.rolls:
            self.rolls[what] = f"Q{len(self.rolls)}"
            self.functions.insert(0, f"{self.rolls[what]} = {law}")
        return self.rolls[what]

    def fate(self, site: Site) -> bool:
        """Return whether a question is random; choices follow a policy, and most calls throw no dice."""
        return site.kind in DICE or (site.callee is not None and self.program.chancy(site.callee))

    def inside(self, loop: While | Until, live: Live) -> tuple[Live, Uses]:
        """Return the liveness within a round, and what a round sets that is live after it."""
        end = live.ends[id(loop)]
        sets, writes = assigned(loop.body, self.program.writes)
        out = Uses(end.slots & sets, end.cells & writes)
        # A snapshot that is read after the round holds cells that the round itself need not set.
        keeps = any(isinstance(item, Do) and item.keeps and item.sets in out.slots for item in inside(loop.body))
        mine = Live(())
        needs = self.program.needs(self.shape is CLOSED)
        seen = Uses(out.slots, end.cells) if keeps else out
        mine.entry = Liveness(mine, needs, self.program.follow).back(loop.body, seen)
        return mine, out

    def round(self, loop: While | Until, live: Live) -> tuple[str, list[Held], list[Held], bool]:
        """Write a round of a loop as a memoized function. Return its name, what it reads, what it sets, and whether it
        also takes a count of equal rounds.
        """
        mine, out = self.inside(loop, live)
        self.rounds += 1
        name = f"round{self.rounds}"
        key, ends = self.world(mine.entry), self.world(out)
        totals = self._totals(loop, live)
        results = [self.holding(totals[held], held.read) if held in totals else held.read for held in ends]
        lines = FunctionWriter(self, mine, loop.body).function(name, key, [], results)
        self.functions += [*lines, f"T{name} = E.table({name})"]
        hands_on = len(ends) > len(out.slots)  # the cells of created things
        if hands_on or not self._only_adds(loop, live, mine.entry, out):
            return f"T{name}", key, ends, False
        line = self.bind("K", ("constant", loop.line))
        self.functions.append(f"Tall{name} = E.table(lambda key: E.added(T{name}[key[0]], key[1], {line}))")
        return f"Tall{name}", key, ends, True

    def _only_adds(self, loop: While | Until, live: Live, reads: Uses, gives: Uses) -> bool:
        """Whether a round only adds one number to a total, and reads nothing that rounds change except the current
        figure.

        Then equal rounds give a sum of independent, identically distributed numbers. `reads`, `gives`: live values of a
        round.
        """
        last = [item for item in loop.last if not live.dead.get(id(item), False)]
        if not isinstance(loop, While) or loop.rest < 0 or len(last) != 1 or gives != Uses(frozenset({last[0].adds})):
            return False
        first = [item for item in loop.first if not live.dead.get(id(item), False)]
        sets, writes = assigned(loop.body, self.program.writes)
        return (
            all(item.sets in (loop.rest, loop.each) for item in first)
            and last[0].adds not in live.after[id(last[0])].slots
            and not reads.slots & {loop.rest, last[0].sets, *sets}
            and not reads.cells & writes
        )

    def _totals(self, loop: While | Until, live: Live) -> dict[Held, t.Variable]:
        """The records that a round passes only to a total, each with the total."""
        last = [item for item in loop.last if not live.dead.get(id(item), False)]
        if not last:
            return {}
        later = live.after[id(last[-1])] | (loop.test.uses if isinstance(loop, Until) else NOTHING)
        found = {}
        for item in last:
            if item.total is not None:
                slot, total = item.total
                others = any(slot in other.uses.slots for other in last if other is not item)
                if not others and slot not in later.slots:
                    found[held_slot(slot)] = total
        return found
