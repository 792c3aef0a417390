"""Optimal values over all policies: the least and the greatest mean that choices can achieve in a situation.

Input: a Program, a state, a procedure; choices are open where the rules have no `usually`. Output: `Best`, the Markov
decision process of all reachable worlds and their successors; `Best.best` returns the optimal mean of a function of the
final outcome (expectimax, exact fractions). A chooser knows the history so far and no more. Dice, and calls without
open choices, have the distributions of `odds.py`. It does not know how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from interpreter.program.choice_codegen import CALLED, CHOSEN, moves
from interpreter.program.code import Site
from interpreter.program.layout import CellKey
from interpreter.program.odds_types import Variant
from interpreter.program.program import Program, Wants
from interpreter.source.values import Struct

from .choices import UNDECIDED, chooser, how_many, options, preferred
from .markov import Move, components, optimal_values
from .odds import Odds, Refused, Tail, outcome_of_caller

Worth = Callable[[Any], Fraction | int]
World = tuple[int, int, Any]  # the number of a frame, a node of its procedure, the live values there
Policy = dict[World, World]  # the world of a choice → the chosen successor
Way = Callable[[Any, Any], dict[tuple[int, Any], int]]
Sides = frozenset[Any]
END = -1
DEEP = 500  # greatest depth of nested calls
MOST_AT_ONCE = 1_000  # worlds of one cycle, because elimination takes cubic time


class Choice(Struct):
    """An open choice at a world.

    `question` is the question of the rules, `usual` the same with the situation's `choose:` as the usual answer; `then`
    has the successor for each of the allowed `options`.
    """

    address: str
    who: Any
    question: Any
    usual: Any
    options: tuple[Any, ...]
    then: tuple[World, ...]


class Frame(Struct):
    """A stack frame: a call of `variant` from the frame with the number `around` (`END`: none).

    `way` is the continuation of the caller, and `kept` its live values. Without a continuation the call is a tail call:
    its result is also that of the caller, whose record is `kept`.
    """

    variant: Variant
    way: Way | None
    kept: Any
    around: int
    depth: int


class Best(Odds):
    """The worlds of one situation. `met`: the lines with an open choice among several options, each with a chooser."""

    def __init__(self, program: Program, keys: list[CellKey], limit: int = 200_000) -> None:
        super().__init__(program, keys, limit)
        self.met: dict[str, Any] = {}
        self.moves: dict[World, Move] = {}
        self.choices: dict[World, Choice] = {}
        self.types: dict[str, Any] = {}  # the type of the options at a line
        self.askers: dict[str, set[Any]] = {}  # the choosers at a line, of open and decided choices
        self._asked: tuple[str, Any, Any, Any, list[Any]] | None = (
            None  # the last open choice: address, chooser, questions, options
        )
        self._taken: Any = UNDECIDED  # the option to follow instead of asking
        self.start: World = (0, END, None)
        self._order: list[list[World]] = []
        self._frames: list[Frame] = []
        self._numbers: dict[Frame, int] = {}
        self._runs: dict[Variant, tuple[Callable[[Any], Any], dict[int, tuple[Any, Any, tuple[str, ...]]]]] = {}

    # ---- the worlds
    def explore(self, procedure: Any, wants: Wants, args: tuple[Any, ...], state: list[Any]) -> None:
        """Find all reachable worlds and their successors, and order them by strongly connected components.

        Raises `Refused` (E001 beyond the budget of worlds, E003 beyond `DEEP` nested calls).
        """
        shape = self._shape = self.program.shape(procedure, self.keys)
        self._base = list(state)
        variant = self.program.front(procedure, wants, frozenset(), True, shape, asked=True)
        key = [args[i] for i in variant.params] + [state[i] for i in variant.cells]
        if shape.makes:
            key.append(tuple(state[len(self.keys) :]))
        first = Frame(variant, None, None, END, 0)
        self.start = self._entered(first, tuple(key) if len(key) > 1 else key[0] if key else ())
        todo = [self.start]
        while todo:
            world = todo.pop()
            frame, place, what = world
            if place == END or world in self.moves:
                continue
            follow, line, _ = self._run(self._frames[frame].variant)[1][place]
            self.spend(1, line)
            row, total = follow(what)
            if total == CALLED:
                variant, key, way, kept = row
                inner = Frame(variant, way, kept, frame, self._frames[frame].depth + 1)
                if inner.depth > DEEP:
                    raise Refused("E003", line, step=variant.code.procedure.name)
                move: Move = {self._entered(inner, key): 1}, 1
            else:
                found: dict[World, int] = {}
                for (then, more), weight in row.items():
                    reached = self._continued(frame, then, more)
                    found[reached] = found.get(reached, 0) + weight
                move = found, total
                if total == CHOSEN:
                    self._chosen(world, follow)
            self.moves[world] = move
            todo += move[0]
        self._order = components(self.moves)

    def _chosen(self, world: World, follow: Callable[[Any], Any]) -> None:
        """Record the choice at a world, with the successor of each option."""
        assert self._asked is not None
        address, who, question, usual, allowed = self._asked
        then = []
        for self._taken in allowed:
            ((place, what),) = follow(world[2])[0]
            then.append(self._continued(world[0], place, what))
        self._taken = UNDECIDED
        self.choices[world] = Choice(address, who, question, usual, tuple(allowed), tuple(then))

    def _run(self, variant: Variant) -> tuple[Callable[[Any], Any], dict[int, tuple[Any, Any, tuple[str, ...]]]]:
        if variant not in self._runs:
            assert self._shape is not None
            make, bindings = moves(self.program, variant, self._shape, self.is_open)
            self._runs[variant] = make(self, self._base, self.spend, *[self._binding(value) for _, value in bindings])
        return self._runs[variant]

    def _entered(self, frame: Frame, key: Any) -> World:
        number = self._numbers.get(frame)
        if number is None:
            number = self._numbers[frame] = len(self._frames)
            self._frames.append(frame)
        ((place, what),) = self._run(frame.variant)[0](key)
        return self._continued(number, place, what)

    def _continued(self, number: int, place: int, what: Any) -> World:
        """The world at a place of a frame; at the end of a call, the world at which its caller continues."""
        while place == END:
            frame = self._frames[number]
            if isinstance(what, Tail):
                if frame.variant.heard:
                    frame = Frame(what.variant, None, what.record, number, frame.depth + 1)
                else:
                    frame = Frame(what.variant, frame.way, frame.kept, frame.around, frame.depth)
                return self._entered(frame, what.key)
            if frame.around == END:
                return number, END, what
            number = frame.around
            if frame.way is None:
                what = outcome_of_caller(what, frame.kept, self._frames[number].variant, self.makes)
            else:
                ((place, what),) = frame.way(frame.kept, what)
        return number, place, what

    # ---- values of worlds
    def ends(self) -> set[Any]:
        """Return the possible outcomes: the values of the wanted lines."""
        found = {self.start, *(then for row, _ in self.moves.values() for then in row)}
        return {self._end(world) for world in found if world[1] == END}

    def best(self, worth: Worth, most: bool, mine: Sides | None = None) -> tuple[Fraction, Policy]:
        """Return the greatest (`most`) or least mean of `worth` over all policies, and an optimal policy. If `mine` is
        given, only the choices of these sides pursue this goal; all others pursue the opposite (a zero-sum game).
        """
        policy: Policy = {}
        return self._valued(worth, self.moves, most, policy, mine), policy

    def mean(self, worth: Worth, policy: Policy) -> Fraction:
        """Return the mean of `worth` over the outcomes under a policy."""
        return self.values(worth, policy)[self.start]

    def values(self, worth: Worth, policy: Policy) -> dict[World, Fraction]:
        """Return the mean of `worth` from each world on under a policy."""
        return self._values(worth, self._following(policy), True, {}, None)

    def against(self, worth: Worth, policy: Policy, most: bool, mine: Sides) -> tuple[Fraction, Policy]:
        """Return the mean of `worth` for `mine` under their part of a policy, if all others respond as badly for them
        as possible; and the whole policy including these responses.
        """
        whole = dict(policy)
        return self._valued(worth, self._following(policy), most, whole, mine), whole

    def _following(self, policy: Policy) -> dict[World, Move]:
        return {world: ({policy[world]: 1}, 1) if world in policy else move for world, move in self.moves.items()}

    def known_at(self, world: World) -> list[tuple[Variant, str, Any]]:
        """Return the live variables at a world, innermost frame first: the procedure, the variable (a slot `l3`, a cell
        `S[7]`), and its value.
        """
        number, place, what = world
        parts = self._run(self._frames[number].variant)[1][place][2]
        found = []
        while True:
            frame = self._frames[number]
            values = what if len(parts) > 1 else (what,) * len(parts)
            found += [(frame.variant, name, value) for name, value in zip(parts, values, strict=True)]
            if frame.around == END or frame.way is None:
                return found
            number, what, parts = frame.around, frame.kept, getattr(frame.way, "parts", ())

    def met_by(self, policy: Policy) -> list[World]:
        """Return the worlds that are reachable under a policy, in order of discovery."""
        found = dict.fromkeys((self.start,))
        todo = [self.start]
        while todo:
            world = todo.pop()
            row = (policy[world],) if world in policy else self.moves[world][0] if world in self.moves else ()
            new = [then for then in row if then not in found]
            found.update(dict.fromkeys(new))
            todo += new
        return list(found)

    def best_share(self, worth: Worth, holds: Worth, most: bool) -> Fraction | None:
        """Return the optimal mean of `worth` under the condition `holds` (Dinkelbach's algorithm); None if it never
        holds. Each policy gives a bound, which the next one improves, until none does.
        """
        share, policy = self.best(holds, most=True)
        if not share:
            return None
        while True:
            bound = self.mean(lambda end: worth(end) * holds(end), policy) / self.mean(holds, policy)
            gain, policy = self.best(lambda end, bound=bound: (worth(end) - bound) * holds(end), most)  # type: ignore[misc]
            if not gain:
                return bound

    def _valued(
        self, worth: Worth, moves: dict[World, Move], most: bool, policy: Policy, mine: Sides | None = None
    ) -> Fraction:
        return self._values(worth, moves, most, policy, mine)[self.start]

    def _values(
        self, worth: Worth, moves: dict[World, Move], most: bool, policy: Policy, mine: Sides | None
    ) -> dict[World, Fraction]:
        def wants(world: World) -> bool:
            return most is (mine is None or self.choices[world].who in mine)

        values: dict[World, Fraction] = {}

        def of(world: World) -> Fraction:
            known = values.get(world)
            if known is None:  # an end
                known = values[world] = Fraction(worth(self._end(world)))
            return known

        for circle in self._order:
            world = circle[0]
            row, total = moves[world]
            if len(circle) > MOST_AT_ONCE:
                raise self._endless(circle, "E001", limit=MOST_AT_ONCE)
            if len(circle) > 1 or world in row:
                aims = {wants(w) for w in circle if moves[w][1] == CHOSEN}
                if len(aims) > 1:
                    raise self._endless(circle, "E012")
                goal = aims.pop() if aims else most
                values.update(optimal_values(circle, moves, of, goal, policy, lambda: self._endless(circle)))  # noqa: B023
            elif total == CHOSEN:
                policy[world] = (max if wants(world) else min)(row, key=of)
                values[world] = of(policy[world])
            else:
                found = [(of(then), weight) for then, weight in row.items()]
                common = lcm(*[value.denominator for value, _ in found])
                mass = sum([value.numerator * (common // value.denominator) * weight for value, weight in found])
                values[world] = Fraction(mass, common * total)
        for world in (self.start, *(then for choice in self.choices.values() for then in choice.then)):
            of(world)  # also outcomes of options that the policy does not take
        return values

    def _end(self, world: World) -> Any:
        return world[2][0] if self.makes else world[2]

    def _endless(self, circle: list[World], code: str = "E002", **facts: Any) -> Refused:
        lines = [self._run(self._frames[frame].variant)[1][place][1] for frame, place, _ in circle]
        line = next(line for line in lines if line is not None)
        return Refused(code, line, step=line.address, **facts)

    # ---- choices
    def is_open(self, site: Site) -> bool:
        """Return whether a question can be an open choice: no policy of the rules answers it in every case."""
        if site.kind not in ("wish", "choose"):
            return False
        if site.line.address in self.overrides:
            return True
        if site.kind == "wish":
            return site.note.policy is None
        choose = site.note
        if choose.most is not None or choose.amount is not None:
            return False
        return not choose.order or choose.low is not choose.high

    def _binding(self, value: tuple[Any, ...]) -> Any:
        return self._chooser(value[1]) if value[0] == "choose" else super()._binding(value)

    def _chooser(self, site: Site) -> Callable[[Any, list[Any]], Any]:
        """The function that answers the questions of a site: `(CHOSEN, options)` for an open choice, else `(1,
        answer)`.
        """
        address, is_wish = site.line.address, site.kind == "wish"
        changed = self.overrides.get(address)

        def choose(question: Any, state: list[Any]) -> Any:
            put = usual = question
            if changed is not None:
                usual = changed.usual(state, question) if hasattr(changed, "usual") else question
                question = changed(state, question)
            who = chooser(question)
            self.askers.setdefault(address, set()).add(who)
            chosen = question[1] if is_wish else preferred(question)
            if not (chosen is None if is_wish else chosen is UNDECIDED):
                return 1, ((chosen, 1),)
            if not is_wish:
                self.spend(how_many(question) - 1, site.line)
            allowed = [True, False] if is_wish else options(question)
            if len(allowed) == 1:
                return 1, ((allowed[0], 1),)
            if self._taken is not UNDECIDED:
                return CHOSEN, [(self._taken, 1)]
            self._asked = address, who, put, usual, allowed
            self.types[address] = site.type
            self.met.setdefault(address, who)
            return CHOSEN, [(option, 1) for option in allowed]

        return choose
