"""A string → syntax tree with offsets. The only room that knows Lark."""

from .alike import alike, readings
from .mend import Mend, keywords, mend, mended
from .parse import STARTS, Refusal, noting_sentences, parse, recall_sentences
from .remembered import keep_sentences

__all__ = [
    "STARTS",
    "Mend",
    "Refusal",
    "alike",
    "keep_sentences",
    "keywords",
    "mend",
    "mended",
    "noting_sentences",
    "parse",
    "readings",
    "recall_sentences",
]
