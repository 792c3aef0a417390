"""A string → syntax tree with offsets. The only room that knows Lark."""

from .mend import Mend, keywords, mend, mended
from .parse import Refusal, parse

__all__ = ["Mend", "Refusal", "keywords", "mend", "mended", "parse"]
