"""Family X: examples and what they expect.

Leaves: the entries of the codes `X001` and on.  Must not know how a problem is found or shown.
"""

from __future__ import annotations

from interpreter.source.catalogue.entry import Entry

ENTRIES: dict[str, Entry] = {
    "X001": Entry(
        "error",
        'this example expects {expected}, and it is {found}',
        'The rules give another answer than the example.',
    ),
    "X002": Entry(
        "error",
        'this example expects {expected}, but its trace says nothing of it',
        'A fact of the trace that did not occur.',
    ),
    "X003": Entry(
        "error",
        'this example expects the mistake {expected}, and there is {found}',
        'An example may show what is refused.',
    ),
    "X004": Entry(
        "error",
        'this example does nothing',
        'Say `do:` what happens.',
    ),
    "X005": Entry(
        "error",
        'this example expects nothing',
        'Say `then:`, `odds:`, `trace:` or `error:`.',
    ),
    "X006": Entry(
        "error",
        'only `example NAME:` stands in a file of examples',
        'Besides `rules:` and `about:`, every key is an example.',
    ),
}
