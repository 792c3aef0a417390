"""A string → syntax tree with offsets. The only room that knows Lark."""

from __future__ import annotations

from interpreter.hints import TYPE_CHECKING, Any

from .parse import STARTS, Refusal, noting_sentences, parse, recall_sentences

if TYPE_CHECKING:
    from .remembered import keep_sentences

__all__ = [
    "STARTS",
    "Refusal",
    "keep_sentences",
    "noting_sentences",
    "parse",
    "recall_sentences",
]


def __getattr__(name: str) -> Any:
    """What keeps sentences, for who reads them."""
    if name != "keep_sentences":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .remembered import keep_sentences

    return keep_sentences
