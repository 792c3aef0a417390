"""While a file is read and checked, Python looks for garbage seldom: nearly all of what is made then stays, and to look
through it again and again takes longer the more there is: long files would be slower by the line than short ones.

Enters: nothing. Leaves: a stretch of time. Knows nothing of what is done in it.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 400_000  # new things: a page of rules makes about so many


@contextmanager
def unhurried() -> Iterator[None]:
    """As it was set before, afterwards; whoever looks never, or more seldom still, goes on so."""
    first, *rest = gc.get_threshold()
    if 0 < first < SELDOM:
        gc.set_threshold(SELDOM, *rest)
    try:
        yield
    finally:
        gc.set_threshold(first, *rest)
