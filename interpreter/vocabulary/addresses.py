"""Addresses of lines, and the shorter ones that people say.

Enters: texts. Leaves: whether one names the other. Knows nothing of what a line is.
"""

from __future__ import annotations


def addressed(key: str, line: str, *, last: bool = False) -> bool:
    """Whether `key` names the line: parts of its address in order, some left out (`suffer.down` for
    `suffer.split.down`).

    With `last`, the key's last part must be the line's own name; without, cases under a line answer to its
    name as well.
    """
    wanted, parts = key.split("."), line.split(".")
    if last and wanted[-1] != parts[-1]:
        return False
    rest = iter(parts)
    return all(part in rest for part in wanted)


def place_of(when: str, line: str) -> str:
    """The name of the place before or after a line: `volleys.out` has `volleys.after-out`."""
    block, dot, name = line.rpartition(".")
    return f"{block}{dot}{when}-{name}"


def is_place(part: str) -> bool:
    """Whether a part of an address looks like such a place."""
    return part.startswith(("before-", "after-"))
