"""Family D: dice, rolls and their conventions.

Leaves: the entries of the codes `D001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {}
