"""A string → syntax tree with offsets. The only room that knows Lark."""

from .parse import Refusal, parse

__all__ = ["Refusal", "parse"]
