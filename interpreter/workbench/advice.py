"""What to choose: the best that one side can make of a question, and lines of a policy that come as near as lines can.

Enters: a case, whose side is advised. Leaves: an `Advice`: what the usual choices give, the best of all ways to choose,
lines to write under `choose:` with what each of them is worth. Every number is exact. A line is one answer for all
moments; where the best depends on the moment, that is said. Knows nothing of how worlds are found.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from interpreter.engines.best import Best, Choice, Policy
from interpreter.engines.choices import UNDECIDED, preferred
from interpreter.engines.odds import Refused
from interpreter.hints import Any
from interpreter.program.layout import Layout
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.source.values import Record, Struct, field
from interpreter.vocabulary.types import Type

from .cases import Case
from .ready import asking, made_ready, side_of
from .refusals import guarded

Answer = Callable[[Any], Any]  # a question as the rules put it → what is chosen


class Way(Struct):
    """One answer to a choice for all moments, as it is written under `choose:`; what it gives, all else unchanged; and
    others that give the same. `said` is empty where no line says what is usual.
    """

    said: str
    value: Fraction
    usual: bool = False
    same: tuple[str, ...] = ()


class Line(Struct):
    """A choice that matters: the ways to make it, the best first."""

    address: str
    ways: tuple[Way, ...]

    @property
    def best(self) -> Way:
        return self.ways[0]


class Moment(Struct):
    """Where the best differs from the lines: between which options, what to take; in how many positions."""

    address: str
    options: tuple[str, ...]
    take: str
    times: int


class Advice(Record):
    """`usual` is None where the rules leave something open. `reached` is what the lines give, `best` what all ways to
    choose do; `idle` are the choices that make no difference.
    """

    ask: Ask
    whose: str
    most: bool
    usual: Fraction | None
    best: Fraction
    reached: Fraction
    lines: list[Line]
    idle: list[str]
    moments: list[Moment] = field(default_factory=list)
    worlds: int = 0

    @property
    def whole(self) -> bool:
        """Whether nobody could do better than the lines."""
        return self.reached == self.best


def advise(
    case: Case, index: int, whose: str, most: bool, *, opposed: bool = False, limit: int = 200_000
) -> Advice | None:
    """The best for a side of one question of a case: its chance, or its mean. `opposed`: the other sides choose what is
    worst for it, not what is usual.
    """
    made = made_ready(case, certain=True, opened=(None,) if opposed else (whose,))
    if made is None:
        return None
    situation = case.situation
    engine = Best(made.program, made.start.keys, limit)
    wants = asking(case, made, engine)
    order = sorted(wants, key=made.places.__getitem__)
    place, ask = order.index(situation.asks[index].address), situation.asks[index]

    def worth(end: Any) -> Fraction:
        return Fraction(end[place] or 0)

    mine = side_of(case, made, whose)
    assert mine is not None

    def found() -> Advice:
        engine.explore(situation.procedure, wants, made.args, made.start.state)
        best, policy = engine.best(worth, most, mine)
        words = Words(case.rules.book, made.start.names)
        return _Search(engine, words, made.program.layout, worth, most, mine, best, policy).advice(ask, whose)

    advice: Advice | None = guarded(case, found)
    return advice


class _Search:
    """Lines are tried one by one on the worlds that were found; what they do not say is as usual, or as is best."""

    def __init__(
        self,
        engine: Best,
        words: Words,
        layout: Layout,
        worth: Callable[[Any], Fraction],
        most: bool,
        mine: frozenset[int],
        best: Fraction,
        policy: Policy,
    ) -> None:
        self.engine, self.words, self.layout, self.worth = engine, words, layout, worth
        self.most, self.best, self.policy = most, best, policy
        self.mine = {w: c for w, c in engine.choices.items() if c.who in mine}
        self.theirs = {w: policy[w] for w, c in engine.choices.items() if c.who not in mine and w in policy}

    def advice(self, ask: Ask, whose: str) -> Advice:
        addresses = sorted({c.address for c in self.mine.values()})
        tried = {address: self._ways(address) for address in addresses}
        kept: dict[str, str] = {}
        open_ = any(self._usual(c) is None for c in self.mine.values())
        reached = usual = self._value({})
        while True:
            steps = [
                (self._value({**{a: tried[a][s] for a, s in kept.items()}, address: answer}), address, said)
                for address in addresses
                for said, answer in tried[address].items()
                if kept.get(address) != said
            ]
            better = [s for s in steps if self._better(s[0], reached)]
            if not better:
                break
            value, address, said = (max if self.most else min)(better, key=lambda s: s[0] or Fraction(0))
            reached, kept[address] = value, said
        lines, idle = [], []
        for address in addresses:
            ways = self._compared(address, tried, kept)
            if len({way.value for way in ways}) > 1:
                lines.append(Line(address, ways))
            else:
                idle.append(address)
        lines.sort(key=lambda line: abs(line.ways[0].value - line.ways[-1].value), reverse=True)
        answers = {a: tried[a][s] for a, s in kept.items()}
        moments = self._moments(answers) if reached != self.best else []
        usual = None if open_ else usual
        assert reached is not None
        return Advice(ask, whose, self.most, usual, self.best, reached, lines, idle, moments, self.engine.worlds)

    def _compared(self, address: str, tried: dict[str, dict[str, Answer]], kept: dict[str, str]) -> tuple[Way, ...]:
        """All ways to make one choice, the others as the lines say; equal ones once, the usual one told."""
        others = {a: tried[a][s] for a, s in kept.items() if a != address}
        values: dict[Fraction, list[str]] = {}
        for said, answer in tried[address].items():
            value = self._value({**others, address: answer})
            if value is not None:
                values.setdefault(value, []).append(said)
        usual = None
        if all(self._usual(c) is not None for c in self.mine.values() if c.address == address):
            usual = self._value(others)
        if usual is not None:
            values.setdefault(usual, [])
        ways = []
        for found, words in values.items():
            chosen = kept.get(address, "")
            said = chosen if chosen in words else words[0] if words else ""
            ways.append(Way(said, found, found == usual, tuple([w for w in words if w != said])))
        return tuple(sorted(ways, key=lambda way: way.value, reverse=self.most))

    def _better(self, value: Fraction | None, than: Fraction | None) -> bool:
        if value is None or than is None:
            return value is not None
        return value > than if self.most else value < than

    def _value(self, answers: dict[str, Answer]) -> Fraction | None:
        """What comes of it; None where it never comes to an end."""
        try:
            return self.engine.mean(self.worth, self._followed(answers))
        except Refused:
            return None

    def _followed(self, answers: dict[str, Answer]) -> Policy:
        """What is chosen everywhere: as a line says, else as usual, else as is best."""
        policy = dict(self.theirs)
        for world, choice in self.mine.items():
            answer = answers.get(choice.address)
            taken = answer(choice.question) if answer is not None else UNDECIDED
            if taken is UNDECIDED or taken not in choice.options:
                taken = self._usual(choice)
            policy[world] = self.policy[world] if taken is None else choice.then[choice.options.index(taken)]
        return policy

    def _usual(self, choice: Choice) -> Any:
        """What the rules say is usual; None where they do not."""
        question = choice.question
        chosen = question[1] if len(question) == 2 else preferred(question)
        return None if chosen is UNDECIDED or chosen not in choice.options else chosen

    # ---- ways to make a choice
    def _ways(self, address: str) -> dict[str, Answer]:
        """Words of a policy for a choice, each with what it picks."""
        questions = [c.question for c in self.mine.values() if c.address == address]
        if len(questions[0]) == 2:
            return {"yes": lambda q: True, "no": lambda q: False}
        ways: dict[str, Answer] = {}
        if any(q[3] != q[4] for q in questions):
            ways["most"] = lambda q: preferred((*q[:7], True, None))
            ways["fewest"] = lambda q: preferred((*q[:7], False, None))
        kind = questions[0][0]
        if kind == "figures":
            ways |= self._of_figures(questions)
        elif kind != "number":
            type_ = self._type(address)
            for item in sorted({i for q in questions for i in q[5]}):
                name = self.words.say(item, Type(type_.name.removesuffix("s"), type_.of)) if type_ else str(item)
                ways[name] = _first(lambda i, item=item: i == item)  # type: ignore[misc]
        return ways

    def _of_figures(self, questions: list[Any]) -> dict[str, Answer]:
        """Those first that have something which others lack."""
        values: dict[int, set[Any]] = {}
        for question in questions:
            places = zip(*[figure for figure, _ in question[5]], strict=False) if len(question[5]) > 1 else ()
            for i, cells in enumerate(places):
                if i > 1 and len(set(cells)) > 1:
                    values.setdefault(i, set()).update(cells)
        root = next((self.layout.book.kinds[k.name].root for k, _ in self._kinds(questions)), None)
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

    def _kinds(self, questions: list[Any]) -> list[tuple[Any, int]]:
        kinds = list(self.layout.book.kinds.values())
        return [(kinds[figure[1]], n) for q in questions for figure, n in q[5]][:1]

    def _type(self, address: str) -> Any:
        return self.engine.types.get(address)

    # ---- where the best depends on the moment
    def _moments(self, answers: dict[str, Answer]) -> list[Moment]:
        lines, found = self._followed(answers), dict[tuple[str, tuple[str, ...], str], int]()
        values = self.engine.values(self.worth, self.policy)
        for world in self.engine.met_by(self.policy):
            choice = self.mine.get(world)
            if choice is None or values[lines[world]] == values[self.policy[world]]:
                continue
            options = tuple([self._word(choice, option) for option in choice.options])
            take = options[choice.then.index(self.policy[world])]
            key = choice.address, options, take
            found[key] = found.get(key, 0) + 1
        return [Moment(*key, n) for key, n in sorted(found.items(), key=lambda p: -p[1])]

    def _word(self, choice: Choice, option: Any) -> str:
        if len(choice.question) == 2:
            return "yes" if option else "no"
        type_ = self._type(choice.address)
        return str(self.words.say(option, type_)) if type_ is not None else str(option)


def _first(wanted: Callable[[Any], bool]) -> Answer:
    """As many as is usual, or as must be; those first of whom it is so."""

    def answer(question: Any) -> Any:
        rank = question[6]
        return preferred((*question[:6], lambda x: (not wanted(x), *(rank(x) if rank else ())), *question[7:]))

    return answer
