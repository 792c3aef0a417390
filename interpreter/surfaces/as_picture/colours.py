"""The colours of the two themes, how one drawing supports both, and the style sheet of a page.

A drawing uses the colours of the light theme as plain attributes, which every SVG viewer understands. A style element
in it maps each of them to its colour in the dark theme, which browsers apply by the reader's preference; so each role
needs a distinct light colour. Texts have a contrast of at least 4.5:1 and bars of 3:1 (checked in
tests/test_pictures.py); no two series and no two steps differ in hue only. The style sheet of a page refers to nothing
external.
"""

from __future__ import annotations

from collections.abc import Iterable

PAPER, INK, MUTED, TRACK, RIM = "#ffffff", "#1b2027", "#56606d", "#e9ecf0", "#d0d5db"

# Bars, and the paler variant for the part that depends on an open choice.
SERIES = ("#0a6aa6", "#b4530a", "#0b7a5b", "#96479b")
PALE = ("#a9cfe8", "#f2c9a4", "#a5dcca", "#ddbfe0")

# From low to high with evenly falling lightness, readable in greyscale.
STEPS = (
    "#fbf9d3", "#d2eba9", "#8edf9f", "#4acaad", "#18adb3", "#067fa1", "#076798", "#024f90", "#17397b", "#162562",
)  # fmt: skip
ON_PALE, ON_DEEP = "#10141a", "#fefefe"  # text on the first half of the steps, and on the second

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
    """The CSS of the dark theme for a drawing that uses these colours."""
    rules = "".join(f'[fill="{day}"]{{fill:{DARK[day]}}}' for day in sorted(used))
    return f"@media (prefers-color-scheme:dark){{{rules}}}"


def step(share: float) -> int:
    """The index of the step for a share from 0 to 1."""
    return min(int(share * len(STEPS)), len(STEPS) - 1)


# ---- a page
_BACK, _BACK_DARK = "#f3f5f7", "#0d1014"
_COLOURS = {"paper": PAPER, "ink": INK, "muted": MUTED, "rim": RIM, "row": TRACK}
_DAY = "; ".join(f"--{name}: {colour}" for name, colour in _COLOURS.items())
_NIGHT = "; ".join(f"--{name}: {DARK[colour]}" for name, colour in _COLOURS.items())

STYLE = f"""
:root {{ color-scheme: light dark; --ground: {_BACK}; {_DAY} }}
@media (prefers-color-scheme: dark) {{
  :root {{ --ground: {_BACK_DARK}; {_NIGHT} }}
}}
* {{ box-sizing: border-box }}
body {{
  margin: 0; padding: 20px 12px 32px;
  background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
}}
header, footer {{ max-width: 1148px; margin: 0 auto; padding: 0 4px; overflow-wrap: anywhere }}
h1 {{ margin: 0 0 6px; font-size: 1.5rem; line-height: 1.25 }}
p {{ margin: 0 0 4px }}
.soft, footer, caption {{ color: var(--muted); font-size: .875rem }}

main {{ display: flex; flex-wrap: wrap; gap: 16px; align-items: start; max-width: 1148px; margin: 20px auto }}
figure {{
  flex: 1 1 336px; min-width: 0; max-width: 372px; margin: 0;
  background: var(--paper); border: 1px solid var(--rim); border-radius: 10px; overflow: hidden;
}}
figure:only-child {{ max-width: 560px }}
figure.wide {{ flex-basis: 100%; max-width: max-content }}
.drawing {{ overflow-x: auto }}
svg {{ display: block; width: 100%; max-width: 480px; height: auto; margin: 0 auto }}
.wide svg {{ width: auto; max-width: none; margin: 0 }}
svg text {{ font-family: system-ui, sans-serif }}

details {{ border-top: 1px solid var(--rim) }}
summary {{ padding: 10px 16px; cursor: pointer; color: var(--muted); font-size: .875rem }}
:focus-visible {{ outline: 2px solid var(--muted); outline-offset: -3px }}
.numbers {{ overflow-x: auto; padding: 0 16px 14px }}
table {{ border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums }}
caption {{ text-align: left; padding-bottom: 6px }}
th, td {{ padding: 4px 14px 4px 0; text-align: left; vertical-align: top; border-top: 1px solid var(--row) }}
th {{ font-weight: 600; white-space: nowrap }}
thead th {{ color: var(--muted); font-weight: 500; border-top: 0 }}
.exact {{ white-space: nowrap }}
.long {{ min-width: 44ch; overflow-wrap: anywhere }}
@media print {{ figure {{ break-inside: avoid }} }}
"""
