"""A situation made ready: its first state, a Program for it, and the two engines run on it.

Enters: a rule set and a situation's tree. Leaves: a `Case`; `resolve` gives an `Outcome` (one history with
its trace), `odds` an `Answer` (exact distributions). What cannot be answered becomes a problem, never an
exception.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.document import Mapping, Scalar
from interpreter.document.alternatives import first_of
from interpreter.engines.choices import UNDECIDED, options, preferred
from interpreter.engines.dice import BadFace, Dice, NotEnough, ScriptedDice, SeededDice
from interpreter.engines.odds import Odds, Refused
from interpreter.program import Program
from interpreter.program.cast import cast_of
from interpreter.program.code import Site
from interpreter.program.record import NOTE
from interpreter.program.seen import Seen
from interpreter.program.state import Start, Unstated, answerer, begin, uniform
from interpreter.program.words import Words
from interpreter.rulebook.policies import Policy
from interpreter.rulebook.situation import Ask, Override, Situation, Thing
from interpreter.rulebook.situations import SituationChecker
from interpreter.rulebook.symbols import Kind, LineInfo
from interpreter.rulebook.unsaid import to_say
from interpreter.rulebook.verbs import verb_forms
from interpreter.source import Problems, Span
from interpreter.source.values import field, record
from interpreter.vocabulary.types import Type

from .choosing import Said, left_open, policies
from .progress import Progress
from .rules import RuleSet

if TYPE_CHECKING:
    from interpreter.engines.events import Event

Chooser = Callable[[str, str, list[tuple[str, Any]], Any], Any]


@record()
class Case:
    """A situation that was checked against its rules and has its first state. `seen` notes what comes into play."""

    rules: RuleSet
    situation: Situation
    problems: Problems
    where: Span | None
    seen: Seen | None = None
    programs: dict[Any, Program] | None = None  # made before for these rules, by the rulings; and what is made here
    progress: Progress | None = None  # who looks how far it is
    cuts: dict[Any, Program] = field(default_factory=dict)  # cut down, by what is certain; of all that are like it
    cut: bool = True  # whether odds cut the rules down to this situation: examples have a Program in common instead

    @property
    def asks(self) -> list[Ask]:
        return self.situation.asks


@record()
class Outcome:
    """One history. `values` by the text of each question asked; `events` is the trace; `then` what was expected
    to hold.
    """

    events: list[Event]
    values: dict[str, Any]
    words: dict[str, str]
    then: list[tuple[Ask, bool]]
    after: dict[str, dict[str, str]]
    dice_left: int = 0


@record()
class Answer:
    """Exact odds: per question the weight of every value over one denominator; `joint` all questions at once."""

    asks: list[Ask]
    total: int
    joint: list[tuple[tuple[Any, ...], int]]
    words: Words
    worlds: int

    def of(self, index: int) -> dict[Any, Fraction]:
        found: dict[Any, int] = {}
        for values, weight in self.joint:
            found[values[index]] = found.get(values[index], 0) + weight
        return {v: Fraction(w, self.total) for v, w in sorted(found.items(), key=lambda p: ordered(p[0]))}

    def mean(self, index: int) -> Fraction:
        return sum((Fraction(v or 0) * p for v, p in self.of(index).items()), Fraction(0))

    def chance(self, index: int) -> Fraction:
        return self.of(index).get(True, Fraction(0))

    def bounds(self, index: int) -> tuple[Fraction, Fraction]:
        """What an expectation is held against: no choice is open, so there is but one answer."""
        found = self.mean(index) if self.asks[index].kind == "mean" else self.chance(index)
        return found, found


def ordered(value: Any) -> tuple[int, Any]:
    return (0, 0) if value is None else (1, value)


def prepare(
    rules: RuleSet,
    root: Mapping,
    problems: Problems,
    asks: list[tuple[str, Scalar]] | None = None,
    like: Case | None = None,
) -> Case | None:
    """A case of a situation's tree, or None with problems. `asks`: more questions, as (kind, text). `like`: a case in
    which the same is done and asked, to those of the same names; what was made of that is used again.
    """
    several = first_of(root)
    if several is not None:
        problems.add("G007", several, hint="one value, without `<` and `>`; or `umpire odds`, for a table of all")
        return None
    checker = rules.checker
    mine = Problems()
    kept, checker.problems, checker.sentences.problems = checker.problems, mine, mine
    try:
        situation = SituationChecker(checker).check(root, asks, like.situation if like is not None else None)
    finally:
        checker.problems = checker.sentences.problems = kept
    problems.extend(mine)
    if situation is None or mine.has_errors:
        return None
    if situation.force is None and not checker.procedure(situation.procedure).steps:
        said = _something(rules, situation.things)
        place = root.entries[-1].key.span if root.entries else root.span
        hint = f"say what happens, such as `do: {said}`" if said else "say what happens: `do: …`"
        problems.add("F016", place, wanted="`do:` or a question to ask", label="nothing is done after this", hint=hint)
        return None
    if like is None:
        return Case(rules, situation, problems, root.span)
    return Case(rules, situation, problems, root.span, programs=like.programs, cuts=like.cuts)


def _something(rules: RuleSet, things: list[Thing]) -> str | None:
    """A sentence that could be done by those who are there: `A shoots at B`."""
    for procedure in rules.book.procedures.values():
        kinds = [p.type.of if p.type.name == "thing" else None for p in procedure.params]
        names = [x for x in things if x.described][: len(kinds)]
        right = all(isinstance(k, Kind) and x.kind.is_a(k) for k, x in zip(kinds, names, strict=False))
        if len(kinds) == 2 == len(names) and right and procedure.params[1].word and not procedure.table:
            verb = verb_forms(procedure.name)[-1]
            return f"{names[0].name} {verb} {procedure.params[1].word} {names[1].name}"
    return None


@record()
class _Ready:
    program: Program
    start: Start
    args: tuple[Any, ...]
    places: dict[str, int]
    overrides: dict[str, tuple[Override, Any]] = field(default_factory=dict)


def made_ready(
    case: Case, traced: bool = False, *, certain: bool = False, opened: Collection[str | None] = ()
) -> _Ready | None:
    """`certain`: the rules are cut down to what may come up in this very situation, for those who ask for all of it.
    `opened`: for whose side every choice is open, whatever is usual; None for everybody's.
    """
    ready: _Ready | None = guarded(case, lambda: _made_ready(case, traced, certain, opened))
    return ready


def _made_ready(case: Case, traced: bool, certain: bool, opened: Collection[str | None]) -> _Ready | None:
    rules, situation = case.rules, case.situation
    for ruling in rules.book.rulings.values():
        ruling.chosen = situation.rulings.get(ruling.name, ruling.options[0])
    program = _program(case, traced)
    if case.seen is not None:
        program.tell(case.seen)
    program.ask(situation.procedure)
    start = begin(program, situation)
    for what, where, attribute in start.missing:
        case.problems.add("F001", where.span, name=what, hint=to_say(attribute))
    for what, where, many, most in start.over:
        case.problems.add("F012", where.span, limit=what, stated=many, most=most)
    if start.missing or start.over:
        return None
    found = policies(rules.choices, situation, case.problems)
    if opened:
        found = left_open(rules.choices, situation, found, opened)
    if case.problems.has_errors:
        return None
    if certain and case.cut:
        program = _cut_down(case, program, start, found)
    program.facts_by(answerer(start, rules.book))
    args = tuple(start.places[x.name] for x in situation.things[: len(situation.procedure.params)])
    lines = {a: i for i, a in enumerate(program.code(situation.procedure).lines)}
    ready = _Ready(program, start, args, lines)
    _overrides(case, ready, found)
    return ready


def _cut_down(case: Case, program: Program, start: Start, chosen: Said) -> Program:
    """The Program of the rules as they are from the first state on: the same one where the same is certain."""
    rules, root = case.rules, case.situation.procedure
    things = case.situation.things
    sorts = {x.kind for x in things} | {group.kind for x in things for group in x.groups}
    recalls = rules.book.reads_gone and bool(chosen)
    stays = uniform(program.layout, start)
    key = (_readings(case), root, frozenset(sorts), frozenset(stays.items()), frozenset(chosen), recalls)
    if key not in case.cuts:
        checker = cast_of(rules.checker, root, sorts, stays, open_=chosen.__contains__, recalls=recalls)
        case.cuts[key] = Program(rules.book, checker)
        case.cuts[key].ask(root)
    return case.cuts[key]


def _readings(case: Case) -> tuple[Any, ...]:
    return tuple([ruling.chosen for ruling in case.rules.book.rulings.values()])


def _program(case: Case, traced: bool) -> Program:
    rules = case.rules
    if case.programs is None:
        return Program(rules.book, rules.checker, traced=traced)
    key = (traced, *_readings(case))
    if key not in case.programs:
        case.programs[key] = Program(rules.book, rules.checker, traced=traced)
    return case.programs[key]


def _overrides(case: Case, ready: _Ready, found: Said) -> None:
    """What `choose:` says, as changed questions."""
    sites: dict[str, Site] = {}
    for procedure in ready.program.reached(case.situation.procedure) if found else ():
        for site in ready.program.code(procedure).sites:
            if site.kind in ("wish", "choose"):
                sites[site.line.address] = site
        if sites.keys() >= found.keys():
            break
    for address, several in found.items():
        if address in sites:  # else it cannot come up
            site = sites[address]
            ready.overrides[address] = (several[0].override, _by_who(case, ready, site, several))


def _by_who(case: Case, ready: _Ready, site: Site, several: tuple[Policy, ...]) -> Any:
    """A changed question for a choice, by who is asked: what is said of their side, else of everybody."""
    changes = [(side_of(case, ready, p.whose), _changing(ready, site, p), p.left_open) for p in several]
    return changes[0][1] if len(changes) == 1 and changes[0][0] is None else _ByWho(changes)


@record()
class _ByWho:
    """The first change that is for whoever is asked."""

    changes: list[tuple[frozenset[int] | None, Any, bool]]

    def __call__(self, state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        return self._changed(state, question, self.changes)

    def usual(self, state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        """The question as it would be if it were not left open."""
        return self._changed(state, question, [c for c in self.changes if not c[2]])

    def _changed(self, state: Any, question: tuple[Any, ...], changes: list[Any]) -> tuple[Any, ...]:
        who = question[0] if len(question) == 2 else question[2]
        for whose, change, _ in changes:
            if whose is None or who in whose:
                return change(state, question)  # type: ignore[no-any-return]
        return question


def side_of(case: Case, ready: _Ready, name: str | None) -> frozenset[int] | None:
    """Who chooses for a thing: itself, or whom it belongs to."""
    if name is None:
        return None
    place = ready.start.places[name]
    kind = next(x.kind for x in case.situation.things if x.name == name)
    relation = kind.find(kind.owner.name) if kind.owner is not None else None
    return frozenset({place} if relation is None else {place, ready.start.state[place + relation.place]})


def _changing(ready: _Ready, site: Site, policy: Policy) -> Any:
    """A changed question for a choice: how many, and what is taken first."""
    if policy.left_open:
        return _left_open
    if policy.variable is None:
        return lambda state, question: (question[0], policy.answer)
    places = tuple(ready.start.places[x.name] for x in policy.things)
    about = (policy.variable, *policy.things)
    order = [ready.program.function(condition, about, site) for condition in policy.order]
    keep = policy.most is None and policy.amount is None

    def changed(state: Any, question: tuple[Any, ...]) -> tuple[Any, ...]:
        kind, one, who, low, high, items, rank, old_most, old_amount = question
        new_rank = (lambda x: tuple(not f(state, x, *places) for f in order)) if order else rank
        most, amount = (old_most, old_amount) if keep else (policy.most, policy.amount)
        return (kind, one, who, low, high, items, new_rank, most, amount)

    return changed


def _left_open(state: list[Any], question: tuple[Any, ...]) -> tuple[Any, ...]:
    """A question without anything that is usual."""
    return (question[0], None) if len(question) == 2 else (*question[:6], None, None, None)


# ---- one history
def resolve(
    case: Case,
    *,
    seed: int | str | None = None,
    dice: list[int] | None = None,
    chooser: Chooser | None = None,
    more: Callable[[str, int, int], list[int]] | None = None,
    traced: bool = True,
    script: Dice | None = None,
) -> Outcome | None:
    """Carry the situation out once. Dice: `script`, else those given, else the situation's own, else from the seed."""
    ready = made_ready(case, traced)
    if ready is None:
        return None
    situation, program = case.situation, ready.program
    given: Dice
    if script is not None:
        given = script
    elif dice is not None:
        given = ScriptedDice({}, list(dice), more)
    elif situation.has_dice and seed is None:
        given = ScriptedDice({k: list(v) for k, v in situation.dice_by_line.items()}, list(situation.dice), more)
    elif more is not None and seed is None:
        given = ScriptedDice({}, [], more)
    else:
        given = SeededDice(seed if seed is not None else 1)
    words = Words(case.rules.book, ready.start.names)
    from interpreter.engines.play import Play  # here, because odds play nothing
    from interpreter.engines.trace import Tracer

    tracer = Tracer(program, words) if traced else None
    play = Play(program, ready.start.keys, ready.start.state, given, decider(ready, words, chooser), tracer)
    results = guarded(case, lambda: play.run(situation.procedure, ready.args), at=lambda why: _told(program, why))
    if results is None:
        return None
    left = given.left if isinstance(given, ScriptedDice) else 0
    values: dict[str, Any] = {}
    shown: dict[str, str] = {}
    then: list[tuple[Ask, bool]] = []
    for ask in situation.asks:
        value = results[ready.places[ask.address]]
        values[ask.text] = words.plain(value, ask.type)
        shown[ask.text] = words.say(value, ask.type)
        if ask.kind == "then":
            then.append((ask, bool(value)))
    events = tracer.root.children if tracer is not None else []
    return Outcome(_without_asks(events), values, shown, then, _after(case, ready, words), left)


def _without_asks(events: list[Event]) -> list[Event]:
    return [e for e in events if not e.line.startswith("ask ")]


def decider(ready: _Ready, words: Words, chooser: Chooser | None) -> Callable[..., Any]:
    def decide(site: Site, question: tuple[Any, ...], state: Any) -> Any:
        override = ready.overrides.get(site.line.address)
        if override is not None:
            question = override[1](state, question)
        settled = question[1] if site.kind == "wish" else preferred(question)
        open_ = settled is None if site.kind == "wish" else settled is UNDECIDED
        if chooser is not None and (override is None or open_):
            if site.kind == "wish":
                allowed: list[tuple[str, Any]] = [("yes", True), ("no", False)]
                who = words.thing(question[0])
            else:
                allowed = [(words.say(o, site.type), o) for o in options(question)]
                who = words.thing(question[2])
            if len(allowed) > 1:
                return chooser(who, site.line.address, allowed, None if open_ else settled)
        if open_:
            who = words.thing(question[0] if site.kind == "wish" else question[2])
            raise Refused("F008", site.line, who=who, what=site.line.address)
        return settled

    return decide


def _after(case: Case, ready: _Ready, words: Words) -> dict[str, dict[str, str]]:
    """What became of every thing: its counted things and what it records, in words."""
    found: dict[str, dict[str, str]] = {}
    state, layout = ready.start.state, ready.program.layout
    for thing in case.situation.things:
        base = ready.start.places[thing.name]
        told: dict[str, str] = {}
        for attribute in thing.kind.all_attributes():
            value = state[base + attribute.place]
            if attribute.type.name == "truth" and not value:
                continue
            told[attribute.name] = words.say(value, attribute.type)
        for holder in thing.kind.lineage():
            for counted in holder.bags:
                key = layout.bag_key(counted)
                told[counted.plural] = words.say(state[base + key[1]], Type("figures", counted))
        found[thing.name] = told
    return found


def _told(program: Program, why: Refused) -> LineInfo | None:
    """Where a history was given up, by what it has recorded: the line that threw, else the last that came to an end."""
    for note in program.notes:
        if note.line is not None and note.line.address == why.facts.get("step"):
            return note.line
    told = program.space["N"] or ((),)
    numbers = [step[1] for step in (told[-1][0] if told[-1] else ()) if step[0] == NOTE]
    return program.notes[numbers[-1]].line if numbers else None


def guarded(
    case: Case,
    run: Callable[[], Any],
    but: str | None = None,
    at: Callable[[Refused], LineInfo | None] = lambda _: None,
) -> Any:
    """What a situation lacks, or rules cannot answer, as a problem; `but` one code, which is left to the caller. `at`
    finds a line for what no line by itself is to blame for.
    """
    problems = case.problems
    try:
        return run()
    except Refused as why:
        if why.code == but:
            raise
        line = why.line if why.line is not None else at(why)
        span = line.where.span if line is not None else case.where
        hint = None
        if why.code == "E001":
            hint = "`umpire odds --limit N` allows more; `umpire sample` gives an estimate, from many plays"
        if why.code == "F008":
            hint = f"in a situation: `choose: {{{why.facts['what']}: …}}`"
        if why.code == "E001" and why.line is not None and re.search(r"\brepeat until\b", why.line.where.scalar.text):
            hint = (
                "such a loop has no last round, so what adds up over its rounds has endlessly many answers: "
                "ask what holds afterwards, or of one round"
            )
        problems.add(why.code, span, hint=hint, **why.facts)
    except Unstated as why:
        hint = f"`facts: {why.name} is …`"
        if len(why.things) > 1 and len(set(why.things)) == 1:  # the rules ask it of a thing and itself
            hint = "leave the thing itself out before it is asked: `… where it is not … and …`"
        problems.add("F004", case.where, name=why.name, hint=hint)
    except NotEnough as why:
        problems.add("F005", case.where, line=why.line, wanted=f"{why.wanted}d{why.sides}")
    except BadFace as why:
        problems.add("F006", case.where, die=f"d{why.sides}", face=why.face, hint=f"thrown by `{why.line}`")
    except RecursionError:
        problems.add("E004", case.where, limit="a thousand calls, one in the other", step="this situation")
    return None


# ---- all histories
def odds(case: Case, *, limit: int = 200_000, but: str | None = None) -> Answer | None:
    """Exact odds of every question of the case; with `but` "F008", `Refused` where a choice is open."""
    ready = made_ready(case, certain=True)
    if ready is None:
        return None
    situation = case.situation
    engine = Odds(ready.program, ready.start.keys, limit)
    engine.overrides = {a: change for a, (_, change) in ready.overrides.items()}
    if case.progress is not None:
        case.progress.engine = engine
    wants = frozenset(a.address for a in situation.asks)
    made = guarded(
        case, lambda: engine.of(situation.procedure, wants, ready.args, ready.start.state), but, lambda _: engine.last
    )
    if made is None:
        return None
    total, law = made
    order = sorted(wants, key=ready.places.__getitem__)
    places = [order.index(a.address) for a in situation.asks]
    joint: dict[tuple[Any, ...], int] = {}
    for results, weight in law:
        key = tuple(results[p] for p in places)
        joint[key] = joint.get(key, 0) + weight
    return Answer(situation.asks, total, list(joint.items()), Words(case.rules.book, ready.start.names), engine.worlds)
