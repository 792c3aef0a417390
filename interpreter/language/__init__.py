"""A sentence → syntax tree with offsets. The only room that knows Lark."""

from __future__ import annotations

from .parse import STARTS, Refusal, noting_sentences, parse

__all__ = ["STARTS", "Refusal", "noting_sentences", "parse"]
