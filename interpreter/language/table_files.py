"""Where the parse tables come from: they are made when the package is built, and made again where that is not so.

Takes the path of the grammar; gives `Tables`. Lark makes them (lark_tables.py) when the package is built
(hatch_build.py in the root of the project), and they lie beside this file as JSON. Where they are missing, or the
grammar has changed since, Lark makes them again.
"""

from __future__ import annotations

import json
import os
from typing import Any

from interpreter import disk
from interpreter.source.values import names, parts

from . import lark_tables
from .parse_tables import Tables

LARGEST = 1024 * 1024
BUILT = os.path.join(os.path.dirname(__file__), "tables.json")


def load_tables(grammar: str) -> Tables:
    """The tables of the grammar file, as built with the package or made now. Raises OSError where it cannot be read."""
    content = disk.content(grammar, LARGEST)
    built = _read_built()
    if built is not None and built["of"] == digest(content):
        return Tables(*built["tables"])
    return lark_tables.make_tables(content.decode("utf-8"))


def format_tables(grammar: str) -> str:
    """The tables of the grammar file as JSON, in the form that `load_tables` reads."""
    content = disk.content(grammar, LARGEST)
    made = lark_tables.make_tables(content.decode("utf-8"))
    return json.dumps({"of": digest(content), "tables": parts(made)})


def digest(grammar: bytes) -> str:
    """A digest of the grammar and of the code that makes its tables."""
    with open(os.path.join(os.path.dirname(__file__), "lark_tables.py"), "rb") as code:
        return disk.digest(b"%s\0%s\0%s" % (grammar, code.read(), " ".join(names(Tables)).encode()))


def _read_built() -> dict[str, Any] | None:
    try:
        with open(BUILT, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and len(found.get("tables", ())) == len(names(Tables)) else None
