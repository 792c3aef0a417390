"""Rows of a trace → lines of a terminal: an indented tree with source positions right-aligned.

Enters: `Row`s. Leaves: lines of text; unless verbose, unapplied modifiers and the operands of a line only where they
add information. Knows nothing of how rows are made from events.
"""

from __future__ import annotations

import re

from interpreter.engines.trace_events import Event
from interpreter.source.values import Record, field

from .terminal import nearby, paint, width

_COLOURS = {
    "call": "bold",
    "throw": "cool",
    "effect": "warm",
    "tell": "warm",
    "choice": "good",
    "off": "dim",
    "left-out": "dim",
    "head": "bold",
}
_SIGNS = {"off": "- ", "left-out": "- ", "on": "+ ", "value": "= ", "look-up": "= "}


class Row(Record):
    """One row; `detail` rows are shown only in verbose output."""

    said: str
    event: Event | None = None
    kind: str = "plain"
    detail: bool = False
    rows: list[Row] = field(default_factory=list)


def shown(rows: list[Row], verbose: bool, depth: int = 0, within: bool = False) -> list[str]:
    lines: list[str] = []
    for row in rows:
        if row.detail and not verbose:
            continue
        inner = row.rows if verbose or row.kind not in ("on", "off") else [] if within else _worth_telling(row)
        said = row.said
        aside = ""
        if not verbose and row.kind == "on" and not inner:
            used = _asides(row)
            aside = f"   ({'; '.join(used)})" if used else ""
        lines += _placed("  " * depth, said, row, aside)
        if not verbose:
            inner = _fewer(inner)
        lines += shown(inner, verbose, depth + 1, row.kind == "on")
    return lines


def _fewer(rows: list[Row]) -> list[Row]:
    """Merges three or more rows of unapplied modifiers into one row with their names."""
    off = [r for r in rows if r.kind == "off" and not r.detail and r.event is not None and r.event.kind == "modifier"]
    if len(off) < 3:
        return rows
    names = ", ".join(r.event.name for r in off if r.event is not None)
    return [*(r for r in rows if r not in off), Row(f"not applied: {names}", None, "off")]


def _worth_telling(row: Row) -> list[Row]:
    """The lines of a value that a roll needs, if it has several: they explain the number."""
    if row.kind != "on":
        return []
    found = []
    for value in row.rows:
        if value.kind == "value" and _is_used(value, row.said) and len(value.rows) > 1:
            for line in value.rows:
                line.detail = False
                found.append(line)
    return found


def _asides(row: Row) -> list[str]:
    """Values and look-ups mentioned in a line, where they add information; none for a name with several values."""
    used = dict.fromkeys(r.said for r in row.rows if _is_used(r, row.said))
    end = row.said.rpartition(" → ")[2]
    own: dict[str, list[str]] = {}
    for said in used:
        name, _, value = said.partition(" is ")
        if value not in ("yes", "no", end) or (value == end and "." in name):
            own.setdefault(name, []).append(said)
    return list({name.rpartition(".")[2]: said[0] for name, said in own.items() if len(said) == 1}.values())


def _is_used(row: Row, said: str) -> bool:
    """Whether the row is a value or look-up that the text mentions."""
    name = row.said.partition(" is ")[0].rpartition(".")[2]
    return row.kind in ("value", "look-up") and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", said) is not None


def _placed(indent: str, said: str, row: Row, aside: str = "") -> list[str]:
    """The text with source position and citations right-aligned; on a second line if there is no room."""
    said = f"{indent}{_SIGNS.get(row.kind, '')}{said}"
    place = _place(row.event)
    room = width() - 2
    text = said + aside if len(said + aside) + len(place) <= room else said
    colour = _COLOURS.get(row.kind)
    painted = paint(text, colour) if colour else text
    if not place:
        return [painted]
    if len(text) + len(place) <= room:
        return [painted + " " * (room + 2 - len(text) - len(place)) + paint(place, "dim")]
    return [painted, paint(place.rjust(room + 2), "dim")]


def _place(event: Event | None) -> str:
    if event is None or not event.file or event.file == "do":
        return ""
    name = nearby(event.file).replace("\\", "/").rpartition("/")[2]
    return f"{name}:{event.row} {' '.join(event.clauses)}".rstrip()
