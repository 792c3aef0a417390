"""Rows of a trace → lines of a terminal: an indented tree with source positions right-aligned.

Enters: `Row`s. Leaves: lines of text. Knows nothing of how rows are made from events, nor of which are shown.
"""

from __future__ import annotations

from interpreter.engines.trace_events import Event
from interpreter.surfaces.as_trace.rows import Line, Row, lines

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


def shown(rows: list[Row], verbose: bool) -> list[str]:
    return [text for line in lines(rows, verbose) for text in _placed(line)]


def _placed(line: Line) -> list[str]:
    """The text with source position and citations right-aligned; on a second line if there is no room."""
    said = "  " * line.depth + line.said
    place = _place(line.row.event)
    room = width() - 2
    text = said + line.aside if len(said + line.aside) + len(place) <= room else said
    colour = _COLOURS.get(line.row.kind)
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
