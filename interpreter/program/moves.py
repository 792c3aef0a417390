"""Every question of an unfolded procedure as a function of its own: from a world to the worlds that may follow it.

Enters: an unfolded tree and what matters where. Leaves: Python source of our own making: `make(E, S0, spend, …)` gives
`begin(key)` and a function for each place, from a world there to `({(place, world): weight}, total)`. A total of 0 says
that the next world is chosen. The ways between questions, and the laws, are those of all histories. Knows nothing of
what is chosen.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .code import Site, Until, While
from .fronts import Writer, deeper
from .region import Region
from .shapes import Node, Rest, Shape, Variant, packed

if TYPE_CHECKING:
    from .program import Program


class MoveWriter(Writer):
    def __init__(self, program: Program, shape: Shape, variant: Variant, chosen: set[int]) -> None:
        super().__init__(program, shape, variant)
        self.chosen = chosen

    def fate(self, site: Site) -> bool:
        return id(site) in self.chosen or super().fate(site)

    def chooses(self, site: Site) -> bool:
        return id(site) in self.chosen

    def source(self) -> str:
        v = self.variant
        key, unset, ends = self.edges()
        moves = Moves(self, v.live, v.code.items)
        text = moves.functions(key, unset, ends)
        places = ", ".join(f"{n}: (node{n}, {moves.line(n)})" for n in sorted(moves.nodes))
        names = "".join(f", {name}" for name in self.bound)
        v.bindings = list(self.bound.items())
        body = deeper("\n".join([*self.functions, text]))
        return f"def make(E, S0, spend{names}):\n{body}\n    return begin, {{{places}}}"


class Moves(Region):
    """Writes the functions of one procedure. A world holds everything that matters, for it stands for itself."""

    w: MoveWriter

    def functions(self, key: list[tuple[str, str]], unset: Sequence[int], ends: list[str]) -> str:
        self.ends, self.row, self.weight = ends, True, "W"
        self.entry = {target for _, target in key} | {f"l{slot}" for slot in unset}
        self.put(0, "def begin(key):")
        self.put(1, "S = S0[:]; row = {}; W = 1")
        if key:
            self.put(1, f"{packed([target for _, target in key])} = key")
        for slot in unset:
            first = self.w.code.first[slot]
            self.put(1, f"l{slot} = {first}")
            if first in ("True", "False"):
                self.known[slot] = first == "True"
        self.flow(Rest(self.items, 0, None), 1)
        self.put(1, "return row, 1")
        done: set[int] = set()
        while waiting := sorted(set(self.nodes) - done):
            done.add(waiting[0])
            self._place_of(self.nodes[waiting[0]])
        return "\n".join(self.out)

    def line(self, number: int) -> str:
        item = self.nodes[number].item
        return self.w.bind("K", ("constant", item.line)) if item is not None else "None"

    def _place_of(self, node: Node) -> None:
        """What may follow a world at one place of the page."""
        self.here, self.goals, self.assigned = node.number, set(), set()
        self.known = dict(node.known)
        world = [target for _, target in node.world]
        self.put(0, f"def node{node.number}(X):")
        self.put(1, "S = S0[:]; row = {}")
        if world:
            self.put(1, f"{packed(world)} = X")
        if node.item is None:
            self.put(1, "W = T = 1")
            self.flow(node.rest, 1)
        else:
            law, outcome, inner = self._law(node, 1)
            asking, self.out = self.out, []
            self._follow(node, 2 + bool(inner))
            following, self.out = self.out, asking
            saves, restores = self._put_back(node.world, [], [*outcome, *inner])
            self.put(1, f"T, ROWS = {law}")
            if saves:
                self.put(1, saves)
            self._outcomes(1, outcome, inner, restores, "")
            self.out += following
        self.put(1, "return row, T")

    def _law(self, node: Node, depth: int) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        item = node.item
        if isinstance(item, Site) and self.w.chooses(item):
            question = item.asks[0] if item.kind == "choose" else f"({item.asks[0]}, {item.asks[1]})"
            name = self.w.bind("D", ("choose", item))
            return f"{name}({question}, S)", [(f"l{item.dest}", f"l{item.dest}")], []
        return super()._law(node, depth)

    def _moving(self, node: Node) -> list[tuple[str, str]]:
        return node.world

    def _steady(self, node: Node) -> list[tuple[str, str]]:
        return []

    def _inlined(self, loop: While | Until) -> bool:
        """Rounds in which somebody chooses are written here: who chooses may look beyond the round."""
        return self.live.open(loop.body, self.w.chooses)
