"""A page of pictures as one drawing: the heading, then each picture below the other.

Enters: a `Page`. Leaves: the text of an SVG file, with both themes in it.
"""

from __future__ import annotations

from textwrap import wrap
from xml.etree import ElementTree as Tree

from .colours import INK, MUTED, PAPER, dark_style
from .drawn import SVG, drawn, used
from .pictures import Page
from .spec import FONT, PADDING, WIDTH


def svg(page: Page) -> str:
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
    """Lines of text from there on down; where they end."""
    strong = size > 12
    for text in wrap(said, 650 // size):
        below += size + 5
        line = Tree.SubElement(root, f"{SVG}text", {"font-family": FONT, "font-size": f"{size}px"})
        line.attrib |= {"x": str(PADDING), "y": str(below), "fill": INK if strong else MUTED}
        line.attrib |= {"font-weight": "700"} if strong else {}
        line.text = text
    return below
