"""The edits that format a file, by whole lines, so that the cursor stays in place.

Takes a text. Gives its edits; none if it cannot be parsed. Knows nothing of the layout rules.
"""

from __future__ import annotations

from difflib import SequenceMatcher

from interpreter.layout.text_edits import Edit
from interpreter.source import Problems, Source
from interpreter.workbench.formatting import format_text


def form_edits(source: Source) -> list[Edit]:
    """The edits that format a text like `umpire fmt`, by whole lines; none if it cannot be parsed."""
    form = format_text(source.name, source.text.encode("utf-8", "surrogatepass"), Problems())
    return line_edits(source, form.after) if form is not None else []


def line_edits(source: Source, after: str) -> list[Edit]:
    """The edits, of whole lines, that turn a text into `after`."""
    old, new = source.text.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [Edit(starts[a], starts[b], "".join(new[c:d])) for what, a, b, c, d in steps if what != "equal"]
