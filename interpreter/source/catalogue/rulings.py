"""Family R: rulings, clauses and citations.

Leaves: the entries of the codes `R001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "R001": Entry(
        "error",
        'no clause is called {clause}',
        'The footnote should name a clause of the register.',
    ),
}
