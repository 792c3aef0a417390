"""Family N: names: unknown, declared twice, or open to two readings.

The entries of the codes `N001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page

# A small game, two supplements for it, and a file that lays both over it.
_PARK = """\
# park.yaml
game: Park
Firing:
  kind squad:
    gun: one of guns first rifle
  table guns (shots):
    rifle: 1
    lmg:   3
  mark tired, ready of squad:
  value luck of squad:
    basic: gun.shots
    tired: -1 if tired
  to shoot (squad): 1
"""
_GARDEN = (
    _PARK
    + """\
# garden.yaml
game: Garden
over: park
change:
  guns.lmg.shots: 4, was 3
Firing:
  rule haste after shoot: squad loses tired
"""
)
_CALM = "  rule calm after shoot if tired: squad gains ready\n"
_BOTH = "# toy.yaml\nrules: park + garden + house\n"
_FIELD = _PARK + _PARK.replace("park.yaml", "field.yaml").replace("Park", "Field")
_OVER = _PARK + "# toy.yaml\ngame: House\nover: park\n"


def _lucky(line: str) -> str:
    """A house rule with a mark, and an example of something else."""
    return (
        _OVER + f"House Rules:\n  mark lucky of squad:\n{line}"
        "  example nobody-shot:\n    squad A: gun rifle\n    then: A.luck = 1\n"
    )


_WITHIN = (
    "# caves.yaml\ngame: Caves\nCaves:\n  kind diver:\n"
    "  to fall (diver):\n    depth: d6\n    deeper, if depth = 6: diver falls\n"
    "  example a-long-fall:\n    diver A:\n    do: A falls\n    dice: depth 6 2\n    then: {} = 6\n"
)


ENTRIES: dict[str, Entry] = {
    **page(
        "N001",
        "no {what} is called `{name}`",
        "I looked for this name where it could stand: among the lines said earlier, on the open card, in "
        "the tables and among the procedures. Most often it is misspelt, and then I offer the nearest "
        "names. A name said wrongly in many places is told once, with the first of them.",
        "value broken of unit: troopers < skil",
        "value broken of unit: troopers < skill",
        hint="declare it, or correct the name",
    ),
    **page(
        "N002",
        "`{name}` could mean two things here",
        "Two open cards, or a card and a line, answer to this name, and I would rather ask than take the "
        "wrong one. Say whose it is, with a dot: `unit.skill`, `it.skill`. A word that stands in two tables is known "
        "by what it is compared with: `armour is elite`.",
        """
        value foes of unit: units where it is not unit
        value weaker of unit: foes where skill < 4
        """,
        """
        value foes of unit: units where it is not unit
        value weaker of unit: foes where it.skill < 4
        """,
    ),
    **page(
        "N003",
        "`{name}` is declared twice",
        "Every name means one thing in the whole file. Give the second one another name, or, if it was "
        "meant to add to the first, write it under `add to`.",
        """
        value tired-out of unit: troopers < 3
        mark tired-out of unit:
        """,
        """
        value shaken of unit: troopers < 3
        mark tired-out of unit:
        """,
        hint="give one of the two another name, or take it away",
    ),
    **page(
        "N004",
        "the name `{name}` is already in use here",
        "A line or a loop would hide something that has the same name, such as a parameter or the loop "
        "around it. Nothing is ever hidden in a rule file: choose another name.",
        """
        to rest (unit):
          rest, for each unit in units: unit loses tired
        """,
        """
        to rest (unit):
          rest, for each other in units: other loses tired
        """,
        hint="give it another name",
    ),
    **page(
        "N005",
        "the table {table} has no column `{name}`",
        "`shots by range` says that the shots change with the distances in the column `range`. That "
        "column must stand in the same title, under exactly this name.",
        """
        table guns (range, shots by rnge):
          rifle: 12"/24", 2/1
        """,
        """
        table guns (range, shots by range):
          rifle: 12"/24", 2/1
        """,
    ),
    **page(
        "N010",
        "the kind `{name}` is a sort of itself",
        "Follow the words behind the commas: each kind is a sort of the next, and they lead back to where "
        "they began. One of them must be plain, and say no `a …`.",
        """
        kind tank, a gun:
        kind gun, a tank:
        """,
        """
        kind tank:
        kind gun, a tank:
        """,
        hint="let one of them be plain: `kind {name}:`",
    ),
    "N011": Entry(
        "error",
        "this change expects `{was}`, but the rules now say `{now}`",
        "A change says with `was` what it believes it changes. The rules it builds on have changed since, "
        "so look whether your change is still wanted, and then write what stands there now.",
        _OVER + "change:\n  guns.lmg.shots: 4, was 2\n",
        _OVER + "change:\n  guns.lmg.shots: 4, was 3\n",
    ),
    "N012": Entry(
        "error",
        "{one} cannot be laid over {base}: {why}",
        "A supplement says at its head what it is made for (`over:`), and may say of other rule sets why not "
        "(`not over:`). Patches that fit one game would miss, or mean something else, in another.",
        _FIELD + "# house.yaml\ngame: House\nover: park\n# toy.yaml\nrules: field + house\n",
        _FIELD + "# house.yaml\ngame: House\nover: park\n# toy.yaml\nrules: park + house\n",
        hint="lay it over rules that it is made for, or name these at its head: `over: {base}`",
    ),
    "N013": Entry(
        "error",
        "`{path}` is set by both {one} and {two}",
        "Two supplements want the same thing to be different, and the order of files must not decide which of them "
        "wins unseen. Say that the upper one knows the lower: `4, was 3, over garden` behind the new text, or name "
        "it among what your file lies over: `over: park, or park + garden`. What it says with `was` may then be the "
        "text with the other or without it.",
        _GARDEN + "# house.yaml\ngame: House\nover: park\nchange:\n  guns.lmg.shots: 5\n" + _BOTH,
        _GARDEN + "# house.yaml\ngame: House\nover: park\nchange:\n  guns.lmg.shots: 5, over garden\n" + _BOTH,
    ),
    "N014": Entry(
        "error",
        "both {one} and {two} act {moment}, and it matters who is first",
        "The rules of two supplements run at the same moment, or both put lines at one place, and one of them changes "
        "what the other looks at or changes as well. Say which comes first: let the later one name the earlier among "
        "what it lies over: "
        "`over: park, or park + garden`.",
        _GARDEN + "# house.yaml\ngame: House\nover: park\nFiring:\n" + _CALM + _BOTH,
        _GARDEN + "# house.yaml\ngame: House\nover: park, or park + garden\nFiring:\n" + _CALM + _BOTH,
        hint="say which comes first: the later one names the earlier at its head, among what it lies over: "
        "`over: …, or … + {two}`",
    ),
    "N015": Entry(
        "error",
        "`{name}` is a supplement: say what it is played with",
        "It can be laid over more than one rule set, so its name alone does not say which game is meant. Name the "
        "whole stack, undermost first.",
        _FIELD + "# house.yaml\ngame: House\nover: park, or field\n# toy.yaml\nrules: house\n",
        _FIELD + "# house.yaml\ngame: House\nover: park, or field\n# toy.yaml\nrules: field + house\n",
    ),
    "N016": Entry(
        "warning",
        "nothing reads the {what} `{name}`",
        "The file declares it, and no line, no roster and no example of this file ever asks for it, so it changes "
        "nothing. Most often the line that should have asked for it was forgotten, or asks for another name. If "
        "players ask for it themselves, show it in an example; else remove it.",
        _lucky(""),
        _lucky("  add to luck:\n    lucky: +1 if lucky\n"),
    ),
    "N017": Entry(
        "error",
        "`{name}` builds on itself",
        "Follow `extends:` and `over:` from file to file: they lead back to where they began. One of the files must "
        "stand on its own. A file of yours that has the name of a shipped set is found before that set, so that "
        "`extends: modern` in your own `modern.yaml` means itself: give your file another name.",
        "# house.yaml\ngame: House\nextends: toy\n# toy.yaml\ngame: Toy\nextends: house\n",
        "# house.yaml\ngame: House\nextends: tabletop\n# toy.yaml\ngame: Toy\nextends: house\n",
    ),
    "N018": Entry(
        "error",
        "these lines take the place of all of `{name}`: {lost} would be gone",
        "Below `change:`, lines under the name of a definition take the place of all its lines. All that stand here "
        "were there before, so most likely they were meant alone: name the one that changes. If the others are to go, "
        "say so with `remove`.",
        _OVER + "change:\n  luck:\n    tired: -2\n",
        _OVER + "change:\n  luck.tired: -2\n",
    ),
    **page(
        "N019",
        "nobody could ever say that somebody `{said}`",
        'A procedure is called by its name as a verb, and this verb belongs to the language: `unit moves 6"` moves a '
        "unit, `unit passes nerve` throws a die. Give the procedure a verb of its own.",
        "to move (unit): unit gains tired",
        "to march (unit): unit gains tired",
    ),
    "N020": Entry(
        "error",
        "`{name}` is run in calls within calls, however deep: no name is all of its runs",
        "A name that begins with a procedure is all runs of that line, put together. This procedure, or one "
        "that calls it, leads back to itself, so its lines are run however often, one call within the other, and no "
        "name holds all of them. Ask for the run of one call, or let a line of the rules keep count, on a card.",
        _WITHIN.format("fall.depth"),
        _WITHIN.format("depth"),
    ),
    "N021": Entry(
        "error",
        "`{name}` is what several files of the stack call a line, so one file cannot say the same",
        "Each file of a stack means by a name its own line, or one of the files that it was written over. In one file "
        "the name would mean one line to all. Before `umpire flat`, give the line of one of the files another name.",
        "",
        "",
        hint="give the line of one of the files another name",
    ),
}
