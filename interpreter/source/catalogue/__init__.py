"""The catalogue of everything that Umpire can find wrong, one module a family.

Enters: the families.  Leaves: `CATALOGUE`, from a code such as `Y001` to its page.  A code is never
given a second meaning.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import (
    allowances,
    alternatives,
    chains,
    dice,
    engine,
    examples,
    idle,
    modifiers,
    names,
    procedures,
    rulings,
    sentence,
    shape,
    situations,
    tables,
    types,
    yaml,
)
from interpreter.source.catalogue.entry import Entry, Severity

FAMILIES: dict[str, dict[str, Entry]] = {
    "Y": yaml.ENTRIES,
    "S": shape.ENTRIES,
    "L": sentence.ENTRIES,
    "N": names.ENTRIES,
    "T": types.ENTRIES,
    "K": tables.ENTRIES,
    "D": dice.ENTRIES,
    "C": chains.ENTRIES,
    "I": idle.ENTRIES,
    "P": procedures.ENTRIES,
    "M": modifiers.ENTRIES,
    "R": rulings.ENTRIES,
    "X": examples.ENTRIES,
    "F": situations.ENTRIES,
    "G": alternatives.ENTRIES,
    "E": engine.ENTRIES,
    "A": allowances.ENTRIES,
}

# A code in two families would silently win here; a test counts them instead of every start-up.
CATALOGUE: dict[str, Entry] = {code: entry for entries in FAMILIES.values() for code, entry in entries.items()}

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Severity"]
