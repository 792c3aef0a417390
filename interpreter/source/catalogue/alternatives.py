"""Family G: alternatives: several situations written as one, `<6, 12, 24>`.

The entries of the codes `G001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page

_SKILL = "example tries:\n  unit A: skill {0}, reach {1}\n  then: A.skill > 0\n"


def _case(code: str, message: str, meaning: str, bad: tuple[str, str], good: tuple[str, str]) -> dict[str, Entry]:
    """A page whose examples are what a unit's skill and reach are."""
    return page(code, message, meaning, _SKILL.format(*bad), _SKILL.format(*good))


ENTRIES: dict[str, Entry] = {
    **_case(
        "G001",
        "this `<` opens alternatives that are not closed",
        "Where a situation says who is there, `<` begins a choice of several, and `>` ends it: `<6, 12, 24>`, "
        "`<1 to 12>`. Both stand tight, without a blank inside.",
        ("<2, 4", '6"'),
        ("<2, 4>", '6"'),
    ),
    **_case(
        "G002",
        "no alternatives here are called `{name}`",
        "A single word between `<` and `>` is the name of alternatives that stand elsewhere in the same situation, "
        "where they got it with `=`: `<skill = 1 to 6>`. With it the same value stands in both places.",
        ("<good = 2, 4>", '<godo>"'),
        ("<good = 2, 4>", '<good>"'),
    ),
    **_case(
        "G003",
        "these alternatives cannot be: {why}",
        "Alternatives are values with commas between them, or numbers from the least to the greatest: "
        "`<slow, quick>`, `<1 to 12>`, `<6 to 36 by 6>`. To have nothing as one of them, say `none`.",
        ("<6 to 2>", '6"'),
        ("<2 to 6>", '6"'),
    ),
    **_case(
        "G004",
        "alternatives called `{name}` are here already",
        "A name of alternatives stands for one list of values, so that `<skill>` can mean it anywhere in the "
        "situation. Where the same is meant, leave the list away the second time; where another is, take another name.",
        ("<good = 2, 4>", '<good = 6, 12>"'),
        ("<good = 2, 4>", '<far = 6, 12>"'),
    ),
    **_case(
        "G005",
        "these are {count} situations in one, more than {most}",
        "Every alternative of one place goes with every alternative of the others, and all of them are worked out. "
        "Take fewer, or wider steps, such as `<6 to 36 by 6>`.",
        ("<1 to 60>", '<1 to 60>"'),
        ("<1 to 6>", '<10 to 60 by 10>"'),
    ),
    **_case(
        "G006",
        "a name of alternatives stands before `=`",
        "A colon inside of a text ends the name of a line for YAML, so alternatives are named with `=`: "
        "`<skill = 1 to 6>`. Write it so on the command line too: it is one way everywhere.",
        ("<good:2, 4>", '6"'),
        ("<good = 2, 4>", '6"'),
    ),
    **_case(
        "G007",
        "here one situation is wanted, and these are several",
        "Dice are thrown for one situation at a time. Put one value where the alternatives stand; or ask "
        "`umpire odds`, which works all of them out and puts them into a table.",
        ("<2, 4>", '6"\n  ask: A.skill'),
        ("2", '6"\n  ask: A.skill'),
    ),
    "G008": Entry(
        "error",
        "a table has two sides, and these situations differ in {count} things",
        "What two alternatives make fits on a page: one down the side, one across. With more, put one value where "
        "the others stand; as plain data, any number of them can be had.",
    ),
}
