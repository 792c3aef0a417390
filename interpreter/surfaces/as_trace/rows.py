"""Selects the lines that a reader sees from the rows of a trace: unless verbose, unapplied modifiers and the operands
of a line only if they add information.

Takes `Row`s. Gives `Line`s, each with its depth. Knows nothing of how rows are made from events, nor of where lines are
shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.engines.trace_events import Event
from interpreter.source.values import Record, Struct, field

_SIGNS = {"off": "- ", "left-out": "- ", "on": "+ ", "value": "= ", "look-up": "= "}


class Row(Record):
    """One row; `detail` rows are shown only in verbose output."""

    said: str
    event: Event | None = None
    kind: str = "plain"
    detail: bool = False
    rows: list[Row] = field(default_factory=list)


class Line(Struct):
    """A row at its `depth`; `aside` are values that it mentions, to be shown if there is room."""

    depth: int
    row: Row
    aside: str = ""

    @property
    def said(self) -> str:
        return f"{_SIGNS.get(self.row.kind, '')}{self.row.said}"


def lines(rows: list[Row], verbose: bool, depth: int = 0, within: bool = False) -> Iterator[Line]:
    """The lines to show of some rows and of those nested in them, depth first. Unless `verbose`, rows of detail are
    left out, and operands that add nothing. `within`: the rows are nested in a modifier that applied, so that no more
    is shown of the modifiers among them.
    """
    for row in rows:
        if row.detail and not verbose:
            continue
        inner = row.rows if verbose or row.kind not in ("on", "off") else [] if within else _worth_telling(row)
        aside = ""
        if not verbose and row.kind == "on" and not inner:
            used = _asides(row)
            aside = f"   ({'; '.join(used)})" if used else ""
        yield Line(depth, row, aside)
        if not verbose:
            inner = _fewer(inner)
        yield from lines(inner, verbose, depth + 1, row.kind == "on")


def _fewer(rows: list[Row]) -> list[Row]:
    """Merge three or more rows of unapplied modifiers into one row with their names."""
    off = [r for r in rows if r.kind == "off" and not r.detail and r.event is not None and r.event.kind == "modifier"]
    if len(off) < 3:
        return rows
    names = ", ".join(r.event.name for r in off if r.event is not None)
    return [*(r for r in rows if r not in off), Row(f"not applied: {names}", None, "off")]


def _worth_telling(row: Row) -> list[Row]:
    """The lines of a value that a roll needs if it has several, since they explain the number."""
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
    """Values and look-ups mentioned in a line, if they add information; none for a name with several values."""
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
