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

from .parse_tables import Tables

LARGEST = 1024 * 1024
BUILT = os.path.join(os.path.dirname(__file__), "tables.pickle")


def load_tables(grammar: str) -> Tables:
    """Return the tables of the grammar file, stored or created now. Raises OSError if the grammar cannot be read."""
    content = disk.content(grammar, LARGEST)
    try:
        with open(BUILT, "rb") as file:
            stored, sources = file.read(), _sources(content)
        if stored.startswith(sources):
            return Tables(*pickle.loads(stored[len(sources) :]))
    except (OSError, EOFError, pickle.UnpicklingError):  # missing, or cut off
        pass
    return _made(content)


def format_tables(grammar: str) -> bytes:
    """Return the tables of the grammar file in the form that `load_tables` reads: what they are made from, then the
    pickled fields.
    """
    content = disk.content(grammar, LARGEST)
    return _sources(content) + pickle.dumps(parts(_made(content)), protocol=5)


def _made(grammar: bytes) -> Tables:
    from .lark_tables import make_tables

    return make_tables(grammar.decode("utf-8"))


def _sources(grammar: bytes) -> bytes:
    """What the tables are made from: the grammar, the code that creates them, and the names of their fields."""
    with open(os.path.join(os.path.dirname(__file__), "lark_tables.py"), "rb") as code:
        return b"\0".join((grammar, code.read(), " ".join(names(Tables)).encode(), b""))
