"""The catalogue of all problems that Umpire reports, one module for each family of codes.

`CATALOGUE` maps a code such as `Y001` to its `Entry`: severity, message, explanation and examples. A family is imported
when one of its codes is first looked up, because most files have no problems. A code never gets a second meaning.
This package does not know how a problem is found or shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Literal

from interpreter.source.values import Struct

Severity = Literal["error", "warning", "style"]

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


class Entry(Struct):
    """`message` and `hint` are `str.format` templates; `hint` says what mends it where the place says nothing better.
    Tests check that `bad` causes the problem and `good` does not.

    `by` is the command that reports the code, besides those that run it; it alone reports an allowance as unused.
    """

    severity: Severity
    message: str
    meaning: str
    bad: str = ""
    good: str = ""
    by: Literal["check", "mutate"] = "check"
    hint: str = ""


def toy(definitions: str) -> str:
    """Return a small game as YAML: dice, a unit that shoots, and the given definitions."""
    from textwrap import dedent, indent  # imported here, because entries are rarely read

    return _BASE + indent(dedent(definitions).strip("\n"), "  ") + "\n"


def page(code: str, message: str, meaning: str, bad: str, good: str, hint: str = "") -> dict[str, Entry]:
    """Return the entry of an error whose examples are definitions of the small game."""
    return {code: Entry("error", message, meaning, toy(bad), toy(good), hint=hint)}


_BASE = """\
game: Toy
Firing:
  dice high: d6 at or over
  kind unit:
    skill: number first 4
    reach: inches first 6"
  kind trooper, many to a unit:
  mark tired of unit:
  fact distance of unit (other unit): inches first 3"
"""


def family(letter: str) -> dict[str, Entry]:
    """Return the entries of all codes that begin with a letter."""
    found: dict[str, Entry] = import_module(f"{__name__}.{FAMILIES[letter]}").ENTRIES
    return found


class _Catalogue(Mapping[str, Entry]):
    # If two families defined one code, the last would win silently; a test checks it rather than every start.
    def __getitem__(self, code: str) -> Entry:
        if code[:1] not in FAMILIES:
            raise KeyError(code)
        return family(code[0])[code]

    def __iter__(self) -> Iterator[str]:
        return (code for letter in FAMILIES for code in family(letter))

    def __len__(self) -> int:
        return sum(len(family(letter)) for letter in FAMILIES)


CATALOGUE: Mapping[str, Entry] = _Catalogue()

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Severity", "family", "page", "toy"]
