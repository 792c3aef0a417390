"""Weights of worlds: whole numbers over one denominator a front.

Enters and leaves: fronts as `{world: weight}` with their denominators. Knows nothing of what a world is.
"""

from __future__ import annotations

from math import lcm
from typing import Any

__all__ = ["lcm", "level", "merge", "scale"]


def scale(front: dict[Any, int], by: int) -> None:
    for world in front:
        front[world] *= by


def level(den: int, *fronts: Any) -> int:
    """The least common multiple of a denominator and those of some fronts (a front, its denominator, and so on), which
    are over it from here on.
    """
    both = den
    for front, other in zip(fronts[::2], fronts[1::2], strict=True):
        if front and other != both:
            both = lcm(both, other)
    for front, other in zip(fronts[::2], fronts[1::2], strict=True):
        if front and other != both:
            scale(front, both // other)
    return both


def merge(front: dict[Any, int], den: int, more: dict[Any, int] | None, other: int) -> int:
    """Puts more worlds into a front; its new denominator."""
    if not more:
        return den
    both = lcm(den, other) if front else other
    if front and both != den:
        scale(front, both // den)
    by = both // other
    for world, weight in more.items():
        front[world] = front.get(world, 0) + weight * by
    return both
