"""The verb forms of procedure names.

Enters: names. Leaves: the forms used in sentences.
"""

from __future__ import annotations

from .book import plural

# Verbs of the grammar itself: `unit moves 6"` moves a unit, even if a procedure is called `move`.
SAID_BY_THE_GRAMMAR = (
    "becomes",
    "deals",
    "fails",
    "gains",
    "leaves",
    "loses",
    "moves",
    "needs",
    "passes",
    "picks",
    "wishes",
)


def verb_forms(name: str) -> tuple[str, ...]:
    """The name and its third person: `fire` → fire, fires; `try` → try, tries; `go-home` → go-home, goes-home."""
    head, dash, rest = name.partition("-")
    return name, third_person(head) + dash + rest


def gerunds(name: str) -> tuple[str, ...]:
    """How the doing of it may be said: `move` → moving, `run` → runing, running; `go-home` → going-home, …"""
    head, dash, rest = name.partition("-")
    stems = dict.fromkeys((head, head.removesuffix("e"), head + head[-1:]))
    return tuple(f"{stem}ing{dash}{rest}" for stem in stems)


def third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return plural(verb)
