"""Whole numbers of any length, written and read: exact odds of large throws have thousands of digits.

Enters and leaves: nothing. Knows nothing of what the numbers mean.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def any_digits() -> Iterator[None]:
    """Meanwhile Python reads and prints integers of more than 4,300 digits."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)
