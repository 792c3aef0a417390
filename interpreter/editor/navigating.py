"""From a name to what declares it, and to every place that says it.

Enters: analyses. Leaves: spans, in the order of files and places. Knows nothing of what the names are.
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
    """What the name at an offset may mean."""
    found = analysis.index.at(analysis.source.name, offset) if analysis.index is not None else None
    return found.meanings if found is not None else ()


def definitions(analysis: Analysis, offset: int) -> list[Span]:
    """Where a name is declared; of the name of a file in a head, the beginning of that file."""
    named = _file_named(analysis, offset)
    if named is not None:
        return [Span(named, 0, 0)]
    return [meaning.where for meaning in meanings_at(analysis, offset) if meaning.where is not None]


def references(analyses: Iterable[Analysis], keys: set[tuple[str, str]], *, declared: bool) -> list[Span]:
    """Every place of the files that says one of some meanings, with `declared` also where they are declared."""
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
