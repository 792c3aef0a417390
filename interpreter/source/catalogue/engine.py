"""Family E: what the engines find while a rule is carried out.

Leaves: the entries of the codes `E001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {}
