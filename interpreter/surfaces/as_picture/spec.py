"""A picture as a Vega-Lite specification, as plain data.

Takes a picture. Gives a dictionary. The width is that of a phone, so that text is readable there; a wider page has
several side by side. Rows and cells are identified by index, and their labels looked up by it, so that outcomes with
equal labels stay separate. Knows nothing of the drawing library.
"""

from __future__ import annotations

import json
from textwrap import wrap
from typing import Any

from interpreter.source.digits import format_number
from interpreter.source.values import replace
from interpreter.surfaces.as_charts import Bars, Form, Heat, Picture, Value

from .colours import INK, MUTED, ON_DEEP, ON_PALE, PALE, PAPER, SERIES, STEPS, TRACK, step

WIDTH, PADDING = 360, 16
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"  # metric-compatible fonts; the library ships the first
Json = dict[str, Any]

_LETTER = 7.0  # approximate width of a character at 13 pixels
_BAR = 22
_LONG = 15  # labels with more characters are placed above their bars
_SEEN = 160  # a possible outcome is drawn with at least 1/160 of the full width
_NARROW, _ROOMY = 27, 44  # width of a cell with `35`, with `35.1%`


def spec(picture: Picture) -> Json:
    """The Vega-Lite specification of a picture."""
    made = _bars(picture) if isinstance(picture, Bars) else _heat(picture)
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "background": PAPER,
        "padding": PADDING,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "width": WIDTH,
        "title": _title(picture),
        "config": _CONFIG,
        **made,
    }


_CONFIG: Json = {
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "labelFontSize": 13, "labelPadding": 6, "labelLimit": 0, "labelOverlap": False,
        "titleColor": MUTED, "titleFontSize": 12, "titleFontWeight": "normal",
        "ticks": False, "domain": False, "grid": False,
    },
    "legend": {"labelColor": INK, "labelFontSize": 12, "titleColor": MUTED, "titleFontSize": 12},
}  # fmt: skip


def _title(picture: Picture) -> Json:
    note = _note(picture)
    notes = wrap(note, 54)
    return {
        "text": wrap(picture.title, 40) or "",
        **({"subtitle": notes} if notes else {}),
        "anchor": "start", "frame": "bounds", "offset": 12,
        "fontSize": 15, "lineHeight": 19, "color": INK,
        "subtitleFontSize": 12, "subtitleLineHeight": 17, "subtitleColor": MUTED, "subtitlePadding": 4,
    }  # fmt: skip


def _note(picture: Picture) -> str:
    if isinstance(picture, Heat):
        return picture.note
    return picture.series[0].note(picture.exact) if len(picture.series) == 1 else ""


# ---- bars
def _bars(picture: Bars) -> Json:
    above = max((len(row.label) for row in picture.rows), default=0) > _LONG
    top = 1.0 if picture.whole else max((float(v.most) for row in picture.rows for v in row.values), default=1.0)
    top = top or 1.0
    low = min([0.0, *(float(v.least) for row in picture.rows for v in row.values)])
    form = picture.form(picture.rows)
    said = max((len(v.said(form)) for row in picture.rows for v in row.values), default=0)
    rows = [_drawn(picture, i, j, v, top, form) for i, row in enumerate(picture.rows) for j, v in enumerate(row.values)]
    labels = json.dumps([row.label for row in picture.rows])
    shown = None if above else {"title": None, "labelExpr": f"{labels}[datum.value]"}
    slots = [*([-1] if above else []), *range(len(picture.series))]
    x = {
        "field": "least",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [low, top], "range": [0, {"expr": f"width - {said * _LETTER + 8:.0f}"}]},
    }
    offset = {"field": "series", "type": "ordinal", "scale": {"domain": slots, "paddingInner": 0.08}}
    colour = _series_scale(picture)
    layers: list[Json] = []
    full = {key: part for key, part in x.items() if key != "field"} | {"datum": top}
    if picture.whole:
        layers.append({"mark": _bar(color=TRACK), "encoding": {"x": full, "yOffset": offset}})
    if any(v.least != v.most for row in picture.rows for v in row.values):
        pale = {"field": "pale", "type": "nominal", "scale": None}
        ends = {"x": x, "x2": {"field": "most"}}
        layers.append({"mark": _bar(), "encoding": {**ends, "yOffset": offset, "color": pale}})
    layers += [
        {"mark": _bar(aria=True), "encoding": {"x": x, "yOffset": offset, "color": colour, "description": _HOVER}},
        {
            "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 13, "color": INK, "aria": False},
            "encoding": {
                "x": full if picture.whole else x | {"field": "most"},
                "yOffset": offset,
                "text": {"field": "said"},
            },
        },
    ]
    if above:
        heads = [{"row": i, "series": -1, "label": row.label} for i, row in enumerate(picture.rows)]
        mark = {"type": "text", "align": "left", "baseline": "bottom", "dy": 9, "fontSize": 13, "color": INK}
        label = {"x": {"value": 0}, "yOffset": offset, "text": {"field": "label"}}
        layers.append({"data": {"values": heads}, "mark": {**mark, "aria": False}, "encoding": label})
    inner = 0.12 if len(slots) == 1 else 0.2
    y = {"field": "row", "type": "ordinal", "axis": shown, "scale": {"paddingInner": inner, "paddingOuter": 0}}
    return {
        "data": {"values": rows},
        "height": {"step": _BAR, "for": "offset"} if len(slots) > 1 else {"step": _BAR + 4},
        "encoding": {"y": y},
        "layer": layers,
    }


_HOVER: Json = {"field": "exact", "type": "nominal"}


def _bar(**more: Any) -> Json:
    return {"type": "bar", "aria": False, **more}


def _drawn(picture: Bars, row: int, series: int, value: Value, top: float, form: Form) -> Json:
    name = f"{picture.series[series].name}, " if picture.series[series].name else ""
    least, most = (max(float(v), top / _SEEN) if v > 0 else float(v) for v in (value.least, value.most))
    said = value.said(form)
    exact = f"{picture.rows[row].label}: {name}{said}, exactly {value.exact}"
    pale = PALE[series % len(PALE)]
    return {
        "row": row,
        "series": series,
        "least": least,
        "most": most,
        "said": said,
        "exact": exact,
        "pale": pale,
    }


def _series_scale(picture: Bars) -> Json:
    places = list(range(len(picture.series)))
    names = json.dumps([one.named(picture.exact) for one in picture.series])
    shown = {
        "title": None, "orient": "top", "direction": "vertical", "symbolType": "square", "labelLimit": 300,
        "symbolStrokeWidth": 0, "symbolSize": 130, "offset": 8, "labelExpr": f"{names}[datum.value]",
    }  # fmt: skip
    scale = {"domain": places, "range": [SERIES[i % len(SERIES)] for i in places]}
    return {"field": "series", "type": "ordinal", "scale": scale, "legend": shown if len(places) > 1 else None}


# ---- heat maps
def _heat(picture: Heat) -> Json:
    down, across, cells = picture.down, picture.across, picture.cells
    if len(across.labels) > len(down.labels):  # the longer axis is vertical, to fit a phone
        down, across, cells = across, down, tuple(zip(*cells, strict=True))
    ends = ends_of(picture)
    side = max((len(label) for label in down.labels), default=0) * _LETTER + 2 * PADDING + 30
    room = (WIDTH - side) / max(len(across.labels), 1)
    form = picture.form
    wide = max((len(v.said(form)) for row in cells for v in row if v), default=0) * 6.4 + 6
    column = max(room, _NARROW)
    short = column < max(wide, _ROOMY if picture.chances else 0)

    def where(i: int, j: int) -> str:
        return f"{down.name} {down.labels[i]}, {across.name} {across.labels[j]}"

    rows = [
        {
            "down": i,
            "across": j,
            "step": step(share_of(v, ends)),
            "said": v.said(form).removesuffix("%") if not short else _brief(v, picture.chances),
            "exact": f"{where(i, j)}: {v.wholly(form, ', exactly ')}",
        }
        for i, row in enumerate(cells)
        for j, v in enumerate(row)
        if v is not None
    ]
    names = [json.dumps(list(axis.labels)) for axis in (down, across)]
    scale = {"paddingInner": 0.05, "paddingOuter": 0}
    angle = -45 if max((len(label) for label in across.labels), default=0) * 7 > column else 0
    return {
        "data": {"values": rows},
        **({"width": column * len(across.labels) + side} if column > room else {}),
        "height": {"step": 30},
        "encoding": {
            "y": {
                "field": "down", "type": "ordinal", "scale": scale,
                "axis": {"title": down.name, "labelExpr": f"{names[0]}[datum.value]"},
            },
            "x": {
                "field": "across", "type": "ordinal", "scale": scale,
                "axis": {
                    "title": across.name, "labelExpr": f"{names[1]}[datum.value]", "orient": "top", "labelAngle": angle,
                },
            },
        },
        "layer": [
            {
                "mark": {"type": "rect", "aria": True},
                "encoding": {
                    "color": {
                        "field": "step", "type": "ordinal", "legend": None,
                        "scale": {"domain": list(range(len(STEPS))), "range": list(STEPS)},
                    },
                    "description": _HOVER,
                },
            },
            {
                "mark": {"type": "text", "aria": False, "fontSize": 12},
                "encoding": {
                    "text": {"field": "said"},
                    "color": {
                        "condition": {"test": f"datum.step < {len(STEPS) // 2}", "value": ON_PALE},
                        "value": ON_DEEP,
                    },
                },
            },
        ],
    }  # fmt: skip


def ends_of(picture: Heat) -> tuple[float, float]:
    """The values of the first and the last step: from 0, unless all values lie in the upper half of that range or
    some are negative.
    """
    if picture.ends is not None:
        return float(picture.ends[0]), float(picture.ends[1])
    found = [(float(v.least) + float(v.most)) / 2 for row in picture.cells for v in row if v]
    low, high = min(found, default=0.0), max(found, default=0.0)
    return (low if low < 0 or low > high / 2 else 0.0, high)


def share_of(value: Value, ends: tuple[float, float]) -> float:
    """The position of the middle of a value between two `ends`: 0 at the first, 1 at the second; 0.5 if the second is
    not greater. A value outside the ends gives a number below 0 or above 1.
    """
    low, high = ends
    middle = (float(value.least) + float(value.most)) / 2
    return (middle - low) / (high - low) if high > low else 0.5


def _brief(value: Value, chances: bool) -> str:
    if value.error is not None:
        return "~" + _brief(replace(value, error=None), chances)
    if not chances:
        return value.said(format_number)
    whole = [f"{float(v) * 100:.0f}" for v in (value.least, value.most)]
    if whole == ["0", "0"] and value.most:
        return "<1"
    if whole == ["100", "100"] and value.least != 1:
        return ">99"
    return "–".join(dict.fromkeys(whole))
