"""A second meaning of the language, written from the manual alone: plain, slow and obvious.

`odds` works out laws of questions by following every outcome of every die, one history at a time; `play` follows one
history with a script of faces. Nothing here knows the interpreter's engines: it reads the located tree of a file
(`interpreter.document`) and the parsed sentences (`interpreter.language`), and gives them their meaning by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

Value = int | Fraction | bool | str | None


class TooLarge(Exception):
    """There are more histories than the limit allows."""


class Unsupported(Exception):
    """Something that the reference does not work out; the message names the construct."""


@dataclass(frozen=True)
class Answer:
    """What a question came to: `law` says how likely each value is (None: not run), `band` the least and the greatest
    of the mean or the probability, where choices are open.
    """

    question: str
    law: dict[Value, Fraction]
    band: tuple[Fraction, Fraction] | None


def odds(
    situation: Path | str, ask: Sequence[str] | None = None, *, example: str | None = None, limit: int = 200_000
) -> list[Answer]:
    """Laws of questions, worked out by following every history.

    `situation` is a situation file, or a rule file or file of examples with `example` naming one of its examples; its
    `rules:` are looked for beside it, then among the shipped sets.
    """
    from .questions import answers, asked_of
    from .situations import cases

    found = list(cases(situation, example))
    if len(found) != 1:
        raise Unsupported("several situations at once" if found else f"no example is called {example}")
    try:
        return answers(found[0], list(ask) if ask is not None else asked_of(found[0]), limit)
    except RecursionError:
        raise TooLarge("calls, one in the other, without an end") from None


def play(situation: Path | str, dice: Sequence[int], *, example: str | None = None) -> dict[str, Value]:
    """One history with a plain script of faces: what the situation's questions come to."""
    from .chance import Script
    from .questions import answer, asked_of, question
    from .situations import cases

    (case,) = cases(situation, example)
    run = case.history(Script(None, list(dice)))
    return {text: answer(run, question(text)) for text in asked_of(case)}
