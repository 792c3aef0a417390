"""Converts spans, problems and edits to types of the Language Server Protocol, and positions back.

Takes spans, problems, edits. Gives `lsprotocol` types, with positions in the negotiated encoding. Knows nothing of how
the values are computed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from lsprotocol import types as lsp
from pygls.uris import from_fs_path, to_fs_path

from interpreter.layout.text_edits import Edit
from interpreter.source import Problem, Source, Span
from interpreter.source.problems import Label
from interpreter.source.rendering import visible

from .outlining import Heading
from .positions import offset, place

_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "style": lsp.DiagnosticSeverity.Information,
}
_SYMBOLS = {
    "section": lsp.SymbolKind.Namespace,
    "kind": lsp.SymbolKind.Class,
    "table": lsp.SymbolKind.Enum,
    "value": lsp.SymbolKind.Function,
    "roll": lsp.SymbolKind.Function,
    "to": lsp.SymbolKind.Method,
    "rule": lsp.SymbolKind.Event,
    "mark": lsp.SymbolKind.Property,
    "fact": lsp.SymbolKind.Variable,
    "example": lsp.SymbolKind.Object,
    "typical": lsp.SymbolKind.Object,
    "line": lsp.SymbolKind.Field,
}


class Conversions:
    """Converts both ways for one editor. `encoding` is the unit of its characters: `utf-8`, `utf-16` or `utf-32`;
    `root` is the workspace folder, or None.
    """

    def __init__(self, encoding: str, root: str | None) -> None:
        self.encoding, self.root = encoding, root

    # ---- files
    def path(self, uri: str) -> str:
        """The path of a document. An unsaved document gets a path in the workspace folder."""
        path = to_fs_path(uri) if uri.startswith("file:") else None
        if path is None:
            return os.path.join(self.root or os.sep, re.sub(r"\W+", "-", uri) + ".yaml")
        return os.path.normpath(path)

    def uri(self, path: str) -> str:
        return from_fs_path(os.path.abspath(path)) or path

    # ---- places
    def position(self, source: Source, at: int) -> lsp.Position:
        return lsp.Position(*place(source, at, self.encoding))

    def range(self, span: Span) -> lsp.Range:
        return lsp.Range(self.position(span.source, span.start), self.position(span.source, span.end))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.uri(span.source.name), self.range(span))

    def offset(self, source: Source, at: lsp.Position) -> int:
        return offset(source, (at.line, at.character), self.encoding)

    # ---- problems
    def diagnostic(self, problem: Problem, source: Source) -> lsp.Diagnostic:
        span = problem.span if problem.span is not None else Span(source, 0, 0)
        hint = f"\n{problem.hint}" if problem.hint else ""
        label = f"\n{problem.label}" if problem.label else ""
        return lsp.Diagnostic(
            range=self.range(_wide(span)),
            message="\n".join(map(visible, (problem.message + label + hint).split("\n"))),
            severity=_SEVERITY[problem.severity],
            code=problem.code,
            source="umpire",
            related_information=[self._related(other) for other in problem.others] or None,
        )

    def _related(self, label: Label) -> lsp.DiagnosticRelatedInformation:
        return lsp.DiagnosticRelatedInformation(self.location(label.span), visible(label.text))

    # ---- edits
    def edits(self, source: Source, edits: Iterable[Edit]) -> list[lsp.TextEdit]:
        return [lsp.TextEdit(self.range(Span(source, e.start, e.end)), e.text) for e in edits]

    # ---- outline
    def symbol(self, heading: Heading) -> lsp.DocumentSymbol:
        return lsp.DocumentSymbol(
            name=visible(heading.name),
            detail=visible(heading.detail),
            kind=_SYMBOLS.get(heading.what, lsp.SymbolKind.Field),
            range=self.range(heading.all),
            selection_range=self.range(heading.span),
            children=[self.symbol(each) for each in heading.inside],
        )


def _wide(span: Span) -> Span:
    """An empty span extended by the character after it, or at the end of a line by the one before it."""
    if span.start != span.end:
        return span
    text = span.source.text
    if text[span.start : span.start + 1] not in ("", "\n", "\r"):
        return Span(span.source, span.start, span.start + 1)
    before = text[max(span.start - 1, 0) : span.start]
    return Span(span.source, span.start - 1, span.start) if before not in ("", "\n", "\r") else span
