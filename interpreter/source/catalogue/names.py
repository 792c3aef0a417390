"""Family N: names: unknown, declared twice, or open to two readings.

Leaves: the entries of the codes `N001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "N001": Entry(
        "error",
        'no {what} is called `{name}`',
        'Names are looked for where they could stand: lines said earlier, what is on the open card, rows of tables, procedures.',
    ),
    "N002": Entry(
        "error",
        '`{name}` could mean two things here',
        'Two open cards, or a card and a line, answer to this name. Say whose it is.',
    ),
    "N003": Entry(
        "error",
        '`{name}` is declared twice',
        'Every name is declared once; what a file adds to another goes under `add to`.',
    ),
    "N004": Entry(
        "error",
        'the name `{name}` is already in use here',
        'A loop or a line hides nothing: give it a name of its own.',
    ),
    "N005": Entry(
        "error",
        'the table {table} has no column `{name}`',
        '`shots by range` needs a column `range` in the same table.',
    ),
    "N010": Entry(
        "error",
        'the kind `{name}` is a sort of itself',
        'Follow the `a …` of the kinds: they lead back to where they began.',
    ),
    "N011": Entry(
        "error",
        "this change expects `{was}`, but the rules now say `{now}`",
        "A change says with `was` what it believes it changes. The base has changed since: look whether your change is still wanted.",
    ),
}
