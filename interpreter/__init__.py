"""Umpire: wargame rules as plain YAML, checked, played with every die shown, and priced in exact odds.

    import interpreter

    interpreter.check("ours.yaml")            # () when clean, else the problems, each with its place
    answer = interpreter.odds("shot.yaml", ask=["hits"])
    answer.of(0)                              # {0: Fraction(64, 729), 1: Fraction(64, 243), ...}
    interpreter.resolve("shot.yaml", seed=7).after
    interpreter.muster("ours.yaml").kept      # whether a side's list keeps the limits of its rules

The functions are imported on first access, because the command imports this package too. Their parameters and results
are documented in interpreter/surfaces/api.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .surfaces.api import Trouble, band, check, grid, muster, odds, open_rules, resolve, sample, test

__version__ = "0.1.0"
__all__ = [
    "Trouble", "__version__", "band", "check", "grid", "muster", "odds", "open_rules", "resolve", "sample", "test",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in __all__:
        from .surfaces import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
