"""The editor of the page: NiceGUI's editor with completions at the caret.

Takes a text, and a function that gives completions. Gives an element. CodeMirror shows the completions and handles the
keyboard; `rule_editor.js` passes requests and answers on. Completion never removes typed text. Knows nothing of rules.
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
    """`label` is the name for screen readers. `fits` is called with an offset of the text, and whether a key requested
    completion.
    """

    def __init__(self, text: str, label: str, fits: Fits, **options: Any) -> None:
        self._written = 0
        super().__init__(text, **options)
        self._props["label"] = label
        self._fits = fits
        self.on("fits", self._asked)

    def _handle_value_change(self, value: str) -> None:
        """Count texts set by the server: the browser shows only these, not values that accompany other updates."""
        if self._send_update_on_value_change:
            self._written += 1
            with self._props.suspend_updates():
                self._props["written"] = self._written
        super()._handle_value_change(value)

    async def _asked(self, event: GenericEventArguments) -> None:
        """Answer a completion request. Offsets of a browser are in UTF-16 code units."""
        text = self.value
        before = text.encode("utf-16-le", "surrogatepass")[: 2 * int(event.args["at"])].decode("utf-16-le", "ignore")
        found = await self._fits(len(before), bool(event.args["explicit"]))
        options: list[dict[str, str]] = []  # always answered, as an open request blocks later ones
        start = len(before)
        if found is not None:
            start = found.start
            options = [{"label": offer.label, "detail": offer.detail or offer.what} for offer in found.offers]
        answer = {"from": units(text[:start], "utf-16"), "options": options, "filter": False}
        self.run_method("offer", event.args["number"], answer)
