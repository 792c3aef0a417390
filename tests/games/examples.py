"""Examples of a game, written from what the reference says: dice with what comes of them, and exact chances.

Taken: a situation's file, its questions, and what sort each answer is of. Given: the text of a file of examples, as an
author writes it, which `umpire test` has to find right in every row. Choices that are left open are not scripted.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

from .model import plain

_MOST_ROWS = 12


def examples(path: Path, asks: Sequence[str], sorts: Sequence[str], seed: int | None, limit: int) -> str:
    """Empty where the reference cannot say anything; without a seed, no dice are thrown."""
    from reference import TooLarge, Unsupported

    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    body = [f"  {line}" for line in rest.partition("ask:\n")[0].splitlines()]
    made = [head]
    for write in (_by_dice, _by_odds, _by_table):
        try:
            rows = write(path, asks, sorts, seed, limit)
        except (TooLarge, Unsupported, RecursionError):
            continue
        if rows:
            made += [f"example {write.__name__[1:].replace('_', '-')}:", *body, *rows]
    return "\n".join(made) + "\n" if len(made) > 1 else ""


def test_of(ask: str, value: Any, sort: str) -> str | None:
    """What holds where the answer is this value; None of what a test cannot say."""
    if value is None or (isinstance(value, Fraction) and value.denominator != 1):
        return None
    if sort == "truth" or isinstance(value, bool):
        return ask if value else f"not ({ask})"
    if value == "none" and sort not in ("row", "thing"):
        return None
    if isinstance(value, str):
        return f"({ask}) is {value}"
    number = f'{abs(value)}"' if sort == "inches" else f"{abs(value)}"
    return f"({ask}) = {number}" if value >= 0 else f"({ask}) = {0 if sort != 'inches' else '0' + chr(34)} - {number}"


def _by_dice(path: Path, asks: Sequence[str], sorts: Sequence[str], seed: int | None, limit: int) -> list[str]:
    """One history: which faces fell, in their order, and what came of them."""
    from reference.chance import Script
    from reference.questions import answer, question
    from reference.situations import cases

    class Thrown(Script):
        """Throws as a seed has it, and notes each face."""

        def die(self, sides: int, address: Sequence[str]) -> int:
            face = dice.randint(1, sides)
            at = max((i for i, part in enumerate(address) if part in definitions), default=0)
            thrown.append((".".join(address[at:]), face))
            return face

    if seed is None:
        return []
    thrown: list[tuple[str, int]] = []
    dice = Random(seed)
    (case,) = cases(path)
    definitions = {*case.book.procedures, *case.book.of("rule"), *case.book.of("outcomes")}
    run = case.history(Thrown(None, []))
    tests = [test_of(a, answer(run, question(_compared(a, s))), s) for a, s in zip(asks, sorts, strict=True)]
    rows = [f"    - {plain(t)}" for t in tests if t is not None]
    return [*_scripted(thrown, by_line=bool(seed % 2)), "  then:", *rows] if rows else []


def _scripted(thrown: list[tuple[str, int]], *, by_line: bool) -> list[str]:
    """`dice:`, as one plain list or by line."""
    if not thrown:
        return []
    if not by_line:
        return [f"  dice: {' '.join(str(face) for _, face in thrown)}"]
    lines: dict[str, list[str]] = {}
    for line, face in thrown:
        lines.setdefault(line, []).append(str(face))
    return ["  dice:", *(f"    - {line} {' '.join(faces)}" for line, faces in lines.items())]


def _by_odds(path: Path, asks: Sequence[str], sorts: Sequence[str], seed: int | None, limit: int) -> list[str]:
    """Of each question the chance of each value, and of numbers the mean."""
    from reference import odds

    rows = []
    asked = [_compared(ask, sort) for ask, sort in zip(asks, sorts, strict=True)]
    for ask, sort, said, found in zip(asks, sorts, asked, odds(path, asked, limit=limit), strict=True):
        if found.band is not None:
            least, greatest = found.band
            rows.append(
                f"{_told(least)} to {_told(greatest)} {'that' if sort == 'truth' else 'mean'} {said if sort == 'truth' else f'({said})'}"
            )
            continue
        for value, chance in found.law.items():
            test = test_of(ask, value, sort)
            if sort == "truth" and value is False:  # `not` is also so where the line was not run
                chance += found.law.get(None, Fraction(0))
            if test is not None and chance:
                rows.append(f"{_told(chance)} that {test}")
        if sort == "number" and all(isinstance(v, int | Fraction) for v in found.law):
            rows.append(f"{_told(sum((v * p for v, p in found.law.items()), Fraction(0)))} mean ({said})")
    return ["  odds:", *(f"    - {plain(row)}" for row in rows if not row.startswith("-"))] if rows else []


def _by_table(path: Path, asks: Sequence[str], sorts: Sequence[str], seed: int | None, limit: int) -> list[str]:
    """Up to three questions in one table: a row for each outcome, the last ones together where they are many."""
    from reference.questions import laws, question
    from reference.situations import cases

    places = [i for i, sort in enumerate(sorts) if sort in ("truth", "number", "inches", "row")][:3]
    (case,) = cases(path)
    asked = [_compared(asks[i], sorts[i]) for i in places]
    found = laws(case, [question(text) for text in asked], limit)
    rows: dict[str, Fraction] = {}
    for values, weight in found.leaves:
        row = ", ".join(_outcome(value, sorts[i]) for value, i in zip(values, places, strict=True))
        rows[row] = rows.get(row, Fraction(0)) + weight
    if not places or found.chosen or len(set(asked)) < len(asked):
        return []
    told = [f"      {plain(row)}: {_told(chance)}" for row, chance in list(rows.items())[:_MOST_ROWS]]
    if len(rows) > _MOST_ROWS:
        told.append(f"      otherwise: {_told(sum([*rows.values()][_MOST_ROWS:], Fraction(0)))}")
    return ["  odds:", f"    {plain(', '.join(asked))}:", *told]


def _outcome(value: Any, sort: str) -> str:
    if value is None:
        return "not run"
    if sort == "truth":
        return "yes" if value else "no"
    return f'{value}"' if sort == "inches" else str(value)


def _compared(ask: str, sort: str) -> str:
    """A sum as it counts in a comparison: each collection for itself."""
    return f"({ask}) * 1" if sort == "number" and (" + " in ask or " - " in ask) else ask


def _told(number: Any) -> str:
    number = Fraction(number)
    return f"{number.numerator}/{number.denominator}"
