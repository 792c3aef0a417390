"""The language server, over standard input and output.

Takes requests of the Language Server Protocol. Gives responses from the analyses of the open documents, and publishes
problems as they are found. The server writes no file: edits are applied by the editor, and none is offered outside the
workspace folder and the open files.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from interpreter import __version__
from interpreter.source import Problem, Source, Span
from interpreter.source.problems import count

from .analysis import Analysis
from .background import SECONDS
from .colouring import SORTS
from .completing import Offer, offers
from .conversions import Conversions
from .documents import Document, Documents
from .folder import Folder
from .hovering import hover
from .laying_out import form_edits, line_edits
from .markdown import prose
from .meanings import Meaning
from .mending import all_mended, mends
from .navigating import definitions, meanings_at, references
from .outlining import folds, outline
from .positions import Shift, units
from .renaming import Refused, renamable, renamed

REFUSED = -32803  # "request failed": the editor shows the sentence
SORT_NAMES = sorted(set(SORTS.values()))
ITEMS = {
    "keyword": lsp.CompletionItemKind.Keyword,
    "file": lsp.CompletionItemKind.File,
    "kind": lsp.CompletionItemKind.Class,
    "table": lsp.CompletionItemKind.Enum,
    "row": lsp.CompletionItemKind.EnumMember,
    "procedure": lsp.CompletionItemKind.Method,
    "member": lsp.CompletionItemKind.Field,
    "attribute": lsp.CompletionItemKind.Field,
    "mark": lsp.CompletionItemKind.Field,
    "column": lsp.CompletionItemKind.Property,
    "value": lsp.CompletionItemKind.Function,
    "roll": lsp.CompletionItemKind.Function,
    "name": lsp.CompletionItemKind.Variable,
    "line": lsp.CompletionItemKind.Variable,
    "thing": lsp.CompletionItemKind.Variable,
    "fact": lsp.CompletionItemKind.Variable,
}


class UmpireServer(LanguageServer):
    """The server of one editor. `documents` and `conversions` exist after `begin`, when the editor has sent its
    workspace folder.
    """

    documents: Documents
    conversions: Conversions
    seconds = SECONDS  # time limit of one number

    def __init__(self) -> None:
        super().__init__("umpire", __version__, lsp.TextDocumentSyncKind.Full)

    def begin(self) -> None:
        """Initialize the server, after the editor has sent its workspace folder."""
        folders = list(map(Conversions("utf-16", None).path, self.workspace.folders))
        root = folders[0] if folders else self.workspace.root_path
        encoding = self.workspace.position_encoding
        self.conversions = Conversions(str(getattr(encoding, "value", encoding) or "utf-16"), root)
        self.documents = Documents(Folder(root), self.tell, self.settled, self.numbered)
        self.documents.seconds = self.seconds

    # ---- news
    def tell(self, path: str, source: Source, problems: tuple[Problem, ...]) -> None:
        here = [p for p in problems if p.span is None or p.span.source.name == source.name]
        shown = [self.conversions.diagnostic(p, source) for p in here]
        shown += self._elsewhere(source, [p for p in problems if p not in here and p.severity == "error"])
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(self.conversions.uri(path), shown))

    def _elsewhere(self, source: Source, problems: list[Problem]) -> list[lsp.Diagnostic]:
        """One diagnostic for the problems of each other file that this one depends on."""
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

    def settled(self) -> None:
        """Ask the editor to refresh its colouring, after an analysis is complete."""
        workspace = self.client_capabilities.workspace
        if (
            workspace is not None
            and workspace.semantic_tokens is not None
            and workspace.semantic_tokens.refresh_support
        ):
            self.workspace_semantic_tokens_refresh(None)

    def numbered(self) -> None:
        """Ask the editor to refresh the numbers beside a text."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.inlay_hint is not None and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    # ---- analyses
    def known(self, uri: str) -> tuple[Document, Analysis] | None:
        document = self.documents.open.get(self.conversions.path(uri))
        return (document, document.analysis) if document is not None and document.analysis is not None else None

    def at(self, params: Any) -> tuple[Document, Analysis, int, Shift] | None:
        """The document of a request, its analysis, and the offset in the analysed text."""
        found = self.known(params.text_document.uri)
        if found is None:
            return None
        document, analysis = found
        shift = Shift(analysis.source.text, document.source.text)
        here = self.conversions.offset(document.source, params.position)
        return document, analysis, shift.back(here), shift

    def now(self, document: Document, span: Span, shift: Shift) -> lsp.Range | None:
        """The range in the current text of a span of the analysed text; None if it was edited."""
        start, end = shift.there(span.start), shift.there(span.end)
        if start is None or end is None:
            return None
        return self.conversions.range(Span(document.source, start, max(start, end)))


def make_server() -> UmpireServer:
    """A server with handlers for all requests; it is not started yet."""
    server = UmpireServer()

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        said = params.initialization_options
        seconds = said.get("seconds") if isinstance(said, dict) else getattr(said, "seconds", None)
        if isinstance(seconds, int | float) and 0 < seconds <= 600:
            server.seconds = float(seconds)

    @server.feature(lsp.INITIALIZED)
    async def initialized(_: lsp.InitializedParams) -> None:
        server.begin()
        workspace = server.client_capabilities.workspace
        watched = workspace.did_change_watched_files if workspace is not None else None
        if watched is not None and watched.dynamic_registration:
            patterns = [lsp.FileSystemWatcher(f"**/*.{ending}") for ending in ("yaml", "yml")]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(patterns)
            wish = lsp.Registration("files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            await server.client_register_capability_async(lsp.RegistrationParams([wish]))

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.documents.written()

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

    # ---- requests about a position
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        found = server.at(params)
        said = hover(found[1], found[2]) if found is not None else None
        if found is None or said is None:
            return None
        document, analysis, at, shift = found
        worth = await _worth(server, document, meanings_at(analysis, at))
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, said.text + worth)
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

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", " "]))
    async def on_completion(params: lsp.CompletionParams) -> lsp.CompletionList | None:
        found = server.at(params)
        if found is None:
            return None
        document, analysis, _, _ = found
        here = server.conversions.offset(document.source, params.position)
        return lsp.CompletionList(
            True, [_item(place, x) for place, x in enumerate(offers(analysis, document.source, here))]
        )

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def on_prepare_rename(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder:
        _, span, _ = await _to_rename(server, params)
        return lsp.PrepareRenamePlaceholder(server.conversions.range(span), span.text)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def on_rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document, _, meaning = await _to_rename(server, params)
        documents = server.documents
        around = await documents.around(document.path, [meaning])
        whole = await documents.whole(document.path)
        analyses = [x for x in (whole, *around) if x is not None]
        texts = documents.texts
        edits = await documents.ask(lambda: renamed(analyses, meaning, params.new_name, texts, documents.mine))
        if isinstance(edits, Refused):
            raise JsonRpcException(edits.why, REFUSED)
        sources = {span.name: span for x in analyses for span in x.sources}
        changes = {
            server.conversions.uri(file): server.conversions.edits(sources[file], theirs)
            for file, theirs in edits.items()
        }
        return lsp.WorkspaceEdit(changes)

    # ---- requests about a document
    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(SORT_NAMES, ["declaration"]))
    async def on_colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        known = server.known(params.text_document.uri)
        if known is None:  # it was just opened
            await server.documents.whole(server.conversions.path(params.text_document.uri))
            known = server.known(params.text_document.uri)
        return lsp.SemanticTokens(_tokens(server, *known)) if known is not None else None

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

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def on_inlay(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = server.documents.open.get(server.conversions.path(params.text_document.uri))
        numbers = document.numbers.values() if document is not None else ()
        hints = [
            lsp.InlayHint(
                server.conversions.position(document.source, n.offset), n.text, tooltip=n.more, padding_left=True
            )
            for n in numbers
            if document is not None
        ]
        first, last = params.range.start.line, params.range.end.line
        return [hint for hint in hints if first <= hint.position.line <= last]

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
            diagnostics = [conversions.diagnostic(mend.problem, source)]
            found.append(lsp.CodeAction(mend.title, lsp.CodeActionKind.QuickFix, diagnostics, mend.sure, edit=edit))
    if any(lsp.CodeActionKind.SourceFixAll.startswith(kind) for kind in wanted):
        edits = line_edits(source, all_mended(analysis))
        if edits:
            edit = lsp.WorkspaceEdit({uri: conversions.edits(source, edits)})
            found.append(
                lsp.CodeAction("Make every fix that loses no meaning", lsp.CodeActionKind.SourceFixAll, edit=edit)
            )
    return found


def _item(place: int, offer: Offer) -> lsp.CompletionItem:
    return lsp.CompletionItem(
        offer.label, kind=ITEMS.get(offer.what), detail=offer.detail or offer.what, sort_text=f"{place:04}"
    )


async def _worth(server: UmpireServer, document: Document, meanings: tuple[Meaning, ...]) -> str:
    """The effect on the odds of a line of a roll or a value, as an addition to its hover text."""
    if len(meanings) != 1 or meanings[0].what != "line" or meanings[0].where is None:
        return ""
    meaning, where = meanings[0], meanings[0].where
    name = meaning.path.split(".")[0]
    assert document.analysis is not None
    rules = document.analysis.rules
    if (
        rules is None
        or document.analysis.source != document.source
        or name not in {*rules.book.rolls, *rules.book.values}
    ):
        return ""
    said = await server.documents.worth(document, (where.source.name, where.start), name)
    text = "What it does to the odds is being worked out: point at it again." if said is None else prose(said)
    return f"\n\n{text}" if text else ""


async def _to_rename(server: UmpireServer, params: Any) -> tuple[Document, Span, Meaning]:
    """The span and the meaning of the name at a position of the current text. Raises JsonRpcException."""
    path = server.conversions.path(params.text_document.uri)
    document, analysis = server.documents.open.get(path), await server.documents.whole(path)
    if document is None or analysis is None:
        raise JsonRpcException("this file cannot be read yet", REFUSED)
    here = server.conversions.offset(analysis.source, params.position)
    found = renamable(analysis, here, server.documents.mine)
    if isinstance(found, Refused):
        raise JsonRpcException(found.why, REFUSED)
    return document, *found


def _tokens(server: UmpireServer, document: Document, analysis: Analysis) -> list[int]:
    """The encoded tokens: for each the distance from the previous one, its length, its sort, and whether it declares.
    Lines edited since the analysis have none.
    """
    old, new, encoding = analysis.source, document.source, server.conversions.encoding
    shift = Shift(old.text, new.text)
    first = old.lines if old == new else old.place(shift.head)[0] - 1
    last = old.place(len(old.text) - shift.tail)[0] - 1
    found: list[int] = []
    row = column = 0
    for each in document.coloured:
        if first <= each.line <= last:
            continue
        line = each.line + (new.lines - old.lines if each.line > last else 0)
        start, wide = each.column, len(each.text)
        if not (before := old.line(each.line + 1)).isascii():
            start, wide = units(before[: each.column], encoding), units(each.text, encoding)
        sort = SORT_NAMES.index(SORTS.get(each.sort, "variable"))
        found += [line - row, start - column if line == row else start, wide, sort, int(each.declares)]
        row, column = line, start
    return found


def serve() -> None:
    """Serve one editor until it disconnects. Results are not cached on disk."""
    os.environ["UMPIRE_CACHE"] = "off"
    sys.setswitchinterval(0.001)  # lets a response interrupt a check sooner
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # stray prints must not reach the editor
    make_server().start_io(sys.stdin.buffer, answers)
