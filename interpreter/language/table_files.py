"""Loads the parse tables of the grammar.

Takes the path of the grammar; returns `Tables`. They are created when the package is built (hatch_build.py in the root
of the project) and stored beside this file. If they are missing, or the grammar has changed since, Lark creates them
again in memory (lark_tables.py).
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
    """Return the tables of the grammar file, stored or created now. Raises OSError if the grammar cannot be read."""
    content = disk.content(grammar, LARGEST)
    try:
        with open(BUILT, "rb") as file:
            head, _, built = file.read().partition(b"\n")
    except OSError:
        head, built = b"", b""
    if head == digest(content, built):  # undamaged, and made from this grammar
        return Tables(*pickle.loads(built))
    return lark_tables.make_tables(content.decode("utf-8"))


def format_tables(grammar: str) -> bytes:
    """Return the tables of the grammar file in the form that `load_tables` reads: a digest in the first line, then the
    pickled fields.
    """
    content = disk.content(grammar, LARGEST)
    built = pickle.dumps(parts(lark_tables.make_tables(content.decode("utf-8"))), protocol=5)
    return digest(content, built) + b"\n" + built


def digest(grammar: bytes, built: bytes) -> bytes:
    """Return a digest of the grammar, of the code that creates its tables, and of the tables."""
    with open(os.path.join(os.path.dirname(__file__), "lark_tables.py"), "rb") as code:
        contents = grammar, code.read(), " ".join(names(Tables)).encode(), built
    return disk.digest(b"\0".join(contents)).encode()
