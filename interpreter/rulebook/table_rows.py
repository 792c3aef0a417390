"""Parses tables under `odds:`, which state the expected joint distribution of several questions.

Input: the lines under `odds:`, and a function that makes a question of each text in their keys. Output: `JointTable`s,
or problems at rows that are not outcomes of their questions. It does not know the computed odds.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import inf
from typing import Any

from interpreter.document.nodes import Entry, Mapping, Node, Scalar
from interpreter.language import nodes as n
from interpreter.source import Fix, Label, nearest
from interpreter.vocabulary.types import Type

from . import typed as t
from .definitions import unknown
from .joint_tables import OTHERWISE, JointTable, Outcomes, Row
from .sentences import Sentences, meaning
from .situation import Ask, texts

_NOT_RUN = "not run"
_ALL_OTHERS = ("all others", "any other", "else", "other", "others", "rest", "the rest")
_SHARE = r"([0-9]+)(?:/0*([1-9][0-9]*))?"
_DECIMAL = r"([0-9]+(?:\.[0-9]+)?) ?(%?)"
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+|/0*[1-9][0-9]*)?"
_RANGE = rf'({_NUMBER})"?-({_NUMBER})"?|({_NUMBER})"? or (more|less)'
# The suffix of a number of each type, and an example of it.
_SIGNS = {"number": ("", "`2`, `2-4`, `2 or more`"), "inches": ('"', '`6"`, `6" or more`'), "target": ("+", "`4+`")}


def questions_in(node: Node | None) -> Iterator[Scalar]:
    """Yield the questions of all tables under `odds:`."""
    for entry in node if isinstance(node, Mapping) else ():
        yield from _parts(entry.key)


class TableRows:
    """Parses joint tables. `ask` makes a question of a text, or returns None after reporting a mistake."""

    def __init__(self, sentences: Sentences, ask: Callable[[Scalar], Ask | None]) -> None:
        self.sentences, self.problems, self.ask = sentences, sentences.problems, ask
        self._asked: dict[str, Ask | None] = {}  # questions by text, shared by all tables

    def read(self, node: Node | None) -> list[JointTable]:
        tables = [self._table(entry) for entry in node] if isinstance(node, Mapping) else []
        return [table for table in tables if table is not None]

    def _table(self, entry: Entry) -> JointTable | None:
        asks = [self._question(part) for part in _parts(entry.key)]
        lines = entry.value if isinstance(entry.value, Mapping) else ()
        rows = [self._row(line, asks) for line in lines]
        found = [row for row in rows if row is not None]
        for i, each in enumerate(found):
            self._report_duplicate(each, found[:i])
        if not rows:
            cells = ", ".join("…" for _ in asks)
            self.problems.add("F016", entry.key.span, wanted="a row for each outcome", hint=f"below it, `{cells}: 1/6`")
        if not rows or len(found) < len(rows) or None in asks:
            return None
        return JointTable(tuple([ask.address for ask in asks if ask is not None]), tuple(found), entry.key.span)

    def _question(self, part: Scalar) -> Ask | None:
        if part.text not in self._asked:
            self._asked[part.text] = self.ask(part)
        return self._asked[part.text]

    def _row(self, line: Entry, asks: list[Ask | None]) -> Row | None:
        chance = self._chance(line)
        if line.key.text == OTHERWISE:
            return Row(None, chance, line.key.span, line.value.span) if chance is not None else None
        parts = _parts(line.key)
        if len(parts) != len(asks):
            wanted = ", ".join(ask.text if ask is not None else "…" for ask in asks)
            self.problems.add("X033", line.key.span, found=len(parts), many=len(asks), wanted=wanted)
            return None
        cells = [self._outcomes(part, ask) for part, ask in zip(parts, asks, strict=True) if ask is not None]
        outcomes = tuple([each for each in cells if each is not None])
        if chance is None or len(outcomes) < len(asks):
            return None
        return Row(outcomes, chance, line.key.span, line.value.span)

    def _chance(self, line: Entry) -> Fraction | None:
        scalar = next(iter(texts(line.value)), None)
        if scalar is None:
            self.problems.add("F016", line.key.span, wanted="how likely it is", hint=f"`{line.key.text}: 1/6`")
            return None
        if (found := re.fullmatch(_SHARE, scalar.text)) is not None:
            return Fraction(int(found[1]), int(found[2] or 1))
        decimal = re.fullmatch(_DECIMAL, scalar.text)
        meant = Fraction(decimal[1]) / (100 if decimal[2] else 1) if decimal is not None else None
        self.problems.add(
            "L001",
            scalar.span,
            what="expected chance",
            found=scalar.text,
            hint=f"write `{meant}`" if meant is not None else "a fraction, such as `5/36`",
            fix=Fix(scalar.span, str(meant), False, f"write `{meant}`") if meant is not None else None,
        )
        return None

    def _outcomes(self, part: Scalar, ask: Ask) -> Outcomes | None:
        """The outcomes of a question that a cell of a row names; None after reporting that it names none."""
        text, name = part.text, ask.type.name
        if text in (_NOT_RUN, "none"):
            return Outcomes(word=text)
        if name == "row":
            if text in ask.type.of.rows:
                self._note(part, ask.type)
                return Outcomes(word=text)
            word = n.Name(0, len(text), text)
            unknown(self.problems, part, word, f"row of {ask.type.of.name}", ask.type.of.rows)
        elif name == "truth":
            if text in ("yes", "no"):
                return Outcomes(word=text)
            self._report(part, "yes or no")
        else:
            sign, example = _SIGNS[name]
            if (found := _numbers(text, sign)) is not None:
                return found
            self._report(part, f"what `{ask.text}` comes to, such as {example}", _as_inches(text, sign))
        return None

    def _note(self, part: Scalar, type_: Type) -> None:
        """Record what the name of a row resolves to, for editors."""
        read = self.sentences.read(part, "line", n.Line)
        if read is not None and isinstance(read.action, n.Path):
            meaning(part, read.action.parts[0], t.Lit(type_.of.rows[part.text].index, type=type_))

    def _report(self, part: Scalar, wanted: str, instead: str | None = None) -> None:
        close = nearest(part.text, [_NOT_RUN, OTHERWISE])
        instead = OTHERWISE if part.text in _ALL_OTHERS else instead or (close[0] if close else None)
        fix = Fix(part.span, instead, False, f"write `{instead}`") if instead is not None else None
        self.problems.add("F010", part.span, found=part.text, wanted=wanted, fix=fix)

    def _report_duplicate(self, row: Row, before: list[Row]) -> None:
        for other in before:
            if row.outcomes is None or other.outcomes is None:
                same = row.outcomes is other.outcomes
            else:
                same = all(map(Outcomes.meets, row.outcomes, other.outcomes))
            if same:
                label = f"`{row.key.text}` stands in two rows"
                others = [Label(other.key, "the other")]
                self.problems.add("K002", row.key, face=f"`{row.key.text}`", label=label, others=others)
                return


def _parts(scalar: Scalar) -> list[Scalar]:
    """The texts between commas outside parentheses, each with its place."""
    cuts, depth = [-1], 0
    for i, letter in enumerate(scalar.text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            cuts.append(i)
    cuts.append(len(scalar.text))
    found = []
    for before, after in itertools.pairwise(cuts):
        text = scalar.text[before + 1 : after]
        start = before + 1 + len(text) - len(text.lstrip())
        found.append(scalar.part(start, start + len(text.strip())))
    return found


def _numbers(text: str, sign: str) -> Outcomes | None:
    """The outcomes of a number with the sign of its type, or of a range of numbers; None for another text."""
    if re.fullmatch(rf"{_NUMBER}{re.escape(sign)}", text):
        value = _number(text.removesuffix(sign))
        return Outcomes(low=value, high=value)
    found = re.fullmatch(_RANGE, text)
    if found is None or (sign == '"') != ('"' in text):
        return None
    if found[4] is not None:
        least = _number(found[3])
        return Outcomes(low=least, high=inf) if found[4] == "more" else Outcomes(low=-inf, high=least)
    low, high = _number(found[1]), _number(found[2])
    return Outcomes(low=low, high=high) if low <= high else None


def _number(text: str) -> Any:
    value = Fraction(text)
    return value.numerator if value.denominator == 1 else value


def _as_inches(text: str, sign: str) -> str | None:
    """A plain number with the sign of the question's type added; None if it is not a plain number."""
    return f"{text}{sign}" if sign and re.fullmatch(_NUMBER, text) else None
