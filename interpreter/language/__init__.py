"""A string → syntax tree with offsets. The only room that knows Lark."""

from __future__ import annotations

from interpreter.hints import TYPE_CHECKING
from interpreter.late import late

from .parse import STARTS, Refusal, noting_sentences, parse, recall_sentences

if TYPE_CHECKING:
    from .remembered import keep_sentences

__getattr__ = late(__name__, {"keep_sentences": ".remembered"})  # for who reads them

__all__ = [
    "STARTS",
    "Refusal",
    "keep_sentences",
    "noting_sentences",
    "parse",
    "recall_sentences",
]
