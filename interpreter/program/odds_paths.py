"""Writes the paths between questions in generated functions of odds: over branches, loops and joins.

Takes the tree of a procedure, and slots with known truth values. Writes the Python of each path, and collects the nodes
where worlds join. A short continuation is duplicated on every path; a longer one begins at a join.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .code import Do, If, Item, Site, Until, While, inside
from .liveness import Live
from .odds_statements import StatementWriter
from .odds_types import Held, Node, Rest, assigned, packed, taken
from .path_conditions import Known, done, forget, known_value, supposing
from .terms import NOTHING, ONE, Not, Slot, Uses, or_zero, slot

if TYPE_CHECKING:
    from .interfaces import Functions

SHORT = 6  # a continuation of at most this many statements is duplicated on every path


class PathWriter:
    """Writes the paths of one function."""

    def __init__(self, writer: Functions, live: Live, items: Sequence[Item]) -> None:
        self.w, self.live, self.items = writer, live, items
        self.lines = StatementWriter(writer, live, items)
        self.nodes: dict[int, Node] = {}
        self.numbers: dict[int, int] = {}  # node numbers of questions and loops, in program order
        self.joins: dict[int, int] = {}  # node numbers of the joins after branches and loops
        self.spans: dict[int, tuple[int, int]] = {}  # range of nodes inside a loop that is written inline
        self.before: dict[int, frozenset[Held]] = {}  # by node number: variables that may be set on the way there
        self.entry: set[Held] = set()  # the inputs of the function
        self.here: int | None = None  # the node being written
        self.goals: set[int] = set()  # the nodes it leads to
        self.row = False  # whether worlds go into a row of a Markov chain
        self.weight = "1"
        self.ends: list[str] = []
        self.arrival = (0, 0, -1)  # the last world added: after how many lines, at what depth, to which node
        self._number(items, set())

    def _place(self, seen: set[Held]) -> int:
        number = len(self.before)
        self.before[number] = frozenset(seen)
        return number

    def _number(self, items: Sequence[Item], seen: set[Held]) -> None:
        for item in items:
            if self.lines.dead(item):
                continue
            match item:
                case If():
                    one, other = set(seen), set(seen)
                    self._number(item.then, one)
                    self._number(item.other, other)
                    seen |= one | other
                    self.joins[id(item)] = self._place(seen)
                case While() | Until():
                    seen |= self.lines.sets([item])
                    first = self.numbers[id(item)] = self._place(seen)
                    if self._inlined(item):
                        self._number(item.body, seen)
                        self.spans[first] = first, len(self.before)
                    self.joins[id(item)] = self._place(seen)
                case Site():
                    self.numbers[id(item)] = self._place(seen)
                    seen |= self.lines.sets([item])
                case Do():
                    seen |= self.lines.sets([item])

    def _inlined(self, loop: While | Until) -> bool:
        """Whether a loop is written inline instead of as a memoized function.

        That is better if every round reads everything anyway, and asks several questions in turn, so that worlds merge
        between them.
        """
        if (isinstance(loop, Until) and loop.endless) or not self.live.open(loop.body, self.w.fate):
            return False
        mine, _ = self.w.inside(loop, self.live)
        start = self.live.starts[id(loop)]
        counting = (
            loop.test.uses.slots
            & assigned(loop.last if isinstance(loop, Until) else loop.first, self.w.program.writes)[0]
        )
        if start.slots - mine.entry.slots - counting or self.w.shape.places(start.cells - mine.entry.cells):
            return False
        asked = [i for i in loop.body if not self.lines.dead(i) and self.live.open([i], self.w.fate)]
        return sum(1 for i in asked if not (isinstance(i, Site) and i.asks and i.asks[0] == ONE)) > 1

    def flow(self, rest: Rest | None, depth: int) -> None:
        """Write what follows, until every path reaches a question or the end."""
        while rest is not None:
            if rest.round is not None:
                self._end_round(*rest.round, depth)
                return
            if rest.join >= 0:
                if self._short(rest.then):
                    rest = rest.then
                    continue
                self.go(rest.join, None, rest.then, self._world_of(rest), depth)
                return
            if rest.at == len(rest.items):
                rest = rest.then
                continue
            item = rest.items[rest.at]
            after = Rest(rest.items, rest.at + 1, rest.then)
            if self.lines.dead(item):
                rest = after
            elif isinstance(item, If) and (outcome := known_value(item.test, self.lines.known)) is not None:
                rest = Rest(item.then if outcome else item.other, 0, after)
            elif not self.live.open([item], self.w.fate):
                self.lines.write(item, depth)
                rest = after
            elif isinstance(item, If):
                self._branch(item, Rest((), 0, after, self.joins[id(item)]), depth)
                return
            elif isinstance(item, Site):
                if self._write_tail_call(item, after, depth):
                    return
                self._ask(item, after, depth)
                return
            else:
                assert isinstance(item, While | Until)
                self.loop(item, after, depth, begins=True)
                return
        self.end(depth)

    def _ask(self, site: Site, after: Rest, depth: int) -> None:
        """End a path at a question.

        A tally of the dice that another tally leaves is merged with it, and counts of thrown dice are merged with the
        throw: one distribution gives both.
        """
        number, world = self.numbers[id(site)], self.w.world(self.live.before[id(site)])
        if site.kind == "throw" and len(site.asks) == 2:
            views, then = self._views(site, after)
            self.go(number, site, then, world, depth, views=views)
            return
        chain = [site]
        while site.kind == "tally" and (more := self._following_tally(chain[-1], after)) is not None:
            chain.append(more[0])
            after = more[1]
        self.go(number, chain[-1], after, world, depth, chain=tuple(chain))

    def _next(self, rest: Rest) -> tuple[Item, Rest] | None:
        """The next live statement on a path without branches."""
        at: Rest | None = rest
        while at is not None and at.round is None:
            if at.join >= 0 or at.at == len(at.items):
                at = at.then
                continue
            item = at.items[at.at]
            at = Rest(at.items, at.at + 1, at.then)
            if not self.lines.dead(item):
                return item, at
        return None

    def _following_tally(self, site: Site, after: Rest) -> tuple[Site, Rest] | None:
        """A following tally of exactly the dice that this one leaves, if nothing else reads their number."""
        found = self._next(after)
        if found is None or not isinstance(found[0], Site) or found[0].kind != "tally":
            return None
        more, dest = found[0], slot(site.dest)
        if more.asks[0] not in (dest, or_zero(dest)) or site.dest in more.asks[1].uses.slots:
            return None
        if more.dest != site.dest and site.dest in self.live.after[id(more)].slots:
            return None
        return more, found[1]

    def _views(self, site: Site, after: Rest) -> tuple[tuple[Do, ...], Rest]:
        """The counts of thrown dice after a throw, if nothing else reads the dice.

        Unrelated statements between them are moved behind them.
        """
        views: list[Do] = []
        between: list[Do] = []
        rest = after
        while (found := self._next(rest)) is not None:
            item, rest = found
            if not isinstance(item, Do):
                break
            if item.view is None or item.view.dice != site.dest:
                if site.dest in item.uses.slots or item.keeps:
                    break
                between.append(item)
                continue
            sets = {v.sets for v in (*views, *between)} | {site.dest}
            if item.view.uses.slots & sets or any(item.view.uses.cells & v.writes for v in between):
                break
            views.append(item)
            if site.dest not in self.live.after[id(item)].slots:
                return tuple(views), Rest(tuple(between), 0, rest) if between else rest
        return (), after

    def _end_round(self, loop: While | Until, after: Rest, depth: int) -> None:
        """Write the end of a round, followed by the next round of the loop."""
        for item in loop.last:
            if not self.lines.dead(item):
                self.lines.do(item, depth)
        self.loop(loop, after, depth, begins=False)

    def _enter_round(self, loop: While | Until, after: Rest, depth: int) -> None:
        """Write the entry to one more round: inlined, or by its memoized function."""
        number, world = self.numbers[id(loop)], self.w.world(self.live.starts[id(loop)])
        if number not in self.spans:
            self.go(number, loop, after, world, depth)
            return
        rest = Rest(loop.body, 0, Rest((), 0, None, round=(loop, after)))
        if self._short(rest, ends=False):
            self.flow(rest, depth)
        else:
            self.go(number, None, rest, world, depth)

    def _branch(self, item: If, meeting: Rest, depth: int) -> None:
        before = self.lines.known
        self.lines.put(depth, f"if {self.lines.show(item.test)}:")
        self.lines.known = supposing(item.test, True, before)
        self.flow(Rest(item.then, 0, meeting), depth + 1)
        self.lines.put(depth, "else:")
        self.lines.known = supposing(item.test, False, before)
        self.flow(Rest(item.other, 0, meeting), depth + 1)
        self.lines.known = before

    def _write_tail_call(self, site: Site, after: Rest, depth: int) -> bool:
        """Write a recursive call as a tail call, if the procedure does nothing after it that depends on its result;
        return whether it was written.

        If that holds only under a condition (such as the end of a moment that the procedure itself began), the call is
        written twice, in the branches of a test of that condition.
        """
        v, program = self.w.variant, self.w.program
        if site.callee is None or site.snapshot >= 0 or self.live is not v.live:
            return False
        if not program.circular(site.callee) or v.code.procedure not in program.reachable(site.callee):
            return False
        if site.dest in self.live.after[id(site)].slots:
            return False
        needed = self._tail_call_condition(site, after)
        if needed is None:
            return False
        before = self.lines.known
        if needed:
            tests = [Slot(number) if holds else Not(Slot(number)) for number, holds in needed.items()]
            test = " and ".join(self.lines.show(test) for test in tests)
            self.lines.put(depth, f"if {test}:")
            self.lines.known = {**before, **needed}
            self._write_jump(site, after, depth + 1)
            self.lines.known = before
            self.lines.put(depth, "else:")
            self._ask(site, after, depth + 1)
        else:
            self._write_jump(site, after, depth)
        return True

    def _write_jump(self, site: Site, after: Rest, depth: int) -> None:
        """Write a tail call; if the subject is absent, write what follows it instead."""
        v = self.w.variant
        assert site.callee is not None
        callee = self.w.program.front(site.callee, frozenset(), v.handed, False, self.w.shape)
        name = self.w.bind("C", ("call", callee))
        v.tails = True
        args, known = self.lines.arguments(site, depth)
        inner = depth + bool(known)
        if known:
            self.lines.put(depth, f"if {known}:")
        key = [args[i] for i in callee.params] + [held.read for held in self.w.state(callee.cells)]
        self.lines.put(inner, f"Z = {packed(key)}")
        self._write_statements(after, inner)
        record = self.ends[0] if v.heard else "None"
        self._add("fx", f"E.tail({name}, Z, {record})", inner)
        self.goals.add(-1)
        if known:
            self.lines.put(depth, "else:")
            self.flow(after, depth + 1)

    def _write_statements(self, rest: Rest | None, depth: int) -> None:
        while rest is not None:
            self.lines.block(rest.items[rest.at :], depth)
            rest = rest.then

    def _tail_call_condition(self, site: Site, rest: Rest | None) -> dict[int, bool] | None:
        """The truth values that slots must have at `site` for all that follows to have no questions and not to touch
        the state; empty if it always does, None if no slot decides it.
        """
        changed = {site.dest, *site.lands}
        needed: dict[int, bool] = {}
        known = dict(self.lines.known)
        forget([site], known)

        def plain(items: Sequence[Item], known: Known) -> bool:
            for item in items:
                if self.lines.dead(item):
                    continue
                if isinstance(item, Do) and not item.uses.cells and not item.writes:
                    changed.add(item.sets)
                    done(item, known)
                elif not isinstance(item, If) or not branch(item, known):
                    return False
            return True

        def branch(item: If, known: Known) -> bool:
            outcome = known_value(item.test, known)
            if outcome is not None:
                return plain(item.then if outcome else item.other, known)
            if item.test.uses.cells:
                return False
            ways = [way for way in (True, False) if plain(item.then if way else item.other, dict(known))]
            if len(ways) == 2:
                forget([item], known)
                return True
            test = item.test.of if isinstance(item.test, Not) else item.test
            if not ways or not isinstance(test, Slot) or test.number in changed:
                return False
            wanted = ways[0] is not isinstance(item.test, Not)
            if needed.setdefault(test.number, wanted) is not wanted:
                return False
            known[test.number] = wanted
            return plain(item.then if ways[0] else item.other, known)

        while rest is not None:
            if rest.round is not None or not plain(rest.items[rest.at :], known):  # another round may follow
                return None
            rest = rest.then
        return needed

    def loop(self, loop: While | Until, after: Rest, depth: int, *, begins: bool) -> None:
        """Write the start of a loop, or the decision after a round: one more round, or what follows the loop."""
        join = Rest((), 0, after, self.joins[id(loop)])
        before = self.lines.known
        self.lines.known = dict(before)
        if begins:
            forget([loop], self.lines.known)
        if isinstance(loop, Until):
            if begins:
                self._enter_round(loop, after, depth)
            else:
                known = dict(self.lines.known)
                self.lines.put(depth, f"if {self.lines.show(loop.test)}:")
                self.flow(join, depth + 1)
                self.lines.put(depth, "else:")
                self.lines.known = known
                forget([loop], self.lines.known)
                self._enter_round(loop, after, depth + 1)
        else:
            known = dict(self.lines.known)
            self.lines.put(depth, f"if {self.lines.show(loop.test)}:")
            for item in loop.first:
                if not self.lines.dead(item):
                    self.lines.do(item, depth + 1)
            forget([loop], self.lines.known)
            self._enter_round(loop, after, depth + 1)
            self.lines.put(depth, "else:")
            self.lines.known = known
            self.flow(join, depth + 1)
        self.lines.known = before

    def _short(self, rest: Rest | None, *, ends: bool = True) -> bool:
        """Whether what follows is short enough to be duplicated; `ends`: the end of a round counts as short."""
        lines = 0
        known = dict(self.lines.known)
        while rest is not None:
            if rest.round is not None:
                return ends
            if rest.at == len(rest.items):
                rest = rest.then
                continue
            item = rest.items[rest.at]
            rest = Rest(rest.items, rest.at + 1, rest.then, rest.join)
            if self.lines.dead(item):
                continue
            if isinstance(item, If) and (outcome := known_value(item.test, known)) is not None:
                rest = Rest(item.then if outcome else item.other, 0, rest)
                continue
            if isinstance(item, Site) and self.w.fate(item):
                return True
            if self.live.open([item], self.w.fate) or isinstance(item, While | Until):
                return False
            if isinstance(item, Do):
                done(item, known)
            else:
                forget([item], known)
            lines += sum(1 for _ in inside([item]))
            if lines > SHORT:
                return False
        return True

    def _world_of(self, rest: Rest) -> list[Held]:
        """The live variables at a join: before the next statement, or at the end."""
        following = rest.then
        while following is not None:
            if following.round is not None:
                return self.w.world(self.live.ends[id(following.round[0])])
            if following.join >= 0:
                following = following.then
            elif following.at < len(following.items):
                return self.w.world(self.live.before[id(following.items[following.at])])
            else:
                following = following.then
        return self.w.world(self.end_uses())

    def end_uses(self) -> Uses:
        live, v = self.live, self.w.variant
        if live is v.live:
            slots = frozenset(s for s in (*live.results, *v.gives) if s >= 0)
            return Uses(slots, frozenset() if v.code.takes else v.handed)
        return live.after[id(self.items[-1])] if self.items else NOTHING

    def go(self, number: int, item: Any, rest: Rest | None, world: list[Held], depth: int, **more: Any) -> None:
        if number not in self.nodes:
            self.nodes[number] = Node(number, item, rest, world, dict(self.lines.known), **more)
        elif self.here != number:
            known = self.nodes[number].known
            for slot in [s for s in known if self.lines.known.get(s) is not known[s]]:
                del known[slot]
        self.goals.add(number)
        self._add(f"f{number}", taken(self._changed_part(self.nodes[number])), depth, number)

    def _changed_part(self, node: Node) -> list[Held]:
        """The part of a node's world that may have changed since the function began; the rest is equal in all worlds.
        """
        before = self.before[node.number]
        return [held for held in node.world if held in before or held not in self.entry]

    def _unchanged_part(self, node: Node) -> list[Held]:
        """The rest of the world, as far as later lines set it: it is restored from its initial value."""
        moving = set(self._changed_part(node))
        return [held for held in node.world if held not in moving and held in self.lines.ever]

    def end(self, depth: int) -> None:
        if not self.w.variant.chancy:
            self.lines.put(depth, f"return {packed(self.ends)}")
            return
        if self.weight == "1":  # before the first question, so this is the only outcome
            self.lines.put(depth, f"return 1, [({packed(self.ends)}, 1)]")
            return
        self.goals.add(-1)
        self._add("fx", packed(self.ends), depth, -1)

    def _add(self, front: str, world: str, depth: int, number: int = -1) -> None:
        if self.row:
            self.lines.put(depth, f"X = ({number}, {world}); row[X] = row.get(X, 0) + {self.weight}")
        elif self.weight == "1":
            self.lines.put(depth, f"{front}[{world}] = 1")
            self.arrival = len(self.lines.out), depth, number
        else:
            self.lines.put(depth, f"X = {world}; {front}[X] = {front}.get(X, 0) + {self.weight}")
