"""Family C: chains of tables and procedures that lead back to themselves, and rounds that do not end.

The entries of the codes `C001` and on. This module does not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue import Entry, page


def _mishaps(again: str, twice: str) -> str:
    return f"""
        table mishaps of unit (face) by face:
          1-3: unit gains tired
          {again}:
            worse: unit.mishaps(d6)
            worse-too: {twice}
        to try (unit):
          effect: unit.mishaps(d6)
        """


ENTRIES: dict[str, Entry] = {
    **page(
        "C001",
        "{loop}: this does not die out",
        "A table may send back to itself, as long as less than one new throw on average follows from each. Here it is "
        "{mean}, so the chain would grow for ever at some tables. Let fewer faces lead back, or fewer throws follow.",
        _mishaps("4-6", "unit.mishaps(d6)"),
        _mishaps("4-6", "nothing"),
    ),
    **page(
        "C002",
        "{loop}: this never ends",
        "Whatever the dice show, and whatever a situation says, this leads back to itself. Put a condition somewhere "
        "on the way round, or a face that leads out.",
        "to try (unit):\n  next: unit tries",
        "to try (unit):\n  face: d6\n  next, if face = 6: unit tries",
        hint="give a line on the way round a condition: `…, if …:`",
    ),
    **page(
        "C003",
        "nothing in `{step}` can bring its end",
        "The rounds go on until something holds, and no line of them throws for it, changes it or asks anybody. So "
        "they stop at once, or never. Look for the line that should have brought the end, or ask for something else.",
        "to try (unit):\n  tries, repeat until unit.skill > 4:\n    calm: unit loses tired",
        "to try (unit):\n  tries, repeat until unit.skill > 4:\n    calm: unit gains 1 skill",
        hint="let a line of these rounds throw or change what they wait for, or wait for something else",
    ),
    **page(
        "C004",
        "`{name}` only goes {way} in these rounds, and they wait for it to go {other}",
        "The rounds go on until something holds, and each of them leads away from it or leaves it as it is. So they "
        "stop after the first one, or never. Turn the line round, or the comparison. Of a line of the rounds "
        "themselves all rounds so far are seen together: its numbers are added up, and one yes makes it yes.",
        """
        to try (unit):
          left: 3
          tries, repeat until left <= 0:
            fewer: left becomes left + 1
        """,
        """
        to try (unit):
          left: 3
          tries, repeat until left <= 0:
            fewer: left becomes left - 1
        """,
        hint="turn the comparison round, or let a line of these rounds make `{name}` go {other}",
    ),
}
