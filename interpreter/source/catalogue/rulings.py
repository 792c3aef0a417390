"""Family R: rulings, clauses and citations.

The entries of the codes `R001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry


def _house(clause: str) -> str:
    return f"game: House\nextends: modern\nclauses: MOD\nHouse Rules:\n  mark lucky of unit [{clause}]:\n"


def _reading(line: str) -> str:
    """A house rule with two readings, and an example of it."""
    return (
        'game: House\nover: modern\nHouse Rules:\n  ruling far-enough: 12", or 8"\n'
        f"  add to able:\n    {line}\n"
        "  example too-far:\n    unit A: green, 2 figures, weapon lmg\n    unit B: green, 2 figures\n"
        '    facts: distance(A, B) is 30"\n    then: no (A.figures where it.able(B))\n'
    )


def _page(line: str) -> str:
    """A file that names its clauses, and one more line."""
    known = "".join(
        f"  roll {name} of unit [{i}]: needs 4+\n" for i, name in enumerate(("aim", "dash", "hold", "spot"), 1)
    )
    return f"game: Toy\nclauses: TOY\nRolls:\n  dice high: d6 at or over\n  kind unit:\n{known}  {line}\n"


ENTRIES: dict[str, Entry] = {
    "R001": Entry(
        "error",
        "no clause is called {clause}",
        "A number in square brackets at the end of a line names the clause of the printed rules that the "
        "line carries out. The register of this game has no such clause: look for a slip in the number.",
        _house("4100"),
        _house("41"),
    ),
    "R002": Entry(
        "warning",
        "nothing reads the {what} `{name}`",
        "A ruling is a value with several readings, and a line that the page leaves open says its name. No line says "
        "this one, so both readings play alike. Put its name where the two differ.",
        _reading('spot: false if distance(unit, target) > 12"'),
        _reading("spot: false if distance(unit, target) > far-enough"),
    ),
    "R003": Entry(
        "error",
        "`{reading}` is a reading of `{name}` already",
        "The readings of a ruling are what a group can choose between, and here two of them are the same. Write what "
        "the other reading is, or make a plain number of it.",
        _house("41") + '  ruling far-enough: 12", or 12"\n',
        _house("41") + '  value far-enough: 12"\n',
        hint="write what the other reading is",
    ),
    "R004": Entry(
        "style",
        "`{name}` cites no clause",
        "This file names the clause of the printed page that each table, roll or procedure carries out, and here it is "
        "missing. Without it `umpire coverage` and a trace cannot say where the rule comes from. If it stands on no "
        "page, allow it with a reason: `# umpire: allow R004 because it is ours`.",
        _page("roll cover of unit: needs 5+"),
        _page("roll cover of unit [5]: needs 5+"),
    ),
}
