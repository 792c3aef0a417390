"""Family K: tables: rows, cells, gaps and overlaps.

Leaves: the entries of the codes `K001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "K001": Entry(
        "error",
        'no case for {missing}',
        'Every face of the die, every row of the table needs a case.',
    ),
    "K002": Entry(
        "error",
        'two cases for {face}',
        'A face belongs to one case only.',
    ),
    "K003": Entry(
        "error",
        'a {die} never shows {face}',
        'This case can never be reached.',
    ),
    "K004": Entry(
        "error",
        'this case counts down',
        'Write the lower face first: `1-2`.',
    ),
    "K005": Entry(
        "error",
        '`by` needs cases',
        'Write one case a line under it: `1-2: …`.',
    ),
    "K006": Entry(
        "error",
        'this case does not fit {found}',
        'Numbers are told apart by faces (`1-2`, `3 or more`), rows of a table by their words.',
    ),
    "K007": Entry(
        "error",
        'near and far must ascend',
        'The first distance is the nearest.',
    ),
    "K009": Entry(
        "error",
        "the row `{row}` of {table} is empty",
        "Every row of a table fills its columns. Where the printed page has a dash, write `-`.",
        "game: Toy\nFiring:\n  table guns (reach):\n    rifle: 24\"\n    pistol:\n",
        "game: Toy\nFiring:\n  table guns (reach):\n    rifle: 24\"\n    pistol: -\n",
    ),
    "K008": Entry(
        "error",
        '{near} but {far}',
        'Near and far need as many numbers as distances.',
    ),
}
