"""The editor of the page: NiceGUI's, which also asks what may be typed at the caret.

Enters: a text, and who knows what fits. Leaves: an element. What it shows, and how it is reached by keyboard, is
CodeMirror's own completion; `rule_editor.js` hands questions and answers on. What is typed is never taken away. Knows
nothing of rules.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from interpreter.editor.positions import units

from .tasks import Fitting

Fits = Callable[[int, bool], Awaitable[Fitting | None]]
_THEIRS = Path(inspect.getfile(ui.codemirror)).with_name("codemirror.js")


class RuleEditor(ui.codemirror, component="rule_editor.js", dependencies=[_THEIRS]):
    """`label` is what a screen reader calls it. `fits` is asked for a place of the text and whether somebody asked for
    it by a key.
    """

    def __init__(self, text: str, label: str, fits: Fits, **options: Any) -> None:
        self._written = 0
        super().__init__(text, **options)
        self._props["label"] = label
        self._fits = fits
        self.on("fits", self._asked)

    def _handle_value_change(self, value: str) -> None:
        """A text that we write is counted: the browser shows those, and none that merely comes with other news."""
        if self._send_update_on_value_change:
            self._written += 1
            with self._props.suspend_updates():
                self._props["written"] = self._written
        super()._handle_value_change(value)

    async def _asked(self, event: GenericEventArguments) -> None:
        """Places of a browser are in units of UTF-16."""
        text = self.value
        before = text.encode("utf-16-le", "surrogatepass")[: 2 * int(event.args["at"])].decode("utf-16-le", "ignore")
        found = await self._fits(len(before), bool(event.args["explicit"]))
        options: list[dict[str, str]] = []  # which is an answer: without one, a key that asks meanwhile gets none
        start = len(before)
        if found is not None:
            start = found.start
            options = [{"label": offer.label, "detail": offer.detail or offer.what} for offer in found.offers]
        answer = {"from": units(text[:start], "utf-16"), "options": options, "filter": False}
        self.run_method("offer", event.args["number"], answer)
