"""The types of the language: small, first order, the units of the table kept apart; and the value of what was not run.

Enters: nothing. Leaves: `Type`, compared by value, and `NOT_RUN`. `of` is the table, kind, procedure or roll a type
speaks of; this room never looks inside it. Knows nothing of YAML, Lark or games.
"""

from __future__ import annotations

from typing import Any

from interpreter.source.values import Struct


class Type(Struct):
    """A type by `name`, one of the keys of `_WORDS`. `of` is what it speaks of: the table of a row, the kind of a thing
    or figure, the procedure of a record, the roll, or the type of the members of a list; else None.
    """

    name: str
    of: Any = None

    def words(self) -> str:
        """What a wargamer would call it."""
        what = self.of.name if self.of is not None else ""
        many = getattr(self.of, "plural", f"{what}s")
        return _WORDS[self.name].format(what=what, many=many)

    @property
    def many(self) -> bool:
        return self.name in ("things", "figures", "rows", "faces", "list")


_WORDS = {
    "number": "a number",
    "inches": "a distance in inches",
    "truth": "yes or no",
    "target": "a number to beat such as `4+`",
    "dice": "dice",
    "faces": "faces of dice",
    "row": "a row of {what}",
    "rows": "rows of {what}",
    "thing": "one {what}",
    "things": "several {many}",
    "figure": "one {what}",
    "figures": "several {many}",
    "record": "what came of {what}",
    "roll": "the roll {what}",
    "none": "nothing",
    "list": "a list",
    "bands": "near and far",
    "dicecell": "dice",
    "words": "a word",
    "any": "anything",
}

NUMBER = Type("number")
INCHES = Type("inches")
TRUTH = Type("truth")
TARGET = Type("target")
DICE = Type("dice")
FACES = Type("faces")  # of dice: a collection, which is counted, where dice are added up
NONE = Type("none")
ANY = Type("any")  # the type of a mistake already reported: fits everywhere


class NotRun:
    """What a question is worth whose line was not run: no number, no word, nobody; an outcome of its own, of which
    there is one. Inside rules such a line counts as nothing; only answers hold this.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOT_RUN"

    def __reduce__(self) -> str:
        return "NOT_RUN"


NOT_RUN = NotRun()
