"""The only module that writes JSON, and the parts shared by the answers of several commands.

Takes plain data of a command's answer; chances, source positions, problems. Gives text. Probabilities are exact: "n/d",
with numerator and denominator as texts, because they may exceed the number range of a JSON reader.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from interpreter.source import Problem, Span, to_json
from interpreter.source.digits import any_digits, fraction
from interpreter.source.rendering import UNSEEN

Json = dict[str, Any]


def text(data: Json) -> str:
    """The JSON text. Characters that could control a terminal are escaped, which does not change the data."""
    import json  # imported late: most answers are printed as text

    with any_digits():
        return re.sub(UNSEEN, _escaped, json.dumps(data, ensure_ascii=False, indent=2, default=_number))


def _number(value: object) -> str:
    """Encodes a fraction as "n/d"."""
    assert isinstance(value, Fraction)
    return fraction(value)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def fields(of: object, *names: str) -> Json:
    """Some attributes of an object, by name."""
    return {name: getattr(of, name) for name in names}


# ---- numbers
def chance(value: Fraction) -> Json:
    """A probability: `probability` as "n/d", `numerator` and `denominator` as texts, all exact; `percent` as a number
    rounded to four decimals.
    """
    with any_digits():
        parts = {"numerator": str(value.numerator), "denominator": str(value.denominator)}
    return {"probability": fraction(value), **parts, "percent": round(float(value) * 100, 4)}


def bounds(found: tuple[Fraction, Fraction]) -> Json:
    """(minimum, maximum) of a chance."""
    return {"least": chance(found[0]), "greatest": chance(found[1])}


def interval(found: tuple[Fraction, Fraction] | None) -> Json | None:
    """(minimum, maximum) of any other number, or None."""
    return None if found is None else {"least": fraction(found[0]), "greatest": fraction(found[1])}


# ---- places and problems
def place(where: Span) -> Json:
    """Where a span begins: its file, and row and column, both from 1."""
    row, column = where.place
    return {"file": where.source.name, "row": row, "column": column}


def problems(found: Iterable[Problem]) -> Json:
    """Problems, and their number per severity, including those counted in `more`."""
    listed = [to_json(p) for p in found]
    kinds = Counter[object]()
    for problem in listed:
        kinds[problem["severity"]] += int(str(problem.get("more", 1)))
    return {"problems": listed, "errors": kinds["error"], "warnings": kinds["warning"], "remarks": kinds["style"]}


def refused(why: Problem) -> Json:
    """The reason why a question was refused: code and message."""
    return fields(why, "code", "message")
