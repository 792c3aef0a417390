"""`umpire resolve`: runs a situation once and shows every die.

Takes a situation and the source of its dice. Prints the trace as an indented tree with places right-aligned, and the
changes of every thing; or plain data.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Iterator
from typing import Any

from interpreter.engines.trace_events import Event
from interpreter.program.words import sentence
from interpreter.source import Problems
from interpreter.source.values import Record
from interpreter.surfaces.as_json import Json, fields
from interpreter.surfaces.as_trace.rows import Line, Row, lines
from interpreter.surfaces.as_trace.teller import Teller
from interpreter.workbench.asked_dice import AskedDice, Throw
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import Outcome, before
from interpreter.workbench.histories import resolve as played
from interpreter.workbench.texts import asked, scalar, with_entries

from .commands import command, flag, option
from .ends import CLEAN, FINDINGS
from .scenes import Scene, of_a_situation
from .terminal import answer, echo, harmless, nearby, paint, prompted, rendered, width

_COLOURS = {
    "call": "bold",
    "throw": "cool",
    "effect": "warm",
    "tell": "warm",
    "choice": "good",
    "off": "dim",
    "left-out": "dim",
    "head": "bold",
}


def shown(rows: list[Row], verbose: bool) -> list[str]:
    """Rows of a trace as lines for the terminal, each with its place and clauses at the right."""
    return [text for line in lines(rows, verbose) for text in _placed(line)]


def _placed(line: Line) -> list[str]:
    """The text with source position and citations right-aligned; on a second line if there is no room."""
    said = "  " * line.depth + line.said
    place = _place(line.row.event)
    room = width() - 2
    text = said + line.aside if len(said + line.aside) + len(place) <= room else said
    colour = _COLOURS.get(line.row.kind)
    painted = paint(text, colour) if colour else text
    if not place:
        return [painted]
    if len(text) + len(place) <= room:
        return [painted + " " * (room + 2 - len(text) - len(place)) + paint(place, "dim")]
    return [painted, paint(place.rjust(room + 2), "dim")]


def _place(event: Event | None) -> str:
    if event is None or not event.file or event.file == "do":
        return ""
    name = nearby(event.file).replace("\\", "/").rpartition("/")[2]
    return f"{name}:{event.row} {' '.join(event.clauses)}".rstrip()


_LISTED = 50  # options of a choice that are listed
_NO_LINES = ("nothing changes this throw",)


class Thrown(Record):
    """The source of dice: a seed, given faces, or prompts."""

    seed: int | str | None = None
    faces: str | None = None
    ask: bool = False
    ask_choices: bool = False


@command(apart=[("--seed", "--dice"), ("--seed", "--ask-dice"), ("--dice", "--ask-dice")])
@of_a_situation
@option("--seed", metavar="N|TEXT", help="Dice from a seed: the same seed, the same dice.")
@option("--dice", metavar="FACES", help="Dice in the order thrown, 6,2,5/1,5; or by line, 'hits 6 2, unsaved 1'.")
@flag("--ask-dice", help="Ask for the faces of each throw: your own dice.")
@flag("--ask-choices", help="Ask at each choice; else the rules' `usually` decides.")
@flag("-v", "--verbose", help="Also what was not run, and all that went into each number.")
def resolve(scene: Scene, seed: str | None, dice: str | None, ask_dice: bool, ask_choices: bool, verbose: bool) -> int:
    """Carry a situation out once and show every die, every modifier, every effect, each with its line and
    clause.

    Dice come from --dice, --seed or --ask-dice, else from the situation, else from a seed of the moment, which
    is told.
    """
    thrown = shown_dice(scene, seed, dice, ask_dice)
    thrown.ask_choices = ask_choices
    return play(scene, thrown, verbose)


def shown_dice(scene: Scene, seed: str | None = None, dice: str | None = None, ask: bool = False) -> Thrown:
    """Determine the source of dice by the options; without any, from the situation, else from a new seed."""
    own = scene.root.get("dice") is not None
    if dice is not None or ask or seed is not None:
        given = [("dice", scalar("--dice", dice))] if dice is not None else []
        scene.root = with_entries(scene.root, given, ("dice",))
    if seed is not None:
        return Thrown(int(seed) if re.fullmatch(r"-?\d{1,18}", seed) else seed)
    if dice is not None or ask or own:
        return Thrown(None, dice, ask)
    return Thrown(secrets.randbelow(1_000_000))


def play(scene: Scene, thrown: Thrown, verbose: bool = False) -> int:
    """Run a situation once with the dice of `thrown`, and print what happened. Return the exit code."""
    case = scene.needed(prepare(scene.rules, scene.root, scene.problems, asked("show", "--ask", list(scene.asks))))
    first = before(case)
    seed = thrown.seed
    chooser = _choose if thrown.ask_choices else None
    if thrown.ask:
        dice = AskedDice(case, _faces, chooser)
        outcome = scene.needed(played(case, script=dice, chooser=dice.choose if chooser else None), case.problems)
        if dice.unused:
            echo(f"not needed after all: {' '.join(map(str, dice.unused))}\n", err=True)
    else:
        asking = thrown.faces is not None and sys.stdin.isatty()
        outcome = scene.needed(played(case, seed=seed, more=_more if asking else None, chooser=chooser), case.problems)
    texts = [ask.text for ask in case.asks if ask.kind == "show"]
    source: Json = {"seed": seed} if seed is not None else {"dice": thrown.faces or "given"}
    answer(
        outcome,
        scene.as_json,
        lambda found: {**scene.plain, **source, **_plain(found, first)},
        lambda found: _lines(scene, found, first, seed, verbose, texts),
    )
    return _ending(outcome, thrown)


def _ending(outcome: Outcome, thrown: Thrown) -> int:
    """The exit code: 1 if scripted dice are left over, or if an expectation for the scripted dice does not hold."""
    if outcome.dice_left:
        problems = Problems()
        problems.add("F007", outcome.left_at, left=outcome.left)
        echo(rendered(problems, sys.stderr), err=True)
        return FINDINGS
    own = thrown.seed is None and thrown.faces is None and not thrown.ask
    return FINDINGS if own and not all(held for _, held in outcome.then) else CLEAN


# ---- plain data
def _plain(found: Outcome, first: dict[str, dict[str, str]]) -> Json:
    return {
        "values": found.values,
        "then": [{"text": ask.text, "held": held} for ask, held in found.then],
        "before": first,
        "after": found.after,
        "dice_left": found.dice_left,
        "trace": [event(e) for e in found.events],
        "problems": [],
    }


def event(e: Event) -> Json:
    """An event of a trace, and its nested events, as plain data."""
    made = fields(e, "kind", "line", "file", "row", "clauses", "text", "data")
    return {**made, "children": [event(child) for child in e.children]}


# ---- text
def _lines(
    scene: Scene,
    outcome: Outcome,
    first: dict[str, dict[str, str]],
    seed: int | str | None,
    verbose: bool,
    asked: list[str],
) -> Iterator[str]:
    yield paint(scene.rules.title, "dim")
    if seed is not None:
        yield paint(f"seed {seed}: the same dice again with --seed {seed}", "dim")
    teller = Teller(lambda name, arguments: sentence(scene.rules.book, name, arguments), verbose)
    yield ""
    yield from shown(teller.rows(outcome.events), verbose)
    yield ""
    yield from _became(first, outcome.after, verbose)
    for text in dict.fromkeys(asked):
        yield f"{text}: {paint(outcome.words[text], 'bold')}"
    for ask, held in outcome.then:
        yield f"{paint('holds', 'good') if held else paint('fails', 'poor')}  {ask.text}"


def _became(first: dict[str, dict[str, str]], after: dict[str, dict[str, str]], verbose: bool) -> Iterator[str]:
    """The attributes of each thing that changed; if verbose, all of them."""
    quiet = []
    for name, values in after.items():
        old = first.get(name, {})
        if verbose:
            yield f"{paint(name, 'bold')}: " + ", ".join(k if v == "yes" else f"{k} {v}" for k, v in values.items())
            continue
        changes = [_change(k, old.get(k), v) for k, v in values.items() if old.get(k) != v]
        changes += [f"no longer {k}" for k in old if k not in values]
        if changes:
            yield f"{paint(name, 'bold')}: " + "; ".join(changes)
        elif name[:1].isupper():
            quiet.append(name)
    if quiet:
        yield paint(f"{' and '.join(quiet)}: as before", "dim")


def _change(name: str, old: str | None, new: str) -> str:
    if old is None:
        return f"now {name}" if new == "yes" else f"{name} {new}"
    return f"{name} {old} → {new}"


# ---- prompts
def _faces(throw: Throw) -> list[int]:
    """Prompt for the faces of a throw until they are valid. The answer `roll` throws them at random, `why` prints the
    lines of the roll that count and that do not, `help` the possible answers.
    """
    line = throw.line.rpartition(".")[2]
    needs = f", {throw.needs}" if throw.needs else ""
    because = f" ({', '.join(throw.because)})" if throw.because else ""
    said = f"{throw.said}: {line}" if throw.said else throw.line
    while True:
        typed = _typed(f"{said}, {throw.count}d{throw.sides}{needs}{because} > ")
        if typed.strip().lower() in ("r", "roll"):
            found = [secrets.randbelow(throw.sides) + 1 for _ in range(throw.count)]
            echo(f"  {' '.join(map(str, found))}\n", err=True)
            return found
        if typed.strip().lower() in ("why", "help", "?"):
            texts = throw.why or _NO_LINES if typed.strip().lower() == "why" else _help(throw)
            echo("".join(f"  {harmless(line)}\n" for line in texts), err=True)
            continue
        joined = throw.sides < 10 and typed.strip().isdecimal()  # 6125 for 6 1 2 5
        found = [int(f) for f in (re.findall(r"\d", typed) if joined else re.findall(r"\d{1,4}", typed))]
        wrong = [str(f) for f in found if not 1 <= f <= throw.sides]
        wrong += [f"`{word}`" for word in re.findall(r"[^\s\d,;]+", typed)] if found else []
        if len(found) == throw.count and not wrong:
            return found
        echo(f"  {_amiss(found, wrong, throw)}\n", err=True)


def _help(throw: Throw) -> tuple[str, ...]:
    """The possible answers to a prompt for faces."""
    faces = ("6 1 5", "615") if throw.sides < 10 else ("10 1 5",)
    return (
        f"{' or '.join(faces)}: the faces of your dice, {throw.count} here",
        "roll: the computer throws them",
        "why: what counts for this throw, and what does not",
    )


def _amiss(found: list[int], wrong: list[str], throw: Throw) -> str:
    """The reason why typed faces are invalid, as text."""
    if wrong:
        return f"{wrong[0]} is no face of a d{throw.sides}"
    if not found:
        dice = "a face" if throw.count == 1 else f"{throw.count} faces"
        return f"{dice} from 1 to {throw.sides}, please, or `roll`, `why` or `help`"
    missing = throw.count - len(found)
    return (
        f"{missing} of {throw.count} faces missing"
        if missing > 0
        else f"{-missing} too many for {throw.count}d{throw.sides}"
    )


def _more(line: str, count: int, sides: int) -> list[int]:
    return _faces(Throw("", line, count, sides))


def _choose(who: str, line: str, options: list[tuple[str, Any]], usual: Any) -> Any:
    """Prompt for one of numbered options; Enter takes the default of the rules."""
    default = next(
        (i for i, (_, value) in enumerate(options, 1) if value == usual and type(value) is type(usual)), None
    )
    echo(f"{who} chooses {line}:\n", err=True)
    for i, (said, _) in enumerate(options[:_LISTED], 1):
        echo(f"  {i}  {said}{'  (usually)' if i == default else ''}\n", err=True)
    if len(options) > _LISTED:
        echo(f"  … up to {len(options)}\n", err=True)
    at_hand = f" [{default}]" if default is not None else ""
    while True:
        typed = _typed(f"number{at_hand}: ").strip() or str(default)
        if typed.isdecimal() and 1 <= int(typed) <= len(options):
            return options[int(typed) - 1][1]
        echo(f"  a number from 1 to {len(options)}, please\n", err=True)


def _typed(question: str) -> str:
    try:
        return prompted(question, err=True)
    except EOFError:
        raise KeyboardInterrupt from None
