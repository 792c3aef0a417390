"""The basic elements of the page. Every text is shown as text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement


class Text(TextElement):
    """An element that holds a text and nothing else."""

    def __init__(self, tag: str, text: str) -> None:
        super().__init__(tag=tag, text=text)


def button(says: str, act: Callable[[], object | Awaitable[object]], icon: str | None = None) -> ui.button:
    """A button that calls `act` when it is clicked; `icon` is the name of a Material icon beside its text."""
    return ui.button(says, on_click=act, icon=icon, color=None).props("unelevated").classes("u-button")


def leads_to(line: int, act: Callable[[int], None]) -> None:
    """A small button that scrolls to a line of the file."""
    Text("button", f"line {line}").classes("u-jump").props("type=button").on("click", lambda: act(line))
