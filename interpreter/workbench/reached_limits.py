"""Explains why a modifier changed nothing in a play: a face that always or never succeeds, a bound, or a limit.

Takes the events of a play. Gives a sentence, or None. Knows nothing of the expectation that failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from interpreter.engines.trace_events import Event
from interpreter.rulebook.book import Book
from interpreter.rulebook.symbols import Convention

_NEEDED = re.compile(r"-?\d+")
_BOUND = re.compile(r"\((.+ is the (?:most|least))\)$")
_MOST = 2  # explanations shown


def limits_met(events: Iterable[Event], book: Book) -> str | None:
    """The first explanations, in the order of the play; None if there are none."""
    explanations = dict.fromkeys(said for event in events for said in _met(event, book))
    return "; ".join(list(explanations)[:_MOST]) or None


def _met(event: Event, book: Book) -> Iterator[str]:
    if event.kind == "throw" and (roll := book.rolls.get(event.data.get("roll", ""))) is not None:
        if roll.convention is not None and event.data.get("needs"):
            yield from _beyond(roll.name, event.data, roll.convention)
    elif event.kind == "effect" and (bound := _BOUND.search(event.text)) is not None:
        yield f"`{event.data['what']}` goes no further: {bound[1]}"
    before: Event | None = None
    for reason in event.children:
        if reason.kind == "modifier" and reason.data.get("applied"):
            if before is not None and _limits(reason, before):
                yield f"`{reason.line}` keeps it: {reason.data['text']}"
            before = reason
        elif reason.kind != "modifier":
            before = None


def _beyond(name: str, data: dict[str, Any], c: Convention) -> Iterator[str]:
    """Explain a target beyond the faces, where further modifiers change nothing."""
    for needed in _NEEDED.findall(data["needs"]):
        face = int(needed) - data["change"]  # what the die itself must show
        if face > c.sides if c.over else face < 1:
            decides = f"a {c.always} always succeeds" if c.always is not None else "no face is left"
        elif face < 1 if c.over else face > c.sides:
            decides = f"a {c.never} never does" if c.never is not None else "every face passes"
        else:
            continue
        yield f"`{name}` comes to {face}{'+' if c.over else ' or less'} here, and {decides}"


def _limits(event: Event, before: Event) -> bool:
    """Whether an `at most` or `at least` line of a value changed the number."""
    limits: bool = event.data["text"].startswith(("at most", "at least"))
    return limits and bool(event.data["now"] != before.data["now"])
