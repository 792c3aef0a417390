"""The language server: what an editor asks by the Language Server Protocol, over standard input and output.

Enters: requests. Leaves: answers from what is known of the open documents, and news of them as it comes. The server
writes no file: edits are the editor's to make, and none is offered outside the workspace folder and the open files.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from interpreter import __version__
from interpreter.source import Problem, Source, Span
from interpreter.source.problems import count

from .analysis import Analysis
from .conversions import Conversions
from .documents import Document, Documents
from .folder import Folder
from .hovering import hover
from .laying_out import form_edits, line_edits
from .mending import all_mended, mends
from .navigating import definitions, meanings_at, references
from .outlining import folds, outline
from .positions import Shift


class UmpireServer(LanguageServer):
    documents: Documents
    conversions: Conversions

    def __init__(self) -> None:
        super().__init__("umpire", __version__, lsp.TextDocumentSyncKind.Full)

    def begin(self) -> None:
        """To be called once the editor has said which folder it is about."""
        folders = list(map(Conversions("utf-16", None).path, self.workspace.folders))
        root = folders[0] if folders else self.workspace.root_path
        encoding = self.workspace.position_encoding
        self.conversions = Conversions(str(getattr(encoding, "value", encoding) or "utf-16"), root)
        self.documents = Documents(Folder(root), self.tell, self.settled)

    # ---- news
    def tell(self, path: str, source: Source, problems: tuple[Problem, ...]) -> None:
        here = [p for p in problems if p.span is None or p.span.source.name == source.name]
        shown = [self.conversions.diagnostic(p, source) for p in here]
        shown += self._elsewhere(source, [p for p in problems if p not in here and p.severity == "error"])
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(self.conversions.uri(path), shown))

    def _elsewhere(self, source: Source, problems: list[Problem]) -> list[lsp.Diagnostic]:
        """One mark for what is wrong in each file that this one is built on."""
        files: dict[str, list[Problem]] = {}
        for problem in problems:
            assert problem.span is not None
            files.setdefault(problem.span.source.name, []).append(problem)
        found = []
        for name, theirs in files.items():
            first = theirs[0]
            assert first.span is not None
            related = lsp.DiagnosticRelatedInformation(self.conversions.location(first.span), first.message)
            found.append(
                lsp.Diagnostic(
                    self.conversions.range(Span(source, 0, len(source.line(1)))),
                    f"{count(theirs)} in {os.path.basename(name)}, which this file is built on",
                    lsp.DiagnosticSeverity.Error,
                    first.code,
                    source="umpire",
                    related_information=[related],
                )
            )
        return found

    def settled(self, document: Document) -> None:
        """All is known of a document: what the editor shows beside its text may be asked for anew."""

    # ---- what is known
    def known(self, uri: str) -> tuple[Document, Analysis] | None:
        document = self.documents.open.get(self.conversions.path(uri))
        return (document, document.analysis) if document is not None and document.analysis is not None else None

    def at(self, params: Any) -> tuple[Document, Analysis, int, Shift] | None:
        """The document of a request, what is known of it, and the offset in the text that this is known of."""
        found = self.known(params.text_document.uri)
        if found is None:
            return None
        document, analysis = found
        shift = Shift(analysis.source.text, document.source.text)
        here = self.conversions.offset(document.source, params.position)
        return document, analysis, shift.back(here), shift

    def now(self, document: Document, span: Span, shift: Shift) -> lsp.Range | None:
        """The range that a span of the analysed text has in the text of now."""
        start, end = shift.there(span.start), shift.there(span.end)
        if start is None or end is None:
            return None
        return self.conversions.range(Span(document.source, start, max(start, end)))


def make_server() -> UmpireServer:
    server = UmpireServer()

    @server.feature(lsp.INITIALIZED)
    def initialized(_: lsp.InitializedParams) -> None:
        server.begin()

    # ---- the texts
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.documents.typed(server.conversions.path(params.text_document.uri), params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.documents.typed(server.conversions.path(uri), server.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.documents.closed(server.conversions.path(params.text_document.uri))

    @server.feature(lsp.SHUTDOWN)
    def shutdown(_: None) -> None:
        server.documents.end()

    # ---- what is asked at a place
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = server.at(params)
        said = hover(found[1], found[2]) if found is not None else None
        if found is None or said is None:
            return None
        document, _, _, shift = found
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, said.text)
        return lsp.Hover(text, server.now(document, said.span, shift))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        found = server.at(params)
        return [server.conversions.location(span) for span in definitions(found[1], found[2])] if found else []

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def on_references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        found = server.at(params)
        if found is None:
            return []
        meanings = meanings_at(found[1], found[2])
        analyses = [found[1], *await server.documents.around(found[0].path, meanings)]
        keys = {meaning.key for meaning in meanings}
        spans = references(analyses, keys, declared=params.context.include_declaration)
        return [server.conversions.location(span) for span in spans]

    # ---- what is asked of a document
    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(
            code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll], resolve_provider=False
        ),
    )
    async def on_code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = server.conversions.path(params.text_document.uri)
        analysis = await server.documents.whole(path)
        return _offered(server, params, analysis) if analysis is not None else []

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    async def on_formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document = server.documents.open.get(server.conversions.path(params.text_document.uri))
        if document is None:
            return []
        source = document.source
        return server.conversions.edits(source, await server.documents.ask(lambda: form_edits(source)))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        found = server.known(params.text_document.uri)
        if found is None or found[1].root is None:
            return []
        return [server.conversions.symbol(heading) for heading in outline(found[1].root)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    async def on_folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        found = server.known(params.text_document.uri)
        if found is None:
            return []
        return [lsp.FoldingRange(first - 1, last - 1) for first, last in folds(found[1].source, found[1].root)]

    return server


def _offered(server: UmpireServer, params: lsp.CodeActionParams, analysis: Analysis) -> list[lsp.CodeAction]:
    conversions, source = server.conversions, analysis.source
    uri = params.text_document.uri
    wanted = params.context.only or [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
    found = []
    if any(lsp.CodeActionKind.QuickFix.startswith(kind) for kind in wanted):
        start = conversions.offset(source, params.range.start)
        end = conversions.offset(source, params.range.end)
        for mend in mends(analysis, start, end):
            edit = lsp.WorkspaceEdit({uri: conversions.edits(source, mend.edits)})
            told = [conversions.diagnostic(mend.problem, source)]
            found.append(lsp.CodeAction(mend.title, lsp.CodeActionKind.QuickFix, told, mend.sure, edit=edit))
    if any(lsp.CodeActionKind.SourceFixAll.startswith(kind) for kind in wanted):
        edits = line_edits(source, all_mended(analysis))
        if edits:
            edit = lsp.WorkspaceEdit({uri: conversions.edits(source, edits)})
            found.append(
                lsp.CodeAction("Make every fix that loses no meaning", lsp.CodeActionKind.SourceFixAll, edit=edit)
            )
    return found


def serve() -> None:
    """Serves one editor until it says goodbye, or goes away. What is worked out is not kept on the disk."""
    os.environ["UMPIRE_CACHE"] = "off"
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # whatever else is printed is no answer
    make_server().start_io(sys.stdin.buffer, answers)
