"""The library at work: the only file that knows which one it is.

Enters: a picture. Leaves: an element of SVG that needs nothing from elsewhere: texts are texts, a title and a
description say all of it to who cannot see it, the exact number of a bar shows when a mouse rests on it. The same
picture is the same bytes.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as Tree

from interpreter.surfaces.as_charts import Bars, Picture

from .colours import DARK
from .spec import spec

VERSION = "6.4"  # of Vega-Lite: another could draw otherwise
SVG = "{http://www.w3.org/2000/svg}"

Tree.register_namespace("", SVG.strip("{}"))


def drawn(picture: Picture, name: str) -> Tree.Element:
    """`name` is that of the picture among all of the same file."""
    import vl_convert

    root = Tree.fromstring(vl_convert.vegalite_to_svg(spec(picture), vl_version=VERSION))
    _mend(root)
    for key in ("class", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"role": "img", "aria-labelledby": f"{name}-title {name}-text"}
    title, told = Tree.Element(f"{SVG}title", id=f"{name}-title"), Tree.Element(f"{SVG}desc", id=f"{name}-text")
    title.text, told.text = picture.title, description(picture)
    root[:0] = [title, told]
    return root


def description(picture: Picture) -> str:
    """The whole picture in words."""
    told = []
    if isinstance(picture, Bars):
        form = picture.form(picture.rows)
        for i, one in enumerate(picture.series):
            of = ", ".join(part for part in (one.name, one.note(picture.exact)) if part)
            rows = ", ".join(f"{row.label} {row.values[i].said(form)}" for row in picture.rows)
            told.append(f"{of}: {rows}." if of else f"{rows}.")
    else:
        told += [f"{picture.note}."] if picture.note else []
        for i, label in enumerate(picture.down.labels):
            said = ", ".join(
                f"{a} {picture.said(i, j, lambda v: v.said(picture.form))}" for j, a in enumerate(picture.across.labels)
            )
            told.append(f"{picture.down.name} {label}: {picture.across.name} {said}.")
    return " ".join(told)


def used(root: Tree.Element) -> set[str]:
    """The colours of a drawing that a theme changes."""
    return {fill for one in root.iter() if (fill := one.get("fill")) in DARK}


def _mend(root: Tree.Element) -> None:
    """What a reader of the screen needs in place of what the library says of its own parts; and nothing invisible."""
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
