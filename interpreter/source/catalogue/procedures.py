"""Family P: procedures and their lines.

Leaves: the entries of the codes `P001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "P001": Entry(
        "error",
        '`{name}` says nothing',
        'A definition needs its lines.',
    ),
    "P002": Entry(
        "error",
        'this should be one line of text',
        'Lines inside lines stand only in procedures.',
    ),
    "P003": Entry(
        "error",
        'nobody can be asked here',
        'Choices stand in lines of procedures, never in values or conditions on items.',
    ),
    "P004": Entry(
        "error",
        '`{word}` says nothing about what is taken',
        '`usually most` or `usually fewest` says how many; conditions say what is taken first.',
    ),
    "P005": Entry(
        "error",
        'a new thing is made in a line of its own',
        'Give it a line: `crew: new unit (side side)`.',
    ),
    "P006": Entry(
        "error",
        '`{name}` happens, it is not worked out',
        'An outcome table is used in a line of a procedure.',
    ),
    "P007": Entry(
        "error",
        "a condition of a value's line stands behind its change",
        'Lines of values and rolls have a plain name before the colon.',
    ),
    "P008": Entry(
        "error",
        '`otherwise` has no `if` before it',
        'It follows a line with a condition.',
    ),
    "P009": Entry(
        "error",
        'this cannot govern a line here',
        '`together` and `otherwise` come first.',
    ),
    "P010": Entry(
        "error",
        'this line does nothing',
        'Say what happens, or `nothing`.',
    ),
    "P011": Entry(
        "error",
        'this cannot be set',
        'Only what is on a card can become something else.',
    ),
    "P012": Entry(
        "error",
        '`picks one` needs options',
        'Write one option a line under it.',
    ),
    "P013": Entry(
        "error",
        "the rule `{name}` sets itself off",
        "It runs when a mark is gained, and its own lines give that mark again. Say a condition in the line that gives it, in another rule.",
    ),
    "P014": Entry(
        "error",
        "nothing can happen during something else yet",
        "A rule runs before or after a procedure, a line or a move, or instead of it. What interrupts a move needs the table itself.",
    ),
}
