"""Runs one history of a case: with dice from a seed, a script or a person, and choices by policy or by a person.

Takes a case, dice, and a function that chooses. Gives an `Outcome` with its trace, or None with problems. Knows nothing
of chances.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.engines.choices import UNDECIDED, choosing, options, preferred
from interpreter.engines.dice import Dice, ScriptedDice, SeededDice
from interpreter.engines.play import Play
from interpreter.engines.trace import Tracer
from interpreter.engines.trace_events import Event
from interpreter.program import Program
from interpreter.program.code import Site
from interpreter.program.runtime import Refused
from interpreter.program.trace_notes import NOTE
from interpreter.program.words import Words
from interpreter.rulebook.situation import Ask
from interpreter.rulebook.symbols import LineInfo
from interpreter.source import Span
from interpreter.source.values import Record
from interpreter.vocabulary.types import Type

from .cases import Case
from .run_setup import Ready, run_guarded, set_up

Chooser = Callable[[str, str, list[tuple[str, Any]], Any], Any]


class Outcome(Record):
    """The result of one history. `values`: question text → value; `events`: the trace; `then`: each expectation, and
    whether it holds; `asked`: in a traced history, the steps that computed each answer; `left_at`: the place of unused
    scripted faces.
    """

    events: list[Event]
    values: dict[str, Any]
    words: dict[str, str]
    then: list[tuple[Ask, bool]]
    after: dict[str, dict[str, str]]
    dice_left: int = 0
    asked: tuple[Event, ...] = ()
    left_at: Span | None = None

    @property
    def left(self) -> str:
        """The unused dice in words: `1 die is`, `3 dice are`."""
        return f"{self.dice_left} {'die is' if self.dice_left == 1 else 'dice are'}"


def resolve(
    case: Case,
    *,
    seed: int | str | None = None,
    dice: list[int] | None = None,
    chooser: Chooser | None = None,
    more: Callable[[str, int, int], list[int]] | None = None,
    traced: bool = True,
    script: Dice | None = None,
    limit: int = 1_000_000,
) -> Outcome | None:
    """Run one history of at most `limit` steps; None with problems. Dice are taken from `script`, else from `dice`,
    else from the situation, else from `seed`.
    """
    ready = set_up(case, traced)
    if ready is None:
        return None
    situation, program = case.situation, ready.program
    given: Dice
    if script is not None:
        given = script
    elif dice is not None:
        given = ScriptedDice({}, list(dice), more)
    elif situation.has_dice and seed is None:
        said = situation.script
        given = ScriptedDice({k: list(v) for k, v in said.by_line.items()}, list(said.all), more, said.of, said.lines)
    elif more is not None and seed is None:
        given = ScriptedDice({}, [], more)
    else:
        given = SeededDice(seed if seed is not None else 1)
    words = Words(case.rules.book, ready.start.names)
    tracer = None
    if traced:
        tracer = Tracer(program, words)
    play = Play(
        program,
        ready.start.keys,
        ready.start.names,
        ready.start.state,
        given,
        decider(ready, words, chooser),
        tracer,
        limit,
    )
    results = run_guarded(case, lambda: play.run(situation.procedure, ready.args), at=lambda e: _line_of(program, e))
    if results is None:
        return None
    left, left_at = 0, situation.script.whole
    if isinstance(given, ScriptedDice):
        left = given.left
        left_at = situation.script.places.get(given.left_of or "", left_at)
    values: dict[str, Any] = {}
    shown: dict[str, str] = {}
    then: list[tuple[Ask, bool]] = []
    for ask in situation.asks:
        value = results[ready.places[ask.address]]
        if ask.kind == "known" and not situation.has_dice:
            continue  # random dice need not satisfy it
        values[ask.text] = words.plain(value, ask.type)
        shown[ask.text] = words.say(value, ask.type)
        if ask.kind in ("then", "known"):
            then.append((ask, bool(value)))
    events = tracer.root.children if tracer is not None else []
    asked = tuple([e for e in events if e.line.startswith("ask ")])
    trace = [e for e in events if not e.line.startswith("ask ")]
    return Outcome(trace, values, shown, then, after(case, ready, words), left, asked, left_at)


def decider(ready: Ready, words: Words, chooser: Chooser | None) -> Callable[..., Any]:
    """The function that decides wishes and choices of a play, by the situation's override or the rules' policy.
    `chooser` decides if there is more than one option, and no override or an undecided one. Raises `Refused` (F008) if
    nothing decides.
    """

    def decide(site: Site, question: tuple[Any, ...], state: Any) -> Any:
        override, put = ready.overrides.get(site.line.address), question
        if override is not None:
            question = override[1](state, put)
        who = words.thing(choosing(question)[0])
        settled = question[1] if site.kind == "wish" else preferred(question)
        open_ = settled is None if site.kind == "wish" else settled is UNDECIDED
        if chooser is not None and (question is put or open_):
            if site.kind == "wish":
                allowed: list[tuple[str, Any]] = [("yes", True), ("no", False)]
            else:
                allowed = [(words.say(o, site.type), o) for o in options(question)]
            if len(allowed) > 1:
                return chooser(who, site.line.address, allowed, None if open_ else settled)
        if open_:
            raise Refused("F008", site.line, who=who, what=site.line.address)
        return settled

    return decide


def after(case: Case, ready: Ready, words: Words) -> dict[str, dict[str, str]]:
    """For each thing, its counted things and attributes at the end, as text."""
    found: dict[str, dict[str, str]] = {}
    state, layout = ready.start.state, ready.program.layout
    for thing in case.situation.things:
        base = ready.start.places[thing.name]
        texts: dict[str, str] = {}
        for attribute in thing.kind.all_attributes():
            value = state[base + attribute.place]
            if attribute.type.name == "truth" and not value:
                continue
            texts[attribute.name] = words.say(value, attribute.type)
        for holder in thing.kind.lineage():
            for counted in holder.bags:
                key = layout.bag_key(counted)
                texts[counted.plural] = words.say(state[base + key[1]], Type("figures", counted))
        found[thing.name] = texts
    return found


def before(case: Case) -> dict[str, dict[str, str]]:
    """For each thing, its counted things and attributes at the start, as text."""
    made = set_up(case, False)
    return after(case, made, Words(case.rules.book, made.start.names)) if made is not None else {}


def _line_of(program: Program, why: Refused) -> LineInfo | None:
    """The line at which to report an error of a history: that of the refused step, else the last in the trace."""
    for note in program.notes:
        if note.line is not None and note.line.address == why.facts.get("step"):
            return note.line
    trace = program.space["N"] or ((),)
    numbers = [step[1] for step in (trace[-1][0] if trace[-1] else ()) if step[0] == NOTE]
    return program.notes[numbers[-1]].line if numbers else None
