"""What a line or a condition speaks of, and what each of it was: `3 of 5 are left (lost is 2)`.

Enters: the parts of a sentence, their values, and what was asked to work it out. Leaves: texts by the text of the
part. Knows nothing of events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.program.notes import Part
from interpreter.program.program import Program
from interpreter.program.words import Words

from .events import Told


class Operands:
    """Says them; remembers which values a value may ask."""

    def __init__(self, program: Program, words: Words) -> None:
        self.program = program
        self.words = words
        self._within: dict[Any, set[str]] = {}

    def of(self, parts: Sequence[Part], values: Sequence[Any], reasons: Sequence[Told]) -> dict[str, str]:
        """What a line or a condition speaks of, in words."""
        answers = self._answers(reasons)
        asked = [p.asked for p in parts if p.asked]
        left = iter(values)
        found = {}
        for part in parts:
            if part.asked:
                known = answers.get(part.asked, [])
                if len(known) == asked.count(part.asked):  # else nobody can say which is which
                    found[part.text] = known[[p for p in parts if p.asked == part.asked].index(part)]
                continue
            value = next(left)
            if part.type.name != "dice":
                found[part.text] = self.words.say(value, part.type)
        return found

    def _answers(self, reasons: Sequence[Told]) -> dict[str, list[str]]:
        """What values and tables answered to the sentence in hand itself, not to one another."""
        open_: list[tuple[str, str]] = []
        for note, values in reasons:
            if note.kind == "value":
                within = self._asks(note.about)
                open_ = [o for o in open_ if o[0] not in within]
                open_.append((note.about.name, self.words.say(values[0], note.type)))
            elif note.kind == "fact":
                open_.append((note.about.name, self.words.say(values[0], note.type)))
            elif note.kind == "cell":
                table, column = note.about
                known = table.columns.get(column)
                if known is not None and known.by is None and known.type.name != "bands":
                    open_.append((f"{table.name}.{column}", self.words.say(values[1], known.type)))
        found: dict[str, list[str]] = {}
        for name, said in open_:
            found.setdefault(name, []).append(said)
        return found

    def _asks(self, symbol: Any) -> set[str]:
        """Which values and columns a value may ask, directly or through others."""
        if symbol not in self._within:
            self._within[symbol] = self.program.asked_by(symbol)
        return self._within[symbol]


def adding(parts: dict[str, str]) -> dict[str, str]:
    """What adds something to a number."""
    return {text: said for text, said in parts.items() if said not in ("0", "no", "none", '0"')}
