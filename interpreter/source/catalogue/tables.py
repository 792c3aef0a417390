"""Family K: tables: rows, cells, gaps and overlaps.

Leaves: the entries of the codes `K001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {}
