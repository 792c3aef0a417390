"""Exact odds: all histories of a procedure at once, as integer weights of worlds.

Input: a Program, a state, a procedure and its arguments. Output: the distribution of the wanted lines; weights sum to
the denominator. The program's generated functions map what they read to their outcomes; here they are bound to
distributions and memoized. Unbounded loops and recursive outcome tables are solved as Markov chains. Beyond the budget
of worlds, `Refused` (E001) names the step. It does not know how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from interpreter.program.code import Site
from interpreter.program.landing import land, watched
from interpreter.program.layout import CellKey, Landing
from interpreter.program.liveness import Follow
from interpreter.program.odds_types import CLOSED, Shape, Variant
from interpreter.program.program import Program, Wants
from interpreter.program.runtime import Refused as Refused
from interpreter.program.state import Unstated
from interpreter.source.values import Struct, replace

from . import laws
from .choices import UNDECIDED, preferred
from .laws import added
from .markov import Rows, absorbed

A_WORLD = 10_000  # average work per world in the budget: expression nodes, or bytes of a weight
A_PASS = 500  # least work of a round without questions

Changed = Callable[[list[Any], Any], Any]
_GLANCE = 2_000  # worlds in which to check that something unread terminates
_DEEP = 4_000  # worlds of an unbounded loop within which an exit must be found


class Table(dict[Any, Any]):
    """A memoized function of one argument."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self.function = function

    def __missing__(self, key: Any) -> Any:
        value = self[key] = self.function(key)
        return value


class Laws(dict[Any, Any]):
    """The distributions of one variant of a procedure, by its inputs, computed on first use."""

    __slots__ = ("engine", "run", "variant")

    def __init__(self, engine: Odds, variant: Variant) -> None:
        self.engine, self.variant = engine, variant
        self.run: Callable[[Any], laws.Law] | None = None

    def __missing__(self, key: Any) -> laws.Law:
        if self.run is not None and not self.variant.circular:
            law = self[key] = self.run(key)
            return law
        law = self.once(key)
        if self.variant.tails:
            law = self.engine.resolve_tails(self, law)
        self[key] = law
        return law

    def once(self, key: Any) -> laws.Law:
        """Return the distribution of one run; a run that ends in a tail call has an outcome `Tail`. Raises `Refused`
        (E003) if the run depends on itself other than by tail calls.
        """
        engine = self.engine
        if self.run is None:
            self.run = engine.bound(self.variant)
        here = (id(self), key)
        if here in engine.active:
            sites = self.variant.code.sites
            raise Refused("E003", sites[0].line if sites else None, step=self.variant.code.procedure.name)
        engine.active.add(here)
        try:
            return self.run(key)
        finally:
            engine.active.discard(here)


class Settled(dict[Any, Any]):
    """The outcomes of one variant that throws no dice, by its inputs, computed on first use."""

    __slots__ = ("engine", "run", "variant")

    def __init__(self, engine: Odds, variant: Variant) -> None:
        self.engine, self.variant = engine, variant
        self.run: Callable[[Any], Any] | None = None

    def __missing__(self, key: Any) -> Any:
        if self.run is None:
            self.run = self.engine.bound(self.variant)
        outcome = self[key] = self.run(key)
        return outcome


class Tail(Struct):
    """An outcome that is a tail call: the caller's `record` is complete, and the callee returns the same cells."""

    variant: Variant
    key: Any
    record: Any


class Odds:
    """The odds of one situation. `keys` describes each cell of the state. `overrides` maps the address of a choice to
    the function that changes its question. Facts are answered by the Program.
    """

    follow = Follow.ASKED

    def __init__(self, program: Program, keys: list[CellKey], limit: int = 200_000) -> None:
        self.program = program
        self.keys = keys
        self.limit = limit
        self.worlds = 0
        self.work = 0
        self.last: Any = None
        self.overrides: dict[str, Changed] = {}
        self.active: set[Any] = set()
        self._base: list[Any] = []
        self._shape: Shape | None = None
        self._laws: dict[Variant, Laws | Settled] = {}

    # ---- entry point
    def of(self, procedure: Any, wants: Wants, args: tuple[Any, ...], state: list[Any]) -> laws.Law:
        """Return the distribution `(denominator, [(values of the wanted lines in the procedure's order, weight)])`.
        Raises `Refused`.
        """
        program = self.program
        closed = not self.overrides and program.closed(procedure) and self._are_distinct(procedure, args)
        shape = CLOSED if closed else program.shape(procedure, self.keys)
        if shape is not self._shape or (state != self._base and not closed):
            self._shape, self._base = shape, list(state)
            self._laws.clear()
        program.follow = self.follow
        try:
            variant = program.front(procedure, wants, frozenset(), True, shape, asked=True)
            if variant.drops:
                seen = self._followed_to_end(procedure, wants, args, state, shape)
                if seen is not None:
                    return seen
            return self._weighed(variant, closed, args, state)
        finally:
            program.follow = Follow.ENDS

    def _followed_to_end(
        self, procedure: Any, wants: Wants, args: tuple[Any, ...], state: list[Any], shape: Shape
    ) -> laws.Law | None:
        """The same distribution, following also what may not terminate but is not asked for. Raises `Refused` (E002) if
        something never terminates.

        None if it is refused for another reason: more than `_GLANCE` worlds, or a fact that is not stated.
        """
        program, limit = self.program, self.limit
        program.follow, self.limit = Follow.ENDS, min(limit, _GLANCE)
        try:
            variant = program.front(procedure, wants, frozenset(), True, shape, asked=True)
            return self._weighed(variant, shape is CLOSED, args, state)
        except (Refused, Unstated) as why:
            if isinstance(why, Refused) and why.code == "E002":
                raise
        finally:
            program.follow, self.limit = self.follow, limit
        self.worlds = self.work = 0
        self._laws.clear()
        return None

    def _weighed(self, variant: Variant, closed: bool, args: tuple[Any, ...], state: list[Any]) -> laws.Law:
        shape = self._shape
        assert shape is not None
        if closed:
            takes = variant.code.takes
            key = [_taken(takes[i], args, state) for i in variant.params]
        else:
            key = [args[i] for i in variant.params] + [state[i] for i in variant.cells]
        if shape.makes:
            key.append(tuple(state[len(self.keys) :]))
        found = self._of(variant)[tuple(key) if len(key) > 1 else key[0] if key else ()]
        total, law = found if variant.chancy else (1, [(found, 1)])
        if not shape.makes:
            return total, law
        merged: dict[Any, int] = {}
        for (record, _), weight in law:
            merged[record] = merged.get(record, 0) + weight
        return total, list(merged.items())

    def _are_distinct(self, procedure: Any, args: tuple[Any, ...]) -> bool:
        """Whether all parameters that hold a thing hold different ones."""
        parts = self.program.parts(procedure)
        return len({args[i] for i in parts}) == len(parts)

    def _of(self, variant: Variant) -> Any:
        known = self._laws.get(variant)
        if known is None:
            known = self._laws[variant] = Laws(self, variant) if variant.chancy else Settled(self, variant)
        return known

    # ---- bindings of generated functions
    def bound(self, variant: Variant) -> Callable[[Any], laws.Law]:
        assert self._shape is not None
        make = self.program.made(variant, self._shape)
        given = [self._binding(value) for _, value in variant.bindings]
        return make(self, self._base, self.spend, *given)  # type: ignore[no-any-return]

    def _binding(self, value: tuple[Any, ...]) -> Any:
        bind = _BINDS.get(value[0])
        return value[1] if bind is None else bind(self, value)

    @property
    def makes(self) -> bool:
        """Whether the procedure may create things."""
        return self._shape is not None and self._shape.makes

    def table(self, function: Callable[[Any], Any]) -> Table:
        return Table(function)

    def added(self, law: laws.Law, many: int, line: Any) -> laws.Law:
        """Return the distribution of what `many` equal rounds of a loop add to a total, given that of one round."""
        return law if many == 1 else added(law, many, lambda sums, total: self.spend(sums, line, 0, total))

    def tallied(self, thrown: tuple[Any, ...], passing: tuple[bool, ...]) -> Any:
        """Return the binomial distributions of a roll, or of several rolls in turn."""
        return laws.thinned(passing)[thrown]

    def seen(self, sides: int, thrown: tuple[Any, ...], passing: tuple[bool, ...]) -> Any:
        """Return the joint distributions of how many of the same dice pass (or fail) each roll."""
        every = (1 << (sides + 1)) - 2
        masks = [every & (roll[1] if p else ~roll[1]) for roll, p in zip(thrown, passing, strict=True)]
        return laws.seen(sides, tuple(masks))

    def tail(self, of: Laws, key: Any, record: Any) -> Tail:
        return Tail(of.variant, key, record)

    def _decider(self, site: Site) -> Callable[[Any, list[Any]], Any]:
        """The function that decides a choice by its policy, or by the situation's. It raises `Refused` (F008) for an
        open choice.
        """
        changed = self.overrides.get(site.line.address)

        def decide(question: Any, state: list[Any]) -> Any:
            if changed is not None:
                question = changed(state, question)
            chosen = question[1] if site.kind == "wish" else preferred(question)
            if chosen is UNDECIDED or (chosen is None and site.kind == "wish"):
                raise Refused("F008", site.line, who="somebody", what=site.line.address)
            return chosen

        return decide

    def places(self, key: CellKey, state: list[Any]) -> list[int]:
        """Return the indices of all cells with this key."""
        return self.program.layout.places(key, self.keys, state) if self.makes else self._places[key]

    @cached_property
    def _places(self) -> Table:
        return Table(lambda key: self.program.layout.places(key, self.keys, self.keys))

    def watched(self, state: list[Any], before: tuple[Any, ...], exits: tuple[int, ...]) -> Any:
        """Return what a call in a `together` block must record if it sets it, of the cells that it may change."""
        return watched(state, before, (*exits, *range(len(self.keys), len(before))), self._landing(before))

    def land(
        self, state: list[Any], before: tuple[Any, ...], exits: tuple[int, ...], new: tuple[Any, ...], line: Any
    ) -> None:
        """Merge the effects of a call that read a snapshot: the cells `exits`, and those of things created."""
        after = dict(zip(exits, new, strict=False))
        if self.makes:
            size = len(self.keys)
            after |= dict(enumerate(new[-1][: len(before) - size], size))
        land(state, before, after, self._landing(before), line)
        if self.makes:
            state[len(before) :] = new[-1][len(before) - size :]

    @cached_property
    def _landings(self) -> Sequence[Landing]:
        return self.program.layout.landing(self.keys, self.keys)

    def _landing(self, cells: tuple[Any, ...]) -> Sequence[Landing]:
        """For each cell of a state, how simultaneous changes are merged."""
        if len(cells) == len(self.keys):
            return self._landings
        return self.program.layout.landing(self.keys, cells)

    def spend(self, worlds: int, line: Any, weight: int = 0, total: int = 1) -> None:
        """Count worlds against the budget, each with statements of this weight, and weights with a denominator of this
        size. Raises `Refused` (E001).
        """
        self.worlds += worlds
        self.work += worlds * (weight + total.bit_length() // 8)
        self._check_budget(line)

    def passed(self, line: Any, weight: int) -> None:
        """Count one round of a loop without questions against the budget: it takes time but creates no worlds."""
        self.work += max(weight, A_PASS)
        self._check_budget(line)

    def _check_budget(self, line: Any) -> None:
        """Raise `Refused` (E001) if the budget is exceeded."""
        self.last = line
        if self.worlds > self.limit or self.work > self.limit * A_WORLD:
            raise Refused("E001", line, limit=self.limit, step=line.address if line is not None else "the start")

    # ---- chains
    def absorb(
        self,
        front: dict[Any, int],
        den: int,
        number: int,
        round_: Callable[[Any], tuple[dict[Any, int], int]],
        line: Any,
    ) -> tuple[dict[int, dict[Any, int]], int]:
        """Solve an unbounded loop: return the distribution over the nodes and worlds after it, `({node: {world:
        weight}}, denominator)`.

        `front` has the entering worlds over `den`, `number` is the node of the loop, `round_` returns the successors of
        a world. Raises `Refused` (E002) if the loop never ends.
        """
        rows: Rows = {}
        todo, out, size = list(front), set[Any](), 0
        while todo:
            world = todo.pop()
            if (number, world) in rows:
                continue
            if len(rows) == _DEEP and not any(then[0] != number for row in rows.values() for then in row[0]):
                raise Refused("E002", line, step=line.address)  # no exit found
            self.spend(1, line, len(out) * size // 8)  # a weight may be a product over all rounds so far
            row = rows[number, world] = round_(world)
            size += row[1].bit_length()
            todo += [then[1] for then in row[0] if then[0] == number]
            out.update(then for then in row[0] if then[0] != number)
        start = {(number, world): weight for world, weight in front.items()}
        ends, total = absorbed(start, den, rows, lambda: Refused("E002", line, step=line.address))
        found: dict[int, dict[Any, int]] = {}
        for (place, world), weight in ends.items():
            found.setdefault(place, {})[world] = weight
        return found, total

    def resolve_tails(self, of: Laws, law: laws.Law) -> laws.Law:
        """Return the distribution of a procedure with its tail calls, which may lead back to it, resolved. Raises
        `Refused` (E002) if they never end.
        """
        if not any(isinstance(end, Tail) for end, _ in law[1]):
            return law
        line = of.variant.code.sites[0].line
        chain = Chain()
        start = chain.row(law[1])
        rows: Rows = {}
        while chain.pending:
            tail, state = chain.pending.pop()
            self.spend(1, line)
            total, ends = self._of(tail.variant).once(tail.key)
            mine = [(outcome_of_caller(end, tail.record, of.variant, self.makes), weight) for end, weight in ends]
            rows[state] = chain.row(mine), total
        found, total = absorbed(start, law[0], rows, lambda: Refused("E002", line, step=of.variant.code.procedure.name))
        return total, list(found.items())


class Chain:
    """Replaces the tails of a Markov chain by opaque states, because hashing a tail means hashing all that it reads."""

    def __init__(self) -> None:
        self.states: dict[Tail, object] = {}
        self.pending: list[tuple[Tail, object]] = []  # tails without a row so far, with their states

    def row(self, law: list[tuple[Any, int]]) -> dict[Any, int]:
        """Return the weights of a law by outcome, or by state if the outcome is a tail."""
        row: dict[Any, int] = {}
        for end, weight in law:
            here = end
            if isinstance(end, Tail):
                here = self.states.get(end)
                if here is None:
                    here = self.states[end] = object()
                    self.pending.append((end, here))
            row[here] = row.get(here, 0) + weight
        return row


def _taken(place: int | tuple[int, int], args: tuple[Any, ...], state: list[Any]) -> Any:
    """An input of a closed procedure: an argument, or a cell of one."""
    return args[place] if isinstance(place, int) else state[args[place[0]] + place[1]]


def outcome_of_caller(end: Any, record: Any, first: Variant, makes: bool) -> Any:
    """Return the outcome of a tail call as an outcome of its caller `first`, whose record is `record`."""
    if isinstance(end, Tail):
        return replace(end, record=record)
    if not first.heard:
        return end
    size = len(first.exits) + makes
    return record if size == 0 else (record, end) if size == 1 else (record, *end)


_BINDS: dict[str, Callable[[Odds, tuple[Any, ...]], Any]] = {  # values of other kinds are bound unchanged
    "call": lambda engine, value: engine._of(value[1]),
    "decide": lambda engine, value: engine._decider(value[1]),
    "rolls": lambda _, value: laws.rolls(value[1]),
    "thinned": lambda _, value: laws.thinned(value[1]),
    "sorts": lambda _, value: laws.sorts(value[1]),
    "faces": lambda _, value: laws.faces,
    "but": lambda _, value: laws.faces_but,
    "lots": lambda _, value: laws.drawn[value[1] == "figures", value[2]],
}
