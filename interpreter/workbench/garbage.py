"""Infrequent garbage collection while rules are read, and none while odds are computed."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

COLLECTION_THRESHOLD = 400_000  # allocations between two collections; one rule file makes about as many


@contextmanager
def rare_collections() -> Iterator[None]:
    """Run the garbage collector rarely within the context. Nearly all objects created in it survive.

    Keeps a higher threshold, or a disabled collector, of the process. The thresholds are restored afterwards.
    """
    first, *rest = gc.get_threshold()
    if 0 < first < COLLECTION_THRESHOLD:
        gc.set_threshold(COLLECTION_THRESHOLD, *rest)
    try:
        yield
    finally:
        gc.set_threshold(first, *rest)


@contextmanager
def no_collections() -> Iterator[None]:
    """Run no garbage collector within the context. The worlds of a question form no reference cycles: a collection
    looks at each of them, and frees nothing.
    """
    usual = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if usual:
            gc.enable()
