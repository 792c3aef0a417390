"""Searches for a witness: a small situation in which two rule sets answer differently.

Takes two rule sets, the second built on the first. Gives a `WitnessSearch`: the `Witness`, or the extent of the search.
Creates stages for the procedures closest to the differing lines, tries settings of their dials, and mutates those that
reached new lines. The witness is then minimized. The search is deterministic: its random stream has a fixed seed. Knows
nothing of files, nor of how a witness is shown.
"""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, islice, product, zip_longest
from typing import Any

from interpreter.engines.trace_events import walk
from interpreter.program import Program
from interpreter.rulebook.moments import MOVE
from interpreter.rulebook.symbols import Fact, Kind, Procedure, Symbol
from interpreter.source import Problem, Problems
from interpreter.source.digits import fraction
from interpreter.source.values import Record, Struct, field, replace

from .bands import answer_case, as_bounds, format_bounds
from .cases import Case, prepare
from .dependencies import Reach
from .histories import resolve
from .interest import NOTHING, Read, read_by, read_in
from .pricing import Law, law_of, measure
from .progress import Progress
from .roster import muster
from .rule_differences import RuleDifferences, rule_differences
from .rule_sets import RuleSet
from .samples import free, names_of
from .scenes import EACH, Actor, Director, Settings, Stage
from .texts import asked
from .trees import read_text

BUDGET = 2_000  # most situations to try
_AFTERWARDS = 100  # most situations per further stage, after a witness that only the second rules can express
_STAGES = 4  # most stages to try
_WORLDS = 3_000  # limit of worlds per situation
_STEPS = 1_000  # most steps of a play, for plays whose choices never end
_PAIRS = 150  # most pairs of dials that altered lines read
_DRAWS = 6_000  # most random settings per stage; many are duplicates
_ASKS = 8  # most questions about things, and about lines
_COUNTED = ("number", "truth", "figures", "things", "inches", "row", "dice", "faces")


Met = frozenset[tuple[str, str, Any]]


class WitnessAnswer(Struct):
    """One question under both rule sets; `before` is None if the first cannot express the situation."""

    ask: str
    before: Law | None
    after: Law

    @property
    def size(self) -> Fraction:
        return self.before.far(self.after) if self.before is not None else Fraction(1)


class Witness(Struct):
    """`lines` are the situation as an author would write it; `told` the questions with different answers, the largest
    difference first. For a force these are the limits, and `breaks` those that it breaks.
    """

    lines: tuple[str, ...]
    told: tuple[WitnessAnswer, ...]
    force: bool = False
    breaks: tuple[str, ...] = ()

    def example(self, name: str) -> list[str]:
        """The witness as an example for the second rules, to write below a heading."""
        first = self.told[0]
        expected = f"odds: {_expected(first)}"
        if self.force:
            names = ", ".join(self.breaks)
            expected = f"breaks: [{names}]" if len(self.breaks) > 1 else f"breaks: {names or 'none'}"
        return [f"example {name}:", *(f"  {line}" for line in (*self.lines, expected))]


def _expected(told: WitnessAnswer) -> str:
    how = measure(told.before or told.after, told.after)
    bounds = how.of(told.after)
    assert bounds is not None
    said = format_bounds(bounds, fraction)
    if how.what == "mean":
        return f"{said} mean ({told.ask})" if " " in told.ask else f"{said} mean {told.ask}"
    if how.value is None:
        return f"{said} that {told.ask}"
    return f"{said} that {told.ask} {'=' if how.value[:1].isdigit() or how.value[:1] == '-' else 'is'} {how.value}"


class WitnessSearch(Struct):
    """`tried` is the number of situations tried, with one of the `deeds` each. `example` are the lines of the witness
    as an example.
    """

    witness: Witness | None
    tried: int
    deeds: tuple[str, ...]
    example: tuple[str, ...] = ()


def find_witness(
    below: RuleSet, above: RuleSet, about: str = "witness", budget: int = BUDGET, progress: Progress | None = None
) -> WitnessSearch:
    """Search for a small situation in which the rules `above` answer differently than `below`. `about` names the
    difference, and the example.
    """
    found = _Search(below, above, budget, progress or Progress()).found()
    if found.witness is None:
        return found
    name = free(re.sub(r"[^a-z0-9]+", "-", about.lower()).strip("-") or "witness", names_of(above))
    return replace(found, example=tuple(found.witness.example(name)))


class _Search:
    def __init__(self, below: RuleSet, above: RuleSet, budget: int, progress: Progress) -> None:
        self.below, self.above, self.budget, self.progress = below, above, budget, progress
        self.altered = rule_differences(below, above)
        self.near = _near(below, above, self.altered)
        self.director = Director(above, self.near)
        self.addresses = {line.line.address for line in (*self.altered.was, *self.altered.now)}
        self.tried = 0

    def found(self) -> WitnessSearch:
        deeds: list[str] = []
        only_above: Witness | None = None
        if not self.altered.nothing:
            stages = list(self._stages())
            self.progress.more(self.budget, "situations looked at for a difference")
            for stage in stages:
                share = (self.budget - self.tried) // (2 if stage is not stages[-1] else 1)
                share = share if only_above is None else min(share, _AFTERWARDS)
                deeds.append(stage.lines(stage.plainest)[-1].removeprefix("do: ").strip())
                found = _Trial(self, stage).witness(share)
                if found is not None and found.told[0].before is not None:
                    return WitnessSearch(found, self.tried, tuple(deeds))
                only_above = only_above or found
        return WitnessSearch(only_above, self.tried, tuple(dict.fromkeys(deeds)))

    def count(self) -> None:
        self.tried += 1
        self.progress.done += 1

    # ---- stages
    def _stages(self) -> Iterator[Stage]:
        yield from islice(chain(self._forces(), self._moves(), self._deeds(), self._turns()), _STAGES)

    def _forces(self) -> Iterator[Stage]:
        """A force with a holder of the subject of each altered limit."""
        for name in self.altered.limits:
            limit = self.above.book.limits.get(name)
            lines = [line for line in (*self.altered.was, *self.altered.now) if line.line.address.split(".")[0] == name]
            if limit is not None and limit.subject is not None:
                holder = limit.subject.held_in() or limit.subject
                yield self.director.for_force([holder], read_by(self.above, lines, calls=False))

    def _moves(self) -> Iterator[Stage]:
        stage = self._moment('A moves 6"') if MOVE in self.altered.moments else None
        if stage is not None:
            yield stage

    def _turns(self) -> Iterator[Stage]:
        for moment in self.altered.moments:
            for verb in ("begins", "ends") if moment != MOVE else ():
                stage = self._moment(f"{moment} {verb}")
                if stage is not None and len(stage.dials) > 0:
                    yield stage

    def _deeds(self) -> Iterator[Stage]:
        for procedure in self._procedures():
            read = read_in(self.above, procedure)
            for kinds in self._casts(procedure, read):
                stage = self.director.for_procedure(procedure, read, kinds)
                if stage is not None:
                    yield stage

    def _moment(self, deed: str) -> Stage | None:
        """The stage of a moment, such as the end of a turn, with one thing. None if there is no kind of thing."""
        kinds = [kind for kind in self.above.book.kinds.values() if kind.base is None and not kind.counted]
        kinds = [kind for kind in kinds if kind.owner is not None][:1] or kinds[:1]
        if not kinds:
            return None
        root = read_text("a moment", "\n".join([f"{kinds[0].name} A:", f"do: {deed}"]) + "\n", Problems())
        assert root is not None
        case = prepare(self.above, root, Problems(), asked("show", "ask", ["1"]))
        stage = self.director.for_sentence(deed, kinds, NOTHING)
        if case is None:
            root = read_text("a moment", "\n".join(stage.lines(stage.plainest)) + "\n", Problems())
            case = prepare(self.above, root, Problems()) if root is not None else None
        return self.director.for_sentence(deed, kinds, read_in(self.above, case.situation.procedure)) if case else None

    def _procedures(self) -> list[Procedure]:
        """The procedures that reach an altered definition, with the fewest calls first, then the shortest."""
        declared = self.altered.tables | self.altered.facts | {name for _, name in self.altered.attributes}
        goal = self.altered.symbols - {*self.altered.limits} or declared
        reach = Reach(self.above)
        found = []
        for procedure in self.above.book.procedures.values():
            far = _distance(procedure, goal, reach)
            if far is not None and procedure.params:
                size = read_in(self.above, procedure).parts
                found.append((far, size, procedure))
        return [procedure for *_, procedure in sorted(found, key=lambda each: each[:2])]

    def _casts(self, procedure: Procedure, read: Read) -> Iterator[list[Kind]]:
        """The kinds of things for its parameters: as declared, then with sub-kinds that the altered lines mention."""
        kinds = [p.type.of for p in procedure.params if p.type.name == "thing"]
        yield kinds
        special = self.near.sorts | {kind for kind, _ in self.near.attributes}
        for index, kind in enumerate(kinds):
            for sub in kind.sorts()[1:]:
                if sub.name in special:
                    yield [*kinds[:index], sub, *kinds[index + 1 :]]


def _distance(start: Procedure, goal: frozenset[str], reach: Reach) -> int | None:
    """The number of calls between a procedure and a definition of the goal; None if it reaches none."""
    left: deque[tuple[Symbol, int]] = deque([(start, 0)])
    seen: set[Symbol] = set()
    while left:
        symbol, far = left.popleft()
        if symbol.name in goal:
            return far
        if symbol in seen:
            continue
        seen.add(symbol)
        for each in reach.direct(symbol):
            if isinstance(each, Procedure):
                left.append((each, far + 1))
            else:
                left.appendleft((each, far))
    return None


def _near(below: RuleSet, above: RuleSet, found: RuleDifferences) -> Read:
    """The dependencies of the altered lines, and the altered declarations."""
    one, two = read_by(below, found.was, calls=False), read_by(above, found.now, calls=False)
    attributes = one.attributes | two.attributes | found.attributes
    for kind in above.book.kinds.values():
        attributes |= {
            (kind.name, name)
            for name, attribute in kind.attributes.items()
            if attribute.type.name in ("row", "rows") and attribute.type.of.name in found.tables
        }
    both = one.joined(two)
    return replace(both, attributes=attributes, facts=both.facts | found.facts, rows=both.rows | found.rows)


class _Side(Record):
    """One of the two rule sets on one stage. `like` are cases of the same things, by their names."""

    rules: RuleSet
    asks: list[str]
    deed: str | None = None  # replaces the sentence of the stage
    like: dict[frozenset[str], Case] = field(default_factory=dict)
    programs: dict[Any, Program] = field(default_factory=dict)
    last: tuple[Settings, Case] | None = None

    def case(self, stage: Stage, settings: Settings) -> Case | Problem:
        if self.last is not None and self.last[0] == settings:
            return self.last[1]
        there = stage.there(settings)
        problems = Problems()
        case = self._case(stage, settings, self.asks, problems, self.like.get(there))
        if case is None:
            return _first(problems)
        self.like.setdefault(there, case)
        case.programs, case.cut = self.programs, False
        self.last = settings, case
        return case

    def laws(self, stage: Stage, settings: Settings) -> tuple[Law, ...] | Problem:
        """The law of each question, or the problem if there is none."""
        case = self.case(stage, settings)
        if isinstance(case, Problem):
            return case
        if stage.force:
            return self._kept(case)
        answer = answer_case(case, limit=_WORLDS)
        return (
            tuple(law_of(answer, i) for i in range(len(answer.asks))) if answer is not None else _first(case.problems)
        )

    def _kept(self, case: Case) -> tuple[Law, ...] | Problem:
        """For each limit in question, whether a force keeps it."""
        broken = self.broken(case)
        return tuple(_certain(ask not in broken) for ask in self.asks) if broken is not None else _first(case.problems)

    def broken(self, case: Case) -> tuple[str, ...] | None:
        """The limits that a force breaks."""
        found = muster(case)
        kept = dict.fromkeys(each.limit.name for each in found.limits if not each.kept) if found is not None else None
        return tuple(kept) if kept is not None else None

    def met(self, stage: Stage, settings: Settings) -> Met:
        """The lines that one play reaches, each with the kind of event and whether it applied."""
        case = self.case(stage, settings) if not stage.force else None
        played = resolve(case, seed=1, chooser=_whatever, limit=_STEPS) if isinstance(case, Case) else None
        events = walk(played.events) if played is not None else ()
        return frozenset((each.line, each.kind, each.data.get("applied")) for each in events)

    def _case(
        self, stage: Stage, settings: Settings, asks: Sequence[str], problems: Problems, like: Case | None
    ) -> Case | None:
        root = read_text("a witness", "\n".join(stage.lines(settings, self.deed)) + "\n", problems)
        if root is None:
            return None
        return prepare(self.rules, root, problems, asked("show", "ask", asks if not stage.force else ()), like)

    def sayable(self, stage: Stage, settings: Settings, asks: list[str]) -> list[str] | None:
        """The questions that can be asked there; None if the situation itself is invalid."""
        while asks:
            problems = Problems()
            if self._case(stage, settings, asks, problems, None) is not None:
                return asks
            wrong = {p.span.source.name for p in problems if p.severity == "error" and p.span is not None}
            kept = [ask for i, ask in enumerate(asks, 1) if (f"ask {i}" if len(asks) > 1 else "ask") not in wrong]
            if len(kept) == len(asks):
                return None
            asks = kept
        return []


def _whatever(who: str, line: str, allowed: list[tuple[str, Any]], usual: Any) -> Any:
    return allowed[0][1] if usual is None else usual


def _certain(held: bool) -> Law:
    return Law((("yes", as_bounds(Fraction(int(held)))),), None)


def _first(problems: Problems) -> Problem:
    return next(p for p in problems if p.severity == "error")


_Both = tuple[tuple[Law, ...], tuple[Law, ...] | None]  # after, and before; None if the first rules cannot express it


class _Trial:
    """The search on one stage for settings with different answers."""

    def __init__(self, search: _Search, stage: Stage) -> None:
        self.search, self.stage = search, stage
        self.one, self.two = _Side(search.below, []), _Side(search.above, [])
        self.alone = False  # whether only the second rules can express it
        self.known: dict[tuple[str, ...], _Both | None] = {}  # by the lines of the situation

    def witness(self, budget: int) -> Witness | None:
        """A minimized witness; None if it finds none within so many situations."""
        if not self._ready():
            return None
        found = self._differing(self.search.tried + budget)
        return self._told(self._smaller(found)) if found is not None else None

    def _ready(self) -> bool:
        """Determine the questions that both sides can answer. Return whether there are any."""
        plain = self.stage.plainest
        if self.stage.force:
            self.one.asks = self.two.asks = list(self.search.altered.limits)
            return True
        asks = self.two.sayable(self.stage, plain, self._questions())
        if not asks:
            return False
        self.two.asks = asks
        first = self.two.laws(self.stage, plain)
        if isinstance(first, Problem) and first.code == "E001":
            asks = [ask for ask in asks if self._can_ask(ask)]
        common = self.one.sayable(self.stage, plain, asks)
        if common is None:  # the first rules lack the procedure: compare its effects with doing nothing
            states = [ask for ask in asks if ask in self._states()]
            self.one.deed = "umpire 'nothing'" if states else None
            self.alone = not states
            common = states or asks
        self.one.asks = common
        self.two = _Side(self.search.above, common)
        return bool(common)

    def _can_ask(self, ask: str) -> bool:
        return not isinstance(_Side(self.search.above, [ask]).laws(self.stage, self.stage.plainest), Problem)

    def _questions(self) -> list[str]:
        states, lines = self._states(), self._lines()
        return list(dict.fromkeys((*states[:_ASKS], *lines[:_ASKS])))

    def _states(self) -> list[str]:
        """The questions about facts and things that the procedure may change: each of the things has its first question
        before one of them has its second.
        """
        procedure = self.stage.procedure
        rules = self.search.above
        written = read_in(rules, procedure).written if procedure is not None else None
        facts = [fact for fact in rules.book.facts.values() if written and (fact.kind.name, fact.name) in written]
        about = [[*self._told_of_thing(actor, written)] for actor in self.stage.actors if not actor.optional]
        turns = chain.from_iterable(zip_longest(*about))
        return [*chain.from_iterable(map(self._told_of, facts)), *(ask for ask in turns if ask is not None)]

    def _told_of_thing(self, actor: Actor, written: frozenset[tuple[str, str]] | None) -> Iterator[str]:
        """The questions about a thing and what it holds; of what may be `written`, or of all of it."""
        for bag in dict.fromkeys(bag for kind in actor.kind.lineage() for bag in kind.bags):
            held = f"{actor.name}.{bag.plural}"
            for attribute in bag.all_attributes():
                if written is None or (attribute.kind.name, attribute.name) in written:
                    if attribute.out_of_play:
                        yield held
                    elif attribute.is_mark:
                        yield f"{held} where {attribute.name}"
                    elif attribute.type.name == "number":
                        yield f"sum({held}.{attribute.name})"
        for attribute in actor.kind.all_attributes():
            if written is None or (attribute.kind.name, attribute.name) in written:
                if attribute.is_mark and not attribute.between:
                    yield f"{actor.name} is {attribute.name}"
                elif attribute.type.name in ("number", "row", "inches", "truth"):
                    yield f"{actor.name}.{attribute.name}"

    def _told_of(self, fact: Fact) -> Iterator[str]:
        """The questions about a fact of one or two of the things."""
        there = [actor for actor in self.stage.actors if not actor.optional]
        for actor in [x for x in there if x.kind.is_a(fact.kind)]:
            if not fact.params:
                yield f"{actor.name}.{fact.name}"
            elif len(fact.params) == 1 and isinstance(kind := fact.params[0].type.of, Kind):
                others = [x for x in there if x is not actor and x.kind.is_a(kind)]
                yield from (f"{actor.name}.{fact.name}({other.name})" for other in others)

    def _lines(self) -> list[str]:
        """The questions about lines of the procedure."""
        procedure = self.stage.procedure
        if procedure is None:
            return []
        lines = self.search.above.checker.procedure(procedure).lines
        above = f"{EACH}." if self.stage.deed.startswith(f"{EACH}, ") else ""
        return [above + at for at, line in lines.items() if "?" not in at and line.type.name in _COUNTED]

    # ---- the search
    def _differing(self, last: int) -> Settings | None:
        """Settings with different answers, else settings that only the second rules can express, else None."""
        pool: list[tuple[int, Settings]] = []  # (number of altered lines reached, settings that reached new lines)
        seen = set[Met]()
        only_above: Settings | None = None
        for settings in self._settings(pool):
            if self.search.tried >= last:
                break
            both = self._both(settings)
            if both is None:
                continue
            after, before = both
            if before is None:
                only_above = only_above or settings
                if self.alone:
                    break
            elif _differ(before, after):
                return settings
            met = self.two.met(self.stage, settings)
            if met not in seen:
                seen.add(met)
                pool.append((len({line for line, *_ in met} & self.search.addresses), settings))
                pool.sort(key=lambda each: each[0])
        return only_above

    def _settings(self, pool: list[tuple[int, Settings]]) -> Iterator[Settings]:
        """The settings to try: the plainest; one dial changed; two dials that altered lines read; then random mutations
        of settings in the pool.
        """
        dials, plainest = self.stage.dials, self.stage.plainest
        yield plainest
        for dial in sorted(range(len(dials)), key=lambda i: not dials[i].near):
            for setting in range(1, len(dials[dial].texts)):
                yield self._dialled(plainest, dial, setting)
        near = sorted([i for i, dial in enumerate(dials) if dial.near], key=lambda i: len(dials[i].texts))
        turns = [[(i, setting) for setting in range(1, len(dials[i].texts))] for i in near]
        pairs = (pair for one, other in combinations(turns, 2) for pair in product(one, other))
        for one, other in islice(pairs, _PAIRS):
            yield self._dialled(self._dialled(plainest, *one), *other)
        stream = random.Random(0)
        movable = [i for i, dial in enumerate(dials) if len(dial.texts) > 1]
        weight = max(4, len(movable) // (2 * len(near))) if near else 1  # about every third turn is of a near dial
        many = [weight if dials[i].near else 1 for i in movable]
        for _ in range(_DRAWS) if movable and pool else ():
            _, settings = pool[max(stream.randrange(len(pool)) for _ in range(3))]
            for dial in stream.choices(movable, many, k=stream.choice((1, 2, 2, 3, 4))):
                likely = dials[dial].likely
                among = likely if likely and stream.random() < 0.6 else range(len(dials[dial].texts))
                settings = self._dialled(settings, dial, stream.choice(among))
            yield settings

    def _dialled(self, settings: Settings, dial: int, setting: int) -> Settings:
        """The settings with another setting of a dial, and with the thing or group that it is about present."""
        settings = _with(settings, dial, setting)
        said = self.stage.dials[dial]
        for i, other in enumerate(self.stage.dials if setting else ()):
            whom = other.place == "there" or (other.place == "group" and not other.name and other.group == said.group)
            if i != dial and whom and other.who == said.who and other.sort in ("", said.sort) and not settings[i]:
                settings = _with(settings, i, int(len(other.texts) > 1 and not other.texts[0]))
        return settings

    def _both(self, settings: Settings) -> _Both | None:
        """The answers after and before; None if the questions cannot be asked."""
        said = tuple(self.stage.lines(settings))
        if said not in self.known:
            self.search.count()
            after = self.two.laws(self.stage, settings)
            found: _Both | None = None
            if not isinstance(after, Problem):
                before = self.one.laws(self.stage, settings)
                if not isinstance(before, Problem):
                    found = after, before
                elif isinstance(self.one.case(self.stage, settings), Problem) and self._says_something(after):
                    found = after, None
            self.known[said] = found
        return self.known[said]

    def _says_something(self, laws: Sequence[Law]) -> bool:
        """Whether an answer is uncertain, or a limit is broken. Required of a witness without a comparison."""
        return any(law.certain == "no" if self.stage.force else law.certain is None for law in laws)

    def _holds(self, settings: Settings, *, sayable: bool) -> bool:
        both = self._both(settings)
        if both is None:
            return False
        after, before = both
        return before is None if not sayable else before is not None and _differ(before, after)

    def _smaller(self, settings: Settings) -> Settings:
        """Minimize settings: omit all that can be omitted, keep the plainest otherwise, as long as they differ."""
        both = self._both(settings)
        sayable = both is not None and both[1] is not None
        again = True
        while again:
            plainer = self._in_place_of_the_first(settings, sayable=sayable)
            settings, again = plainer, plainer != settings
            for index, dial in reversed(list(enumerate(self.stage.dials))):
                spared = [-1] if dial.place == "fact" and dial.texts[0] else []
                for setting in (*spared, *range(max(0, settings[index]))):
                    if setting == settings[index]:
                        break
                    less = _with(settings, index, setting)
                    if self._holds(less, sayable=sayable):
                        settings, again = less, True
                        break
        return settings

    def _in_place_of_the_first(self, settings: Settings, *, sayable: bool) -> Settings:
        """If a second group of a thing, or one of a derived kind, makes the difference, use it as the only group, of
        the ordinary kind, if the difference remains.
        """
        for actor in self.stage.actors:
            of = [(d, i) for i, d in enumerate(self.stage.dials) if (d.who, d.place) == (actor.name, "group")]
            first = {(d.sort, d.name): i for d, i in of if not d.group}
            usual = of[0][0].sort if of else ""
            for derived in (False, True):
                less = settings
                for dial, place in [(d, i) for d, i in of if (d.sort != usual if derived else d.group)]:
                    goal = first.get((dial.sort if dial.group else usual, dial.name)) if dial.name else None
                    said = dial.texts[settings[place]]
                    if goal is not None and said in self.stage.dials[goal].texts:
                        less = _with(less, goal, self.stage.dials[goal].texts.index(said))
                    less = _with(less, place, 0)
                if less != settings and self._holds(less, sayable=sayable):
                    settings = less
        return settings

    def _told(self, settings: Settings) -> Witness:
        both = self._both(settings)
        assert both is not None
        after, before = both
        asks = self.two.asks
        told = [WitnessAnswer(ask, before[i] if before else None, after[i]) for i, ask in enumerate(asks)]
        told = [each for each in told if each.before is None or not each.before.same(each.after)]
        told.sort(key=lambda each: -each.size)
        case = self.two.case(self.stage, settings) if self.stage.force else None
        breaks = (self.two.broken(case) if isinstance(case, Case) else None) or ()
        return Witness(tuple(self.stage.lines(settings)), tuple(told), self.stage.force, breaks)


def _with(settings: Settings, dial: int, setting: int) -> Settings:
    return (*settings[:dial], setting, *settings[dial + 1 :])


def _differ(before: Sequence[Law], after: Sequence[Law]) -> bool:
    return any(not one.same(other) for one, other in zip(before, after, strict=True))
