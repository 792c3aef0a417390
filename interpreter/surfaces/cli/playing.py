"""`umpire resolve`, once its words are read: a situation carried out once, every die shown.

Enters: a situation and where its dice come from. Leaves: the trace as a tree and what became of everybody, or plain
data. Imports nothing that reads options, but where somebody is asked.
"""

from __future__ import annotations

import re
import secrets
import sys
from typing import Any

from interpreter.program.words import sentence
from interpreter.source import Problems
from interpreter.source.values import Record
from interpreter.surfaces.as_json import outcome as plain
from interpreter.surfaces.as_json import text as json_text
from interpreter.workbench.cases import prepare
from interpreter.workbench.histories import Outcome
from interpreter.workbench.histories import resolve as played
from interpreter.workbench.questions import before
from interpreter.workbench.texts import asked, scalar, with_entries

from . import prompts
from .ends import FINDINGS, Ended
from .rows import shown
from .situations import Scene, Typed, load, of_a_situation
from .terminal import echo, paint, refuse, rendered, say
from .trace import Teller


class Thrown(Record):
    """Where dice come from: a seed, faces that are given, or the person who is asked."""

    seed: int | str | None = None
    faces: str | None = None
    ask: bool = False
    ask_choices: bool = False


@of_a_situation
def resolve(
    typed: Typed,
    seed: str | None,
    dice: str | None,
    verbose: bool,
    ask_dice: bool = False,
    ask_choices: bool = False,
) -> None:
    scene = load(typed)
    thrown = shown_dice(scene, seed, dice, ask_dice)
    thrown.ask_choices = ask_choices
    play(scene, thrown, typed.asks, typed.as_json, verbose)


def shown_dice(scene: Scene, seed: str | None = None, dice: str | None = None, ask: bool = False) -> Thrown:
    """Where the dice come from; those that the situation gives are replaced where others are wanted."""
    own = scene.root.get("dice") is not None
    if dice is not None or ask or seed is not None:
        given = [("dice", scalar("--dice", dice))] if dice is not None else []
        scene.root = with_entries(scene.root, given, ("dice",))
    if seed is not None:
        return Thrown(int(seed) if re.fullmatch(r"-?\d{1,18}", seed) else seed)
    if dice is not None or ask or own:
        return Thrown(None, dice, ask)
    return Thrown(secrets.randbelow(1_000_000))


def play(
    scene: Scene, thrown: Thrown, asks: tuple[str, ...] = (), as_json: bool = False, verbose: bool = False
) -> None:

    case = prepare(scene.rules, scene.root, scene.problems, asked("show", "--ask", list(asks)))
    if case is None or scene.problems.has_errors:
        refuse(scene.problems, as_json, typed=not scene.from_file)
    first = before(case)
    seed = thrown.seed
    more, chooser = _asked(thrown)
    outcome = played(case, seed=seed, more=more, chooser=chooser)
    if outcome is None:
        refuse(case.problems, as_json, typed=not scene.from_file)
    if as_json:
        told: dict[str, Any] = {"seed": seed} if seed is not None else {"dice": thrown.faces or "given"}
        say(json_text(plain(scene.rules, scene.said, outcome, first, told)))
    else:
        _show(scene, outcome, first, seed, verbose, [a.text for a in case.asks if a.kind == "show"])
    _end(scene, outcome, thrown)


def _asked(thrown: Thrown) -> tuple[Any, Any]:
    """Who is asked for more dice, and who for choices."""
    dice = thrown.seed is None and (thrown.ask or (thrown.faces is not None and sys.stdin.isatty()))
    if not dice and not thrown.ask_choices:
        return None, None
    return prompts.faces if dice else None, prompts.choose if thrown.ask_choices else None


def _end(scene: Scene, outcome: Outcome, thrown: Thrown) -> None:
    """1 where dice are left over, or where the situation's own dice did not lead to what it expects."""
    if outcome.dice_left:
        problems = Problems()
        problems.add("F007", None, left=outcome.dice_left)
        echo(rendered(problems, sys.stderr), err=True)
        raise Ended(FINDINGS)
    own = thrown.seed is None and thrown.faces is None and not thrown.ask
    if own and not all(held for _, held in outcome.then):
        raise Ended(FINDINGS)


# ---- showing
def _show(
    scene: Scene,
    outcome: Outcome,
    first: dict[str, dict[str, str]],
    seed: int | str | None,
    verbose: bool,
    asked: list[str],
) -> None:

    say(paint(scene.rules.title, "dim"))
    if seed is not None:
        say(paint(f"seed {seed}: the same dice again with --seed {seed}", "dim"))
    teller = Teller(lambda name, arguments: sentence(scene.rules.book, name, arguments), verbose)
    say()
    for line in shown(teller.rows(outcome.events), verbose):
        say(line)
    say()
    _became(first, outcome.after, verbose)
    for text in dict.fromkeys(asked):
        say(f"{text}: {paint(outcome.words[text], 'bold')}")
    for ask, held in outcome.then:
        say(f"{paint('holds', 'good') if held else paint('fails', 'poor')}  {ask.text}")


def _became(first: dict[str, dict[str, str]], after: dict[str, dict[str, str]], verbose: bool) -> None:
    """What is different of each thing; with `verbose` all of it."""
    quiet = []
    for name, told in after.items():
        old = first.get(name, {})
        if verbose:
            say(f"{paint(name, 'bold')}: " + ", ".join(k if v == "yes" else f"{k} {v}" for k, v in told.items()))
            continue
        changes = [_change(k, old.get(k), v) for k, v in told.items() if old.get(k) != v]
        changes += [f"no longer {k}" for k in old if k not in told]
        if changes:
            say(f"{paint(name, 'bold')}: " + "; ".join(changes))
        elif name[:1].isupper():
            quiet.append(name)
    if quiet:
        say(paint(f"{' and '.join(quiet)}: as before", "dim"))


def _change(name: str, old: str | None, new: str) -> str:
    if old is None:
        return f"now {name}" if new == "yes" else f"{name} {new}"
    return f"{name} {old} → {new}"
