"""Finds the declaration of a name, and all its references.

Takes analyses. Gives spans, sorted by file and position. Knows nothing of the sorts of names.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.document.nodes import Scalar
from interpreter.rulebook.definitions import stack
from interpreter.source import Source, Span

from .analysis import Analysis
from .meanings import Meaning

_HEADS = ("extends", "over", "rules")


def meanings_at(analysis: Analysis, offset: int) -> tuple[Meaning, ...]:
    """The possible meanings of the name at an offset."""
    found = analysis.index.at(analysis.source.name, offset) if analysis.index is not None else None
    return found.meanings if found is not None else ()


def definitions(analysis: Analysis, offset: int) -> list[Span]:
    """The declarations of a name; for the name of a file in a head, the beginning of that file."""
    named = _file_named(analysis, offset)
    if named is not None:
        return [Span(named, 0, 0)]
    return [meaning.where for meaning in meanings_at(analysis, offset) if meaning.where is not None]


def references(analyses: Iterable[Analysis], keys: set[tuple[str, str]], *, declared: bool) -> list[Span]:
    """Every reference to one of some meanings; with `declared`, also their declarations."""
    found = {}
    for analysis in analyses:
        for key in keys if analysis.index is not None else ():
            assert analysis.index is not None
            for each in analysis.index.all_of(key):
                if declared or not each.declares:
                    found[each.span.source.name, each.span.start] = each.span
    return [found[place] for place in sorted(found)]


def _file_named(analysis: Analysis, offset: int) -> Source | None:
    for entry in analysis.root or ():
        value = entry.value
        if entry.key.text in _HEADS and isinstance(value, Scalar) and value.span.start <= offset <= value.span.end:
            for name in stack(value.text.replace(",", "+")):
                start = value.text.find(name)
                span = value.at(start, start + len(name))
                if span.start <= offset <= span.end and analysis.rules is not None:
                    sheet = next((s for s in analysis.rules.sheets if s.name == name), None)
                    return sheet.root.span.source if sheet is not None else None
    return None
