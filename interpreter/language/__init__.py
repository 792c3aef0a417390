"""A string → syntax tree with offsets. The only room that knows Lark."""

from .parse import STARTS, Refusal, noting_sentences, parse, recall_sentences
from .remembered import keep_sentences

__all__ = [
    "STARTS",
    "Refusal",
    "keep_sentences",
    "noting_sentences",
    "parse",
    "recall_sentences",
]
