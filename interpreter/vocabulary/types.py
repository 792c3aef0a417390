"""The types of the language: first order, with units kept apart; and the value of a line that was not run.

`Type` is compared by value. Its `of` is the table, kind, procedure or roll that the type refers to; this package never
looks inside it and does not know YAML, Lark or games.
"""

from __future__ import annotations

from typing import Any

from interpreter.source.values import Struct


class Type(Struct):
    """A type by `name`, a key of `_WORDS`. `of` is what it refers to: the table of a row, the kind of a thing or
    figure, the procedure of a record, the roll, or the type of the members of a list; else None.
    """

    name: str
    of: Any = None

    def words(self) -> str:
        """Return the type in words for a wargamer."""
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
FACES = Type("faces")  # of dice: as a collection it is counted, whereas dice are added up
NONE = Type("none")
ANY = Type("any")  # the type of an expression with a reported mistake: compatible with every type


class NotRun:
    """The answer to a question about a line that was not run: distinct from every number, word and thing. It is a
    singleton and occurs in answers only; inside rules such a line counts as nothing.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOT_RUN"

    def __reduce__(self) -> str:
        return "NOT_RUN"


NOT_RUN = NotRun()
