"""What is drawn from a large family: a few, from everywhere in it, in the ordinary run; with UMPIRE_THOROUGH=1, all.

`make thorough` runs the tests that import this.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
THOROUGH = "UMPIRE_THOROUGH" in os.environ


def sampled(family: Iterable[T], few: int) -> list[T]:
    """So many of a family, evenly spread over it: the same ones on every machine."""
    whole = list(family)
    if THOROUGH or len(whole) <= few:
        return whole
    return [whole[i * len(whole) // few] for i in range(few)]
