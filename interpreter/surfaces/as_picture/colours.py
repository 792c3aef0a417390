"""The colours of the two themes, and how one drawing wears both.

A drawing has the colours of the light theme as plain attributes, which every program that shows SVG understands. A
style in it says for each of them what it is in the dark theme; a browser heeds it where somebody prefers the dark.
So each name has a light colour of its own. Texts stand out by 4.5 to 1 and bars by 3 to 1, tests/test_pictures.py
counts it; no two series and no two steps are told apart by hue alone.
"""

from __future__ import annotations

from collections.abc import Iterable

PAPER, INK, MUTED, TRACK, RIM = "#ffffff", "#1b2027", "#56606d", "#e9ecf0", "#d0d5db"

# A bar, and the paler one for what depends on somebody's choice.
SERIES = ("#0a6aa6", "#b4530a", "#0b7a5b", "#96479b")
PALE = ("#a9cfe8", "#f2c9a4", "#a5dcca", "#ddbfe0")

# From little to much, lightness falling evenly: it can be read without any colour at all.
STEPS = (
    "#fbf9d3", "#d2eba9", "#8edf9f", "#4acaad", "#18adb3", "#067fa1", "#076798", "#024f90", "#17397b", "#162562",
)  # fmt: skip
ON_PALE, ON_DEEP = "#10141a", "#fefefe"  # what is written on the first half of the steps, and on the second

DARK = {
    PAPER: "#15191f", INK: "#e8eaed", MUTED: "#a3acb8", TRACK: "#262c35", RIM: "#3a424e",
    **dict(zip(SERIES, ("#5cb3ee", "#f0a24a", "#4cc9a0", "#dd9be0"), strict=True)),
    **dict(zip(PALE, ("#254d6b", "#6b4722", "#205a49", "#613f63"), strict=True)),
    **dict(zip(STEPS, (
        "#182544", "#163664", "#0c4a7a", "#03628b", "#087b97", "#0ba8aa", "#35c5a1", "#7dda8c", "#c4e97f", "#fbf59c",
    ), strict=True)),
    ON_PALE: "#fdfdfd", ON_DEEP: "#11151b",
}  # fmt: skip


def dark_style(used: Iterable[str]) -> str:
    """The dark theme of a drawing in which these colours are used."""
    rules = "".join(f'[fill="{day}"]{{fill:{DARK[day]}}}' for day in sorted(used))
    return f"@media (prefers-color-scheme:dark){{{rules}}}"


def step(share: float) -> int:
    """Which of the steps a share from 0 to 1 is given."""
    return min(int(share * len(STEPS)), len(STEPS) - 1)
