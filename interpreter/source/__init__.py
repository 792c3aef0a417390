"""Texts, positions in them, and problems at a position.

Takes the text of a file; provides spans, problems of the catalogue, and their output for a terminal
or a program. The first room of the corridor: it imports nothing of the project and knows neither
YAML nor games.
"""

from __future__ import annotations

from interpreter.source.catalogue import CATALOGUE, Entry, Severity
from interpreter.source.nearest import nearest
from interpreter.source.problems import PIECE, Allowance, Fix, Label, Problem, Problems, suggest
from interpreter.source.rendering import render, to_json
from interpreter.source.text import Source, Span

__all__ = [
    "CATALOGUE",
    "PIECE",
    "Allowance",
    "Entry",
    "Fix",
    "Label",
    "Problem",
    "Problems",
    "Severity",
    "Source",
    "Span",
    "nearest",
    "render",
    "suggest",
    "to_json",
]
