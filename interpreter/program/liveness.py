"""Liveness analysis: for each statement, the slots and cells read after it, and which statements are dead.

Takes the tree of a procedure, the lines that are wanted, and the cells read after it; returns a `Live`. It runs
backwards, to a fixed point in loops. Values that nothing reads are not computed; dice that nothing reads are not
thrown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from interpreter.source.values import Record, Struct, field

from .code import Code, Do, If, Item, Site, Until, While
from .layout import LENT
from .statements import Act, Lend, TakeBack
from .terms import NOTHING, Cells, Uses


class Follow(Enum):
    """What is kept live: only what a question asks for and what affects it (`ASKED`); also everything that may not
    terminate, because nothing would follow it (`ENDS`); or everything, as in a play (`ALL`). If everything terminates,
    the answers are equal.
    """

    ASKED = 0
    ENDS = 1
    ALL = 2


class Live(Record):
    """The live slots and cells `before` and `after` each item (by its `id`), where a loop's body `starts` and `ends`,
    and which items are `dead`.

    `results` has the slot of each line, in order, or -1 if it is not wanted. `dropped`: something that may not
    terminate is dead.
    """

    results: tuple[int, ...]
    entry: Uses = NOTHING
    dropped: bool = False
    before: dict[int, Uses] = field(default_factory=dict)
    after: dict[int, Uses] = field(default_factory=dict)
    starts: dict[int, Uses] = field(default_factory=dict)
    ends: dict[int, Uses] = field(default_factory=dict)
    dead: dict[int, bool] = field(default_factory=dict)

    def act(self, item: Do) -> Act:
        """Return the act of a statement; a `Lend` is limited to the variables that are read after the call, and to
        outer loans read after this procedure.
        """
        if not isinstance(item.act, Lend):
            return item.act
        assert item.tied is not None
        under = LENT in self.after[id(item.tied)].cells
        return item.act.act(lambda taken: self.dead.get(id(taken), False), under)

    def open(self, items: Sequence[Item], fate: Callable[[Site], bool]) -> bool:
        """Return whether the items contain a live question for which `fate` holds, or a loop that may not terminate."""
        for item in items:
            if self.dead.get(id(item), False):
                continue
            match item:
                case Site():
                    if fate(item):
                        return True
                case If():
                    if self.open(item.then, fate) or self.open(item.other, fate):
                        return True
                case While():
                    if self.open(item.body, fate):
                        return True
                case Until():
                    if item.endless or self.open(item.body, fate):
                        return True
        return False


class Called(Struct):
    """What a call requires and returns.

    `params` are the arguments that it reads, `cells` the cells; `handed` the live cells that it changes (for a closed
    procedure, indices into `gives`); `lasting`: it may not terminate.
    """

    params: frozenset[int]
    cells: Cells
    handed: frozenset[Any]
    lasting: bool


class Liveness(Record):
    """The analysis. `asked(site, heard, live after)` returns what a call requires."""

    live: Live
    asked: Callable[[Site, bool, Uses], Called]
    follow: Follow = Follow.ASKED

    @property
    def keep(self) -> bool:
        """Whether nothing is dead."""
        return self.follow is Follow.ALL

    def back(self, items: Sequence[Item], out: Uses) -> Uses:
        for item in reversed(items):
            self.live.after[id(item)] = out
            out = self.live.before[id(item)] = self._before(item, out)
        return out

    def _before(self, item: Item, out: Uses) -> Uses:
        match item:
            case Do(tied=Do() as tied) if self.live.dead.get(id(tied), False):
                self.live.dead[id(item)] = True
                return out
            case Do(act=Lend()):
                self.live.dead[id(item)] = False
                return Uses(out.slots, out.cells - item.writes) | self.live.act(item).uses
            case Do(act=TakeBack(through=True)) if item.sets not in out.slots and not self.keep:
                self.live.dead[id(item)] = True
                return out
            case Do():
                dead = not (self.keep or item.needed or item.sets in out.slots or item.writes & out.cells)
                self.live.dead[id(item)] = dead
                return out if dead else Uses(out.slots - {item.sets}, out.cells) | item.uses
            case Site():
                return self._question(item, out)
            case If():
                both = self.back(item.then, out) | self.back(item.other, out)
                if not self.keep and not self._alive(item.then) and not self._alive(item.other):
                    self.live.dead[id(item)] = True
                    return out
                self.live.dead[id(item)] = False
                return both | item.test.uses
            case While():
                head = out | item.test.uses
                while True:
                    end = self.live.ends[id(item)] = self.back(item.last, head)
                    start = self.live.starts[id(item)] = self.back(item.body, end)
                    more = head | self.back(item.first, start)
                    if more == head:
                        break
                    head = more
                dead = not self.keep and not self._alive(item.body) and not self._alive(item.last)
                self.live.dead[id(item)] = dead
                return out if dead else head
            case Until():
                if self._is_dead_loop(item, out):
                    return out
                done = out | item.test.uses
                while True:
                    end = self.live.ends[id(item)] = self.back(item.last, done)
                    start = self.live.starts[id(item)] = self.back(item.body, end)
                    if done | start == done:
                        return start
                    done |= start

    def _is_dead_loop(self, loop: Until, out: Uses) -> bool:
        """Whether a loop is dead: its rounds change nothing that is live after it, except what decides when it ends."""
        self.live.dead[id(loop)] = False
        if self.keep or (loop.endless and self.follow is not Follow.ASKED):
            return False
        self.back(loop.body, self.back(loop.last, out))
        if self._alive(loop.body) or self._alive(loop.last):
            return False
        self.live.dead[id(loop)] = True
        self.live.dropped |= loop.endless
        return True

    def _alive(self, items: Sequence[Item]) -> bool:
        return any(not self.live.dead.get(id(item), False) for item in items)

    def _question(self, site: Site, out: Uses) -> Uses:
        heard = site.dest in out.slots
        if site.callee is None:
            dead = self.live.dead[id(site)] = not (self.keep or heard)
            return out if dead else Uses(out.slots - {site.dest}, out.cells) | site.reads
        call = self.asked(site, heard, out)
        lasting = call.lasting and self.follow is not Follow.ASKED
        dead = self.live.dead[id(site)] = not (self.keep or heard or call.handed or lasting)
        if dead:
            self.live.dropped |= call.lasting
            return out
        landed = {slot for i, slot in enumerate(site.lands) if i in call.handed}
        reads = Uses(cells=call.cells)
        if site.snapshot >= 0:  # its changes are merged into the current state
            reads |= Uses(frozenset((site.snapshot,)), call.handed)
        for i, argument in enumerate(site.asks):
            if self.keep or i in call.params or i in site.unsure:
                reads |= argument.uses
        return Uses(out.slots - {site.dest} - landed, out.cells) | reads


def live_procedure(
    code: Code,
    results: tuple[int, ...],
    handed: frozenset[Any],
    asked: Callable[[Site, bool, Uses], Called],
    follow: Follow,
) -> Live:
    """The liveness of a whole procedure, for the lines in `results` and the live cells in `handed`; see `Liveness`."""
    live = Live(results)
    given = {slot for i, slot in enumerate(code.gives) if i in handed}
    cells = frozenset() if code.takes else handed
    out = Uses(frozenset(s for s in results if s >= 0) | given, cells)
    live.entry = Liveness(live, asked, follow).back(code.items, out)
    return live


def unset_slots(code: Code) -> frozenset[int]:
    """Return the slots that a line may read before they are set, if every line runs."""
    live = Live(())
    out = Uses(frozenset(s for s in code.lines.values() if s >= 0))
    nothing = Called(frozenset(), frozenset(), frozenset(), False)
    entry = Liveness(live, lambda *_: nothing, Follow.ALL).back(code.items, out)
    return entry.slots - set(code.params)
