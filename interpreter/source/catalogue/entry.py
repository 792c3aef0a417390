"""One page of the catalogue: what a code says, and what it means.

Enters and leaves: plain words.  Must not know where a problem was found.
"""

from __future__ import annotations

from typing import Literal

from interpreter.source.values import Struct

Severity = Literal["error", "warning", "style"]


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
