"""Family P: procedures and their lines.

Leaves: the entries of the codes `P001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {}
