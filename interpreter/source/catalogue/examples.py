"""Family X: examples and what they expect.

Leaves: the entries of the codes `X001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {}
