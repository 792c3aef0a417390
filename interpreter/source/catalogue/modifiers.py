"""Family M: modifiers and their direction.

The entries of the codes `M001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page
from interpreter.source.values import replace


def _value(first: str, second: str) -> str:
    return f"""
        value zeal of unit:
          {first}
          {second}
        """


_GOOD = _value("base: skill", "tired: -1 if tired")

ENTRIES: dict[str, Entry] = {
    **page(
        "M001",
        "`{name}` goes round in a circle",
        "To work this out I need something that needs this first. Follow the names from here until you "
        "come back, and say in one of them what is known at the start.",
        """
        value zeal of unit: fury + 1
        value fury of unit: zeal - 1
        """,
        """
        value zeal of unit: fury + 1
        value fury of unit: skill - 1
        """,
        hint="say in one of them what is known at the start, without asking the others",
    ),
    **page(
        "M002",
        "`{word}` belongs to a roll, and `{name}` is a value",
        "Only a roll has a die and a number needed that could be moved. A value has a base, and lines "
        "that change it: `+1 if …`, `at least 1`, `times 2`.",
        _value("base: skill", "tired: roll -1 if tired"),
        _GOOD,
    ),
    **page(
        "M003",
        "this does not belong to a {what}",
        "`best of`, `passes if`, `fails if` and `again if` speak of a die, so they stand in rolls. `at "
        "least`, `at most` and `times` speak of a number, so they stand in values.",
        _value("base: skill", "tired: fails if tired"),
        _GOOD,
    ),
    **page(
        "M004",
        "`{name}` has no base yet",
        "The first line of a value says what it is before anything changes it. Put a number, a row of a "
        "table or a name by itself above this line.",
        _value("tired: -1 if tired", "brave: +1 if skill > 4"),
        _GOOD,
    ),
    **page(
        "M005",
        "what should the die become?",
        "`roll` moves the die by a number, up or down. What must be reached is said with `needs`.",
        """
        roll shooting of unit:
          basic: roll skill
          tired: needs 5
        """,
        """
        roll shooting of unit:
          basic: needs skill
          tired: roll -1 if tired
        """,
    ),
    **page(
        "M006",
        "the roll `{name}` needs no number",
        "A die is thrown against something. Say in the first line what it needs: a number, or what a "
        "table or a card says.",
        "roll shooting of unit: roll +1",
        "roll shooting of unit: needs skill",
    ),
    **page(
        "M007",
        "the lines of `{name}` cannot be taken over",
        "`as` takes over all lines of another roll, and those lines speak of its card. So both rolls must "
        "be about the same kind of thing, and be told the same; or the title says whose roll it is, `as unit.nerve`.",
        """
        roll nerve of unit: needs skill
        roll luck of trooper as nerve:
        """,
        """
        roll nerve of unit: needs skill
        roll luck of unit as nerve:
        """,
    ),
    **page(
        "M010",
        "two lines of one condition",
        "Whenever one of these lines counts, the other does as well, so the two are one change. Most often a line was "
        "copied and its condition was left as it was; if both are meant, write their sum in one line.",
        """
        roll shooting of unit:
          basic: needs skill
          tired: roll -1 if tired
          fresh: roll +1 if tired
        """,
        """
        roll shooting of unit:
          basic: needs skill
          tired: roll -1 if tired
          fresh: roll +1 if not tired
        """,
        hint="correct the condition that was copied, or write one line with the sum of both",
    ),
    **page(
        "M011",
        "a later line always takes the place of this one",
        "A line without a sign says what something is from there on, whatever the lines above it made of it. This one "
        "is overruled whenever it counts, so it changes nothing. Put the base first, and write changes with a sign.",
        """
        value zeal of unit:
          tired: 2 if tired
          base:  skill
        """,
        """
        value zeal of unit:
          base:  skill
          tired: 2 if tired
        """,
        hint="write the base first and this line below it, or take this line away",
    ),
    **page(
        "M012",
        "`{name}` makes a pass {does}",
        "The name of this line says one thing and its number does the other. On a die that wants high, `roll +1` and "
        "`needs -1` help; on one that wants low it is `needs +1` and `roll -1`.",
        """
        roll shooting of unit:
          basic:         needs skill
          tired-penalty: needs -1 if tired
        """,
        """
        roll shooting of unit:
          basic:         needs skill
          tired-penalty: needs +1 if tired
        """,
    ),
    **page(
        "M013",
        "what `{name}` is first leads back to itself",
        "What stands behind `first` is worked out where a situation says nothing, and here that asks for the very "
        "thing that it begins with. So it begins with nothing, or not at all, and no message comes when a game is "
        "played. Give one of those that ask for each other a plain value.",
        """
        fact gloom of unit: number first dark
        value dark of unit: gloom + 1
        """,
        """
        fact gloom of unit: number first 1
        value dark of unit: gloom + 1
        """,
    ),
}

# Suspicious, not wrong.
for _code in ("M010", "M011", "M013"):
    ENTRIES[_code] = replace(ENTRIES[_code], severity="warning")
ENTRIES["M012"] = replace(ENTRIES["M012"], severity="style")
