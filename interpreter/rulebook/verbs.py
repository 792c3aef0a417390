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


def third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return plural(verb)
