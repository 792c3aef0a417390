"""Where the parse tables come from: they are made when the package is built, and made again where that is not so.

Takes the path of the grammar; gives `Tables`. Lark makes them (lark_tables.py) when the package is built
(hatch_build.py in the root of the project), and they lie beside this file, as much ours as its code. Where they are
missing, or the grammar has changed since, Lark makes them again.
"""

from __future__ import annotations

import os
import pickle

from interpreter import disk
from interpreter.source.values import names, parts

from . import lark_tables
from .parse_tables import Tables

LARGEST = 1024 * 1024
BUILT = os.path.join(os.path.dirname(__file__), "tables.pickle")


def load_tables(grammar: str) -> Tables:
    """The tables of the grammar file, as built with the package or made now. Raises OSError where it cannot be read."""
    content = disk.content(grammar, LARGEST)
    try:
        with open(BUILT, "rb") as file:
            head, _, built = file.read().partition(b"\n")
    except OSError:
        head, built = b"", b""
    if head == digest(content, built):  # whole, and of this grammar
        return Tables(*pickle.loads(built))
    return lark_tables.make_tables(content.decode("utf-8"))


def format_tables(grammar: str) -> bytes:
    """The tables of the grammar file in the form that `load_tables` reads: a digest in the first line, then texts,
    lists and dicts, pickled.
    """
    content = disk.content(grammar, LARGEST)
    built = pickle.dumps(parts(lark_tables.make_tables(content.decode("utf-8"))), protocol=5)
    return digest(content, built) + b"\n" + built


def digest(grammar: bytes, built: bytes) -> bytes:
    """A digest of the grammar, of the code that makes its tables, and of the tables."""
    with open(os.path.join(os.path.dirname(__file__), "lark_tables.py"), "rb") as code:
        whole = grammar, code.read(), " ".join(names(Tables)).encode(), built
    return disk.digest(b"\0".join(whole)).encode()
