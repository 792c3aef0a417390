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


SHORT = 6  # statements that every path may have for itself, rather than meeting the others before them
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
    chancy: bool
    asked: bool  # a question from outside
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
    round: tuple[While | Until, Rest] | None = None  # a round of a loop ends here


@dataclass(eq=False, slots=True)
class Node:
    number: int
    item: Any  # a site, a loop, or None where paths meet
    rest: Rest | None
    world: list[tuple[str, str]]
    known: Known
    chain: tuple[Site, ...] = ()  # tallies that are one: each throws as many dice as the one before has left
    views: tuple[Do, ...] = ()  # lines that look at the dice thrown here
    seen: bool = False  # some earlier node may have put worlds here
    again: bool = False  # worlds may come back here


def packed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


class Writer:
    """Writes one variant."""

    def __init__(self, program: Program, shape: Shape, variant: Variant) -> None:
        self.program, self.shape, self.variant = program, shape, variant
        self.code = variant.code
        self.bound: dict[str, Any] = {}
        self.functions: list[str] = []
        self.rolls: dict[str, str] = {}
        self.rounds = 0

    def source(self) -> str:
        v = self.variant
        given = [(f"l{v.code.params[i]}",) * 2 for i in v.params]
        region = Region(self, v.live, v.code.items)
        entry = set(v.live.entry.slots) - {v.code.params[i] for i in v.params}
        record = None
        if v.heard:
            told = [f"l{s}, " if s >= 0 else "None, " for s in v.live.results]
            if v.asked:  # nobody looks a line up by its place: only those that are asked for
                told = [text for text in told if text != "None, "]
            record = f"({''.join(told)})"
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

    def constant(self, text: str) -> str:
        """The laws of a roll that depends on nothing: looked up once."""
        if text not in self.rolls:
            self.rolls[text] = f"Q{len(self.rolls)}"
            self.functions.insert(0, f"{self.rolls[text]} = {text}")
        return self.rolls[text]

    def fate(self, site: Site) -> bool:
        """Whether a question must be asked of chance; choices follow a policy, and most calls do not throw."""
        return site.kind in DICE or (site.callee is not None and self.program.chancy(site.callee))

    def inside(self, loop: While | Until, live: Live) -> tuple[Live, Uses]:
        """What matters inside a round, and what a round sets that matters afterwards."""
        end = live.ends[id(loop)]
        sets, writes = assigned(loop.body, self.program)
        out = Uses(end.slots & sets, end.cells & writes)
        mine = Live(())
        mine.entry = Liveness(mine, self.program.needs(self.shape is CLOSED)).back(loop.body, out)
        return mine, out

    def round(self, loop: While | Until, live: Live) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        """A round of a loop as a remembered function: its name, what it reads, what it sets."""
        mine, out = self.inside(loop, live)
        self.rounds += 1
        name = f"round{self.rounds}"
        key, ends = self.world(mine.entry), self.world(out)
        text = Region(self, mine, loop.body).function(name, key, [], [read for read, _ in ends])
        self.functions.append(f"{text}\nT{name} = E.table({name})")
        return f"T{name}", key, ends


def assigned(items: Sequence[Item], program: Program) -> tuple[frozenset[int], Cells]:
    """The slots and cells that statements may set."""
    sets: set[int] = set()
    writes: set[Any] = set()
    for item in inside(list(items)):
        if isinstance(item, Do):
            sets.add(item.sets)
            writes |= item.writes
        elif isinstance(item, Site):
            sets |= {item.dest, *item.lands}
            if item.callee is not None and not item.lands:
                writes |= program.writes(item.callee)
    return frozenset(sets - {-1}), frozenset(writes)


class Region:
    """One function: a procedure, or a round of a loop."""

    def __init__(self, writer: Writer, live: Live, items: Sequence[Item]) -> None:
        self.w, self.live, self.items = writer, live, items
        self.out: list[str] = []
        self.nodes: dict[int, Node] = {}
        self.numbers: dict[int, int] = {}  # places of the page in order: questions, loops
        self.joins: dict[int, int] = {}  # where paths meet after a branch or a loop
        self.spans: dict[int, tuple[int, int]] = {}  # first and last place inside a loop that is not a function
        self.before: dict[int, frozenset[str]] = {}  # by place: what may have been set on the way there
        self.entry: set[str] = set()
        self.ever = self._sets(items)
        self._number(items, set())
        self._around: list[tuple[int, int]] = []  # the loops being written
        self.here: int | None = None  # the node being written
        self.goals: set[int] = set()
        self.assigned: set[str] = set()
        self.row = False  # whether worlds go into a row of a chain
        self.weight = "1"
        self.ends: list[str] = []
        self.known: Known = {}

    def _sets(self, items: Sequence[Item]) -> set[str]:
        sets, writes = assigned(items, self.w.program)
        found = {f"l{slot}" for slot in sets}
        if not self.w.shape.keys:
            return found
        found |= {target for _, target in self.w.state(self.w.shape.places(writes))}
        return found

    def _place(self, seen: set[str]) -> int:
        number = len(self.before)
        self.before[number] = frozenset(seen)
        return number

    def _number(self, items: Sequence[Item], seen: set[str]) -> None:
        for item in items:
            if self._dead(item):
                continue
            match item:
                case If():
                    one, other = set(seen), set(seen)
                    self._number(item.then, one)
                    self._number(item.other, other)
                    seen |= one | other
                    self.joins[id(item)] = self._place(seen)
                case While() | Until():
                    seen |= self._sets([item])
                    first = self.numbers[id(item)] = self._place(seen)
                    if self._inlined(item):
                        self._number(item.body, seen)
                        self.spans[first] = first, len(self.before)
                    self.joins[id(item)] = self._place(seen)
                case Site():
                    self.numbers[id(item)] = self._place(seen)
                    seen |= self._sets([item])
                case Do():
                    seen |= self._sets([item])

    def _inlined(self, loop: While | Until) -> bool:
        """Whether the rounds of a loop are better worked off here than remembered: every round reads all there is, and
        asks several open questions in turn, so that worlds merge between them.
        """
        if (isinstance(loop, Until) and loop.endless) or not self.live.open(loop.body, self.w.fate):
            return False
        mine, _ = self.w.inside(loop, self.live)
        start = self.live.starts[id(loop)]
        counting = (
            loop.test.uses.slots & assigned(loop.last if isinstance(loop, Until) else loop.first, self.w.program)[0]
        )
        if start.slots - mine.entry.slots - counting or self.w.shape.places(start.cells - mine.entry.cells):
            return False
        asked = [i for i in loop.body if not self._dead(i) and self.live.open([i], self.w.fate)]
        return sum(1 for i in asked if not (isinstance(i, Site) and i.asks and i.asks[0] == "1")) > 1

    # ---- text
    def put(self, depth: int, text: str) -> None:
        self.out += ["    " * depth + line for line in text.split("\n")]

    def function(self, name: str, key: list[tuple[str, str]], unset: Sequence[int], ends: list[str]) -> str:
        self.ends = ends
        self.entry = {target for _, target in key} | {f"l{slot}" for slot in unset}
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
        if not self.w.variant.chancy:
            self.flow(Rest(self.items, 0, None), 1)
            return "\n".join(self.out)
        begin = len(self.out)
        self.flow(Rest(self.items, 0, None), 1)
        solo = len(self.nodes) == 1 and self._sole()
        for j in self.goals:
            if j >= 0 and not solo:
                self.nodes[j].seen = True
        self._work(len(self.before), 1, solo, set())
        kept = [t for t in sorted(self.entry) if t in self.ever]
        reads = {target: read for read, target in key}
        fronts = "".join(f"f{n} = {{}}; d{n} = 1; " for n in sorted(self.nodes) if not solo or len(self.nodes) > 1)
        used = set(re.findall(r"\bk\w+", "\n".join(self.out)))
        saved = "".join(f"{_kept(t)} = {reads.get(t, t)}; " for t in kept if _kept(t) in used)
        self.out.insert(begin, f"    {saved}{fronts}fx = {{}}; dx = 1")
        self.put(1, "return dx, list(fx.items())")
        return "\n".join(self.out)

    def _work(self, end: int, depth: int, solo: bool, done: set[int]) -> None:
        """Works off the fronts up to a place, in the order of the page."""
        while waiting := sorted(n for n in self.nodes if n < end and n not in done):
            number = waiting[0]
            around = [s for s in self.spans.values() if s[0] <= number < s[1] and s not in self._around]
            span = max(around, key=lambda s: s[1] - s[0], default=None)
            if span is None:
                out, self.out = self.out, []
                self.node(self.nodes[number], solo and not done)
                out += ["    " * (depth - 1) + line for line in self.out]
                self.out = out
                done.add(number)
                continue
            out, self.out = self.out, []
            self._around.append(span)
            self._work(span[1], depth + 1, False, done)
            self._around.pop()
            inner, self.out = self.out, out
            fronts = [f"f{n}" for n in sorted(self.nodes) if span[0] <= n < span[1]]
            self.put(depth, f"while {' or '.join(fronts)}:")
            self.out += inner

    def _sole(self) -> bool:
        """Whether the way in leads to one question and nowhere else: then its one world needs no front."""
        number, node = next(iter(self.nodes.items()))
        if self.goals != {number} or not isinstance(node.item, Site):
            return False
        if any(first <= number < last for first, last in self.spans.values()):
            return False
        if not self.out[-1].startswith(f"    f{number}["):
            return False
        self.out.pop()
        return True

    # ---- quiet steps
    def flow(self, rest: Rest | None, depth: int) -> None:
        """Writes what follows, until every path has come to a question or to the end."""
        while rest is not None:
            if rest.round is not None:
                self._finish(*rest.round, depth)
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
            if self._dead(item):
                rest = after
            elif isinstance(item, If) and (outcome := settled(item.test.text, self.known)) is not None:
                rest = Rest(item.then if outcome else item.other, 0, after)
            elif not self.live.open([item], self.w.fate):
                self.quiet(item, depth)
                rest = after
            elif isinstance(item, If):
                self._branch(item, Rest((), 0, after, self.joins[id(item)]), depth)
                return
            elif isinstance(item, Site):
                if self._tail(item, after, depth):
                    return
                self._ask(item, after, depth)
                return
            else:
                assert isinstance(item, While | Until)
                self.loop(item, after, depth, begins=True)
                return
        self.end(depth)

    def _ask(self, site: Site, after: Rest, depth: int) -> None:
        """To a question; tallies of what a tally has left are one, and lines that only look at dice are their law's."""
        number, world = self.numbers[id(site)], self.w.world(self.live.before[id(site)])
        if site.kind == "throw":
            views, then = self._views(site, after)
            self.go(number, site, then, world, depth, views=views)
            return
        chain = [site]
        while site.kind == "tally" and (more := self._thinner(chain[-1], after)) is not None:
            chain.append(more[0])
            after = more[1]
        self.go(number, chain[-1], after, world, depth, chain=tuple(chain))

    def _next(self, rest: Rest) -> tuple[Item, Rest] | None:
        """The next statement that matters on a straight way."""
        at: Rest | None = rest
        while at is not None and at.round is None:
            if at.join >= 0 or at.at == len(at.items):
                at = at.then
                continue
            item = at.items[at.at]
            at = Rest(at.items, at.at + 1, at.then)
            if not self._dead(item):
                return item, at
        return None

    def _thinner(self, site: Site, after: Rest) -> tuple[Site, Rest] | None:
        """A tally of exactly the dice that this one has left, when nobody else reads how many they are."""
        found = self._next(after)
        if found is None or not isinstance(found[0], Site) or found[0].kind != "tally":
            return None
        more, dest = found[0], f"l{site.dest}"
        if more.asks[0] not in (dest, f"({dest} or 0)") or site.dest in more.uses[1].slots:
            return None
        if more.dest != site.dest and site.dest in self.live.after[id(more)].slots:
            return None
        return more, found[1]

    def _views(self, site: Site, after: Rest) -> tuple[tuple[Do, ...], Rest]:
        """Lines that look at the dice of a throw through rolls, when nothing else reads the dice."""
        views: list[Do] = []
        rest = after
        while (found := self._next(rest)) is not None:
            item = found[0]
            if not isinstance(item, Do) or item.view is None or item.view.dice != site.dest:
                break
            sets = {v.sets for v in views} | {site.dest}
            if item.view.uses.slots & sets:
                break
            views.append(item)
            rest = found[1]
            if site.dest not in self.live.after[id(item)].slots:
                return tuple(views), rest
        return (), after

    def _finish(self, loop: While | Until, after: Rest, depth: int) -> None:
        """A round ends."""
        for item in loop.last:
            if not self._dead(item):
                self._do(item, depth)
        self.loop(loop, after, depth, begins=False)

    def _again(self, loop: While | Until, after: Rest, depth: int) -> None:
        """One more round."""
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
        self.put(depth, f"{packed([target for _, target in outcome]) if outcome else '_'} = {law}")
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
            nobody = f"(1, (({packed(nothing) if nothing else '()'}, 1),))" if callee.chancy else packed(nothing)
            law = f"({law} if {known} else {nobody})"
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
        join = Rest((), 0, after, self.joins[id(loop)])
        before = self.known
        self.known = dict(before)
        if begins:
            forget([loop], self.known)
        if isinstance(loop, Until):
            if begins:
                self._again(loop, after, depth)
            else:
                known = dict(self.known)
                self.put(depth, f"if {loop.test.text}:")
                self.flow(join, depth + 1)
                self.put(depth, "else:")
                self.known = known
                forget([loop], self.known)
                self._again(loop, after, depth + 1)
        else:
            known = dict(self.known)
            self.put(depth, f"if {loop.test.text}:")
            for item in loop.first:
                if not self._dead(item):
                    self._do(item, depth + 1)
            forget([loop], self.known)
            self._again(loop, after, depth + 1)
            self.put(depth, "else:")
            self.known = known
            self.flow(join, depth + 1)
        self.known = before

    # ---- fronts
    def _short(self, rest: Rest | None, *, ends: bool = True) -> bool:
        """Whether what follows is so little that every path may have it for itself; `ends`: the end of a round is."""
        lines = 0
        known = dict(self.known)
        while rest is not None:
            if rest.round is not None:
                return ends
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

    def _world_of(self, rest: Rest) -> list[tuple[str, str]]:
        """What matters where paths meet: before the next statement that follows, else at the end."""
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

    def go(
        self, number: int, item: Any, rest: Rest | None, world: list[tuple[str, str]], depth: int, **more: Any
    ) -> None:
        if number not in self.nodes:
            self.nodes[number] = Node(number, item, rest, world, dict(self.known), **more)
        elif self.here != number:
            known = self.nodes[number].known
            for slot in [s for s in known if self.known.get(s) is not known[s]]:
                del known[slot]
        self.goals.add(number)
        moving = [read for read, _ in self._moving(self.nodes[number])]
        self._add(f"f{number}", packed(moving) if moving else "()", depth, number)

    def _moving(self, node: Node) -> list[tuple[str, str]]:
        """The part of a world that may have changed since this function began: the rest is the same in all worlds."""
        before = self.before[node.number]
        return [(read, target) for read, target in node.world if target in before or target not in self.entry]

    def _steady(self, node: Node) -> list[tuple[str, str]]:
        """The rest of the world, where later lines set it: it is put back as it was."""
        moving = self._moving(node)
        return [v for v in node.world if v not in moving and v[1] in self.ever]

    def end(self, depth: int) -> None:
        if not self.w.variant.chancy:
            self.put(depth, f"return {packed(self.ends) if self.ends else '()'}")
            return
        if self.weight == "1":  # on the way in: this is the only outcome
            self.put(depth, f"return 1, [({packed(self.ends) if self.ends else '()'}, 1)]")
            return
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
        item, number = node.item, node.number
        self.here, self.goals, self.assigned, self.weight = number, set(), set(), "W"
        self.known = dict(node.known)
        moving, steady = self._moving(node), self._steady(node)
        unpack = f"{packed([t for _, t in moving])} = X" if moving else ""
        again = bool(self._around) or isinstance(item, While | Until)
        line = self.w.bind("K", ("constant", item.line)) if item is not None else None
        if isinstance(item, Until) and item.endless:
            self._chain(node, line)
            return
        out, self.out = self.out, []
        if item is None:
            self.flow(node.rest, 3)
            body, self.out = self.out, out
            self.put(1, f"if f{number}:")
            self.put(2, f"G = f{number}; B = D = d{number}; f{number} = {{}}; d{number} = 1")
            self._meet(2, again=again)
            self.put(2, "M = D // B")
            self.put(2, "for X, W in G.items():")
            if unpack:
                self.put(3, unpack)
            for _, target in steady:
                self.put(3, f"{target} = {_kept(target)}")
            self.put(3, "if M != 1: W *= M")
            self.out += body
            self._arrived()
            return
        base = 1 if solo else 3
        # the law is written where the world is laid out; what follows an outcome is written below it
        law, outcome, inner = self._law(node, base)
        asking, self.out = self.out, []
        self._follow(node, base + 1 + bool(inner))
        following, self.out = self.out, out
        given = {target for _, target in [*outcome, *inner]}
        changed = [v for v in moving if v[1] in self.assigned - given]
        saves = "; ".join(f"b{i} = {read}" for i, (read, _) in enumerate(changed))
        restores = [f"{target} = b{i}" for i, (_, target) in enumerate(changed)]
        restores += [f"{t} = {_kept(t)}" for _, t in steady if t in self.assigned - given]
        if not solo:
            whiling = isinstance(item, While | Until) and not self._around
            self.put(1, f"{'while' if whiling else 'if'} f{number}:")
            self.put(2, f"G = f{number}; B = d{number}; f{number} = {{}}; d{number} = 1")
            for _, target in steady:
                self.put(2, f"{target} = {_kept(target)}")
            self.put(2, f"spend(len(G), {line}); L = 1; Q = []")
            self.put(2, "for X, W in G.items():")
            if unpack:
                self.put(3, unpack)
            self.out += asking
            self.put(3, f"T, ROWS = {law}")
            self.put(3, "if T != L: L = lcm(L, T)")
            self.put(3, "Q.append((X, W, T, ROWS))")
            self.put(2, "D = B * L")
            self._meet(2, again=again)
            self.put(2, "M = D // B")
            self.put(2, "for X, U, T, ROWS in Q:")
            if unpack:
                self.put(3, unpack)
            self.put(3, "U *= M // T")
            if saves:
                self.put(3, saves)
            self._outcomes(3, outcome, inner, restores, "U")
        else:
            self.out += asking
            self.put(1, f"D, ROWS = {law}")
            if saves:
                self.put(1, saves)
            self._outcomes(1, outcome, inner, restores, "")
        self.out += following
        if solo:
            for j in sorted(self.goals):
                self.put(1, f"d{_name(j)} = D")
        self._arrived()

    def _outcomes(
        self,
        depth: int,
        outcome: list[tuple[str, str]],
        inner: list[tuple[str, str]],
        restores: list[str],
        weight: str,
    ) -> None:
        """One round for each outcome; of dice that several lines look at, one round inside another."""
        what = packed([t for _, t in outcome]) if outcome else "_"
        if inner:
            self.put(depth, f"for {what}, V, MORE in ROWS:")
            if weight:
                self.put(depth + 1, f"V *= {weight}")
            self.put(depth + 1, f"for {packed([t for _, t in inner])}, W in MORE:")
            self.put(depth + 2, "W *= V")
            depth += 1
        elif weight:
            self.put(depth, f"for {what}, V in ROWS:")
            self.put(depth + 1, f"W = {weight} * V")
        else:
            self.put(depth, f"for {what}, W in ROWS:")
        if restores:
            self.put(depth + 1, "; ".join(restores))

    def _law(self, node: Node, depth: int) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        """The law of a question, what each of its outcomes sets, and what is set one level deeper."""
        item = node.item
        if isinstance(item, While | Until):
            name, key, ends = self.w.round(item, self.live)
            return f"{name}[{packed([read for read, _ in key]) if key else '()'}]", ends, []
        if item.callee is not None:
            return *self._call(item, depth), []
        dest = [(f"l{item.dest}", f"l{item.dest}")]
        match item.kind:
            case "tally":
                count, passing = node.chain[0].asks[0], tuple([site.passing for site in node.chain])
                thrown = packed_tuple([site.asks[1] for site in node.chain])
                if all(self._nothing(site.uses[1], site.asks[1]) for site in node.chain):
                    return f"{self.w.constant(f'E.tallied({thrown}, {passing})')}[{count}]", dest, []
                if len(node.chain) == 1:
                    return f"{self.w.bind('R', ('rolls', item.passing))}[{item.asks[1]}][{count}]", dest, []
                return f"{self.w.bind('R', ('thinned', passing))}[{thrown}][{count}]", dest, []
            case "throw" if node.views:
                return self._looked(item, node.views)
            case "throw":
                return f"{self.w.bind('R', ('faces',))}({item.asks[0]}, {item.asks[1]})", dest, []
        return f"{self.w.bind('R', ('sorts', item.passing))}[{item.asks[0]}]", dest, []

    def _nothing(self, uses: Uses, text: str) -> bool:
        """Whether it is the same whoever throws."""
        return uses == NOTHING and not re.search(r"\bS\b", text)

    def _looked(self, site: Site, views: Sequence[Do]) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
        """What lines see in the same dice, together."""
        looks = [do.view for do in views if do.view is not None]
        thrown, passing = packed_tuple([v.roll for v in looks]), tuple([v.passing for v in looks])
        text = f"E.seen({site.asks[1]}, {thrown}, {passing})"
        if site.asks[1].isdigit() and all(self._nothing(v.uses, v.roll) for v in looks):
            text = self.w.constant(text)
        first, *rest = [(f"l{do.sets}", f"l{do.sets}") for do in views]
        return f"{text}[{site.asks[0]}]", [first], rest

    def _follow(self, node: Node, depth: int) -> None:
        item = node.item
        for site in node.chain or ((item,) if isinstance(item, Site) else ()):
            forget([site], self.known)
        forget(node.views, self.known)
        if isinstance(item, While | Until):
            assert node.rest is not None
            self._finish(item, node.rest, depth)
            return
        if item.callee is not None:
            self._landing(item, depth)
        self.flow(node.rest, depth)

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

    ended = False  # whether some node may have come to the end

    def _arrived(self) -> None:
        for j in self.goals:
            if j >= 0:
                self.nodes[j].seen = True
            else:
                self.ended = True

    def _chain(self, node: Node, line: str | None) -> None:
        """Rounds without end: every world here is a state of a chain, and what leaves the loop absorbs it."""
        number, out = node.number, self.out
        moving, steady = self._moving(node), self._steady(node)
        self.row, self.weight = True, "V"
        self.out = []
        law, outcome, _ = self._law(node, 3)
        asking, self.out = self.out, []
        self._follow(node, 4)
        following, self.out = self.out, out
        self.row, self.weight = False, "W"
        given = {target for _, target in outcome}
        changed = [v for v in moving if v[1] in self.assigned - given]
        self.put(1, f"if f{number}:")
        self.put(2, f"def chain{number}(X):")
        self.put(3, "row = {}")
        if moving:
            self.put(3, f"{packed([t for _, t in moving])} = X")
        for _, target in steady:
            self.put(3, f"{target} = {_kept(target)}")
        self.out += asking
        self.put(3, f"T, ROWS = {law}")
        for i, (read, _) in enumerate(changed):
            self.put(3, f"b{i} = {read}")
        self.put(3, f"for {packed([t for _, t in outcome]) if outcome else '_'}, V in ROWS:")
        for i, (_, target) in enumerate(changed):
            self.put(4, f"{target} = b{i}")
        for _, target in steady:
            if target in self.assigned - given:
                self.put(4, f"{target} = {_kept(target)}")
        self.out += following
        self.put(3, "return row, T")
        self.put(2, f"ends, D = E.absorb(f{number}, d{number}, {number}, chain{number}, {line})")
        for j in sorted(self.goals - {number}):
            n = _name(j)
            self.put(2, f"d{n} = merge(f{n}, d{n}, ends.get({j}), D)")
        self._arrived()


def packed_tuple(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)},)"


def _kept(target: str) -> str:
    """Where a variable is kept as it was when the function began."""
    return "k" + re.sub(r"\W", "_", target)


def _name(number: int) -> str:
    return "x" if number < 0 else str(number)


def _deeper(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))
