"""The catalogue of everything that Umpire can find wrong, one module a family.

Leaves: `CATALOGUE`, from a code such as `Y001` to its page, an `Entry`: what the code says, and what it means.  A
family is read when one of its pages is asked for, for most files are right.  A code is never given a second meaning.
Must not know how a problem is found or shown.
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
    """`message` is a `str.format` template; `bad` draws the code and `good` does not, by test.

    `by` is the command that finds it, besides those that call it; an allowance that `check` cannot use is no news.
    """

    severity: Severity
    message: str
    meaning: str
    bad: str = ""
    good: str = ""
    by: Literal["check", "mutate"] = "check"


def toy(definitions: str) -> str:
    """A small game: dice, a unit that shoots, and the definitions given."""
    from textwrap import dedent, indent  # pages are rarely read

    return _BASE + indent(dedent(definitions).strip("\n"), "  ") + "\n"


def page(code: str, message: str, meaning: str, bad: str, good: str) -> dict[str, Entry]:
    """The page of an error whose examples are definitions of the small game."""
    return {code: Entry("error", message, meaning, toy(bad), toy(good))}


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

__all__ = ["CATALOGUE", "FAMILIES", "Entry", "Severity", "family", "page", "toy"]
