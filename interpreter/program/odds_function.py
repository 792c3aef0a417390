"""One generated function of odds: a procedure or a round of a loop, as weighted sets of worlds (fronts).

Takes a tree, its liveness, and the function's inputs and outputs. Each node (a question or a join of paths) has a
front: `fN` maps worlds to weights over the common denominator `dN`. Nodes are processed in the order of the procedure,
so that a front is complete before it is processed. Values unchanged since the function began are not stored in worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .code import Do, Item, Site, Until, While
from .liveness import Live
from .odds_paths import PathWriter
from .odds_types import Held, Node, Rest, given, held_slot, node_suffix, taken
from .path_conditions import forget
from .printer import INDENT
from .terms import NOTHING, Const, Term, Tuple

if TYPE_CHECKING:
    from .interfaces import Functions


class FunctionWriter(PathWriter):
    """Writes one function."""

    def __init__(self, writer: Functions, live: Live, items: Sequence[Item]) -> None:
        super().__init__(writer, live, items)
        self._around: list[tuple[int, int]] = []  # the enclosing loops, as ranges of nodes
        self._wanted: set[Held] = set()  # variables restored to their value at the beginning
        self._ended = False  # whether some processed node may reach the end

    def function(self, name: str, key: list[Held], unset: Sequence[int], ends: list[str]) -> list[str]:
        self.ends = ends
        self.entry = {*key, *map(held_slot, unset)}
        self.lines.put(0, f"def {name}(key):")
        if self.w.shape.keys:
            self.lines.put(1, "S = S0[:]")
        if key:
            self.lines.put(1, f"{given(key)} = key")
        self._initialize(unset)
        if not self.w.variant.chancy:
            self.flow(Rest(self.items, 0, None), 1)
            return self._with_places()
        begin = len(self.lines.out)
        self.flow(Rest(self.items, 0, None), 1)
        solo = len(self.nodes) == 1 and self._drop_single_front()
        for j in self.goals:
            if j >= 0 and not solo:
                self.nodes[j].seen = True
        self._write_nodes(len(self.before), 1, solo, set())
        fronts = "".join(f"f{n} = {{}}; d{n} = 1; " for n in sorted(self.nodes) if not solo or len(self.nodes) > 1)
        wanted = sorted(self.entry & self.lines.ever & self._wanted, key=lambda held: held.target)
        saved = "".join(f"{held.kept} = {held.read}; " for held in wanted)
        self.lines.out.insert(begin, f"    {saved}{fronts}fx = {{}}; dx = 1")
        self.lines.put(1, "return dx, list(fx.items())")
        return self._with_places()

    def _with_places(self) -> list[str]:
        """The lines of the function, with the variables for values that are evaluated once."""
        places = [f"{name} = []" for name in self.lines.steady.values()]
        return [self.lines.out[0], *([INDENT + "; ".join(places)] if places else []), *self.lines.out[1:]]

    def _initialize(self, unset: Sequence[int]) -> None:
        """Initialize slots."""
        for slot in unset:
            first = self.w.code.first[slot]
            self.lines.put(1, f"l{slot} = {self.lines.show(first)}")
            if isinstance(first, Const) and isinstance(first.value, bool):
                self.lines.known[slot] = first.value

    def _write_nodes(self, end: int, depth: int, solo: bool, done: set[int]) -> None:
        """Process the fronts of nodes below `end`, in order."""
        while waiting := sorted(n for n in self.nodes if n < end and n not in done):
            number = waiting[0]
            around = [s for s in self.spans.values() if s[0] <= number < s[1] and s not in self._around]
            span = max(around, key=lambda s: s[1] - s[0], default=None)
            if span is None:
                out, self.lines.out = self.lines.out, []
                self.node(self.nodes[number], solo and not done)
                out += ["    " * (depth - 1) + line for line in self.lines.out]
                self.lines.out = out
                done.add(number)
                continue
            out, self.lines.out = self.lines.out, []
            self._around.append(span)
            self._write_nodes(span[1], depth + 1, False, done)
            self._around.pop()
            inner, self.lines.out = self.lines.out, out
            fronts = [f"f{n}" for n in sorted(self.nodes) if span[0] <= n < span[1]]
            self.lines.put(depth, f"while {' or '.join(fronts)}:")
            self.lines.out += inner

    def _drop_single_front(self) -> bool:
        """Whether the entry leads to a single question, so that its one world needs no front."""
        number, node = next(iter(self.nodes.items()))
        if self.goals != {number} or not isinstance(node.item, Site):
            return False
        if any(first <= number < last for first, last in self.spans.values()):
            return False
        if self.arrival != (len(self.lines.out), 1, number):
            return False
        self.lines.out.pop()
        return True

    def node(self, node: Node, solo: bool) -> None:
        """Write one node: ask its question in every world of its front, and follow the outcomes."""
        item, number = node.item, node.number
        self.here, self.goals, self.lines.assigned, self.weight = number, set(), set(), "W"
        self.lines.repeats = not solo
        self.lines.known = dict(node.known)
        moving, steady = self._changed_part(node), self._unchanged_part(node)
        unpack = f"{given(moving)} = X" if moving else ""
        again = bool(self._around) or isinstance(item, While | Until)
        line = self.w.bind("K", ("constant", item.line)) if item is not None else None
        if isinstance(item, Until) and item.endless:
            self._write_chain(node, line)
            return
        out, self.lines.out = self.lines.out, []
        if item is None:
            self.flow(node.rest, 3)
            body, self.lines.out = self.lines.out, out
            self.lines.put(1, f"if f{number}:")
            self.lines.put(2, f"G = f{number}; B = D = d{number}; f{number} = {{}}; d{number} = 1")
            self._scale_fronts(2, again=again)
            self.lines.put(2, "M = D // B")
            self.lines.put(2, "for X, W in G.items():")
            if unpack:
                self.lines.put(3, unpack)
            for held in steady:
                self.lines.put(3, self._restore(held))
            self.lines.put(3, "if M != 1: W *= M")
            self.lines.out += body
            self._mark_seen()
            return
        base = 1 if solo else 3
        # The distribution is computed where the world is unpacked; the paths after an outcome are written below it.
        law, outcome, inner = self._law(node, base)
        asking, self.lines.out = self.lines.out, []
        self.lines.repeats = True
        self._follow(node, base + 1 + bool(inner))
        following, self.lines.out = self.lines.out, out
        saves, restores = self._saves_and_restores(moving, steady, [*outcome, *inner])
        if not solo:
            whiling = isinstance(item, While | Until) and not self._around
            self.lines.put(1, f"{'while' if whiling else 'if'} f{number}:")
            self.lines.put(2, self._taking(node, moving))
            for held in steady:
                self.lines.put(2, self._restore(held))
            self.lines.put(2, f"spend(len(G), {line}, {self.w.code.weight}, B); L = 1; Q = []")
            self.lines.put(2, "for X, W in G.items():")
            if unpack:
                self.lines.put(3, unpack)
            self.lines.out += asking
            self.lines.put(3, f"T, ROWS = {law}")
            self.lines.put(3, "if T != L: L = lcm(L, T)")
            self.lines.put(3, "Q.append((X, W, T, ROWS))")
            self.lines.put(2, "D = B * L")
            self._scale_fronts(2, again=again)
            self.lines.put(2, "M = D // B")
            self.lines.put(2, "for X, U, T, ROWS in Q:")
            if unpack:
                self.lines.put(3, unpack)
            self.lines.put(3, "U *= M // T")
            if saves:
                self.lines.put(3, saves)
            self._outcomes(3, outcome, inner, restores, "U")
        else:
            self.lines.out += asking
            self.lines.put(1, f"D, ROWS = {law}")
            if saves:
                self.lines.put(1, saves)
            self._outcomes(1, outcome, inner, restores, "")
        self.lines.out += following
        if solo:
            for j in sorted(self.goals):
                self.lines.put(1, f"d{node_suffix(j)} = D")
        self._mark_seen()

    def _taking(self, node: Node, moving: list[Held]) -> str:
        """The code that takes the worlds out of a node's front. Of a loop with a number of rounds, or over figures, it
        takes those with the most rounds left: the others meet them when they have as many.
        """
        number, loop = node.number, node.item
        rest = held_slot(loop.rest) if isinstance(loop, While) and loop.rest >= 0 else None
        if rest not in moving:
            return f"G = f{number}; B = d{number}; f{number} = {{}}; d{number} = 1"
        if len(moving) == 1:
            rounds = "int" if loop.each < 0 else "size"
        else:
            place = moving.index(rest)
            rounds = f"itemgetter({place})" if loop.each < 0 else f"lambda X: size(X[{place}])"
        return f"G, f{number} = with_most(f{number}, {rounds}); B = d{number}"

    def _restore(self, held: Held) -> str:
        self._wanted.add(held)
        return f"{held.target} = {held.kept}"

    def _saves_and_restores(self, moving: list[Held], steady: list[Held], anew: list[Held]) -> tuple[str, list[str]]:
        """The code that saves and restores variables between outcomes: those that the path of one outcome changes and
        the next one needs.

        Variables that every outcome sets (`anew`) are left out.
        """
        lost = self.lines.assigned - set(anew)
        changed = [held for held in moving if held in lost]
        saves = "; ".join(f"b{i} = {held.read}" for i, held in enumerate(changed))
        restores = [f"{held.target} = b{i}" for i, held in enumerate(changed)]
        return saves, restores + [self._restore(held) for held in steady if held in lost]

    def _outcomes(
        self,
        depth: int,
        outcome: list[Held],
        inner: list[Held],
        restores: list[str],
        weight: str,
    ) -> None:
        """Write the loop over outcomes; for dice that several lines count, a nested loop."""
        what = given(outcome) if outcome else "_"
        if inner:
            self.lines.put(depth, f"for {what}, V, MORE in ROWS:")
            if weight:
                self.lines.put(depth + 1, f"V *= {weight}")
            self.lines.put(depth + 1, f"for {given(inner)}, W in MORE:")
            self.lines.put(depth + 2, "W *= V")
            depth += 1
        elif weight:
            self.lines.put(depth, f"for {what}, V in ROWS:")
            self.lines.put(depth + 1, f"W = {weight} * V")
        else:
            self.lines.put(depth, f"for {what}, W in ROWS:")
        if restores:
            self.lines.put(depth + 1, "; ".join(restores))

    def _law(self, node: Node, depth: int) -> tuple[str, list[Held], list[Held]]:
        """The source of a question's distribution, the variables that each outcome sets, and those set in the nested
        loop.
        """
        item = node.item
        if isinstance(item, While | Until):
            name, key, ends, alike = self.w.round(item, self.live)
            if alike:
                assert isinstance(item, While)
                self._merge_equal_rounds(item, node, depth)
                return f"{name}[{taken(key)}, A]", ends, []
            return f"{name}[{taken(key)}]", ends, []
        if item.callee is not None:
            return *self.lines.call(item, depth), []
        dest = [held_slot(item.dest)]
        asks = self.lines.printer.listed(item.asks)
        match item.kind:
            case "tally":
                count, passing = self.lines.show(node.chain[0].asks[0]), tuple([site.passing for site in node.chain])
                rolls = Tuple(tuple([site.asks[1] for site in node.chain]))
                if _is_constant(rolls):
                    law = self.w.constant((rolls, passing), f"E.tallied({self.w.printer.text(rolls)}, {passing})")
                    return f"{law}[{count}]", dest, []
                if len(node.chain) == 1:
                    law = self.w.bind("R", ("rolls", item.passing))
                    return f"{law}[{self.lines.show(item.asks[1])}][{count}]", dest, []
                return f"{self.w.bind('R', ('thinned', passing))}[{self.lines.show(rolls)}][{count}]", dest, []
            case "throw" if node.views:
                return self._joint_law(item, node.views)
            case "throw":
                how = ("but",) if len(item.asks) > 2 else ("faces",)
                return f"{self.w.bind('R', how)}({asks})", dest, []
            case "lots":
                return f"{self.w.bind('R', ('lots', *item.note))}({asks})", dest, []
        return f"{self.w.bind('R', ('sorts', item.passing))}[{asks}]", dest, []

    def _merge_equal_rounds(self, loop: While, node: Node, depth: int) -> None:
        """Merge all rounds equal to this one: the world continues after the last of them."""
        rest, moving = f"l{loop.rest}", self._changed_part(node)
        if loop.each < 0:
            self.lines.put(depth, f"A = {rest} + 1; {rest} = 0")
        elif held_slot(loop.each) not in moving:  # rounds do not read the figure, so all are equal
            self.lines.put(depth, f"A = size({rest}) + 1; {rest} = ()")
        else:
            self.lines.put(depth, f"{rest}, A = without_alike({rest}, l{loop.each})")
        self.lines.put(depth, f"X = {taken(moving)}")

    def _joint_law(self, site: Site, views: Sequence[Do]) -> tuple[str, list[Held], list[Held]]:
        """The joint distribution of several counts of the same dice."""
        counts = [do.view for do in views if do.view is not None]
        rolls, passing = Tuple(tuple([v.roll for v in counts])), tuple([v.passing for v in counts])
        count, sides = site.asks
        if isinstance(sides, Const) and _is_constant(rolls):
            plain = self.w.printer.text
            law = self.w.constant((sides, rolls, passing), f"E.seen({plain(sides)}, {plain(rolls)}, {passing})")
        else:
            law = f"E.seen({self.lines.show(sides)}, {self.lines.show(rolls)}, {passing})"
        first, *rest = [held_slot(do.sets) for do in views]
        return f"{law}[{self.lines.show(count)}]", [first], rest

    def _follow(self, node: Node, depth: int) -> None:
        item = node.item
        for site in node.chain or ((item,) if isinstance(item, Site) else ()):
            forget([site], self.lines.known)
        forget(node.views, self.lines.known)
        if isinstance(item, While | Until):
            assert node.rest is not None
            self._end_round(item, node.rest, depth)
            return
        if item.callee is not None:
            self.lines.merge_changes(item, depth)
        self.flow(node.rest, depth)

    def _scale_fronts(self, depth: int, *, again: bool = False) -> None:
        """Scale the fronts of target nodes to a common denominator."""
        names = [node_suffix(j) for j in sorted(self.goals)]
        waiting = [node_suffix(j) for j in sorted(self.goals) if again or self._seen(j)]
        den = "D"
        if len(waiting) == 1:  # the most common case is inlined, because it runs once per front
            n = waiting[0]
            self.lines.put(depth, f"if f{n} and d{n} != D: D = lcm(D, d{n})")
            self.lines.put(depth, f"if f{n} and d{n} != D: scale(f{n}, D // d{n})")
        elif waiting:
            den = f"D = level(D, {', '.join(f'f{n}, d{n}' for n in waiting)})"
        if names:
            self.lines.put(depth, " = ".join([*(f"d{n}" for n in names), den]))

    def _seen(self, number: int) -> bool:
        return self._ended if number < 0 else self.nodes[number].seen

    def _mark_seen(self) -> None:
        for j in self.goals:
            if j >= 0:
                self.nodes[j].seen = True
            else:
                self._ended = True

    def _write_chain(self, node: Node, line: str | None) -> None:
        """Write an unbounded loop: every world is a state of a Markov chain, and leaving the loop is absorption."""
        number, out = node.number, self.lines.out
        moving, steady = self._changed_part(node), self._unchanged_part(node)
        self.row, self.weight = True, "V"
        self.lines.out = []
        law, outcome, _ = self._law(node, 3)
        asking, self.lines.out = self.lines.out, []
        self._follow(node, 4)
        following, self.lines.out = self.lines.out, out
        self.row, self.weight = False, "W"
        saves, restores = self._saves_and_restores(moving, steady, outcome)
        self.lines.put(1, f"if f{number}:")
        self.lines.put(2, f"def chain{number}(X):")
        self.lines.put(3, "row = {}")
        if moving:
            self.lines.put(3, f"{given(moving)} = X")
        for held in steady:
            self.lines.put(3, self._restore(held))
        self.lines.out += asking
        self.lines.put(3, f"T, ROWS = {law}")
        if saves:
            self.lines.put(3, saves)
        self.lines.put(3, f"for {given(outcome) if outcome else '_'}, V in ROWS:")
        if restores:
            self.lines.put(4, "; ".join(restores))
        self.lines.out += following
        self.lines.put(3, "return row, T")
        self.lines.put(2, f"ends, D = E.absorb(f{number}, d{number}, {number}, chain{number}, {line})")
        self.lines.put(2, f"f{number} = {{}}; d{number} = 1")  # an enclosing loop may reach it again
        for j in sorted(self.goals - {number}):
            n = node_suffix(j)
            self.lines.put(2, f"d{n} = merge(f{n}, d{n}, ends.get({j}), D)")
        self._mark_seen()


def _is_constant(term: Term) -> bool:
    """Whether a term reads nothing, and so is constant."""
    return term.uses == NOTHING and not term.of_state
