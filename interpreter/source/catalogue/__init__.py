"""The catalogue of everything that Umpire can find wrong, one module a family.

Enters: the families.  Leaves: `CATALOGUE`, from a code such as `Y001` to its page.  A family is read when one of its
pages is asked for, for most files are right.  A code is never given a second meaning.  Must not know how a problem is
found or shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from interpreter.source.catalogue.entry import Entry, Severity

FAMILIES = {
    "Y": "yaml",
    "S": "shape",
    "L": "sentence",
    "N": "names",
    "T": "types",
    "K": "tables",
    "D": "dice",
    "C": "chains",
    "I": "idle",
    "P": "procedures",
    "M": "modifiers",
    "R": "rulings",
    "X": "examples",
    "F": "situations",
    "G": "alternatives",
    "B": "sweeps",
    "E": "engine",
    "A": "allowances",
}


def family(letter: str) -> dict[str, Entry]:
    """The pages of all codes that begin with a letter."""
    found: dict[str, Entry] = import_module(f"{__name__}.{FAMILIES[letter]}").ENTRIES
    return found


class _Catalogue(Mapping[str, Entry]):
    # A code in two families would silently win here; a test counts them instead of every start-up.
    def __getitem__(self, code: str) -> Entry:
        if code[:1] not in FAMILIES:
            raise KeyError(code)
        return family(code[0])[code]

    def __iter__(self) -> Iterator[str]:
        return (code for letter in FAMILIES for code in family(letter))

    def __len__(self) -> int:
        return sum(len(family(letter)) for letter in FAMILIES)


CATALOGUE: Mapping[str, Entry] = _Catalogue()

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Severity", "family"]
