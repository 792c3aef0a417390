"""Code generation for `advise`: each question of a procedure becomes a function from one world to its successors.

Takes the tree of a procedure, its liveness, and which questions are open choices. Returns Python source: `make(E, S0,
spend, …)` returns `begin(key)` and, by node number, `(function, line, variables of a world there)`. A function returns
`({(node, world): weight}, total)`. In place of the total, `CHOSEN` means that a player chooses one of the worlds;
`CALLED` means that the result is `(callee, key, continuation, its arguments)`: a call with open choices inside. Paths
between questions, and distributions, are those of `odds_function.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import replace

from .code import Site, Until, While
from .odds_codegen import OddsWriter
from .odds_function import FunctionWriter
from .odds_types import Held, Node, Rest, Shape, Variant, given, held_slot, taken
from .path_conditions import forget
from .terms import Uses

if TYPE_CHECKING:
    from .interfaces import Compiled

CHOSEN, CALLED = 0, -1


def moves(
    program: Compiled, variant: Variant, shape: Shape, is_open: Callable[[Site], bool]
) -> tuple[Callable[..., Any], list[tuple[str, Any]]]:
    """Return the factory of a variant's functions for advice, one per question, and the values to bind."""
    mine = replace(variant, chancy=True)
    program.note_run(variant.code.procedure)
    writer = MoveWriter(program, shape, mine, is_open)
    program.run(writer.source(), writer.printer.asked.values())
    return program.space["make"], mine.bindings


class MoveWriter(OddsWriter):
    """Writes the source of a variant's functions for advice. `is_open` tells which questions are open choices; all
    others are weighted as in odds.
    """

    def __init__(self, program: Compiled, shape: Shape, variant: Variant, is_open: Callable[[Site], bool]) -> None:
        super().__init__(program, shape, variant)
        self.is_open = is_open
        self._holds: dict[Procedure, bool] = {}

    def fate(self, site: Site) -> bool:
        return self.chooses(site) or super().fate(site)

    def chooses(self, site: Site) -> bool:
        """Return whether the question is an open choice, or a call that contains one."""
        return self.is_open(site) if site.callee is None else self.holds(site.callee)

    def holds(self, procedure: Procedure) -> bool:
        if procedure not in self._holds:
            reached = self.program.reachable(procedure)
            self._holds[procedure] = any(self.is_open(site) for p in reached for site in self.program.code(p).sites)
        return self._holds[procedure]

    def source(self) -> str:
        moves = MoveFunctions(self, self.variant.live, self.code.items)
        lines = moves.functions(*self.edges())
        places = ", ".join(
            f"{n}: (node{n}, {moves.line(n)}, {tuple(held.target for held in node.world)})"
            for n, node in sorted(moves.nodes.items())
        )
        return self.factory_source(lines, f"begin, {{{places}}}")


class MoveFunctions(FunctionWriter):
    """Writes the functions of one procedure. A world contains all live values, because it is looked up on its own."""

    w: MoveWriter

    def functions(self, key: list[Held], unset: Sequence[int], ends: list[str]) -> list[str]:
        self.ends, self.row, self.weight = ends, True, "W"
        self.lines.printer = self.w.printer  # nodes run separately, so no value is kept between them
        self.entry = {*key, *map(held_slot, unset)}
        self._head("begin(key)", key, "key")
        self._initialize(unset)
        self.flow(Rest(self.items, 0, None), 1)
        self.lines.put(1, "return row")
        done: set[int] = set()
        while waiting := sorted(set(self.nodes) - done):
            done.add(waiting[0])
            self._written(self.nodes[waiting[0]])
        return self.lines.out

    def line(self, number: int) -> str:
        item = self.nodes[number].item
        return self.w.bind("K", ("constant", item.line)) if item is not None else "None"

    def _head(self, name: str, world: list[Held], key: str = "X") -> None:
        self.lines.put(0, f"def {name}:")
        self.lines.put(1, "S = S0[:]; row = {}; W = 1")
        if world:
            self.lines.put(1, f"{given(world)} = {key}")

    def _written(self, node: Node) -> None:
        """Write the function of one node."""
        item = node.item
        self.here, self.goals, self.lines.assigned = node.number, set(), set()
        self.lines.known = dict(node.known)
        self._head(f"node{node.number}(X)", node.world)
        if item is None:
            self.flow(node.rest, 1)
            self.lines.put(1, "return row, 1")
        elif isinstance(item, Site) and item.callee is not None and self.w.chooses(item):
            self._called(node, item)
        else:
            law, outcome, inner = self._law(node, 1)
            asking, self.lines.out = self.lines.out, []
            self._follow(node, 2 + bool(inner))
            following, self.lines.out = self.lines.out, asking
            saves, restores = self._saves_and_restores(node.world, [], [*outcome, *inner])
            self.lines.put(1, f"T, ROWS = {law}")
            if saves:
                self.lines.put(1, saves)
            self._outcomes(1, outcome, inner, restores, "")
            self.lines.out += following
            self.lines.put(1, "return row, T")

    def _called(self, node: Node, site: Site) -> None:
        """Write a call with open choices inside: the function ends here, and the rest becomes a continuation."""
        callee, way = self.lines.callee(site), f"way{node.number}"
        kept = self._kept(site, callee)
        key, outcome, known, nothing = self.lines.call_parts(site, callee, 1)
        needs = taken(kept)
        if known:
            self.lines.put(1, f"if not ({known}): return {way}({needs}, {nothing}), 1")
        name = self.w.bind("C", ("open call", callee))
        self.lines.put(1, f"return ({name}, {key}, {way}, {needs}), {CALLED}")
        self._head(f"{way}(X, Y)", kept)
        if outcome:
            self.lines.put(1, f"{given(outcome)} = Y")
        forget([site], self.lines.known)
        self.lines.merge_changes(site, 1)
        self.flow(node.rest, 1)
        self.lines.put(1, "return row")
        self.lines.put(0, f"{way}.parts = {tuple(held.target for held in kept)}")

    def _kept(self, site: Site, callee: Variant) -> list[Held]:
        """The live values after a call that the call does not return."""
        after = self.live.after[id(site)]
        slots, cells = after.slots - {site.dest}, after.cells
        if site.snapshot >= 0:
            slots |= {site.snapshot}
        else:
            cells -= callee.handed
        return self.w.world(Uses(slots, cells))

    def _law(self, node: Node, depth: int) -> tuple[str, list[Held], list[Held]]:
        item = node.item
        if isinstance(item, Site) and item.callee is None and self.w.chooses(item):
            name = self.w.bind("D", ("choose", item))
            return f"{name}({self.lines.show(item.question)}, S)", [held_slot(item.dest)], []
        return super()._law(node, depth)

    def _changed_part(self, node: Node) -> list[Held]:
        return node.world

    def _unchanged_part(self, node: Node) -> list[Held]:
        return []

    def _inlined(self, loop: While | Until) -> bool:
        """Whether a loop is written inline, as rounds with open choices are, because a choice affects what follows the
        round.
        """
        return self.live.open(loop.body, self.w.chooses)
