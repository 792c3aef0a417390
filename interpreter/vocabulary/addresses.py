"""Addresses of lines, and their abbreviations.

Takes texts; returns whether one refers to the other. This module does not know what a line is.
"""

from __future__ import annotations


def addressed(key: str, line: str, *, last: bool = False) -> bool:
    """Return whether `key` refers to the line: the parts of its address in order, some of them omitted (`suffer.down`
    for `suffer.split.down`).

    With `last`, the last part of the key must be the name of the line itself; without, it may also be the name of a
    line that contains it as a case.
    """
    wanted, parts = key.split("."), line.split(".")
    if last and wanted[-1] != parts[-1]:
        return False
    rest = iter(parts)
    return all(part in rest for part in wanted)


def place_of(when: str, line: str) -> str:
    """Return the address of the place before or after a line: `after`, `volleys.out` give `volleys.after-out`."""
    block, dot, name = line.rpartition(".")
    return f"{block}{dot}{when}-{name}"


def is_place(part: str) -> bool:
    """Return whether a part of an address has the form of such a place."""
    return part.startswith(("before-", "after-"))
