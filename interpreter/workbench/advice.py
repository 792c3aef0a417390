"""Advice on choices: the best policy of one side for a question, and the value of fixed policy lines.

Enters: a case, and the side to advise. Leaves: an `Advice`: the value of the usual choices, the value of an optimal
policy, and lines for `choose:` with their values. A line fixes one answer for all moments; its value is computed with
all other choices of that side fixed too. Where an optimal policy depends on the state, that is reported, and no line is
called the best. Every number is exact. Knows nothing of how worlds are explored.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from interpreter.engines.best import Best, Choice, Policy, World
from interpreter.engines.choices import UNDECIDED, preferred
from interpreter.engines.odds import Refused
from interpreter.program.layout import Layout
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import NOT_RUN, Type

from .answers import report_no_mean
from .cases import Case
from .decision_points import Moment, Position, moments
from .run_setup import asking, run_guarded, set_up, side_of

Answer = Callable[[Choice], Any]  # a choice → the option to take; UNDECIDED if it is not determined
Worth = Callable[[Any], Fraction]
Lines = dict[str, str]  # address of a choice → text of its policy; empty for the usual one

USUAL = ""
MOST_NUMBERS = 20  # at most this many numbers are tried individually
MOST_TRIED = 400_000  # at most this many worlds, over all combinations of lines, for an exhaustive search
_NUMBERS = ("truth", "number", "inches", "target")


class Way(Struct):
    """One policy line for a choice (`said`, empty for the usual policy), its value with all other lines unchanged,
    and other texts with the same value.
    """

    said: str
    value: Fraction
    usual: bool = False
    same: tuple[str, ...] = ()


class Line(Struct):
    """A choice that matters, with its options as policy lines, the best first."""

    address: str
    ways: tuple[Way, ...]

    @property
    def best(self) -> Way:
        return self.ways[0]


class Advice(Record):
    """The advice on one question.

    `usual` is the value of the usual choices, None if some choice has none. `best` is the value of an optimal policy,
    `reached` that of `lines` (None if they leave a choice open); `follow` are the lines to write, without the usual
    ones. `idle` are choices that make no difference. `against` are the choices where other sides choose the worst, and
    who; `shared` those in `follow` that other sides make too.
    """

    ask: Ask
    whose: str
    most: bool
    usual: Fraction | None
    best: Fraction
    reached: Fraction | None
    lines: list[Line]
    idle: list[str]
    follow: Lines = field(default_factory=dict)
    against: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    worlds: int = 0

    @property
    def whole(self) -> bool:
        """Whether these lines are optimal."""
        return self.reached == self.best


def advise(
    case: Case, index: int, whose: str, most: bool, *, opposed: bool = False, limit: int = 200_000
) -> Advice | None:
    """The advice for a side on one question of a case: its chance, or its mean. None with problems.

    `opposed`: the other sides choose the worst for it, instead of the usual; so they do where nothing is usual.
    """
    ask = case.situation.asks[index]
    if ask.type.name not in _NUMBERS:
        _no_number(case, ask)
        return None
    made = set_up(case, certain=True, opened=(None,) if opposed else (whose,))
    if made is None:
        return None
    situation = case.situation
    engine = Best(made.program, made.start.keys, limit)
    wants, places = asking(case, made, engine)
    place = places[index]

    def worth(end: Any) -> Fraction:
        found = end[place]
        return Fraction(0 if found is NOT_RUN else found)  # a condition that did not run is False

    mine = side_of(case, made, whose)
    assert mine is not None

    def found() -> Advice | None:
        engine.explore(situation.procedure, wants, made.args, made.start.state)
        ends = {end[place] for end in engine.ends()}
        if ask.type.name != "truth" and NOT_RUN in ends:
            report_no_mean(ask, case.problems)
            return None
        if not all(isinstance(end, int | Fraction) for end in ends - {NOT_RUN}):
            _no_number(case, ask)
            return None
        best, policy = engine.best(worth, most, mine)
        words = Words(case.rules.book, made.start.names)
        return _Search(engine, words, made.program.layout, worth, most, mine, best, policy).advice(ask, whose)

    advice: Advice | None = run_guarded(case, found)
    return advice


def _no_number(case: Case, ask: Ask) -> None:
    hint = f"ask for what it wants of it: `{ask.text} is …`, `{ask.text} = …`"
    case.problems.add(
        "F016", ask.where.span, wanted="a question whose answer is always a number, or yes or no", hint=hint
    )


class _Search:
    """Evaluates sets of policy lines in the explored worlds; other sides choose the worst against each."""

    def __init__(
        self,
        engine: Best,
        words: Words,
        layout: Layout,
        worth: Worth,
        most: bool,
        mine: frozenset[int],
        best: Fraction,
        policy: Policy,
    ) -> None:
        self.engine, self.words, self.layout, self.worth = engine, words, layout, worth
        self.most, self.sides, self.best, self.policy = most, mine, best, policy
        self.mine = {w: c for w, c in engine.choices.items() if c.who in mine}
        self._values: dict[tuple[str, ...], Fraction | None] = {}

    def advice(self, ask: Ask, whose: str) -> Advice:
        self.addresses = sorted({c.address for c in self.mine.values()})
        self.ways = {address: self._ways(address) for address in self.addresses}
        usual = self._value(dict.fromkeys(self.addresses, USUAL)) if self._all_usual() else None
        kept = self._best_lines()
        reached = self._value(kept)
        lines, idle = [], []
        for address in self.addresses if reached is not None else ():
            ways = self._compared(address, kept)
            if len({way.value for way in ways}) > 1:
                lines.append(Line(address, ways))
            else:
                idle.append(address)
        lines.sort(key=lambda line: abs(line.ways[0].value - line.ways[-1].value), reverse=True)
        made = Advice(ask, whose, self.most, usual, self.best, reached, lines, idle, worlds=self.engine.worlds)
        made.follow = {a: said for a, said in kept.items() if said} if reached is not None else {}
        made.shared = self._others({a: self.engine.askers[a] for a in made.follow})
        theirs = [c for c in self.engine.choices.values() if c.who not in self.sides]
        made.against = self._others({c.address: {x.who for x in theirs if x.address == c.address} for c in theirs})
        if not made.whole:
            made.moments = moments(self._positions(kept if reached is not None else None))
        return made

    def _others(self, asked: dict[str, set[Any]]) -> dict[str, str]:
        found = {a: sorted(self.words.thing(who) for who in several - self.sides) for a, several in asked.items()}
        return {address: ", ".join(names) for address, names in sorted(found.items()) if names}

    # ---- sets of lines
    def _all_usual(self) -> bool:
        return all(USUAL in ways for ways in self.ways.values())

    def _best_lines(self) -> Lines:
        """The best set of lines by exhaustive search if there are few sets, else by local search."""
        first = {a: USUAL if USUAL in ways else next(iter(ways), USUAL) for a, ways in self.ways.items()}
        if prod(map(len, self.ways.values())) * len(self.engine.moves) <= MOST_TRIED:
            sets = [dict(zip(self.ways, said, strict=True)) for said in product(*self.ways.values())]
            return self._best_of([first, *sets]) if sets else first
        kept = first
        while True:
            steps = [{**kept, a: said} for a, ways in self.ways.items() for said in ways if said != kept[a]]
            best = self._best_of([kept, *steps])
            if best is kept:
                return kept
            kept = best

    def _best_of(self, sets: list[Lines]) -> Lines:
        """The first of the sets with the best value."""
        kept, value = sets[0], self._value(sets[0])
        for each in sets[1:]:
            other = self._value(each)
            if other is not None and (value is None or (other > value if self.most else other < value)):
                kept, value = each, other
        return kept

    def _value(self, lines: Lines) -> Fraction | None:
        """The value of following these lines; None if that may not terminate, or if they leave a choice open that
        can come up.
        """
        key = tuple([lines[address] for address in self.addresses])
        if key not in self._values:
            self._values[key] = self._worked_out(lines)
        return self._values[key]

    def _worked_out(self, lines: Lines) -> Fraction | None:
        policy, open_ = self._followed(lines)
        try:
            found, whole = self.engine.against(self.worth, policy, self.most, self.sides)
        except Refused:
            return None
        return None if open_ and not open_.isdisjoint(self.engine.met_by(whole)) else found

    def _followed(self, lines: Lines) -> tuple[Policy, set[World]]:
        """The option taken at each choice of that side, and the worlds where the lines do not determine it."""
        policy: Policy = {}
        open_: set[World] = set()
        for world, choice in self.mine.items():
            taken = self.ways[choice.address].get(lines[choice.address], _undecided)(choice)
            if taken in choice.options:
                policy[world] = choice.then[choice.options.index(taken)]
            else:
                policy[world] = self.policy[world]
                open_.add(world)
        return policy, open_

    def _compared(self, address: str, kept: Lines) -> tuple[Way, ...]:
        """All policy lines for one choice, with the other lines fixed; those of equal value are merged."""
        values: dict[Fraction, list[str]] = {}
        for said in self.ways[address]:
            value = self._value({**kept, address: said})
            if value is not None:
                values.setdefault(value, []).append(said)
        ways = []
        for value, words in values.items():
            named = [word for word in words if word != USUAL]
            said = kept[address] if kept[address] in named else named[0] if named else USUAL
            ways.append(Way(said, value, USUAL in words, tuple([w for w in named if w != said])))
        return tuple(sorted(ways, key=lambda way: way.value, reverse=self.most))

    # ---- policy lines for a choice: each does exactly what the same text does under `choose:`
    def _ways(self, address: str) -> dict[str, Answer]:
        """The policy lines for a choice, each with the answer it gives."""
        choices = [c for c in self.mine.values() if c.address == address]
        questions = [c.question for c in choices]
        usual: dict[str, Answer] = {}
        if all(_as_usual(c) in c.options for c in choices):
            usual = {USUAL: _as_usual}
        if len(questions[0]) == 2:
            return usual | {"yes": lambda c: True, "no": lambda c: False}
        ways: dict[str, Answer] = {}
        if any(q[3] != q[4] for q in questions):
            ways["most"] = lambda c: preferred((*c.question[:7], True, None))
            ways["fewest"] = lambda c: preferred((*c.question[:7], False, None))
        kind = questions[0][0]
        if kind == "figures":
            ways |= self._of_figures(questions)
        elif kind == "number":
            ways |= _of_numbers(questions)
        else:
            type_ = self.engine.types.get(address)
            for item in sorted({i for q in questions for i in q[5]}):
                name = self.words.say(item, Type(type_.name.removesuffix("s"), type_.of)) if type_ else str(item)
                said = f"it = {item}" if kind == "faces" else name
                ways[said] = _first(lambda i, item=item: i == item)  # type: ignore[misc]
        return usual | ways

    def _of_figures(self, questions: list[Any]) -> dict[str, Answer]:
        """Policy lines that prefer figures with an attribute that others lack."""
        values: dict[int, set[Any]] = {}
        for question in questions:
            places = zip(*[figure for figure, _ in question[5]], strict=False) if len(question[5]) > 1 else ()
            for i, cells in enumerate(places):
                if i > 1 and len(set(cells)) > 1:
                    values.setdefault(i, set()).update(cells)
        kinds = list(self.layout.book.kinds.values())
        root = next((kinds[figure[1]].root for q in questions for figure, _ in q[5]), None)
        ways: dict[str, Answer] = {}
        for i, found in values.items() if root is not None else ():
            attribute = self.layout.attributes.get((root.number, i)) if root is not None else None
            if attribute is None:
                continue
            if attribute.type.name == "truth":
                ways[attribute.name] = _first(lambda f, i=i: bool(f[i]))  # type: ignore[misc]
                ways[f"not {attribute.name}"] = _first(lambda f, i=i: not f[i])  # type: ignore[misc]
            elif attribute.type.name == "row":
                for value in sorted(found):
                    said = f"{attribute.name} is {self.words.say(value, attribute.type)}"
                    ways[said] = _first(lambda f, i=i, value=value: f[i] == value)  # type: ignore[misc]
        return ways

    # ---- where an optimal policy depends on the state
    def _positions(self, kept: Lines | None) -> list[Position]:
        """The positions met under an optimal policy, at the choices for which the lines are not always optimal.

        That policy follows the lines wherever they are as good as any option.
        """
        lines = self._followed(kept)[0] if kept is not None else {}
        values = self.engine.values(self.worth, self.policy)
        policy = self.policy | {w: then for w, then in lines.items() if values[then] == values[self.policy[w]]}
        mine = {world: policy[world] for world in self.mine}
        reached, whole = self.engine.against(self.worth, mine, self.most, self.sides)
        policy = whole if reached == self.best else self.policy  # else it postpones the decisive choice for ever
        located: list[tuple[World, Choice, bool]] = []
        better: set[str] = set()
        for world in self.engine.met_by(policy):
            choice = self.mine.get(world)
            if choice is None:
                continue
            matters = len({values[then] for then in choice.then}) > 1
            if matters or kept is not None:
                located.append((world, choice, matters))
            if kept is None or values[lines[world]] != values[policy[world]]:
                better.add(choice.address)
        return [self._position(w, c, matters, policy) for w, c, matters in located if c.address in better]

    def _position(self, world: World, choice: Choice, matters: bool, policy: Policy) -> Position:
        options = tuple([self._word(choice, option) for option in choice.options])
        take = options[choice.then.index(policy[world])]
        return Position(choice.address, options, take, self._known(world), matters)

    def _known(self, world: World) -> dict[str, str]:
        """What is known in a world, as text: live lines and parameters, and attributes that may have changed."""
        found: dict[str, str] = {}
        for variant, name, value in self.engine.known_at(world):
            what = self._of_a_cell(int(name[2:-1])) if name[2:-1].isdigit() and name[0] == "S" else None
            if name[0] == "l":
                code = variant.code
                lines = self.engine.program.checker.procedure(code.procedure).lines
                slots = [
                    *zip(code.lines.values(), [(a, v.type) for a, v in lines.items()], strict=True),
                    *zip(code.params, [(p.name, p.type) for p in code.procedure.params], strict=True),
                ]
                what = next((said for slot, said in slots if f"l{slot}" == name), None)
            if what is not None and what[1].name not in ("record", "block", "any"):
                found.setdefault(what[0], self.words.say(value, what[1]))
        return found

    def _of_a_cell(self, cell: int) -> tuple[str, Type] | None:
        thing = max((place for place in self.words.names if place <= cell), default=None)
        attribute = self.layout.attributes.get(self.engine.keys[cell])
        if thing is None or attribute is None:
            return None
        return f"{self.words.thing(thing)}.{attribute.name}", attribute.type

    def _word(self, choice: Choice, option: Any) -> str:
        if len(choice.question) == 2:
            return "yes" if option else "no"
        type_ = self.engine.types.get(choice.address)
        return str(self.words.say(option, type_)) if type_ is not None else str(option)


def _undecided(_: Choice) -> Any:
    return UNDECIDED


def _as_usual(choice: Choice) -> Any:
    """The option that the rules, or `choose:`, call usual."""
    if len(choice.usual) == 2:
        return UNDECIDED if choice.usual[1] is None else choice.usual[1]
    return preferred(choice.usual)


def _first(wanted: Callable[[Any], bool]) -> Answer:
    """An answer that prefers the items for which `wanted` holds, and takes the usual or required number of them."""

    def answer(choice: Choice) -> Any:
        return preferred((*choice.question[:6], lambda x: (not wanted(x),), *choice.question[7:]))

    return answer


def _of_numbers(questions: list[Any]) -> dict[str, Answer]:
    """A policy line for every number, if there are few."""
    least, greatest = min(q[3] for q in questions), max(q[4] for q in questions)
    if greatest - least > MOST_NUMBERS:
        return {}

    def exactly(number: int) -> Answer:
        return lambda c: preferred((*c.question[:7], None, number))

    return {str(number): exactly(number) for number in range(least, greatest + 1)}
