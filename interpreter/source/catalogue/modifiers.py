"""Family M: modifiers and their direction.

Leaves: the entries of the codes `M001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "M001": Entry(
        "error",
        '`{name}` goes round in a circle',
        'It is worked out from something that is worked out from it.',
    ),
    "M002": Entry(
        "error",
        '`{word}` belongs to a roll',
        'Lines of a value are a base, `+1`, `-1`, `at least`, `at most`, `times`.',
    ),
    "M003": Entry(
        "error",
        'this does not belong to a {what}',
        '`best of`, `passes if`, `again if` belong to rolls; `at least`, `times` to values.',
    ),
    "M004": Entry(
        "error",
        '`{name}` has no base yet',
        'The first line of a value says what it is before anything changes it.',
    ),
    "M005": Entry(
        "error",
        'what should the die become?',
        '`roll` moves the die by a number; `needs` says the number needed.',
    ),
    "M006": Entry(
        "error",
        'the roll `{name}` needs no number',
        'A roll says what must be reached.',
    ),
    "M007": Entry(
        "error",
        'the lines of `{name}` cannot be taken over',
        '`as` takes over a roll of the same kind of thing.',
    ),
}
