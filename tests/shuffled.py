"""The definitions of a rule file in another order, all under one heading: what it says is to stay as it was."""

from __future__ import annotations

import random
from collections.abc import Sequence

from interpreter.document.nodes import Entry, Mapping
from interpreter.rulebook.layers import HEAD
from interpreter.rulebook.sheets import Sheet

# The first of these is the ordinary one; and what the order of the page does mean.
IN_ORDER = ("dice", "rule", "add", "remove", "change")


def shuffled(sheet: Sheet, seed: int) -> Sheet:
    """Definitions at random places, those of each word `IN_ORDER` as they were among themselves. What stands under
    `Over NAME:` stays there.
    """
    chance, span = random.Random(seed), sheet.root.span
    headings = [e for e in sheet.root if e.key.text not in HEAD]
    parts = [[*e.value] if isinstance(e.value, Mapping) else [] for e in headings]
    if not any(e.key.text.startswith("Over ") for e in headings):
        headings, parts = headings[:1], [[entry for part in parts for entry in part]]
    made = [Entry(h.key, Mapping(tuple(_mixed(p, chance)), span)) for h, p in zip(headings, parts, strict=False)]
    head = [e for e in sheet.root if e.key.text in HEAD]
    return Sheet(sheet.name, sheet.head, Mapping((*head, *made), span), sheet.laid)


def _mixed(entries: Sequence[Entry], chance: random.Random) -> list[Entry]:
    made = chance.sample(entries, len(entries))
    for word in IN_ORDER:
        ordered = iter([e for e in entries if _word(e) == word])
        made = [next(ordered) if _word(e) == word else e for e in made]
    return made


def _word(entry: Entry) -> str:
    return entry.key.text.split(" ")[0]
