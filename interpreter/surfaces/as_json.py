"""The one writer of JSON, and the parts that the answers of several commands share.

Enters: plain data that a command makes of its answer; chances, places, problems. Leaves: text. Probabilities are exact:
"n/d", with numerator and denominator as texts, for they may have more digits than a program's numbers.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from interpreter.source import Problem, Span, to_json
from interpreter.source.digits import any_digits, fraction

Json = dict[str, Any]

# Orders to a terminal, but for colours; marks that turn the direction of what follows; line ends that are none.
UNSEEN = (
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)


def text(data: Json) -> str:
    """What would drive a terminal is written by its number, which is the same text to a program."""
    with any_digits():
        return re.sub(UNSEEN, _escaped, json.dumps(data, ensure_ascii=False, indent=2, default=_number))


def _number(value: object) -> str:
    """A number that is not whole, wherever it stands: "n/d"."""
    assert isinstance(value, Fraction)
    return fraction(value)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def fields(of: object, *names: str) -> Json:
    """Some attributes of an object, by their names."""
    return {name: getattr(of, name) for name in names}


# ---- numbers
def chance(value: Fraction) -> Json:
    with any_digits():
        parts = {"numerator": str(value.numerator), "denominator": str(value.denominator)}
    return {"probability": fraction(value), **parts, "percent": round(float(value) * 100, 4)}


def bounds(found: tuple[Fraction, Fraction]) -> Json:
    """The least and the greatest of a chance."""
    return {"least": chance(found[0]), "greatest": chance(found[1])}


def interval(found: tuple[Fraction, Fraction] | None) -> Json | None:
    """The least and the greatest of any other number, if there is one."""
    return None if found is None else {"least": fraction(found[0]), "greatest": fraction(found[1])}


# ---- places and problems
def place(where: Span) -> Json:
    row, column = where.place
    return {"file": where.source.name, "row": row, "column": column}


def problems(found: Iterable[Problem]) -> Json:
    """Problems, and how many of each severity there are, also of those that are not told."""
    listed = [to_json(p) for p in found]
    kinds = Counter[object]()
    for problem in listed:
        kinds[problem["severity"]] += int(str(problem.get("more", 1)))
    return {"problems": listed, "errors": kinds["error"], "warnings": kinds["warning"], "remarks": kinds["style"]}


def refused(why: Problem) -> Json:
    """Why something could not be asked, in short."""
    return fields(why, "code", "message")
