"""A page of pictures for a browser: every drawing, and under it a table with the exact fractions.

Enters: a `Page`. Leaves: the text of an HTML file that asks nobody for anything: it says so itself, and a browser
holds it to that. One column on a phone, several where there is room; both themes, by what the reader prefers.
"""

from __future__ import annotations

from html import escape
from xml.etree import ElementTree as Tree

from .colours import dark_style
from .drawn import drawn, used
from .pictures import Bars, Page, Picture, Value
from .spec import WIDTH
from .style import STYLE

_EXACT = "Exact odds: every way that the dice can fall, each with its weight. Only what is shown in percent is rounded."
_LINE = 44  # letters of a fraction up to which it stays on one line


def html(page: Page) -> str:
    parts = [(p, drawn(p, f"picture-{i}")) for i, p in enumerate(page.pictures, 1)]
    colours = set().union(*(used(part) for _, part in parts))
    lines = "".join(f'<p class="soft">{escape(line)}</p>\n' for line in page.lines)
    remarks = "".join(f"<p>{escape(line)}</p>\n" for line in page.remarks)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{escape(f"{page.heading} · {page.rules}")}</title>
<style>{STYLE}{dark_style(colours)}</style>
</head>
<body>
<header>
<p class="soft">{escape(page.rules)}</p>
<h1>{escape(page.heading)}</h1>
{lines}</header>
<main>
{"".join(_figure(picture, part) for picture, part in parts)}</main>
<footer>
{remarks}<p>{_EXACT}</p>
</footer>
</body>
</html>
"""


def _figure(picture: Picture, part: Tree.Element) -> str:
    wide = ' class="wide"' if float(part.get("width", 0)) > WIDTH else ""
    reach = ' tabindex="0"' if wide else ""  # what scrolls sideways can be scrolled with keys
    text = Tree.tostring(part, encoding="unicode")
    table = f"<table>\n<caption>{escape(picture.title)}</caption>\n{_table(picture)}</table>"
    return f"""<figure{wide}>
<div class="drawing"{reach}>{text}</div>
<details>
<summary>The exact numbers</summary>
<div class="numbers" role="region" aria-label="The exact numbers" tabindex="0">{table}</div>
</details>
</figure>
"""


def _table(picture: Picture) -> str:
    if not isinstance(picture, Bars):
        head = _row("th", [f"{picture.down.name} ↓ {picture.across.name} →", *picture.across.labels])
        return f"<thead>{head}</thead>\n<tbody>\n" + "".join(
            _row("td", [label, *(picture.said(i, j, _both) for j in range(len(picture.across.labels)))])
            for i, label in enumerate(picture.down.labels)
        ) + "</tbody>\n"  # fmt: skip
    more = any(row.more for row in picture.table)
    heads = [picture.first.capitalize()]
    for one in picture.series:
        heads += [
            f"{one.name}: {picture.what}" if one.name else picture.what.capitalize(),
            *(["or more"] if more else []),
            "exactly",
        ]
    rows = ""
    for row in picture.table:
        cells = [row.label]
        for i, v in enumerate(row.values):
            said = [row.more[i].said if row.more else ""] if more else []
            cells += [v.said, *said, v.exact]
        rows += _row("td", cells)
    return f"<thead>{_row('th', heads)}</thead>\n<tbody>\n{rows}</tbody>\n"


def _both(value: Value) -> str:
    return f"{value.said} = {value.exact}"


def _row(tag: str, texts: list[str]) -> str:
    first, *others = texts
    if tag == "th":
        return "<tr>" + "".join(f'<th scope="col">{escape(t)}</th>' for t in texts) + "</tr>\n"
    cells = "".join(f"<td{_kind(t)}>{escape(t)}</td>" for t in others)
    return f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>\n'


def _kind(text: str) -> str:
    if "/" not in text:
        return ""
    return ' class="exact"' if len(text) <= _LINE else ' class="long"'
