"""A page of pictures for a browser: every drawing, and under it a table with the exact fractions.

Enters: a `Page`. Leaves: the text of an HTML file that asks nobody for anything: it says so itself, and a browser
holds it to that. One column on a phone, several where there is room; both themes, by what the reader prefers.
"""

from __future__ import annotations

from html import escape
from xml.etree import ElementTree as Tree

from .colours import DARK, INK, PAPER, RIM, SOFT, TRACK, dark_style
from .drawn import SVG, drawn, used
from .pictures import Bars, Page, Picture, Value
from .spec import WIDTH

_GROUND, _GROUND_DARK = "#f3f5f7", "#0d1014"
_STYLE = f"""
:root{{color-scheme:light dark;--ground:{_GROUND};--paper:{PAPER};--ink:{INK};--soft:{SOFT};--rim:{RIM};--row:{TRACK}}}
@media (prefers-color-scheme:dark){{:root{{--ground:{_GROUND_DARK};--paper:{DARK[PAPER]};--ink:{DARK[INK]};--soft:{DARK[SOFT]};--rim:{DARK[RIM]};--row:{DARK[TRACK]}}}}}
*{{box-sizing:border-box}}
body{{margin:0;padding:20px 12px 32px;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}}
header,footer{{max-width:1136px;margin:0 auto;padding:0 4px}}
h1{{margin:0 0 6px;font-size:1.5rem;line-height:1.25;overflow-wrap:anywhere}}
p{{margin:0 0 4px}}
.soft,footer,caption{{color:var(--soft);font-size:.875rem}}
main{{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,336px),1fr));gap:16px;align-items:start;max-width:1136px;margin:20px auto}}
figure{{margin:0;background:var(--paper);border:1px solid var(--rim);border-radius:10px;overflow:hidden}}
figure.wide{{grid-column:1/-1}}
.drawing{{overflow-x:auto}}
figure svg{{display:block;width:100%;max-width:480px;height:auto;margin:0 auto}}
figure.wide svg{{width:auto;max-width:none}}
svg text{{font-family:system-ui,sans-serif}}
details{{border-top:1px solid var(--rim)}}
summary{{padding:10px 16px;cursor:pointer;color:var(--soft);font-size:.875rem}}
summary:focus-visible{{outline:2px solid var(--soft);outline-offset:-3px}}
.numbers{{overflow-x:auto;padding:0 16px 14px}}
table{{border-collapse:collapse;width:100%;font-size:.875rem;font-variant-numeric:tabular-nums}}
caption{{text-align:left;padding-bottom:6px}}
th,td{{padding:4px 12px 4px 0;text-align:left;vertical-align:top;border-top:1px solid var(--row)}}
th{{font-weight:600}}
thead th{{color:var(--soft);font-weight:500;border-top:0}}
.exact{{overflow-wrap:anywhere}}
@media print{{figure{{break-inside:avoid}}}}
"""


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
<style>{_STYLE}{dark_style(colours)}</style>
</head>
<body>
<header>
<p class="soft">{escape(page.rules)}</p>
<h1>{escape(page.heading)}</h1>
{lines}</header>
<main>
{"".join(_figure(picture, part) for picture, part in parts)}</main>
<footer>
{remarks}<p>Exact odds: every way that the dice can fall, each with its weight. Only what is shown in percent is rounded.</p>
</footer>
</body>
</html>
"""


def _figure(picture: Picture, part: Tree.Element) -> str:
    wide = ' class="wide"' if float(part.get("width", 0)) > WIDTH else ""
    text = Tree.tostring(part, encoding="unicode")
    return (
        f'<figure{wide}>\n<div class="drawing">{text}</div>\n<details>\n<summary>The exact numbers</summary>\n'
        f'<div class="numbers"><table>\n<caption>{escape(picture.title)}</caption>\n{_table(picture)}</table></div>\n'
        "</details>\n</figure>\n"
    )


def _table(picture: Picture) -> str:
    if not isinstance(picture, Bars):
        head = _row("th", [f"{picture.down.name} ↓ {picture.across.name} →", *picture.across.labels])
        return f"<thead>{head}</thead>\n<tbody>\n" + "".join(
            _row("td", [label, *(_both(v) for v in cells)])
            for label, cells in zip(picture.down.labels, picture.cells, strict=True)
        ) + "</tbody>\n"  # fmt: skip
    more = any(row.more for row in picture.rows)
    heads = [picture.first.capitalize()]
    for name in picture.series:
        of = f"{name}: " if name else ""
        heads += [f"{of}chance".capitalize() if not of else f"{of}chance", *(["or more"] if more else []), "exactly"]
    rows = ""
    for row in picture.rows:
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
    cells = "".join(f'<td class="exact">{escape(t)}</td>' if "/" in t else f"<td>{escape(t)}</td>" for t in others)
    return f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>\n'


__all__ = ["SVG", "html"]
