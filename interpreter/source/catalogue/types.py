"""Family T: values of the wrong type or unit.

Leaves: the entries of the codes `T001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "T001": Entry(
        "error",
        '{wanted} is wanted here, not {found}',
        'A line was given something of another sort.',
    ),
    "T002": Entry(
        "error",
        '{left} and {right} do not go together',
        'Distances are in inches and are compared with inches: `6"`.',
    ),
    "T003": Entry(
        "error",
        '`{name}` cannot be asked of {found}',
        'The function is there, but not for this.',
    ),
    "T004": Entry(
        "error",
        'the column `{column}` holds {usual}, here it has {found}',
        'All cells of a column are of one sort, or `-` where there is nothing.',
    ),
    "T005": Entry(
        "error",
        'this row of {table} has more cells than its {columns}',
        'Cells stand in the order of the columns in the title; what is seldom filled is written with its name: `jam 2`.',
    ),
    "T006": Entry(
        "error",
        '`at` asks a near-and-far column what it holds at a distance',
        'Only a column declared `X by Y` changes with the distance.',
    ),
    "T007": Entry(
        "error",
        '`{name}` was given the wrong things in brackets: {found}',
        'Say what the value, roll or fact needs to know.',
    ),
    "T008": Entry(
        "error",
        'a {kind} gains a mark, or a number of something',
        'Say which mark or how much of what.',
    ),
    "T009": Entry(
        "error",
        '`{verb}` is not told what it needs',
        'The title of the procedure says what it works on.',
    ),
    "T010": Entry(
        "error",
        'a {kind} is counted, and cannot record {type}',
        'Alike things are counted by rows, numbers and marks.',
    ),
    "T011": Entry(
        "error",
        'no single {kind} can be named',
        'A counted thing has no name of its own: give it a mark and ask `any …`.',
    ),
}
