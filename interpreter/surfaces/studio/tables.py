"""Answers as tables: bars beside the numbers, heat maps of coloured cells; accessible to screen readers.

Takes `Bars` and `Heat`. Gives elements of the page. Every text is shown as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from nicegui import ui

from interpreter.source.digits import format_number, format_share
from interpreter.surfaces.as_charts import Bars, Heat, Picture, Value
from interpreter.surfaces.as_picture.colours import step
from interpreter.surfaces.as_picture.picture_files import printable

from .parts import Text


def pictures(shown: Sequence[Picture], exact: bool) -> None:
    """Tables below each other. Heat maps of the same question share a colour scale, to be comparable."""
    tops: dict[str, Fraction] = {}
    for one in shown:
        if isinstance(one, Heat):
            worth = max((v.most for row in one.cells for v in row if v is not None), default=Fraction(1))
            tops[_asked(one)] = max(Fraction(1) if one.chances else worth, tops.get(_asked(one), Fraction(0)))
    for one in map(printable, shown):
        if isinstance(one, Bars):
            _bars(one, exact)
        else:
            _heat(one, exact, tops[_asked(one)])


def _asked(heat: Heat) -> str:
    """The question of a map, without a suffix such as `, before`."""
    return heat.title.rpartition(", ")[0] or heat.title


def _bars(bars: Bars, exact: bool) -> None:
    rows = bars.table if exact else bars.rows
    form = bars.form(rows)
    full = Fraction(1) if bars.whole else max((v.most for row in rows for v in row.values), default=Fraction(1))
    with ui.element("div").classes("u-scroll"), ui.element("table").classes("u-table"):
        Text("caption", bars.title)
        with ui.element("thead"), ui.element("tr"):
            Text("th", bars.first).props('scope="col"')
            Text("th", "").props("aria-hidden=true")
            for i, series in enumerate(bars.series):
                with ui.element("th").props('scope="col"').classes("u-number-cell"), ui.element("span"):
                    ui.element("span").classes(f"u-key-box s{i}").props("aria-hidden=true")
                    Text("span", series.name or bars.what)
            for series in bars.series if exact else ():
                Text("th", f"{series.name} exactly".strip()).props('scope="col"')
        with ui.element("tbody"):
            for row in rows:
                with ui.element("tr"):
                    Text("th", row.label).props('scope="row"')
                    with ui.element("td").classes("u-bars").props("aria-hidden=true"):
                        for i, value in enumerate(row.values):
                            _bar(float(value.most / full) if full else 0.0, i)
                    for value in row.values:
                        Text("td", value.said(form)).classes("u-number-cell")
                    for value in row.values if exact else ():
                        Text("td", value.exact).classes("u-exact")
    means = [
        f"{s.name}: {s.said(format_number)}" if s.name else s.said(format_number)
        for s in bars.series
        if s.said(format_number)
    ]
    if means:
        ui.label("; ".join(means)).classes("u-soft")


def _bar(part: float, series: int) -> None:
    """A bar that fills that part of its track, from 0 to 1."""
    with ui.element("div").classes("u-track"):
        ui.element("div").classes(f"u-fill s{series}").style(f"width:{part * 100:.2f}%")


def _heat(heat: Heat, exact: bool, top: Fraction) -> None:
    form = format_share if heat.chances else format_number
    said = f"{heat.title}: {heat.down.name} down, {heat.across.name} across"
    ui.label(said).classes("u-caption").props("aria-hidden=true")  # a caption would scroll with its table
    scrolls = ui.element("div").classes("u-scroll").props('tabindex="0" role="region"')
    scrolls.props["aria-label"] = heat.title
    with scrolls, ui.element("table").classes("u-table u-heat") as table:
        table.props["aria-label"] = said
        with ui.element("thead"), ui.element("tr"):
            ui.element("td")
            for label in heat.across.labels:
                Text("th", label).props('scope="col"')
        with ui.element("tbody"):
            for i, label in enumerate(heat.down.labels):
                with ui.element("tr"):
                    Text("th", label).props('scope="row"')
                    for j in range(len(heat.across.labels)):
                        _cell(heat, i, j, top, lambda v: v.exact if exact else v.said(form))
    ui.label(heat.note).classes("u-soft")


def _cell(heat: Heat, down: int, across: int, top: Fraction, said: Callable[[Value], str]) -> None:
    value = heat.cells[down][across]
    cell = Text("td", heat.said(down, across, said))
    if value is not None:
        cell.classes(f"u-step-{step(float(value.most / top) if top else 0.0)}")
