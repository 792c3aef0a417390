"""A page of pictures as a file: HTML, with the exact fractions in a table under each drawing; or one drawing (SVG),
with the heading and the pictures below each other.

Takes a `Page`. Gives the text of a file without external resources. An HTML page has one column on a phone, several on
wider screens, and both themes by the reader's preference. Each picture has a title and a description for screen
readers, and each bar its exact number as a tooltip. The output is deterministic. The only module that knows the drawing
library.
"""

from __future__ import annotations

import re
from html import escape
from textwrap import wrap
from typing import TypeVar
from xml.etree import ElementTree as Tree

from interpreter.source.digits import format_share
from interpreter.source.values import is_value, names, replace
from interpreter.surfaces.as_charts import Bars, Page, Picture, Value
from interpreter.surfaces.as_html import framed

from .colours import DARK, INK, MUTED, PAPER, STYLE, dark_style
from .spec import FONT, PADDING, WIDTH, spec

T = TypeVar("T")

VERSION = "6.4"  # of Vega-Lite; pinned, as another version may draw differently
SVG = "{http://www.w3.org/2000/svg}"

Tree.register_namespace("", SVG.strip("{}"))

_LINE = 44  # most characters of a fraction on one line


# ---- a page for a browser
def html(page: Page) -> str:
    """A page as the text of an HTML file, each picture with a table of its exact numbers."""
    page = printable(page)
    parts = [(p, drawn(p, f"picture-{i}")) for i, p in enumerate(page.pictures, 1)]
    colours = set().union(*(used(part) for _, part in parts))
    lines = "".join(f'<p class="soft">{escape(line)}</p>\n' for line in page.lines)
    remarks = "".join(f"<p>{escape(line)}</p>\n" for line in page.remarks)
    body = f"""\
<header>
<p class="soft">{escape(page.rules)}</p>
<h1>{escape(page.heading)}</h1>
{lines}</header>
<main>
{"".join(_figure(picture, part) for picture, part in parts)}</main>
<footer>
{remarks}<p>{escape(page.basis)}</p>
</footer>
"""
    return framed(f"{page.heading} · {page.rules}", STYLE + dark_style(colours), body)


def _figure(picture: Picture, part: Tree.Element) -> str:
    wide = ' class="wide"' if float(part.get("width", 0)) > WIDTH else ""
    reach = ' tabindex="0"' if wide else ""  # makes a scrollable picture accessible by keyboard
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

        def both(value: Value) -> str:
            return value.wholly(picture.form, " = ")

        head = _row("th", [f"{picture.down.name} ↓ {picture.across.name} →", *picture.across.labels])
        return f"<thead>{head}</thead>\n<tbody>\n" + "".join(
            _row("td", [label, *(picture.said(i, j, both) for j in range(len(picture.across.labels)))])
            for i, label in enumerate(picture.down.labels)
        ) + "</tbody>\n"  # fmt: skip
    more = any(row.more for row in picture.table) and len(picture.table) > 2
    form = picture.form(picture.table)
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
            beyond = [row.more[i].said(format_share) if row.more else ""] if more else []
            cells += [v.said(form), *beyond, v.exact]
        rows += _row("td", cells)
    return f"<thead>{_row('th', heads)}</thead>\n<tbody>\n{rows}</tbody>\n"


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


# ---- one drawing
def svg(page: Page) -> str:
    """A page as the text of one SVG file: its heading and lines, then the pictures below each other."""
    page = printable(page)
    parts = [drawn(picture, f"picture-{i}") for i, picture in enumerate(page.pictures, 1)]
    wide = max([WIDTH, *(int(float(part.get("width", 0))) for part in parts)])
    root = Tree.Element(f"{SVG}svg")
    Tree.SubElement(root, f"{SVG}title").text = page.heading
    style = Tree.SubElement(root, f"{SVG}style")
    Tree.SubElement(root, f"{SVG}rect", width="100%", height="100%", rx="8", fill=PAPER)
    below = PADDING
    for said, size in [(page.rules, 12), (page.heading, 17), *((line, 12) for line in page.lines)]:
        below = _written(root, said, size, below)
    below += 8
    for part in parts:
        part.attrib |= {"x": "0", "y": str(below)}
        below += int(float(part.get("height", 0)))
        root.append(part)
    for said in page.remarks:
        below = _written(root, said, 12, below)
    below += PADDING if page.remarks else 0
    root.attrib |= {"width": str(wide), "height": str(below), "viewBox": f"0 0 {wide} {below}"}
    style.text = dark_style(used(root))
    return Tree.tostring(root, encoding="unicode") + "\n"


def _written(root: Tree.Element, said: str, size: int, below: int) -> int:
    """Append lines of text below a position. Return the position after them."""
    strong = size > 12
    for text in wrap(said, 650 // size):
        below += size + 5
        line = Tree.SubElement(root, f"{SVG}text", {"font-family": FONT, "font-size": f"{size}px"})
        line.attrib |= {"x": str(PADDING), "y": str(below), "fill": INK if strong else MUTED}
        line.attrib |= {"font-weight": "700"} if strong else {}
        line.text = text
    return below


def printable(one: T) -> T:
    """A copy with all unprintable characters in its texts replaced by blanks, as XML does not allow some of them."""
    if isinstance(one, str):
        return "".join(c if c.isprintable() else " " for c in one)  # type: ignore[return-value]
    if isinstance(one, tuple):
        return tuple(map(printable, one))  # type: ignore[return-value]
    return replace(one, **{name: printable(getattr(one, name)) for name in names(type(one))}) if is_value(one) else one


# ---- one picture
def drawn(picture: Picture, name: str) -> Tree.Element:
    """A drawing as SVG; `name` must be unique in the file."""
    import vl_convert

    root = Tree.fromstring(vl_convert.vegalite_to_svg(spec(picture), vl_version=VERSION))
    _mend(root)
    for key in ("class", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-text"}
    title, text = Tree.Element(f"{SVG}title", id=f"{name}-title"), Tree.Element(f"{SVG}desc", id=f"{name}-text")
    title.text, text.text = picture.title, description(picture)
    root[:0] = [title, text]
    return root


def description(picture: Picture) -> str:
    """A picture as text, for screen readers."""
    parts = []
    if isinstance(picture, Bars):
        form = picture.form(picture.rows)
        for i, one in enumerate(picture.series):
            of = one.named(picture.exact)
            rows = ", ".join(f"{row.label} {row.values[i].said(form)}" for row in picture.rows)
            parts.append(f"{of}: {rows}." if of else f"{rows}.")
    else:
        parts += [f"{picture.note}."] if picture.note else []
        for i, label in enumerate(picture.down.labels):
            said = ", ".join(
                f"{a} {picture.said(i, j, lambda v: v.said(picture.form))}" for j, a in enumerate(picture.across.labels)
            )
            parts.append(f"{picture.down.name} {label}: {picture.across.name} {said}.")
    return " ".join(parts)


def used(root: Tree.Element) -> set[str]:
    """The colours of a drawing that differ between the themes."""
    return {fill for one in root.iter() if (fill := one.get("fill")) in DARK}


def _mend(root: Tree.Element) -> None:
    """Correct the accessibility texts of the library for its parts, and remove invisible elements."""
    for one in root.iter():
        for child in [c for c in one if _unseen(c)]:
            one.remove(child)
        said = one.attrib.pop("aria-label", None)
        if said and one.get("aria-roledescription") in ("bar", "rect mark"):
            Tree.SubElement(one, f"{SVG}title").text = said
        for key in ("aria-roledescription", "aria-hidden", "role", "class", "pointer-events"):
            one.attrib.pop(key, None)
        if one.get("opacity") == "1":
            del one.attrib["opacity"]
        for key in ("d", "transform", "width", "height", "viewBox"):
            if key in one.attrib:
                one.set(
                    key, re.sub(r"\d+\.\d{3,}", lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), one.attrib[key])
                )
    for one in root.iter():
        for child in [c for c in one if c.tag == f"{SVG}g" and not len(c)]:
            one.remove(child)


def _unseen(one: Tree.Element) -> bool:
    empty = one.tag == f"{SVG}path" and one.get("d", "") in ("", "M0,0h0v0h0Z")
    return empty or one.get("display") == "none" or one.get("class") == "background"
