"""A page of pictures as one drawing: the heading, then each picture below the other.

Enters: a `Page`. Leaves: the text of an SVG file, with both themes in it.
"""

from __future__ import annotations

from textwrap import wrap
from xml.etree import ElementTree as Tree

from .colours import INK, PAPER, SOFT, dark_style
from .drawn import SVG, drawn, used
from .pictures import Page
from .spec import FONT, PADDING, WIDTH


def svg(page: Page) -> str:
    parts = [drawn(picture, f"picture-{i}") for i, picture in enumerate(page.pictures, 1)]
    wide = max([WIDTH, *(int(float(part.get("width", 0))) for part in parts)])
    root = Tree.Element(f"{SVG}svg")
    title = Tree.SubElement(root, f"{SVG}title")
    title.text = page.heading
    style = Tree.SubElement(root, f"{SVG}style")
    Tree.SubElement(root, f"{SVG}rect", width="100%", height="100%", rx="8", fill=PAPER)
    below = PADDING
    for said, size, weight, fill in _heading(page):
        below += size + 6
        line = Tree.SubElement(
            root, f"{SVG}text", x=str(PADDING), y=str(below), fill=fill,
            **{"font-family": FONT, "font-size": f"{size}px", "font-weight": weight},
        )  # fmt: skip
        line.text = said
    for part in parts:
        part.attrib |= {"x": "0", "y": str(below)}
        below += int(float(part.get("height", 0)))
        root.append(part)
    for line in [x for remark in page.remarks for x in wrap(remark, 56)]:
        below += 16
        told = Tree.SubElement(
            root, f"{SVG}text", x=str(PADDING), y=str(below), fill=SOFT, **{"font-family": FONT, "font-size": "12px"}
        )
        told.text = line
    below += PADDING if page.remarks else 0
    root.attrib |= {"width": str(wide), "height": str(below), "viewBox": f"0 0 {wide} {below}"}
    style.text = dark_style(used(root))
    return Tree.tostring(root, encoding="unicode") + "\n"


def _heading(page: Page) -> list[tuple[str, int, str, str]]:
    """(text, size, weight, colour) of each line."""
    return [
        *((line, 12, "normal", SOFT) for line in wrap(page.rules, 54)),
        *((line, 17, "bold", INK) for line in wrap(page.heading, 36)),
        *((line, 12, "normal", SOFT) for said in page.lines for line in wrap(said, 56)),
    ]
