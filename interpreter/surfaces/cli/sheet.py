"""`umpire sheet`: a reference sheet for play, as a page to print.

Takes a rule set, and the name of a file. Writes that file, HTML or PDF by its name.
"""

from __future__ import annotations

from pathlib import Path

from interpreter.surfaces.as_sheet import html, pdf
from interpreter.workbench.fixes import put_file
from interpreter.workbench.reference_sheet import reference_sheet

from .commands import UsageError, argument, command
from .ends import CLEAN
from .scenes import opened
from .terminal import nearby, paint, say


@command()
@argument("rules")
@argument("file", nargs="?")
def sheet(rules: str, file: str | None) -> int:
    """A reference sheet to print: tables, rolls with their modifiers, and house rules marked in the margin.

    \b
    umpire sheet modern                writes modern-sheet.html: open it, and print it from the browser
    umpire sheet ours.yaml ours.pdf    the same as PDF, with ours.yaml marked in the margin
    """
    found = opened(rules)
    path = file if file is not None else f"{found.name.replace(' ', '')}-sheet.html"
    made = reference_sheet(found)
    if Path(path).suffix.lower() == ".pdf":
        try:
            put_file(path, pdf(made))
        except ImportError:
            raise UsageError(
                "PDF needs the extra `pdf`: pip install 'tabletop-umpire[pdf]'. A name in .html needs nothing."
            ) from None
    else:
        put_file(path, html(made))
    say(paint(f"written: {nearby(path)}", "dim"))
    return CLEAN
