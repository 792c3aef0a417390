"""The language server as an editor meets it: over standard input and output, by pytest-lsp."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

pytestmark = pytest.mark.asyncio(loop_scope="module")

BASE = """\
game: Base
Conventions:
  dice plain: d6 at or over
  kind side:
  kind unit of side:
    strength: number first 4
    armour: one of armours first light
Armour:
  table armours (save):
    light: 5
    heavy: 3
Firing:
  mark pinned of unit: until before shoot
  roll shooting of unit:
    basic: needs 4
    pinned: roll -1 if unit is pinned
  roll save of unit: needs unit.armour.save
  to shoot (unit) at (target unit):
    hits: unit.strength passing unit.shooting
    dead: hits failing target.save
    fall: target loses dead strength
    stop, if dead > 0: target gains pinned
"""
HOUSE = """\
game: House
extends: base
change:
  armours.heavy.save: 2, was 3
House rules:
  add to shooting:
    close: roll +1 if unit.armour is light
  example four-at-four:
    unit A: strength 4
    unit B: strength 4, armour heavy
    do: A shoots at B
    odds: 8/3 mean hits
"""


@pytest_lsp.fixture(
    scope="module", config=ClientServerConfig(server_command=[sys.executable, "-m", "interpreter", "lsp"])
)
async def client(lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[None]:
    folder = tmp_path_factory.mktemp("club").resolve()
    lsp_client.folder = folder  # type: ignore[attr-defined]
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities=client_capabilities("visual-studio-code"),
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
    while True:
        said = await editor.client.text_document_hover_async(
            lsp.HoverParams(lsp.TextDocumentIdentifier(editor.uri("house")), editor.place("house", "armour is", 2))
        )
        if said is not None:
            break
        await asyncio.sleep(0.05)
    assert isinstance(said.contents, lsp.MarkupContent)
    assert "**attribute** `unit.armour`: a row of armours" in said.contents.value
    assert "`base.yaml:7`" in said.contents.value
