"""A string → syntax tree with offsets. The only room that knows Lark."""

from .alike import alike, readings
from .mend import Mend, keywords, mend, mended
from .parse import STARTS, Refusal, parse

__all__ = ["STARTS", "Mend", "Refusal", "alike", "keywords", "mend", "mended", "parse", "readings"]
