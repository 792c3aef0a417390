"""Family E: what the engines find while a rule is carried out.

Leaves: the entries of the codes `E001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "E001": Entry(
        "error",
        'this would take too long: more than {limit} worlds at `{step}`',
        'Exact odds keep every distinguishable state. Ask for less, or make the situation smaller.',
    ),
    "E002": Entry(
        "error",
        '`{step}` may never end',
        'Whatever the dice show, the rules lead back here.',
    ),
    "E003": Entry(
        "error",
        '`{step}` calls itself and goes on afterwards',
        'A table may lead to tables only as the last thing it does.',
    ),
    "E004": Entry(
        "error",
        'this went on for more than {limit} steps',
        'The rules may lead in a circle.',
    ),
}
