"""Family F: situations: units, facts, dice that are stated.

Leaves: the entries of the codes `F001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "F001": Entry(
        "error",
        'the rules do not say how {name} starts',
        'A situation must state it.',
    ),
    "F002": Entry(
        "error",
        '`{word}` does not describe a {kind}',
        'Words of a description are rows of its tables, its marks, and names with a value.',
    ),
    "F003": Entry(
        "error",
        '`{word}` could be the {options}',
        'Say which: `armour light`.',
    ),
    "F004": Entry(
        "error",
        '{name} is not stated',
        'The rules ask for it, and the table is not here to measure: add it to `facts:`.',
    ),
    "F005": Entry(
        "error",
        'too few dice for `{line}`: {wanted} are thrown',
        'The list of dice has run out.',
    ),
    "F006": Entry(
        "error",
        'a {die} never shows {face}',
        'The dice given do not fit the dice thrown.',
    ),
    "F007": Entry(
        "error",
        '{left} dice are left over',
        'More dice were given than were thrown.',
    ),
    "F008": Entry(
        "error",
        '{who} must choose {what}',
        'The rules leave it open: say it under `choose:`, or add `usually …` to the rule.',
    ),
    "F009": Entry(
        "error",
        'nothing called `{name}` can be chosen',
        '`choose:` names a line of a procedure where somebody picks or wishes.',
    ),
    "F010": Entry(
        "error",
        '{found} is not allowed: {wanted}',
        'The value lies outside what the rules allow.',
    ),
    "F011": Entry(
        "error",
        'a thing called `{name}` is described twice',
        'Every thing has a name of its own.',
    ),
    "F012": Entry(
        "error",
        '`{limit}` is more than allowed',
        'The rules limit how many may have this mark.',
    ),
    "F013": Entry(
        "error",
        'no ruling `{name}`',
        'The readings that can be chosen are declared with `ruling`.',
    ),
    "F014": Entry(
        "error",
        'no thing is called `{name}`',
        'Things of a situation are declared above: `unit A: …`.',
    ),
    "F015": Entry(
        "error",
        'there is no rule set `{name}`',
        'Name a rule set that comes with Umpire, or a file.',
    ),
    "F016": Entry(
        "error",
        'this needs {wanted}',
        'A situation says what to do.',
    ),
}
