"""The recipes of the manual: searched by a player's words, and inserted into the file or a new one.

Takes a `Desk`, and a callback. Gives a dialog. Knows nothing of the content of recipes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui

from interpreter.workbench.recipes import Recipe

from .desk import Desk
from .parts import Text, button

_OPENED = 2  # up to so many results are expanded


class RecipeDialog:
    """`taken` is called after the lines of a recipe were added to the text; its argument tells whether the file is
    new.
    """

    def __init__(self, desk: Desk, taken: Callable[[bool], Awaitable[None]]) -> None:
        self.desk, self.taken = desk, taken
        with ui.dialog() as self.dialog, ui.card().classes("u-pane").style("max-width:760px;width:100%"):
            Text("h2", "Recipes")
            ui.label("House rules that players have asked for. Say what you wish for in a few words.").classes("u-soft")
            self.words = ui.input("What you wish for", placeholder="exploding sixes", on_change=self._find)
            self.words.props("outlined dense clearable autofocus debounce=200").classes("w-full")
            self.trouble = ui.label("").classes("u-bad").props("role=alert")
            self.found()
            button("Not now", self.dialog.close).classes("u-quiet")

    def open(self) -> None:
        self.trouble.text = ""
        self.found.refresh()
        self.dialog.open()

    def _find(self) -> None:
        self.trouble.text = ""
        self.found.refresh()

    @ui.refreshable_method
    def found(self) -> None:
        fits = self.desk.recipes(str(self.words.value or ""))
        many = f"{len(fits)} recipes" if len(fits) > 1 else "one recipe" if fits else "no recipe has these words"
        ui.label(many).classes("u-soft").props("role=status")
        with ui.element("div").classes("u-list"):
            for recipe in fits:
                said = f"{recipe.title} · {' + '.join(recipe.over)}"
                with ui.expansion(said, caption=recipe.about, value=len(fits) <= _OPENED).classes("w-full u-fold"):
                    self._recipe(recipe)

    def _recipe(self, recipe: Recipe) -> None:
        ui.label(recipe.story or recipe.about)
        with ui.element("div").classes("u-row"):
            if self.desk.takes(recipe):
                button(f"Put it into {self.desk.name}", partial(self._put_in, recipe), "playlist_add").classes(
                    "u-first"
                )
            button("Begin a file with it", partial(self._begin, recipe), "note_add")
        Text("pre", recipe.text.rstrip()).classes("u-code")

    async def _put_in(self, recipe: Recipe) -> None:
        await self._done(await self.desk.put_in(recipe), False)

    async def _begin(self, recipe: Recipe) -> None:
        await self._done(self.desk.begin_with(recipe), True)

    async def _done(self, done: bool, new: bool) -> None:
        if done:
            self.dialog.close()
            await self.taken(new)
        else:
            self.trouble.text, self.desk.trouble = self.desk.trouble, ""
