"""The language server as an editor meets it: over standard input and output, by pytest-lsp."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import pytest_lsp
from editors.club import BASE, HOUSE
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from interpreter.editor.server import SORT_NAMES

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_lsp.fixture(
    scope="module", config=ClientServerConfig(server_command=[sys.executable, "-m", "interpreter", "lsp"])
)
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    folder = tmp_path_factory.mktemp("club").resolve()
    lsp_client.folder = folder  # type: ignore[attr-defined]

    @lsp_client.feature(lsp.WORKSPACE_SEMANTIC_TOKENS_REFRESH)
    def refreshed(_: None) -> None:
        """What is shown is asked for by the tests."""

    @lsp_client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def registered(_: lsp.RegistrationParams) -> None:
        """Files are written by the tests before they are opened."""

    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
            initialization_options={"seconds": 300},
            workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), "club")],
        )
    )
    yield
    await lsp_client.shutdown_session()


class Editor:
    """A folder of files, opened and typed in."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client, self.folder, self.version = client, folder, 0
        self.texts: dict[str, str] = {}

    def write(self, **files: str) -> None:
        for name, text in files.items():
            (self.folder / f"{name}.yaml").write_text(text, "utf-8")

    def uri(self, name: str) -> str:
        return (self.folder / f"{name}.yaml").as_uri()

    def open(self, name: str, text: str | None = None) -> None:
        said = text if text is not None else (self.folder / f"{name}.yaml").read_text("utf-8")
        self.texts[name] = said
        self.version += 1
        document = lsp.TextDocumentItem(self.uri(name), "yaml", self.version, said)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))

    def type(self, name: str, text: str) -> None:
        self.texts[name] = text
        self.version += 1
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(self.version, self.uri(name)),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )

    def close(self) -> None:
        for name in self.texts:
            self.client.text_document_did_close(
                lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name)))
            )

    def place(self, name: str, words: str, inside: int = 0) -> lsp.Position:
        before = self.texts[name][: self.texts[name].index(words) + inside]
        return lsp.Position(before.count("\n"), len(before.rsplit("\n", 1)[-1]))

    def words(self, name: str, where: lsp.Range) -> str:
        line = self.texts[name].split("\n")[where.start.line]
        return line[where.start.character : where.end.character]

    async def told(self, name: str, codes: list[str]) -> list[lsp.Diagnostic]:
        """The diagnostics of a file, once they have these codes; a wait without end is stopped by the time of a test."""
        uri = self.uri(name)
        while (found := self.client.diagnostics.get(uri)) is None or [d.code for d in found] != codes:
            news = self.client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            await asyncio.wait_for(news, 30)
        return list(found)

    async def known(self, name: str) -> None:
        """Waits until all is known of a file, as its outline shows."""
        wanted = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(self.uri(name)))
        while not await self.client.text_document_document_symbol_async(wanted):
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture(loop_scope="module")
async def editor(client: LanguageClient) -> AsyncIterator[Editor]:
    folder: Path = client.folder  # type: ignore[attr-defined]
    for path in folder.rglob("*.yaml"):
        path.unlink()
    client.diagnostics.clear()
    made = Editor(client, folder)
    yield made
    made.close()


async def test_a_mistake_is_underlined_as_it_is_typed_and_goes_with_it(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.told("house", [])
    editor.type("house", HOUSE.replace("unit.armour is light", "unit.armor is light"))
    (found,) = await editor.told("house", ["N001"])
    assert editor.words("house", found.range) == "armor"
    assert "did you mean `armour`?" in found.message
    editor.type("house", HOUSE)
    await editor.told("house", [])


async def test_a_file_that_rests_on_what_is_typed_is_told_of(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("base")
    await editor.told("base", [])
    editor.type("base", BASE.replace("heavy: 3", "solid: 3"))
    (found,) = await editor.told("house", ["N001"])
    assert "`heavy`" in found.message
    editor.type("base", BASE)
    await editor.told("house", [])


async def test_a_fix_and_an_allowance_are_offered(editor: Editor) -> None:
    editor.write(base=BASE)
    text = HOUSE.replace("armours.heavy", "armours.heavi")
    editor.open("house", text)  # a file that is not there yet
    (found,) = await editor.told("house", ["N001"])
    wanted = lsp.CodeActionContext([found])
    actions = await editor.client.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(editor.uri("house")), found.range, wanted)
    )
    action = next(a for a in actions or () if a.title == "Write `heavy`")
    assert isinstance(action, lsp.CodeAction)
    (edit,) = action.edit.changes[editor.uri("house")]  # type: ignore[union-attr,index]
    assert (editor.words("house", edit.range), edit.new_text) == ("heavi", "heavy")


async def test_what_a_name_means(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.told("house", [])
    await editor.known("house")
    said = await editor.client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri("house")), editor.place("house", "armour is", 2))
    )
    assert said is not None
    assert isinstance(said.contents, lsp.MarkupContent)
    assert "**attribute** `unit.armour`: a row of armours" in said.contents.value
    assert "`base.yaml:7`" in said.contents.value


async def test_a_rename_goes_through_the_folder(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.told("house", [])
    where = editor.place("house", "armours.heavy", len("armours."))
    done = await editor.client.text_document_rename_async(
        lsp.RenameParams(lsp.TextDocumentIdentifier(editor.uri("house")), where, "plate")
    )
    assert done is not None
    assert done.changes is not None
    found = {Path(uri).name: [(e.range.start.line, e.new_text) for e in edits] for uri, edits in done.changes.items()}
    assert found == {"base.yaml": [(10, "plate")], "house.yaml": [(3, "plate"), (9, "plate")]}


async def test_a_moment_is_renamed_where_it_is_waited_for(editor: Editor) -> None:
    base = BASE.replace("(target unit):", "(target unit), a volley:").replace(
        "  roll save", "  moment volley: pinned\n  roll save"
    )
    house = HOUSE.replace("  example", "  rule after-all after volley: (units where pinned) lose pinned\n  example")
    editor.write(base=base, house=house)
    editor.open("house")
    await editor.told("house", [])
    where = editor.place("house", "after volley", len("after "))
    done = await editor.client.text_document_rename_async(
        lsp.RenameParams(lsp.TextDocumentIdentifier(editor.uri("house")), where, "barrage")
    )
    assert done is not None
    assert done.changes is not None
    found = {Path(uri).name: [(e.range.start.line, e.new_text) for e in edits] for uri, edits in done.changes.items()}
    assert found == {"base.yaml": [(16, "barrage"), (18, "barrage")], "house.yaml": [(7, "barrage")]}


@pytest.mark.parametrize(
    ("words", "new", "why"),
    [
        ("armours.heavy", "light", "with this name the rules would be wrong"),
        ("armours.heavy", "Heavy one", "no name"),
        ("extends", "x", "no name here"),
    ],
)
async def test_a_rename_that_would_be_wrong_is_refused(editor: Editor, words: str, new: str, why: str) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.told("house", [])
    inside = words.index(".") + 1 if "." in words else 1
    with pytest.raises(JsonRpcException, match=why):
        await editor.client.text_document_rename_async(
            lsp.RenameParams(lsp.TextDocumentIdentifier(editor.uri("house")), editor.place("house", words, inside), new)
        )


@pytest.mark.parametrize(
    ("old", "new", "offered", "not_offered"),
    [
        ("unit.armour is light", "unit.armour is ", {"light", "heavy"}, {"unit", "shooting"}),
        ("unit.armour is light", "unit.", {"armour", "pinned", "strength"}, {"light", "roll"}),
        ("unit.armour is light", "unit.shooting.", {"needed"}, {"armour", "light"}),
        ("A shoots at B", "A ", {"shoots"}, {"light"}),
        ("armours.heavy.save", "armours.", {"light", "heavy"}, {"save"}),
        ("extends: base", "extends: ", {"base", "modern"}, {"house", "unit"}),
        ("armour heavy", "armour ", {"heavy"}, {"shooting"}),
        ("roll +1 if", "roll +1 ", {"if", "per"}, {"unit"}),
    ],
)
async def test_only_what_fits_is_offered(
    editor: Editor, old: str, new: str, offered: set[str], not_offered: set[str]
) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.known("house")
    start = HOUSE.index(old)
    editor.type("house", HOUSE[:start] + new + HOUSE[start + len(old) :])
    where = editor.place("house", HOUSE[max(0, start - 12) : start] + new, min(12, start) + len(new))
    found = await editor.client.text_document_completion_async(
        lsp.CompletionParams(lsp.TextDocumentIdentifier(editor.uri("house")), where)
    )
    assert isinstance(found, lsp.CompletionList)
    labels = {item.label for item in found.items}
    assert offered <= labels
    assert not labels & not_offered


async def test_words_are_coloured_by_what_they_mean(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    await editor.known("house")
    found = await editor.client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(editor.uri("house")))
    )
    assert found is not None
    row = column = 0
    said = {}
    for at in range(0, len(found.data), 5):
        down, right, length, sort, _ = found.data[at : at + 5]
        row, column = row + down, right if down else column + right
        said[row, HOUSE.split("\n")[row][column : column + length]] = SORT_NAMES[sort]
    assert said[3, "heavy"] == "enumMember"
    assert said[6, "roll"] == "keyword"
    assert said[6, "+1"] == "number"
    assert said[6, "armour"] == "property"
    assert said[10, "shoots"] == "method"


async def test_each_example_has_its_number_beside_it_and_what_it_was(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE)
    editor.open("house")
    asked = lsp.InlayHintParams(
        lsp.TextDocumentIdentifier(editor.uri("house")), lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    )
    while not (hints := await editor.client.text_document_inlay_hint_async(asked)):
        await asyncio.sleep(0.2)
    assert [(hint.position.line, hint.label) for hint in hints] == [(7, "hits: 2 → 2.67")]


async def test_what_a_line_of_a_roll_does_to_the_odds(editor: Editor) -> None:
    shown = "  typical a-volley:\n    unit A: strength <3 to 5>\n    unit B: strength 4\n    do: A shoots at B\n    ask: hits\n"
    editor.write(base=BASE, house=HOUSE + shown)
    editor.open("house")
    await editor.known("house")
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri("house")), editor.place("house", "close:", 1))
    while True:
        said = await editor.client.text_document_hover_async(asked)
        assert said is not None
        assert isinstance(said.contents, lsp.MarkupContent)
        if "being worked out" not in said.contents.value:
            break
    assert "Without it 3 of 3 typical situations would be otherwise" in said.contents.value
    assert "hits: 2.50 without it, 3.33 with it" in said.contents.value


async def test_a_strangers_file_does_nothing_but_show_its_problems(editor: Editor) -> None:
    """Script, escapes, doors out of the folder, odds without end: nothing is run, read or written, and others go on."""
    evil = HOUSE.replace(
        "extends: base", "extends: base\nabout: <script>alert(1)</script> `![x](http://x/y.png)` \x1b[31m"
    )
    evil = evil.replace("unit A: strength 4", "unit A: strength 4000000").replace(
        "game: House", 'game: "[a](command:x) \\e]0;x\\a"'
    )
    editor.write(base=BASE, good=HOUSE)
    (editor.folder.parent / "secret.yaml").write_text("game: Secret\n", "utf-8")
    editor.open("evil", evil)
    editor.open("outside", "game: X\nextends: ../secret\n")
    await editor.told("outside", ["F015"])
    await editor.known("evil")
    before = sorted(editor.folder.parent.rglob("*"))
    asked = lsp.InlayHintParams(
        lsp.TextDocumentIdentifier(editor.uri("evil")), lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    )
    editor.open("good")
    await editor.told("good", [])
    where = editor.place("evil", "extends", 1)
    said = await editor.client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri("evil")), where)
    )
    assert said is not None
    hints = await editor.client.text_document_inlay_hint_async(asked)
    assert hints is not None
    assert "<script>" not in str(said) + str(hints) + str(editor.client.diagnostics.values())
    assert sorted(editor.folder.parent.rglob("*")) == before


async def test_a_finding_is_allowed_for_a_reason(editor: Editor) -> None:
    text = BASE + "More:\n  rule idle after shoot if 1 > 2: target gains pinned\n"
    editor.write(base=text)
    editor.open("base")
    (found,) = await editor.told("base", ["I004"])
    actions = await editor.client.text_document_code_action_async(
        lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(editor.uri("base")), found.range, lsp.CodeActionContext([found])
        )
    )
    action = next(a for a in actions or () if a.title.startswith("Allow"))
    assert isinstance(action, lsp.CodeAction)
    (edit,) = action.edit.changes[editor.uri("base")]  # type: ignore[union-attr,index]
    lines = text.split("\n")
    row = edit.range.start.line
    lines[row] = lines[row][: edit.range.start.character] + edit.new_text + lines[row][edit.range.end.character :]
    editor.type("base", "\n".join(lines))
    assert "# umpire: allow I004 because" in edit.new_text
    await editor.told("base", [])


async def test_a_file_is_laid_out_and_folded_and_has_an_outline(editor: Editor) -> None:
    editor.write(base=BASE)
    ragged = HOUSE.replace("    close: roll", "    close:    roll")
    editor.open("house", ragged)
    await editor.told("house", [])
    await editor.known("house")
    which = lsp.TextDocumentIdentifier(editor.uri("house"))
    edits = await editor.client.text_document_formatting_async(
        lsp.DocumentFormattingParams(which, lsp.FormattingOptions(2, True))
    )
    assert [(e.range.start.line, e.new_text) for e in edits or ()] == [
        (6, "    close: roll +1 if unit.armour is light\n")
    ]
    outline = await editor.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(which))
    assert [(each.name, len(each.children or ())) for each in outline or ()] == [  # type: ignore[union-attr]
        ("game", 0),
        ("extends", 0),
        ("change", 1),
        ("House rules", 2),
    ]
    folds = await editor.client.text_document_folding_range_async(lsp.FoldingRangeParams(which))
    assert [(each.start_line, each.end_line) for each in folds or ()] == [(2, 3), (4, 11), (5, 6), (7, 11)]


async def test_all_places_of_a_name_and_its_definition(editor: Editor) -> None:
    editor.write(base=BASE, house=HOUSE, other=HOUSE.replace("game: House", "game: Other"))
    editor.open("house")
    await editor.known("house")
    which, where = lsp.TextDocumentIdentifier(editor.uri("house")), editor.place("house", "add to shooting", 8)
    found = await editor.client.text_document_definition_async(lsp.DefinitionParams(which, where))
    assert isinstance(found, list)
    assert [(Path(each.uri).name, each.range.start.line) for each in found] == [("base.yaml", 13)]
    said = await editor.client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(False), which, where)
    )
    assert [Path(each.uri).name for each in said or ()] == ["base.yaml", "house.yaml", "other.yaml"]


async def test_what_comes_along_is_not_renamed(editor: Editor) -> None:
    text = "game: Ours\nextends: modern\nchange:\n  weapons.lmg.shots: 4, was 3\n"
    editor.open("ours", text)
    await editor.told("ours", [])
    await editor.known("ours")
    with pytest.raises(JsonRpcException, match="outside of this folder"):
        await editor.client.text_document_rename_async(
            lsp.RenameParams(lsp.TextDocumentIdentifier(editor.uri("ours")), editor.place("ours", "lmg", 1), "bren")
        )


async def test_what_is_no_file_of_ours_is_left_alone(editor: Editor) -> None:
    editor.open("pipeline", "on: [push]\njobs:\n  a: {runs-on: x}\n")
    await editor.told("pipeline", [])
    editor.type("pipeline", "game: Ours\nextends: nowhere\n")
    await editor.told("pipeline", ["F015"])
