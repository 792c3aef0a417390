"""A string → syntax tree with offsets. The only room that knows Lark."""

from .mend import Mend, keywords, mend, mended
from .parse import STARTS, Refusal, parse

__all__ = ["STARTS", "Mend", "Refusal", "keywords", "mend", "mended", "parse"]
