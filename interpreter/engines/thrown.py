"""Dice in a trace: the target of a roll, the order in which faces fell, and whether they are fully reported.

Input: faces, the noted targets of a roll, the events of a call. Output: parts of an event as plain values. It knows
only the convention of a roll, not rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.program.runtime import succeeding
from interpreter.program.words import number

from .trace_events import Event, walk


def needs(convention: Any, notes: Sequence[Any]) -> dict[str, Any]:
    """Return the target of a roll and the modifier of the die; for several figures, each distinct target."""
    if convention is None:
        return {}
    found: dict[str, Any] = {"sides": convention.sides, "needs": None, "change": 0}
    if not notes:
        return found
    end = "+" if convention.over else " or less"
    each = dict.fromkeys(number(values[0]) + end for values in notes if values[0] is not None)
    _, change, dice, best, _, verdict = notes[-1]
    found |= {"needs": " and ".join(each) or None, "change": change}
    if dice != 1:
        found |= {"dice-each": dice, "best": best}
    if verdict is not None:
        found["verdict"] = "passes" if verdict else "fails"
    return found


def passing(c: Any, target: Sequence[Any], faces: Sequence[int]) -> int:
    """Return the number of faces that pass a roll."""
    need, change, *_, verdict = target
    if verdict is not None or c is None:
        return len(faces) if verdict else 0
    mask = succeeding(c.sides, c.over, c.always, c.never, need, change)
    return sum(mask >> f & 1 for f in faces)


def in_throw_order(faces: Sequence[int], events: Iterable[Event]) -> list[int]:
    """Return the faces in the order in which they fell: as in the latest throw that contains all of them, else over all
    throws.
    """
    if len(set(faces)) < 2:
        return list(faces)
    throws = [e.data["dice"] for e in walk(events) if e.kind == "throw" and "dice" in e.data]
    wanted = Counter(faces)
    for thrown in (*reversed(throws), [f for dice in throws for f in dice]):
        if wanted <= Counter(thrown):
            return _some_of(thrown, wanted)
    return list(faces)


def is_reported(faces: Sequence[int], events: Iterable[Event]) -> bool:
    """Return whether events about a roll report all these faces already."""
    known: Counter[int] = Counter()
    for event in walk(events):
        if event.data.get("looked"):
            known.update(event.data["dice"])
    return Counter(faces) <= known


def require_report(names: set[str], events: Iterable[Event]) -> None:
    """Clear `judged` on the dice lines `names`, because a condition depends on them, so that they are reported."""
    for event in walk(events):
        if event.data.get("judged") and event.data["value"] and event.name in names:
            event.data["judged"] = False


def _some_of(thrown: Iterable[int], wanted: Counter[int]) -> list[int]:
    left = wanted.copy()
    found = []
    for face in thrown:
        if left[face]:
            left[face] -= 1
            found.append(face)
    return found
