"""Procedures by the things that they are called with: trees in which each cell belongs to one thing, for one situation.

Elsewhere a cell is that of all things of a kind, so one line that reads the pins of any unit keeps those of every unit
in each world. Takes a Program, a state in which nothing is created, and an entry point; gives copies of its procedures,
one for each combination of things that their parameters may hold. In these a cell of a thing
is a cell of the state itself, by its index. What no line that may still run reads of this thing tells no two worlds
apart, so all answers are equal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.rulebook.symbols import Procedure
from interpreter.source.values import replace

from .code import Code, Do, If, Item, Site, Until, While, inside
from .layout import CellKey, Layout
from .live_calls import DEEPEST
from .odds_types import assigned
from .points_to import ABSENT, LOAN, NOWHERE, NUMBERS, THING, UNKNOWN, Points, PointsTo, Where, joined
from .statements import EACH, Act, ChangeBags, Effect, Keep, Lend, Make, Set, SetCell, SetEach, TakeBack
from .terms import NO_CELLS, Call, Cells, Member, Term, mapped

if TYPE_CHECKING:
    from .interfaces import Compiled

MOST = 16  # copies of one procedure; then one more, for whatever else it is called with
FEW = 8  # things that a slot may hold, so that a test is tried for each
_WITHOUT_THINGS = ("number", "inches", "truth", "target", "row", "rows", "dice", "faces", "roll")


def by_thing(
    program: Compiled, root: Procedure, args: Sequence[Any], keys: Sequence[CellKey], state: Sequence[Any]
) -> tuple[Copies, Procedure] | None:
    """Return the copies, and that of the entry point; None if things are created."""
    every = [item for p in program.reachable(root) for item in inside(program.code(p).items)]
    acts = [item.act for item in every if isinstance(item, Do)]
    if any(isinstance(act, Make) for act in acts):
        return None
    effects = [act.call for act in acts if isinstance(act, Effect)]
    handed_over = any(isinstance(effect, Call) and effect.name == "hand_over" for effect in effects)
    points = PointsTo(program.layout, keys, state, program.writes(root), handed_over)
    copies = Copies(program, points, keys)
    copy = copies.of(root, [Points(frozenset((arg,)), THING) for arg in args])
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, DEEPEST))  # some Python frames per nested procedure
    try:
        copies.frame(copy)
    finally:
        sys.setrecursionlimit(limit)
    return copies, copy


class Copies:
    """The copies of the procedures of a Program, each made when it is first called."""

    def __init__(self, program: Compiled, points: PointsTo, keys: Sequence[CellKey]) -> None:
        self._program, self.points = program, points
        self._made: dict[Procedure, dict[tuple[Points, ...], Procedure]] = {}
        self._held: dict[Procedure, tuple[Points, ...]] = {}
        self._frames: dict[Procedure, Frame] = {}
        self._bags = _bags(program.layout, keys)

    def of(self, procedure: Procedure, held: Iterable[Points]) -> Procedure:
        """Return the copy of a procedure for what its arguments may hold."""
        made = self._made.setdefault(procedure, {})
        types = [param.type.name for param in procedure.params]
        key = tuple([_argument(of, each) for of, each in zip(types, held, strict=True)])
        if key not in made and len(made) >= MOST:
            key = tuple([_argument(of, self.points.everything) for of in types])
        if key not in made:
            made[key] = replace(procedure, of=procedure)
            self._held[made[key]] = key
        return made[key]

    def frame(self, copy: Procedure) -> Frame | None:
        """Return what the slots of a copy hold; None while that is being found out, for a call of itself."""
        if copy not in self._frames:
            code = self._program.code(copy.original)
            self._frames[copy] = frame = Frame(self, code, self._held[copy])
            frame.settle()
        frame = self._frames[copy]
        return frame if frame.settled else None

    def code(self, copy: Procedure) -> Code:
        """Return the tree of a copy."""
        frame = self.frame(copy)
        assert frame is not None
        return frame.placed(copy)

    def with_other_bags(self, cells: Cells) -> Cells:
        """Return the cells, with each bag accompanied by those to and from which its figures may go."""
        return cells.union(*[self._bags[key] for key in cells if key in self._bags])


def _bags(layout: Layout, keys: Sequence[CellKey]) -> dict[CellKey, Cells]:
    found: dict[Any, set[CellKey]] = {}
    for i, key in enumerate(keys):
        if key in layout.other_bag:
            found.setdefault(frozenset((key, layout.other_bag[key])), set()).add((-1, i))
    return {cell: frozenset(cells) for cells in found.values() for cell in cells}


def _argument(type_: str, held: Points) -> Points:
    if type_ in _WITHOUT_THINGS:
        return NUMBERS
    return Points(held.things - {ABSENT}, THING) if type_ == THING else held


class Frame:
    """What the slots of a procedure may hold, and its tree for that."""

    def __init__(self, copies: Copies, code: Code, held: Sequence[Points]) -> None:
        self.copies, self.code, self.points = copies, code, copies.points
        self.slots: dict[int | str, Points] = {i: self.points.of(term, {}) for i, term in enumerate(code.first)}
        self.slots.update(dict.fromkeys(_unread(code), NOWHERE))
        self.slots.update(zip(code.params, held, strict=True))
        self.where: Where = self.slots  # the same, and what the conditions of the current branch say
        self.settled = False
        self._lends = [item.act for item in inside(code.items) if isinstance(item, Do) and isinstance(item.act, Lend)]
        self._simultaneous = any(isinstance(item, Do) and item.keeps for item in inside(code.items))
        self._done: dict[int, Do] = {}
        self._sites: dict[int, Site] = {}

    # ---- what slots hold
    def settle(self) -> None:
        """Find what the slots may hold: a least fixed point, whatever order the statements run in."""
        before = None
        while before != self.slots:
            before, self.where = dict(self.slots), self.slots
            self._follow(self.code.items)
        self.settled = True

    def _follow(self, items: Iterable[Item]) -> None:
        for item in items:
            match item:
                case Do(sets=slot) if slot >= 0:
                    self._add(slot, self._set(item.act))
                case Site():
                    self._add(item.dest, self._answer(item))
                case If():
                    for branch, where in self._ways(item):
                        self.where, before = where, self.where
                        self._follow(branch)
                        self.where = before
                case While():
                    self._follow([*item.first, *item.body, *item.last])
                case Until():
                    self._follow([*item.body, *item.last])

    def _add(self, slot: int, held: Points) -> None:
        self.slots[slot] = self.slots.get(slot, NOWHERE) | held

    def _ways(self, item: If) -> list[tuple[Sequence[Item], Where]]:
        """Both branches, empty if they never run, and what slots hold in each."""
        found: list[tuple[Sequence[Item], Where]] = []
        for branch, way in ((item.then, True), (item.other, False)):
            where = self._supposing(item.test, way, branch)
            found.append(((), self.where) if where is None else (branch, where))
        return found

    def _supposing(self, test: Term, way: bool, branch: Sequence[Item]) -> Where | None:
        """What slots hold in the branch of a test; None if it never runs."""
        if not self._possible(test, way, self.where):
            return None
        known: dict[int | str, Points] = {}
        for slot in test.uses.slots - assigned(branch, lambda _: NO_CELLS)[0]:
            held = self.where.get(slot, NOWHERE)
            if held.what == THING and 1 < len(held.things) <= FEW:
                ones = [Points(frozenset((t,)), THING) for t in held.things]
                left = [one for one in ones if self._possible(test, way, {**self.where, slot: one})]
                if not left:
                    return None
                known[slot] = joined(left)
        return {**self.where, **known} if known else self.where

    def _possible(self, test: Term, way: bool, where: Where) -> bool:
        holds = self.points.told(test, where)
        return holds is UNKNOWN or bool(holds) is way

    def _set(self, act: Act) -> Points:
        match act:
            case Set(value=value):
                return self.points.of(value, self.where)
            case TakeBack():
                lent = [self.points.of(name, self.where) for lend in self._lends for name, _ in lend.names]
                found = self.points.everything if self.points.handed_over else joined(lent)
                return Points(found.things, LOAN)
        return NUMBERS  # a snapshot of the state

    def _answer(self, site: Site) -> Points:
        asked = [self.points.of(term, self.where) for term in site.asks]
        if site.callee is None:
            return joined([*asked, NUMBERS])
        frame = self.copies.frame(self.copies.of(site.callee, asked))
        if frame is None:
            return self.points.everything
        return joined([*[frame.slots[slot] for slot in frame.code.lines.values() if slot >= 0], NUMBERS])

    # ---- the tree
    def placed(self, copy: Procedure) -> Code:
        items = self._items(self.code.items)
        sites = [self._sites[id(site)] for site in self.code.sites if id(site) in self._sites]
        return replace(self.code, procedure=copy, items=items, sites=sites)

    def _items(self, items: Sequence[Item]) -> list[Item]:
        return [made for item in items for made in self._made(item)]

    def _made(self, item: Item) -> list[Item]:
        if not (isinstance(item, Do) and isinstance(item.act, ChangeBags)):
            return [self._item(item)]
        cells = sorted(self.points.cells(self.points.root, item.act.writes))
        acts = [ChangeBags(cell, item.act.change, writes=frozenset((cell,))) for cell in cells]
        return [replace(item, act=act) for act in acts]

    def _item(self, item: Item) -> Item:
        match item:
            case Do():
                return self._do(item)
            case Site():
                return self._site(item)
            case If(test=test):
                made = If(self._term(test))
                for (branch, where), into in zip(self._ways(item), (made.then, made.other), strict=True):
                    self.where, before = where, self.where
                    into += self._items(branch)
                    self.where = before
                return made
            case While():
                first, body, last = self._dos(item.first), self._items(item.body), self._dos(item.last)
                return While(item.line, self._term(item.test), first, body, last, item.rest, item.each)
            case Until():
                body, last = self._items(item.body), self._dos(item.last)
                return Until(item.line, item.endless, self._term(item.test), body, last)

    def _term(self, term: Any) -> Any:
        return self.points.placed(term, self.where)

    def _site(self, site: Site) -> Site:
        asked = [self.points.of(term, self.where) for term in site.asks]
        callee = None if site.callee is None else self.copies.of(site.callee, asked)
        more = set(self.points.cells(self.points.root, site.more))
        asks = tuple([self._term(term) for term in site.asks])
        made = self._sites[id(site)] = replace(site, asks=asks, callee=callee, more=more)
        return made

    def _dos(self, items: Sequence[Do]) -> list[Do]:
        return [self._do(item) for item in items]

    def _do(self, item: Do) -> Do:
        if id(item) not in self._done:
            tied = None if item.tied is None else self._do(item.tied)
            view = None if item.view is None else replace(item.view, roll=self._term(item.view.roll))
            act = self._act(item.act)
            self._done[id(item)] = replace(item, act=act, view=view, tied=tied, kills=self._kills(act))
        return self._done[id(item)]

    def _act(self, act: Act) -> Act:
        if isinstance(act, Keep | TakeBack):
            return act
        if isinstance(act, Lend):
            names = tuple([(self._term(what), self._do(taken)) for what, taken in act.names])
            return Lend(act.kin, names, sets=act.sets, writes=act.writes)
        where = self.where
        if isinstance(act, SetEach):
            each = Points(self.points.of(act.things, where).things - {ABSENT}, THING)
            where = {**where, EACH.name: each}
        made = mapped(act, lambda term: self.points.placed(term, where))
        return replace(made, writes=self.points.cells(self._changed(act).things, act.writes)) if act.writes else made

    def _changed(self, act: Act) -> Points:
        """The things whose cells a statement may change."""
        match act:
            case SetCell(base=None):
                return NUMBERS
            case SetCell(base=Term() as base):
                return self.points.of(base, self.where)
            case SetEach(things=things):
                return self.points.of(things, self.where)
            case Effect(call=Call(args=args)):
                return joined([self.points.of(arg, self.where) for arg in args])
        return self.points.everything

    def _kills(self, act: Act) -> Cells:
        """The cells that a statement surely sets, so that what they held is not read afterwards. In a `together` block
        it may be: later lines read the snapshot.
        """
        return act.writes if isinstance(act, SetCell) and len(act.writes) == 1 and not self._simultaneous else NO_CELLS


def _unread(code: Code) -> set[int]:
    """The slots whose initial value is never read: the current member of a loop, and names taken back from a call."""
    items = list(inside(code.items))
    members = [do for loop in items if isinstance(loop, While) for do in loop.first]
    ones = [do.sets for do in members if isinstance(do.act, Set) and isinstance(do.act.value, Member)]
    return {*ones, *[item.sets for item in items if isinstance(item, Do) and isinstance(item.act, TakeBack)]}
