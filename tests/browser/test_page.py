"""What the page does, without a browser: NiceGUI's own user, who sees texts and presses buttons."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nicegui import ui
from nicegui.testing.user import User
from nicegui.testing.user_simulation import user_simulation
from test_journeys import OURS, SCRIPT, STRANGER

from interpreter.surfaces.studio.desk import Studio
from interpreter.surfaces.studio.page import Page

Journey = Callable[[User, Page], Awaitable[None]]


@pytest.fixture
def visited(tmp_path: Path) -> Callable[[Journey], None]:
    """Somebody at the page of a folder with a house rule and with the file of a stranger."""
    (tmp_path / "ours.yaml").write_text(OURS, "utf-8")
    (tmp_path / "stranger.yaml").write_text(STRANGER, "utf-8")

    def visit(journey: Journey) -> None:
        async def all_of_it() -> None:
            studio, pages = Studio(str(tmp_path)), list[Page]()
            try:
                async with user_simulation(root=lambda: pages.append(Page(studio))) as user:
                    await user.open("/")
                    with user:
                        await journey(user, pages[0])
            finally:
                studio.close()

        asyncio.run(all_of_it())

    return visit


def test_a_mistake_is_told_and_its_button_mends_it(visited: Callable[[Journey], None], tmp_path: Path) -> None:
    async def journey(user: User, page: Page) -> None:
        await user.should_see("Begin with a house rule of your own")
        await page._open("ours.yaml")
        await user.should_see("Every word is understood.")
        await user.should_see("The house rule changes the odds here.")
        page.editor.value = OURS.replace("rifle.shots", "rfile.shots")
        await page._check()
        await user.should_see("no line of weapons is called `rfile`")
        await user.should_see("line 5, character 13 to 17")
        assert [d["class"] for d in page.editor.decorations if d["class"] == "u-wrong"] == ["u-wrong"]
        user.find("Write `rifle`").click()
        await user.should_see("Every word is understood.", retries=100)
        assert page.editor.value == OURS and page.writer.text == "Save to the folder"

    visited(journey)
    assert (tmp_path / "ours.yaml").read_text("utf-8") == OURS


def test_what_changes_outside_is_told_and_stays(visited: Callable[[Journey], None], tmp_path: Path) -> None:
    async def journey(user: User, page: Page) -> None:
        await page._open("ours.yaml")
        (tmp_path / "ours.yaml").write_text("theirs", "utf-8")
        page.editor.value = OURS + "# mine\n"
        user.find("Save to the folder").click()
        await user.should_see("was changed outside the studio", retries=50)

    visited(journey)
    assert (tmp_path / "ours.yaml").read_text("utf-8") == "theirs"


def test_a_strangers_words_are_elements_of_text_only(visited: Callable[[Journey], None]) -> None:
    async def journey(user: User, page: Page) -> None:
        await page._open("stranger.yaml")
        await user.should_see("Mistake")
        assert SCRIPT.replace('"', "'") in page.editor.value
        assert not [e for e in user.client.elements.values() if isinstance(e, ui.html | ui.markdown)]
        keys = [k for e in user.client.elements.values() for k in e.props if ":" in k[:1]]
        assert not keys  # such a key would have its value evaluated

    visited(journey)


def test_maps_before_and_after_have_one_scale_of_colours(visited: Callable[[Journey], None]) -> None:
    async def journey(user: User, page: Page) -> None:
        await page._open("ours.yaml")
        await page._said(page.desk.situation.replace("6 figures", "<2, 4> figures").replace('20"', '<6", 20">'))
        await user.should_see("hits, before", retries=50)
        cells = [e for e in user.client.elements.values() if e.tag == "td" and "u-step" in " ".join(e.classes)]
        steps = [(e.text, int(" ".join(e.classes).rpartition("-")[2])) for e in cells]
        assert steps == [
            ("0.33", 2),
            ("0.33", 2),
            ("0.67", 5),
            ("0.67", 5),
            ("0.67", 5),
            ("0.67", 5),
            ("1.33", 9),
            ("1.33", 9),
        ]

    visited(journey)


def test_a_play_says_its_dice_and_takes_those_that_are_typed(visited: Callable[[Journey], None]) -> None:
    async def journey(user: User, page: Page) -> None:
        await page._open("ours.yaml")
        await page._play("6 6 6 6 6 6 6 6 6 6 6 6")
        await user.should_see("Dice: 6 6 6 6 6 6 6 6 6 6 6 6")
        await user.should_see("12 of 12 pass")

    visited(journey)
