"""Words for doing: how a procedure's name is said of somebody.

Enters: names. Leaves: the forms they take in a sentence.
"""

from __future__ import annotations

from .book import plural

# What the grammar itself says of somebody: `unit moves 6"` moves a unit, whatever is called `move`.
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
    """`fire` → fire, fires; `try` → tries; `go-home` → goes-home."""
    head, dash, rest = name.partition("-")
    return name, third_person(head) + dash + rest


def third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    return plural(verb)
