"""Tables of a terminal: a cell is a text, and how dark it is.

Enters: texts and shares. Leaves: lines. What is darker can be read as figures too: colour and shade only help the eye.
Knows nothing of odds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from .terminal import can_show, paint, width

Cell = tuple[str, Fraction | None]  # without a share a cell has no shade
Row = tuple[str, Sequence[Cell]]

_SHADES = " ░▒▓█"
_LETTERS = " .:*#"


def shade(share: Fraction) -> str:
    """Two cells of a screen, the darker the greater: nothing is white, all is black."""
    signs = _SHADES if can_show(_SHADES) else _LETTERS
    step = 0 if share <= 0 else min(4, 1 + int(share * 4))
    return signs[step] * 2


def shaded(corner: str, above: str, columns: Sequence[str], rows: Sequence[Row]) -> list[str]:
    """A table under the name of its columns; what is too wide for the screen goes on below."""
    label = max([len(corner), *(len(name) for name, _ in rows)])
    plain = all(share is None for _, cells in rows for _, share in cells)
    dark = 0 if plain else 3
    wide = max([len(c) for c in columns] + [len(text) + dark for _, cells in rows for text, _ in cells])
    many = max(1, (width() - label - 2) // (wide + 2))
    lines: list[str] = []
    for start in range(0, len(columns), many):
        part = slice(start, start + many)
        if above:
            room = (wide + 2) * len(columns[part]) - 2
            lines.append(f"  {'':>{label}}  {paint(above[:room].rjust(wide), 'dim')}".rstrip())
        heads = "".join(f"  {c:>{wide}}" for c in columns[part])
        lines.append(paint(f"  {corner:>{label}}{heads}", "dim"))
        for name, cells in rows:
            lines.append((f"  {name:>{label}}" + "".join(f"  {_cell(c, wide)}" for c in cells[part])).rstrip())
    return lines


def _cell(cell: Cell, wide: int) -> str:
    text, share = cell
    if share is None:
        return f"{text:>{wide}}"
    return paint(shade(share), "good") + f"{text:>{wide - 2}}"


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Plain columns, all of them to the right."""
    rows = list(rows)
    wides = [max(len(head), *(len(row[i]) for row in rows)) for i, head in enumerate(heads)]
    lines = [paint("  " + "  ".join(f"{h:>{w}}" for h, w in zip(heads, wides, strict=True)), "dim")]
    return [*lines, *("  " + "  ".join(f"{t:>{w}}" for t, w in zip(row, wides, strict=True)) for row in rows)]
