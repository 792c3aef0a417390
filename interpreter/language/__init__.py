"""Parses sentences into syntax trees with offsets. The only room that imports Lark."""

from __future__ import annotations

from .parse import STARTS, Refusal, noting_sentences, parse

__all__ = ["STARTS", "Refusal", "noting_sentences", "parse"]
