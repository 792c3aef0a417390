"""Family D: dice, rolls and their conventions.

Leaves: the entries of the codes `D001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "D001": Entry(
        "error",
        'a bare `{change}` on a roll: of the die, or of the number needed?',
        'The printed pages use both directions, so a rule file says which it moves: `roll +1` helps on a roll-over, `needs +1` makes it harder.',
    ),
    "D002": Entry(
        "error",
        'this roll is made with a {die}, the dice thrown were {other}',
        'Dice already thrown are read by a roll of the same die.',
    ),
    "D003": Entry(
        "error",
        'a {die} never shows {face}',
        '`always` and `never` name faces of the die.',
    ),
    "D004": Entry(
        "error",
        'there is no {die}',
        'Dice have 2, 3, 4, 6, 8, 10, 12, 20, 30 or 100 faces.',
    ),
    "D005": Entry(
        "error",
        'no dice are declared',
        'A rule file says once how its dice are read: `dice high: d6 at or over, always 6, never 1`.',
    ),
    "D006": Entry(
        "error",
        'no die can be thrown here',
        'Values, rolls, tables and conditions on items are worked out from what is known.',
    ),
    "D007": Entry(
        "error",
        'this roll wants low, and `+` means this number or more',
        'On dice read at or under, the number needed is written plain: `needs: 7`.',
    ),
    "D008": Entry(
        "error",
        'a {die} needing {needed} can never or always succeed',
        'The number needed lies outside the faces of the die.',
    ),
}
