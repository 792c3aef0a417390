"""When Python looks for garbage: rarely, while rules are read and odds are followed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECTION_THRESHOLD = 400_000  # new objects between two collections, about as many as one rule file makes


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run the garbage collector rarely within the context, as nearly all objects that are made in it survive, and none
    of the worlds of a question leads back to itself.

    A process that collects even less often, or never, is left alone; the thresholds are restored afterwards.
    """
    first, *rest = gc.get_threshold()
    if 0 < first < COLLECTION_THRESHOLD:
        gc.set_threshold(COLLECTION_THRESHOLD, *rest)
    try:
        yield
    finally:
        gc.set_threshold(first, *rest)
