"""Family R: rulings, clauses and citations.

Leaves: the entries of the codes `R001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry


def _house(clause: str) -> str:
    return f"game: House\nextends: modern\nclauses: MOD\nHouse Rules:\n  mark lucky of unit [{clause}]:\n"


ENTRIES: dict[str, Entry] = {
    "R001": Entry(
        "error",
        "no clause is called {clause}",
        "A number in square brackets at the end of a line names the clause of the printed rules that the "
        "line carries out. The register of this game has no such clause: look for a slip in the number.",
        _house("4100"),
        _house("41"),
    ),
}
