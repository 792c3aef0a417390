"""Exact odds: all histories of a procedure at once, as integer weights of worlds.

Enters: a Program, a state, a procedure and its arguments. Leaves: every result with its weight; weights
always sum to the denominator. After each question equal worlds merge, and what no later step reads is dropped
first. A call's law is the odds of the callee, remembered by what it reads. Endless loops and tables that lead
to tables are solved as the chains they are. Past the budget of worlds it refuses and names the step. Knows
nothing of how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import gcd, lcm
from typing import Any

from interpreter.program.code import RETURN, Code, Site
from interpreter.program.layout import CellKey
from interpreter.program.program import Cells, Live, Program, Wants
from interpreter.program.runtime import landed

from . import laws
from .choices import UNDECIDED, preferred

World = tuple[Any, ...]
Exit = tuple[Any, tuple[Any, ...], tuple[Any, ...]]  # results, written cells, new things


class Refused(Exception):
    """A question that has no answer under these rules: a code of the catalogue, the line, and facts for its message."""

    def __init__(self, code: str, line: Any, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.line, self.facts = code, line, facts


@dataclass(eq=False, slots=True)
class Frame:
    """One variant of a procedure over one layout of cells."""

    code: Code
    live: Live
    cells: tuple[tuple[int, ...], ...]  # per site: indexes of live cells
    exits: tuple[int, ...]  # indexes of cells handed back
    reads: tuple[int, ...]
    callees: dict[int, Frame] = field(default_factory=dict)
    tails: dict[int, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tail:
    """The rest of a procedure is another procedure's run: its own lines are settled, and the same things are
    handed back.
    """

    frame: Frame
    key: Any
    args: tuple[Any, ...]
    state: tuple[Any, ...]
    results: tuple[Any, ...]

    def __hash__(self) -> int:
        return hash((self.key, self.results))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tail) and self.key == other.key and self.results == other.results


class Odds:
    """The odds of one situation. `keys` says which cell of the state is which; facts are the Program's."""

    def __init__(self, program: Program, keys: list[CellKey], limit: int = 200_000) -> None:
        self.program = program
        self.keys = keys
        self.size = len(keys)
        self.limit = limit
        self.worlds = 0
        self._frames: dict[Any, Frame] = {}
        self._memo: dict[Any, laws.Law] = {}
        self._active: set[Any] = set()
        self.overrides: dict[str, Callable[[list[Any], tuple[Any, ...]], tuple[Any, ...]]] = {}

    # ---- the door
    def of(self, procedure: Any, wants: Wants, args: tuple[Any, ...], state: list[Any]) -> laws.Law:
        """`(denominator, [(line values in order, weight)])`; lines not wanted are None."""
        frame = self.frame(procedure, wants, frozenset())
        total, law = self.law(frame, args, state, None)
        merged: dict[Any, int] = {}
        for (results, _cells, _new), weight in law:
            merged[results] = merged.get(results, 0) + weight
        return total, list(merged.items())

    # ---- frames
    def frame(self, procedure: Any, wants: Wants, after: Cells, exits: tuple[int, ...] | None = None) -> Frame:
        key = (procedure, wants, after, exits)
        if key not in self._frames:
            program = self.program
            live = program.live(procedure, wants, after)
            code = program.code(procedure)
            cells = tuple(self._indexes(c) for c in live.cells)
            handed = self._indexes(program.writes(procedure) & after) if exits is None else exits
            reads = tuple(sorted({*self._indexes(program.reads(procedure)), *handed}))
            self._frames[key] = Frame(code, live, cells, handed, reads)
        return self._frames[key]

    def _indexes(self, keys: Cells) -> tuple[int, ...]:
        return tuple(i for i, key in enumerate(self.keys) if key in keys)

    # ---- laws of calls
    def law(self, frame: Frame, args: tuple[Any, ...] | None, state: Any, line: Any) -> laws.Law:
        if args is None:
            return 1, [((None, None, tuple(state[self.size :])), 1)]
        key = self._key(frame, args, state)
        known = self._memo.get(key)
        if known is not None:
            return known
        if key in self._active:
            raise Refused("E003", line, step=frame.code.procedure.name)
        self._active.add(key)
        try:
            exits, total = self.run(frame, args, state)
            if any(isinstance(e, Tail) for e in exits):
                exits, total = self._solve_tails(exits, total, line)
        finally:
            self._active.discard(key)
        law = (total, list(exits.items()))
        self._memo[key] = law
        return law

    def _key(self, frame: Frame, args: tuple[Any, ...], state: Any) -> Any:
        return id(frame), args, tuple([state[i] for i in frame.reads]), tuple(state[self.size :])

    def _solve_tails(self, exits: dict[Any, int], total: int, line: Any) -> tuple[dict[Any, int], int]:
        rows: dict[Any, tuple[dict[Any, int], int]] = {}
        runs: dict[Any, tuple[dict[Any, int], int]] = {}
        todo = [e for e in exits if isinstance(e, Tail)]
        while todo:
            tail = todo.pop()
            if tail in rows:
                continue
            self._spend(1, line)
            if tail.key not in runs:
                runs[tail.key] = self.run(tail.frame, tail.args, list(tail.state))
            ends, of = runs[tail.key]
            row: dict[Any, int] = {}
            for end, weight in ends.items():
                here = _told(end, tail.results)
                row[here] = row.get(here, 0) + weight
            rows[tail] = row, of
            todo += [e for e in row if isinstance(e, Tail)]
        return absorbed(exits, total, rows, line)

    # ---- one procedure
    def run(self, frame: Frame, args: tuple[Any, ...], state: Any) -> tuple[dict[Any, int], int]:
        code = frame.code
        L = list(code.first)
        for slot, value in zip(code.params, args, strict=True):
            L[slot] = value
        S = list(state)
        fronts: dict[int, tuple[dict[World, int], int]] = {}
        exits: tuple[dict[Any, int], int] = ({}, 1)
        base = list(S[: self.size])
        go = _advance(code, 0, L, S)
        if go == -1:
            return {self._exit(frame, L, S): 1}, 1
        fronts[-2 - go] = ({self._world(frame, -2 - go, L, S): 1}, 1)
        while fronts:
            index = min(fronts)
            worlds, den = fronts.pop(index)
            site = code.sites[index]
            if site.kind == "join" and site.endless >= 0:
                exits = self._endless(frame, site, worlds, den, base, fronts, exits)
            else:
                exits = self._step(frame, site, worlds, den, base, fronts, exits)
        return exits

    def _step(
        self,
        frame: Frame,
        site: Site,
        worlds: dict[World, int],
        den: int,
        base: list[Any],
        fronts: dict[int, tuple[dict[World, int], int]],
        exits: tuple[dict[Any, int], int],
    ) -> tuple[dict[Any, int], int]:
        code = frame.code
        self._spend(len(worlds), site.line)
        answered = []
        common = 1
        for world, weight in worlds.items():
            L, S = self._restore(frame, site.index, world, base)
            total, law = self._answers(frame, site, L, S)
            common = lcm(common, total)
            answered.append((L, S, weight, total, law))
        den *= common
        for L0, S0, weight, total, law in answered:
            weight *= common // total
            last = len(law) - 1
            for i, (outcome, w) in enumerate(law):
                L, S = (L0, S0) if i == last else (L0[:], S0[:])
                self._land(frame, site, outcome, L, S)
                go = _advance(code, site.next, L, S) if not isinstance(outcome, Tail) else -1
                if go == -1:
                    end = outcome if isinstance(outcome, Tail) else self._exit(frame, L, S)
                    exits = _add(exits, end, weight * w, den)
                else:
                    at = -2 - go
                    fronts[at] = _add(fronts.get(at, ({}, 1)), self._world(frame, at, L, S), weight * w, den)
        return exits

    def _land(self, frame: Frame, site: Site, outcome: Any, L: list[Any], S: list[Any]) -> None:
        """Put an answer where the rules will find it."""
        if site.kind != "call" or isinstance(outcome, Tail):
            if site.dest >= 0 and site.kind != "call":
                L[site.dest] = outcome
            return
        results, cells, new = outcome
        L[site.dest] = results
        if cells is None:
            return
        exits = self._callee(frame, site).exits
        if site.snapshot >= 0:
            before = L[site.snapshot]
            after = [*zip(exits, cells, strict=True), *enumerate(new[: len(before) - self.size], self.size)]
            changes = [(i, value) for i, value in after if value != before[i]]
            landing = self.program.layout.landing(self.keys, before) if changes else []
            for i, value in changes:
                S[i] = landed(landing[i], S[i], before[i], value)
            S[len(before) :] = new[len(before) - self.size :]
        else:
            for i, value in zip(exits, cells, strict=True):
                S[i] = value
            S[self.size :] = new

    def _answers(self, frame: Frame, site: Site, L: list[Any], S: list[Any]) -> laws.Law:
        if site.kind == "join" or (site.kind in ("throw", "tally", "sort") and not frame.live.heard[site.index]):
            return 1, [(None, 1)]
        question = frame.code.asks[site.index](L, S)
        if site.line.address in self.overrides and site.kind in ("wish", "choose"):
            question = self.overrides[site.line.address](S, question)
        match site.kind:
            case "tally":
                n, roll = question
                weight, total = laws.chance_of(roll)
                if not site.passing:
                    weight = total - weight
                return laws.counted(n or 0, weight, total)
            case "throw":
                return laws.faces(question[0] or 0, question[1])
            case "sort":
                return laws.sorted_out(question, site.passing)
            case "wish":
                if question[1] is None:
                    raise Refused("F008", site.line, who="somebody", what=site.line.address)
                return 1, [(question[1], 1)]
            case "choose":
                chosen = preferred(question)
                if chosen is UNDECIDED:
                    raise Refused("F008", site.line, who="somebody", what=site.line.address)
                return 1, [(chosen, 1)]
        return self._call(frame, site, question, L, S)

    def _callee(self, frame: Frame, site: Site) -> Frame:
        found = frame.callees.get(site.index)
        if found is None:
            assert site.callee is not None
            wants = self.program.wanted(site.callee) if frame.live.heard[site.index] else frozenset()
            after = frame.live.after[site.index]
            if site.snapshot >= 0:
                after = after | self.program.writes(site.callee)
            found = frame.callees[site.index] = self.frame(site.callee, wants, after)
        return found

    def _call(self, frame: Frame, site: Site, args: Any, L: list[Any], S: list[Any]) -> laws.Law:
        state: Any = list(L[site.snapshot]) + S[len(L[site.snapshot]) :] if site.snapshot >= 0 else S
        if args is not None and self._may_be_tail(frame, site):
            results = self._settled(frame, site, L, S)
            if results is not None:
                assert site.callee is not None
                callee = self.frame(site.callee, frozenset(), frame.live.after[site.index], frame.exits)
                return 1, [(Tail(callee, self._key(callee, args, state), args, tuple(state), results), 1)]
        return self.law(self._callee(frame, site), args, state, site.line)

    def _may_be_tail(self, frame: Frame, site: Site) -> bool:
        """A call in a circle whose answer nobody reads."""
        found = frame.tails.get(site.index)
        if found is None:
            assert site.callee is not None
            circular = frame.code.procedure in self.program.reachable(site.callee)
            found = circular and site.snapshot < 0 and not frame.live.heard[site.index]
            frame.tails[site.index] = found
        return found

    def _settled(self, frame: Frame, site: Site, L: list[Any], S: list[Any]) -> tuple[Any, ...] | None:
        """The lines told when nothing that the call does can matter any more: no state is read or written on the
        way out.
        """
        L, S, block = L[:], S[:], site.next
        while block >= 0:
            here = frame.code.blocks[block]
            if here.cells or here.writes:
                return None
            block = frame.code.functions[block](L, S)
        return tuple([L[slot] if slot >= 0 else None for slot in frame.live.results]) if block == RETURN else None

    # ---- endless loops
    def _endless(
        self,
        frame: Frame,
        join: Site,
        worlds: dict[World, int],
        den: int,
        base: list[Any],
        fronts: dict[int, tuple[dict[World, int], int]],
        exits: tuple[dict[Any, int], int],
    ) -> tuple[dict[Any, int], int]:
        """Rounds without end: each world at the join is a state of a chain; what leaves the loop absorbs it."""
        rows: dict[Any, tuple[dict[Any, int], int]] = {}
        todo = list(worlds)
        while todo:
            world = todo.pop()
            if world in rows:
                continue
            self._spend(1, join.line)
            rows[world] = self._round(frame, join, world, base)
            todo += [w for w in rows[world][0] if not (isinstance(w, _Out))]
        ends, total = absorbed(dict(worlds), den, rows, join.line)
        for end, weight in ends.items():
            if end.site < 0:
                exits = _add(exits, end.value, weight, total)
            else:
                fronts[end.site] = _add(fronts.get(end.site, ({}, 1)), end.value, weight, total)
        return exits

    def _round(self, frame: Frame, join: Site, world: World, base: list[Any]) -> tuple[dict[Any, int], int]:
        code = frame.code
        L, S = self._restore(frame, join.index, world, base)
        go = _advance(code, join.next, L, S)
        result: tuple[dict[Any, int], int] = ({}, 1)
        fronts: dict[int, tuple[dict[World, int], int]] = {}
        if go == -1:
            return {_Out(-1, self._exit(frame, L, S)): 1}, 1
        fronts[-2 - go] = ({self._world(frame, -2 - go, L, S): 1}, 1)
        exits: tuple[dict[Any, int], int] = ({}, 1)
        while fronts:
            index = min(fronts)
            inner, den = fronts.pop(index)
            site = code.sites[index]
            if index == join.index:
                for w, weight in inner.items():
                    result = _add(result, w, weight, den)
            elif not join.endless <= index < join.index:
                for w, weight in inner.items():
                    result = _add(result, _Out(index, w), weight, den)
            elif site.kind == "join" and site.endless >= 0:
                exits = self._endless(frame, site, inner, den, base, fronts, exits)
            else:
                exits = self._step(frame, site, inner, den, base, fronts, exits)
        for end, weight in exits[0].items():
            result = _add(result, _Out(-1, end), weight, exits[1])
        return result

    # ---- worlds
    def _world(self, frame: Frame, site: int, L: list[Any], S: list[Any]) -> World:
        slots, cells = frame.live.slots[site], frame.cells[site]
        return (tuple([L[i] for i in slots]), tuple([S[i] for i in cells]), tuple(S[self.size :]))

    def _restore(self, frame: Frame, site: int, world: World, base: list[Any]) -> tuple[list[Any], list[Any]]:
        L = list(frame.code.first)
        for slot, value in zip(frame.live.slots[site], world[0], strict=True):
            L[slot] = value
        S = base[:]
        for cell, value in zip(frame.cells[site], world[1], strict=True):
            S[cell] = value
        S.extend(world[2])
        return L, S

    def _exit(self, frame: Frame, L: list[Any], S: list[Any]) -> Exit:
        results = tuple([L[slot] if slot >= 0 else None for slot in frame.live.results])
        return results, tuple([S[i] for i in frame.exits]), tuple(S[self.size :])

    def _spend(self, worlds: int, line: Any) -> None:
        self.worlds += worlds
        if self.worlds > self.limit:
            raise Refused("E001", line, limit=self.limit, step=line.address if line is not None else "the start")


@dataclass(frozen=True, slots=True)
class _Out:
    """A world that left an endless loop, for a site (or the end, -1)."""

    site: int
    value: Any


def _told(end: Any, results: tuple[Any, ...]) -> Any:
    """An end of a procedure as an end of the one that it finishes."""
    return replace(end, results=results) if isinstance(end, Tail) else (results, *end[1:])


def _advance(code: Code, block: int, L: list[Any], S: list[Any]) -> int:
    functions = code.functions
    while block >= 0:
        block = functions[block](L, S)
    return block


def _add(front: tuple[dict[Any, int], int], key: Any, weight: int, den: int) -> tuple[dict[Any, int], int]:
    """One more weighted world; two denominators meet at their least common multiple."""
    worlds, mine = front
    if mine != den:
        if not worlds:
            return {key: weight}, den
        both = lcm(mine, den)
        if both != mine:
            scale = both // mine
            for k in worlds:
                worlds[k] *= scale
        weight *= both // den
        mine = both
    worlds[key] = worlds.get(key, 0) + weight
    return worlds, mine


def absorbed(
    start: dict[Any, int], total: int, rows: dict[Any, tuple[dict[Any, int], int]], line: Any
) -> tuple[dict[Any, int], int]:
    """Where a chain ends: states are eliminated one at a time. A row's sum is its denominator, so no mass is lost.

    `rows` maps a state to its successors and their total. A state that only ever leads to itself never ends: refused.
    """
    table = {state: dict(row) for state, (row, _) in rows.items()}
    root = object()
    table[root] = dict(start)
    users: dict[Any, set[Any]] = {}
    for state, row in table.items():
        for end in row:
            if end in rows:
                users.setdefault(end, set()).add(state)
    for state in reversed(list(rows)):  # last found first: fewer rows grow
        row = table.pop(state)
        row.pop(state, None)  # staying put only delays
        mass = sum(row.values())
        if not mass:
            if users.get(state, set()) - {state}:
                raise Refused("E002", line, step=line.address if line is not None else "this")
            continue
        shared = gcd(*row.values())
        if shared > 1:
            row = {k: v // shared for k, v in row.items()}
            mass //= shared
        for user in users.get(state, set()):
            if user is state or user not in table:
                continue
            mine = table[user]
            weight = mine.pop(state, 0)
            if not weight:
                continue
            for k in mine:
                mine[k] *= mass
            for k, v in row.items():
                mine[k] = mine.get(k, 0) + weight * v
                if k in rows:
                    users.setdefault(k, set()).add(user)
            common = gcd(*mine.values())
            if common > 1:
                for k in mine:
                    mine[k] //= common
    final = table[root]
    mass = sum(final.values())
    given = sum(start.values())
    common = gcd(mass, given)
    given, mass = given // common, mass // common
    return {k: v * given for k, v in final.items()}, total * mass
