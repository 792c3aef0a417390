"""Family D: dice, rolls and their conventions.

The entries of the codes `D001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page
from interpreter.source.values import replace


def _roll(second: str) -> str:
    return f"""
        roll shooting of unit:
          basic: needs skill
          tired: {second} if tired
        """


_CONVENTION = """
        dice low: d10 at or under
        roll nerve of unit on low:
"""

_TWO_DICE = """
        dice wide: d10 at or over
        table grades (hit):
          fresh: 5+
          tried: 4+
        kind squad:
          grade: one of grades
        roll aim of squad: needs grade.hit
        roll luck of squad on {on}: needs grade.hit
        """

ENTRIES: dict[str, Entry] = {
    **page(
        "D001",
        "a bare `{change}` on a roll: of the die, or of the number needed?",
        "Printed rules say +1 in both senses: a better die, or a harder number. So a rule file says which "
        "of them it moves: `roll +1` adds to the die, `needs +1` to the number needed.",
        _roll("-1"),
        _roll("roll -1"),
    ),
    **page(
        "D002",
        "this roll is made with a {die}, the dice thrown were {other}",
        "Dice that lie on the table already can be read by a roll of the same die only. Throw the die of "
        "the roll, or make the roll on the die that was thrown.",
        _roll("roll -1")
        + """
        to shoot (unit):
          faces: 3d10
          hits: faces meeting shooting
        """,
        _roll("roll -1")
        + """
        to shoot (unit):
          faces: 3d6
          hits: faces meeting shooting
        """,
    ),
    **page(
        "D003",
        "a {die} never shows {face}",
        "`always` and `never` name faces that decide by themselves, whatever is added or needed, and `d6 except "
        "5` one that is thrown again. They must be faces of the die.",
        "dice wild: d10 at or over, always 12",
        "dice wild: d10 at or over, always 10",
    ),
    **page(
        "D004",
        "there is no {die}",
        "Dice have 2, 3, 4, 6, 8, 10, 12, 20, 30 or 100 faces. If yours is rarer than that, tell me how "
        "the table throws it with the dice that there are.",
        """
        to wander (unit):
          far: d7
        """,
        """
        to wander (unit):
          far: d8
        """,
    ),
    "D005": Entry(
        "error",
        "no dice are declared",
        "Before a roll can be made, the file must say once how its dice are read: which die, whether a "
        "number must be reached or not exceeded. It may also name faces that decide by themselves.",
        "game: Toy\nFiring:\n  kind unit:\n  roll shooting of unit: needs 4\n",
        "game: Toy\nFiring:\n  dice high: d6 at or over\n  kind unit:\n  roll shooting of unit: needs 4\n",
    ),
    **page(
        "D006",
        "no die can be thrown here",
        "Values, rolls, tables and conditions are worked out from what is known, as often as anybody "
        "asks. A die is thrown once, in a line of a procedure; the line's name then says what it showed.",
        "value luck of unit: d6",
        """
        to try (unit):
          luck: d6
        """,
    ),
    **page(
        "D007",
        "this roll wants low, and `+` means this number or more",
        "These dice succeed at or under the number needed, but `7+` says seven or more. Write the plain "
        "number, or make the roll on dice that want high.",
        _CONVENTION + "          basic: needs 7+\n",
        _CONVENTION + "          basic: needs 7\n",
    ),
    **page(
        "D008",
        "a {die} needing {needed} can never or always succeed",
        "The number needed lies outside the faces of the die, so throwing it would decide nothing. "
        "Perhaps a digit slipped in, or the roll is made on another die.",
        "roll shooting of unit: needs 14",
        "roll shooting of unit: needs 4",
    ),
    **page(
        "D009",
        "a {die} never shows `{needed}`, which `{name}` holds here",
        "This cell is used as the number that a roll needs, and no face of its die is that high: only a "
        "face that always succeeds can. If the printed page means just that, all is well; else a digit "
        "slipped in.",
        """
        table armour (save):
          thin: 5+
          thick: 41+
        kind tank:
          armour: one of armour
        roll luck of tank: needs armour.save
        """,
        """
        table armour (save):
          thin: 5+
          thick: 4+
        kind tank:
          armour: one of armour
        roll luck of tank: needs armour.save
        """,
        hint="write a number that the {die} shows; if a face that always succeeds is all that is meant, add "
        "`# umpire: allow D009 because …`",
    ),
    **page(
        "D010",
        "the lines of `{name}` are for other dice",
        "`as` takes over the numbers of another roll, and those were written for its die and its "
        "direction. On this die they would mean something else: make both rolls on the same dice.",
        """
        dice low: d10 at or under
        roll nerve of unit on low: needs 7
        roll luck of unit as nerve on high:
        """,
        """
        dice low: d10 at or under
        roll nerve of unit on low: needs 7
        roll luck of unit as nerve on low:
        """,
        hint="make both rolls on the same dice, or write the lines out here and leave out `as {name}`",
    ),
    **page(
        "D011",
        "the numbers of `{column}` are for other dice",
        "Another roll needs a number of this column as well, and makes it on another die, or wants low where this one "
        "wants high. The same number is easy on one and hard on the other. Make both on the same dice, or give each a "
        "column of its own.",
        _TWO_DICE.format(on="wide"),
        _TWO_DICE.format(on="high"),
    ),
    **page(
        "D012",
        "what dice show, beside how many dice there are",
        "Dice as thrown are worth what they show; dice that were chosen from a throw are counted. A sum of both is "
        "neither, and to compare them, to take the smaller, or to take one or the other says nothing. Say `sum(…)` of "
        "dice to have what they show.",
        """
        to shoot (unit):
          faces: 3 dice
          sixes: faces where it = 6
          rest, if faces - sixes > 2: 1
        """,
        """
        to shoot (unit):
          faces: 3 dice
          rest, if (faces where it < 6) > 2: 1
        """,
    ),
    **page(
        "D013",
        "how many dice `{said}` are can be read in two ways",
        "`n + 1 dice` may be n + 1 dice, or one die and n added to what it shows. Brackets say which: `(n + 1) dice`, "
        "or `n + (1 dice)`.",
        """
        to shoot (unit), (n number):
          faces: n + 1 dice
        """,
        """
        to shoot (unit), (n number):
          faces: (n + 1) dice
        """,
    ),
    **page(
        "D014",
        "a roll throws a single die, not {said}",
        "A `dice` line names the die of a roll. Each attempt throws one, and the number needed is compared with it. "
        "Where several dice are added up, throw them in a line and compare their sum: `throw: 2d6`, then `throw >= 7`.",
        "dice pair: 2d6 at or over",
        "dice pair: d6 at or over",
    ),
}

# Suspicious, not wrong: the sixes of some games mean more than a six, and a page may know what it does.
for _code in ("D009", "D011"):
    ENTRIES[_code] = replace(ENTRIES[_code], severity="warning")
