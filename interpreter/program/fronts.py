"""All histories: a procedure as one Python function from what it reads to every outcome, weighted.

Enters: the tree of a procedure and what matters where. Leaves: Python source of our own making, and what must be bound
to its names. At every question stands a front: the worlds that arrived there, equal ones merged, with integer weights
over one denominator. Fronts are worked off in the order of the page, so that all that can still arrive has arrived. A
round of a loop is a function of its own, remembered by what it reads. Knows nothing of laws.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .code import DICE, NOTHING, Code, Do, If, Item, Site, Until, Uses, While, inside
from .known import Known, done, forget, settled, supposing
from .live import Cells, Live, Liveness

if TYPE_CHECKING:
    from .program import Program


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """Which part of the state a question moves in: the cells that may change, by place, and whether things are made."""

    keys: tuple[tuple[int, int], ...]
    changing: Cells
    makes: bool

    def places(self, cells: Cells) -> tuple[int, ...]:
        return tuple([i for i, key in enumerate(self.keys) if key in cells and key in self.changing])


CLOSED = Shape((), frozenset(), False)  # no state: every cell is a variable


@dataclass(eq=False, slots=True)
class Variant:
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
    gives: tuple[int, ...] = ()
    bindings: list[tuple[str, Any]] = field(default_factory=list)
    make: Callable[..., Any] | None = None
    tails: bool = False


@dataclass(frozen=True, slots=True)
class Rest:
    """What is still to be carried out: a list from some place on, then what follows it; or a meeting of paths."""

    items: Sequence[Item]
    at: int
    then: Rest | None
    join: int = -1


@dataclass(eq=False, slots=True)
class Node:
    number: int
    item: Any  # a site, a loop, or None where paths meet
    rest: Rest | None
    world: list[tuple[str, str]]
    known: Known
    seen: bool = False  # some earlier node may have put worlds here


def packed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


class Writer:
    """Writes one variant."""

    def __init__(self, program: Program, shape: Shape, variant: Variant) -> None:
        self.program, self.shape, self.variant = program, shape, variant
        self.code = variant.code
        self.bound: dict[str, Any] = {}
        self.functions: list[str] = []
        self.rolls: dict[tuple[str, bool], str] = {}
        self.rounds = 0

    def source(self) -> str:
        v = self.variant
        given = [(f"l{v.code.params[i]}",) * 2 for i in v.params]
        region = Region(self, v.live, v.code.items)
        entry = set(v.live.entry.slots) - {v.code.params[i] for i in v.params}
        record = None
        if v.heard:
            record = "(" + "".join(f"l{s}, " if s >= 0 else "None, " for s in v.live.results) + ")"
        ends = ([record] if record else []) + [f"l{s}" for s in v.gives] + [read for read, _ in self.state(v.exits)]
        text = region.function("run", [*given, *self.state(v.cells)], sorted(entry), ends)
        names = "".join(f", {name}" for name in self.bound)
        body = "\n".join([*self.functions, text])
        v.bindings = list(self.bound.items())
        return f"def make(E, S0, spend{names}):\n" + _deeper(body) + "\n    return run"

    def state(self, places: Sequence[int]) -> list[tuple[str, str]]:
        """Parts of the state as variables: how each is read, and how it is set."""
        found = [(f"S[{i}]", f"S[{i}]") for i in places]
        if self.shape.makes:
            size = len(self.shape.keys)
            found.append((f"tuple(S[{size}:])", f"S[{size}:]"))
        return found

    def world(self, uses: Uses) -> list[tuple[str, str]]:
        slots = [(f"l{s}", f"l{s}") for s in sorted(uses.slots)]
        return [*slots, *self.state(self.shape.places(uses.cells))]

    def bind(self, stem: str, value: Any) -> str:
        for name, known in self.bound.items():
            if known == value:
                return name
        name = f"{stem}{len(self.bound)}"
        self.bound[name] = value
        return name

    def constant_roll(self, roll: str, passing: bool) -> str:
        """The laws of a roll that depends on nothing: looked up once."""
        known = (roll, passing)
        if known not in self.rolls:
            self.rolls[known] = f"Q{len(self.rolls)}"
            self.functions.insert(0, f"{self.rolls[known]} = E.tallied({roll}, {passing})")
        return self.rolls[known]

    def fate(self, site: Site) -> bool:
        """Whether a question must be asked of chance; choices follow a policy, and most calls do not throw."""
        return site.kind in DICE or (site.callee is not None and self.program.chancy(site.callee))

    def round(self, loop: While | Until, live: Live) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        """A round of a loop as a remembered function: its name, what it reads, what it sets."""
        end = live.ends[id(loop)]
        sets: set[int] = set()
        writes: set[Any] = set()
        for item in inside(loop.body):
            if isinstance(item, Do):
                sets.add(item.sets)
                writes |= item.writes
            elif isinstance(item, Site):
                sets |= {item.dest, *item.lands}
                if item.callee is not None:
                    writes |= self.program.writes(item.callee)
        out = Uses(end.slots & sets, end.cells & writes)
        mine = Live(())
        mine.entry = Liveness(mine, self.program.needs(self.shape is CLOSED)).back(loop.body, out)
        self.rounds += 1
        name = f"round{self.rounds}"
        key, ends = self.world(mine.entry), self.world(out)
        text = Region(self, mine, loop.body).function(name, key, [], [read for read, _ in ends])
        self.functions.append(f"{text}\nT{name} = E.table({name})")
        return f"T{name}", key, ends


class Region:
    """One function: a procedure, or a round of a loop."""

    def __init__(self, writer: Writer, live: Live, items: Sequence[Item]) -> None:
        self.w, self.live, self.items = writer, live, items
        self.out: list[str] = []
        self.nodes: dict[int, Node] = {}
        self.numbers: dict[int, int] = {}
        self._number(items)
        self.here: int | None = None  # the node being written
        self.goals: set[int] = set()
        self.assigned: set[str] = set()
        self.row = False  # whether worlds go into a row of a chain
        self.weight = "1"
        self.ends: list[str] = []
        self.known: Known = {}

    def _number(self, items: Sequence[Item]) -> None:
        """Places of the page in order: questions, rounds, and where paths meet."""
        for item in items:
            if isinstance(item, If):
                self._number(item.then)
                self._number(item.other)
            if not isinstance(item, Do):
                self.numbers[id(item)] = len(self.numbers) * 2

    # ---- text
    def put(self, depth: int, text: str) -> None:
        self.out += ["    " * depth + line for line in text.split("\n")]

    def function(self, name: str, key: list[tuple[str, str]], unset: Sequence[int], ends: list[str]) -> str:
        self.ends = ends
        self.put(0, f"def {name}(key):")
        if self.w.shape.keys:
            self.put(1, "S = S0[:]")
        if key:
            self.put(1, f"{packed([target for _, target in key])} = key")
        for slot in unset:
            first = self.w.code.first[slot]
            self.put(1, f"l{slot} = {first}")
            if first in ("True", "False"):
                self.known[slot] = first == "True"
        begin = len(self.out)
        self.flow(Rest(self.items, 0, None), 1)
        done: list[int] = []
        solo = len(self.nodes) == 1 and self._sole()
        for j in self.goals:
            if j >= 0 and not solo:
                self.nodes[j].seen = True
        while waiting := sorted(n for n in self.nodes if n not in done):
            self.node(self.nodes[waiting[0]], solo and not done)
            done.append(waiting[0])
        fronts = "".join(f"f{n} = {{}}; d{n} = 1; " for n in sorted(self.nodes))
        self.out.insert(begin, f"    {fronts}fx = {{}}; dx = 1")
        self.put(1, "return dx, list(fx.items())")
        return "\n".join(self.out)

    def _sole(self) -> bool:
        """Whether the way in leads to one question and nowhere else: then its one world needs no front."""
        number, node = next(iter(self.nodes.items()))
        if self.goals != {number} or not isinstance(node.item, Site):
            return False
        if not self.out[-1].startswith(f"    f{number}["):
            return False
        self.out.pop()
        return True

    # ---- quiet steps
    def flow(self, rest: Rest | None, depth: int) -> None:
        """Writes what follows, until every path has come to a question or to the end."""
        while rest is not None:
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
            if self._dead(item):
                rest = after
            elif isinstance(item, If) and (outcome := settled(item.test.text, self.known)) is not None:
                rest = Rest(item.then if outcome else item.other, 0, after)
            elif not self.live.open([item], self.w.fate):
                self.quiet(item, depth)
                rest = after
            elif isinstance(item, If):
                self._branch(item, Rest((), 0, after, self.numbers[id(item)] + 1), depth)
                return
            elif isinstance(item, Site):
                if self._tail(item, after, depth):
                    return
                self.go(self.numbers[id(item)], item, after, self.w.world(self.live.before[id(item)]), depth)
                return
            else:
                assert isinstance(item, While | Until)
                self.loop(item, after, depth, begins=True)
                return
        self.end(depth)

    def _branch(self, item: If, meeting: Rest, depth: int) -> None:
        before = self.known
        self.put(depth, f"if {item.test.text}:")
        self.known = supposing(item.test.text, True, before)
        self.flow(Rest(item.then, 0, meeting), depth + 1)
        self.put(depth, "else:")
        self.known = supposing(item.test.text, False, before)
        self.flow(Rest(item.other, 0, meeting), depth + 1)
        self.known = before

    def _dead(self, item: Item) -> bool:
        return self.live.dead.get(id(item), False)

    def quiet(self, item: Item, depth: int) -> None:
        match item:
            case Do():
                self._do(item, depth)
            case If():
                outcome = settled(item.test.text, self.known)
                if outcome is not None:
                    self._all(item.then if outcome else item.other, depth)
                    return
                kept = [i for i in item.then if not self._dead(i)]
                other = [i for i in item.other if not self._dead(i)]
                before = self.known
                if kept:
                    self.put(depth, f"if {item.test.text}:")
                    self.known = supposing(item.test.text, True, before)
                    self._all(kept, depth + 1)
                if other:
                    self.put(depth, "else:" if kept else f"if not ({item.test.text}):")
                    self.known = supposing(item.test.text, False, before)
                    self._all(other, depth + 1)
                self.known = before
                forget([item], self.known)
            case While():
                forget([item], self.known)
                self.put(depth, f"while {item.test.text}:")
                self._round(item, depth + 1)
                forget([item], self.known)
            case Until():
                forget([item], self.known)
                self.put(depth, "while True:")
                self._round(item, depth + 1)
                self.put(depth + 1, f"if {item.test.text}: break")
                forget([item], self.known)
            case Site():
                self._settled(item, depth)

    def _all(self, items: Sequence[Item], depth: int) -> None:
        written = len(self.out)
        for item in items:
            if not self._dead(item):
                self.quiet(item, depth)
        if len(self.out) == written:
            self.put(depth, "pass")

    def _round(self, loop: While | Until, depth: int) -> None:
        self.put(depth, f"spend(1, {self.w.bind('K', ('constant', loop.line))})")
        self._all([*(loop.first if isinstance(loop, While) else ()), *loop.body, *loop.last], depth)

    def _do(self, item: Do, depth: int) -> None:
        done(item, self.known)
        if item.sets >= 0:
            self.assigned.add(f"l{item.sets}")
        for place in self.w.shape.places(item.writes):
            self.assigned.add(f"S[{place}]")
        if item.writes and self.w.shape.makes:
            self.assigned.add(f"S[{len(self.w.shape.keys)}:]")
        if item.keeps:
            name, live = f"l{item.sets}", self.live.after[id(item)]
            self.put(depth, f"{name} = S0[:]")
            for place in self.w.shape.places(live.cells):
                self.put(depth, f"{name}[{place}] = S[{place}]")
            self.put(depth, f"{name} = (*{name}, *S[{len(self.w.shape.keys)}:])")
        else:
            self.put(depth, item.text)

    def _settled(self, site: Site, depth: int) -> None:
        """A question that has one answer: a choice by its policy, or a call that throws no dice."""
        dest = f"l{site.dest}"
        forget([site], self.known)
        self.assigned.add(dest)
        if site.callee is None:
            question = site.asks[0] if site.kind == "choose" else f"({site.asks[0]}, {site.asks[1]})"
            self.put(depth, f"{dest} = {self.w.bind('D', ('decide', site))}({question}, S)")
            return
        law, outcome = self._call(site, depth)
        self.put(depth, f"{packed([target for _, target in outcome]) if outcome else '_'} = {law}[1][0][0]")
        self.assigned |= {target for _, target in outcome}
        self._landing(site, depth)

    # ---- questions
    def _call(self, site: Site, depth: int) -> tuple[str, list[tuple[str, str]]]:
        """The law of a call, and what each of its outcomes sets."""
        program = self.w.program
        assert site.callee is not None
        after = self.live.after[id(site)]
        heard = site.dest in after.slots
        wants, handed = program.variant(site, heard, after)
        callee = program.front(site.callee, wants, handed, heard, self.w.shape)
        name = self.w.bind("C", ("call", callee))
        args = list(site.asks)
        for i in site.unsure:
            self.put(depth, f"a{i} = {args[i]}")
            args[i] = f"a{i}"
        key = [args[i] for i in callee.params]
        if site.snapshot >= 0:
            key += [f"l{site.snapshot}[{i}]" for i in callee.cells] + self._made_since(site)
        else:
            key += [read for read, _ in self.w.state(callee.cells)]
        law = f"{name}[{packed(key)}]"
        outcome = [(f"l{site.dest}", f"l{site.dest}")] if heard else []
        outcome += [(f"l{slot}", f"l{slot}") for i, slot in enumerate(site.lands) if i in handed]
        if site.snapshot >= 0:
            outcome += [(f"c{i}", f"c{i}") for i in range(len(self.w.state(callee.exits)))]
        else:
            outcome += self.w.state(callee.exits)
        if site.unsure:
            known = " and ".join(f"a{i} is not None and a{i} != -1" for i in site.unsure)
            seen = f"l{site.snapshot}" if site.snapshot >= 0 else "S"
            nothing = (["None"] if heard else []) + [f"{seen}[{i}]" for i in callee.exits]
            nothing += self._made_since(site)
            law = f"({law} if {known} else (1, (({packed(nothing)}, 1),)))"
        return law, outcome

    def _made_since(self, site: Site) -> list[str]:
        """Things made, as a call sees them."""
        size = len(self.w.shape.keys)
        if site.snapshot >= 0 and self.w.shape.makes:
            return [f"(*l{site.snapshot}[{size}:], *S[len(l{site.snapshot}):])"]
        return [read for read, _ in self.w.state(())]

    def _landing(self, site: Site, depth: int) -> None:
        """What a call did that saw the state as it was, laid on what has already changed since."""
        if site.snapshot < 0:
            return
        program, shape = self.w.program, self.w.shape
        assert site.callee is not None
        after = self.live.after[id(site)]
        heard = site.dest in after.slots
        wants, handed = program.variant(site, heard, after)
        callee = program.front(site.callee, wants, handed, heard, shape)
        before = f"l{site.snapshot}"
        kinds = program.layout.landing(list(shape.keys), shape.keys)
        for n, i in enumerate(callee.exits):
            change = f"landed({kinds[i]!r}, S[{i}], {before}[{i}], c{n})"
            self.put(depth, f"if c{n} != {before}[{i}]: S[{i}] = {change}")
            self.assigned.add(f"S[{i}]")
        if shape.makes:
            self.put(depth, f"E.land_new(S, {len(shape.keys)}, {before}, c{len(callee.exits)})")
            self.assigned.add(f"S[{len(shape.keys)}:]")

    def _tail(self, site: Site, after: Rest, depth: int) -> bool:
        """The last thing a procedure does is a call in a circle whose answer nobody reads: the outcome is that
        call's.
        """
        v, program = self.w.variant, self.w.program
        if site.callee is None or site.snapshot >= 0 or self.live is not v.live:
            return False
        if not program.circular(site.callee) or v.code.procedure not in program.reachable(site.callee):
            return False
        if site.dest in self.live.after[id(site)].slots or not self._plain(after):
            return False
        callee = program.front(site.callee, frozenset(), v.handed, False, self.w.shape)
        name = self.w.bind("C", ("call", callee))
        v.tails = True
        args = list(site.asks)
        for i in site.unsure:
            self.put(depth, f"a{i} = {args[i]}")
            args[i] = f"a{i}"
        if site.unsure:
            known = " and ".join(f"a{i} is not None and a{i} != -1" for i in site.unsure)
            self.put(depth, f"if {known}:")
            inner = depth + 1
        else:
            inner = depth
        key = [args[i] for i in callee.params] + [read for read, _ in self.w.state(callee.cells)]
        self.put(inner, f"Z = {packed(key) if key else '()'}")
        self._quietly(after, inner)
        record = self.ends[0] if v.heard else "None"
        self._add("fx", f"E.tail({name}, Z, {record})", inner)
        self.goals.add(-1)
        if site.unsure:
            self.put(depth, "else:")
            self.flow(after, depth + 1)
        return True

    def _quietly(self, rest: Rest | None, depth: int) -> None:
        while rest is not None:
            self._all(rest.items[rest.at :], depth)
            rest = rest.then

    def _plain(self, rest: Rest | None) -> bool:
        """Whether all that follows is quiet and has to do with no state."""
        known = dict(self.known)

        def plain(items: Sequence[Item]) -> bool:
            for item in items:
                if self._dead(item):
                    continue
                match item:
                    case Do():
                        if item.uses.cells or item.writes:
                            return False
                        done(item, known)
                    case If():
                        outcome = settled(item.test.text, known)
                        if outcome is not None:
                            if not plain(item.then if outcome else item.other):
                                return False
                        elif item.test.uses.cells or not (plain(item.then) and plain(item.other)):
                            return False
                        else:
                            forget([item], known)
                    case _:
                        return False
            return True

        while rest is not None:
            if not plain(rest.items[rest.at :]):
                return False
            rest = rest.then
        return True

    def loop(self, loop: While | Until, after: Rest, depth: int, *, begins: bool) -> None:
        """The start of a loop, or what follows a round: one more round, or what comes after the loop."""
        number = self.numbers[id(loop)]
        join = Rest((), 0, after, number + 1)
        world = self.w.world(self.live.starts[id(loop)])
        before = self.known
        self.known = dict(before)
        if begins:
            forget([loop], self.known)
        if isinstance(loop, Until):
            if begins:
                self.go(number, loop, after, world, depth)
            else:
                self.put(depth, f"if {loop.test.text}:")
                self.flow(join, depth + 1)
                self.put(depth, "else:")
                self.go(number, loop, after, world, depth + 1)
        else:
            known = dict(self.known)
            self.put(depth, f"if {loop.test.text}:")
            for item in loop.first:
                if not self._dead(item):
                    self._do(item, depth + 1)
            forget([loop], self.known)
            self.go(number, loop, after, world, depth + 1)
            self.put(depth, "else:")
            self.known = known
            self.flow(join, depth + 1)
        self.known = before

    # ---- fronts
    def _short(self, rest: Rest | None) -> bool:
        """Whether what follows is so little that every path may have it for itself."""
        lines = 0
        known = dict(self.known)
        while rest is not None:
            if rest.at == len(rest.items):
                rest = rest.then
                continue
            item = rest.items[rest.at]
            rest = Rest(rest.items, rest.at + 1, rest.then, rest.join)
            if self._dead(item):
                continue
            if isinstance(item, If) and (outcome := settled(item.test.text, known)) is not None:
                rest = Rest(item.then if outcome else item.other, 0, rest)
                continue
            if isinstance(item, Site) and self.w.fate(item):
                return True
            if not isinstance(item, Do):
                return False
            done(item, known)
            lines += 1
            if lines > 3:
                return False
        return True

    def _world_of(self, rest: Rest) -> list[tuple[str, str]]:
        """What matters where paths meet: before the next statement that follows, else at the end."""
        following = rest.then
        while following is not None:
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

    def go(self, number: int, item: Any, rest: Rest | None, world: list[tuple[str, str]], depth: int) -> None:
        if number not in self.nodes:
            self.nodes[number] = Node(number, item, rest, world, dict(self.known))
        elif self.here != number:
            known = self.nodes[number].known
            for slot in [s for s in known if self.known.get(s) is not known[s]]:
                del known[slot]
        self.goals.add(number)
        self._add(f"f{number}", packed([read for read, _ in world]) if world else "()", depth, number)

    def end(self, depth: int) -> None:
        self.goals.add(-1)
        self._add("fx", packed(self.ends) if self.ends else "()", depth, -1)

    def _add(self, front: str, world: str, depth: int, number: int = -1) -> None:
        if self.row:
            self.put(depth, f"X = ({number}, {world}); row[X] = row.get(X, 0) + {self.weight}")
        elif self.weight == "1":
            self.put(depth, f"{front}[{world}] = 1")
        else:
            self.put(depth, f"X = {world}; {front}[X] = {front}.get(X, 0) + {self.weight}")

    def node(self, node: Node, solo: bool) -> None:
        """Everything that stands at one place of the page is asked, and goes on."""
        item = node.item
        self.here, self.goals, self.assigned, self.weight = node.number, set(), set(), "W"
        out, self.out = self.out, []
        number = node.number
        self.known = dict(node.known)
        line = self.w.bind("K", ("constant", item.line)) if item is not None else None
        if item is None:
            self.flow(node.rest, 3)
            body, self.out = self.out, out
            self.put(1, f"if f{number}:")
            self.put(2, f"D = d{number}")
            self._meet(2)
            self.put(2, f"M = D // d{number}")
            self.put(2, f"for X, W in f{number}.items():")
            if node.world:
                self.put(3, f"{packed([t for _, t in node.world])} = X")
            self.put(3, "if M != 1: W *= M")
            self.out += body
            self._arrived(node)
            return
        looping = isinstance(item, While | Until)
        if looping and getattr(item, "endless", False):
            self.out = out
            self._chain(node, line)
            return
        base = 1 if solo else 3
        # the law is written where the world is laid out; what follows an outcome is written below it
        self.out = []
        law, outcome = self._law(node, base)
        asking, self.out = self.out, []
        self._follow(node, outcome, base + 1)
        following, self.out = self.out, out
        clobbered = self._clobbered(node, outcome)
        saves = "; ".join(f"b{i} = {read}" for i, (read, _) in enumerate(clobbered))
        restores = "; ".join(f"{target} = b{i}" for i, (_, target) in enumerate(clobbered))
        target = packed([t for _, t in outcome]) if outcome else "_"
        if solo:
            self.out += asking
            self.put(1, f"D, ROWS = {law}")
            if saves:
                self.put(1, saves)
            self.put(1, f"for {target}, W in ROWS:")
            if restores:
                self.put(2, restores)
            self.out += following
            for j in sorted(self.goals):
                self.put(1, f"d{_name(j)} = D")
                if j >= 0:
                    self.nodes[j].seen = True
            return
        depth = 2
        self.put(1, f"{'while' if looping else 'if'} f{number}:")
        self.put(2, f"G = f{number}; B = d{number}; f{number} = {{}}; d{number} = 1")
        self.put(2, f"spend(len(G), {line}); L = 1; Q = []")
        self.put(2, "for X, W in G.items():")
        if node.world:
            self.put(3, f"{packed([t for _, t in node.world])} = X")
        self.out += asking
        self.put(3, f"T, ROWS = {law}")
        self.put(3, "if T != L: L = lcm(L, T)")
        self.put(3, "Q.append((X, W, T, ROWS))")
        self.put(2, "D = B * L")
        self._meet(depth, again=looping)
        self.put(2, "M = D // B")
        self.put(2, "for X, U, T, ROWS in Q:")
        if node.world:
            self.put(3, f"{packed([t for _, t in node.world])} = X")
        self.put(3, "U *= M // T")
        if saves:
            self.put(3, saves)
        self.put(3, f"for {target}, V in ROWS:")
        self.put(4, "W = U * V")
        if restores:
            self.put(4, restores)
        self.out += following
        self._arrived(node)

    def _law(self, node: Node, depth: int) -> tuple[str, list[tuple[str, str]]]:
        """The law of a question, and what each of its outcomes sets."""
        item = node.item
        if isinstance(item, While | Until):
            name, key, ends = self.w.round(item, self.live)
            return f"{name}[{packed([read for read, _ in key]) if key else '()'}]", ends
        if item.callee is not None:
            return self._call(item, depth)
        dest = [(f"l{item.dest}", f"l{item.dest}")]
        match item.kind:
            case "tally":
                count, roll = item.asks
                if item.uses[1] == NOTHING and not re.search(r"\bS\b", roll):  # the same roll whoever throws
                    return f"{self.w.constant_roll(roll, item.passing)}[{count}]", dest
                return f"{self.w.bind('R', ('rolls', item.passing))}[{roll}][{count}]", dest
            case "throw":
                return f"{self.w.bind('R', ('faces',))}({item.asks[0]}, {item.asks[1]})", dest
        return f"{self.w.bind('R', ('sorts', item.passing))}[{item.asks[0]}]", dest

    def _follow(self, node: Node, outcome: list[tuple[str, str]], depth: int) -> None:
        item = node.item
        if isinstance(item, Site):
            forget([item], self.known)
        if isinstance(item, While | Until):
            for do in item.last:
                if not self._dead(do):
                    self._do(do, depth)
            assert node.rest is not None
            self.loop(item, node.rest, depth, begins=False)
            return
        if item.callee is not None:
            self._landing(item, depth)
        self.flow(node.rest, depth)

    def _clobbered(self, node: Node, outcome: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """What the way on from one outcome changes and the next outcome needs as it was."""
        given = {target for _, target in outcome}
        return [(read, target) for read, target in node.world if target in self.assigned and target not in given]

    def _meet(self, depth: int, *, again: bool = False) -> None:
        """Two denominators at one place meet at their least common multiple."""
        waiting = [j for j in sorted(self.goals) if again or self._seen(j)]
        for j in waiting:
            n = _name(j)
            self.put(depth, f"if f{n} and d{n} != D: D = lcm(D, d{n})")
        for j in sorted(self.goals):
            n = _name(j)
            if j in waiting:
                self.put(depth, f"if f{n} and d{n} != D: scale(f{n}, D // d{n})")
            self.put(depth, f"d{n} = D")

    def _seen(self, number: int) -> bool:
        return self.ended if number < 0 else self.nodes[number].seen

    ended = True  # the end may be reached from the way in

    def _arrived(self, node: Node) -> None:
        for j in self.goals:
            if j >= 0:
                self.nodes[j].seen = True

    def _chain(self, node: Node, line: str | None) -> None:
        """Rounds without end: every world here is a state of a chain, and what leaves the loop absorbs it."""
        number, out = node.number, self.out
        self.row, self.weight = True, "V"
        self.out = []
        law, outcome = self._law(node, 3)
        asking, self.out = self.out, []
        self._follow(node, outcome, 4)
        following, self.out = self.out, out
        self.row, self.weight = False, "W"
        clobbered = self._clobbered(node, outcome)
        self.put(1, f"if f{number}:")
        self.put(2, f"def chain{number}(X):")
        self.put(3, "row = {}")
        if node.world:
            self.put(3, f"{packed([t for _, t in node.world])} = X")
        self.out += asking
        self.put(3, f"T, ROWS = {law}")
        for i, (read, _) in enumerate(clobbered):
            self.put(3, f"b{i} = {read}")
        self.put(3, f"for {packed([t for _, t in outcome]) if outcome else '_'}, V in ROWS:")
        for i, (_, target) in enumerate(clobbered):
            self.put(4, f"{target} = b{i}")
        self.out += following
        self.put(3, "return row, T")
        self.put(2, f"ends, D = E.absorb(f{number}, d{number}, {number}, chain{number}, {line})")
        for j in sorted(self.goals - {number}):
            n = _name(j)
            self.put(2, f"d{n} = merge(f{n}, d{n}, ends.get({j}), D)")
        self._arrived(node)


def _name(number: int) -> str:
    return "x" if number < 0 else str(number)


def _deeper(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))
