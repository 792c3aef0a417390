"""The least and the greatest that choices can make of a situation: every history, and every way to choose.

Enters: a Program, a state, a procedure, and which questions are left to whoever chooses. Leaves: `Best`, the worlds that
may come up and what may follow each; `value` is the most (or least) that can be made of a number that depends on how it
all ends. Whoever chooses knows all that has happened so far, and no more. Dice have the laws that odds have. Knows
nothing of how a rule is written.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any

from interpreter.program.code import Site
from interpreter.program.layout import CellKey
from interpreter.program.program import Program, Wants
from interpreter.program.runtime import landed
from interpreter.program.unfold import Circle

from .chains import components
from .choices import UNDECIDED, how_many, options, preferred
from .odds import Odds, Refused
from .solve import Move, settled

Worth = Callable[[Any], Fraction | int]
END = -1


class Best(Odds):
    """The worlds of one situation. `met` are the lines where more than one outcome was open, each with who chooses."""

    def __init__(self, program: Program, keys: list[CellKey], limit: int = 200_000) -> None:
        super().__init__(program, keys, limit)
        self.met: dict[str, Any] = {}
        self.moves: dict[Any, Move] = {}
        self.start: Any = None
        self._order: list[list[Any]] = []

    def explore(self, procedure: Any, wants: Wants, args: tuple[Any, ...], state: list[Any]) -> None:
        """Finds every world that can come up."""
        program = self.program
        shape = self._shape = program.shape(procedure, self.keys)
        self._base = list(state)
        try:
            variant, make = program.moves(procedure, wants, shape, self.is_open)
        except Circle as why:
            raise Refused("E006", why.line, step=why.procedure.name) from None
        given = [self._binding(value) for _, value in variant.bindings]
        begin, places = make(self, self._base, self.spend, *given)
        key = [args[i] for i in variant.params] + [state[i] for i in variant.cells]
        if shape.makes:
            key.append(tuple(state[len(self.keys) :]))
        row, _ = begin(tuple(key) if len(key) > 1 else key[0] if key else ())
        self.start = next(iter(row))
        todo = [self.start]
        while todo:
            world = todo.pop()
            if world in self.moves or world[0] == END:
                continue
            follow, line = places[world[0]]
            self.spend(1, line)
            row, total = self.moves[world] = follow(world[1])
            todo += row
        self._order = components(self.moves)

    def ends(self) -> set[Any]:
        """Everything that may come of it: the values of the lines asked for."""
        found = {self.start, *(then for row, _ in self.moves.values() for then in row)}
        return {self._end(world) for world in found if world[0] == END}

    def value(self, worth: Worth, most: bool) -> Fraction:
        """The greatest mean of what the ends are worth, or the least, over all ways to choose."""
        values: dict[Any, Fraction] = {}

        def of(world: Any) -> Fraction:
            known = values.get(world)
            if known is None:  # an end
                known = values[world] = Fraction(worth(self._end(world)))
            return known

        for component in self._order:
            world = component[0]
            row, total = self.moves[world]
            if len(component) > 1 or world in row:
                values.update(settled(component, self.moves, of, most, self._endless))
            elif total:
                found = [(of(then), weight) for then, weight in row.items()]
                common = lcm(*[value.denominator for value, _ in found])
                mass = sum(value.numerator * (common // value.denominator) * weight for value, weight in found)
                values[world] = Fraction(mass, common * total)
            else:
                values[world] = (max if most else min)([of(then) for then in row])
        return of(self.start)

    def _end(self, world: Any) -> Any:
        return world[1][0] if self.makes else world[1]

    def _endless(self) -> Refused:
        return Refused("E002", None, step="this situation")

    # ---- choices
    def is_open(self, site: Site) -> bool:
        """Whether a question may be left to somebody: nothing is usual, or what is usual does not say it all."""
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
        """All that may be chosen, each with the weight 1 and together 0; or the one thing that there is to choose."""
        address, wish = site.line.address, site.kind == "wish"
        changed = self.overrides.get(address)

        def choose(question: Any, state: list[Any]) -> Any:
            if changed is not None:
                question = changed(state, question)
            chosen = question[1] if wish else preferred(question)
            if not (chosen is None if wish else chosen is UNDECIDED):
                return 1, ((chosen, 1),)
            if not wish:
                self.spend(how_many(question) - 1, site.line)
            allowed = [True, False] if wish else options(question)
            self.met.setdefault(address, question[0] if wish else question[2])
            return 0, [(option, 1) for option in allowed]

        return choose

    def land(self, state: list[Any], pending: tuple[Any, ...], before: tuple[Any, ...]) -> None:
        """What was done to the state as it was, laid on what has changed already."""
        kinds = self.program.layout.landing(self.keys, before)
        for i, old in enumerate(before):
            new, state[i] = state[i], pending[i]
            if new != old:
                state[i] = landed(kinds[i], pending[i], old, new)
