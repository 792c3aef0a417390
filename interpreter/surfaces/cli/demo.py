"""`umpire demo`: shows what Umpire does, in a few seconds, with shipped rules.

Takes a page of examples/, which may depend on a game. Prints the page, with each command line followed by its output.
Knows only the commands that the page uses.
"""

from __future__ import annotations

import re

from interpreter.folders import EXAMPLES
from interpreter.source import Problems
from interpreter.workbench.files import check_file

from .commands import command
from .odds import exact_odds
from .resolve import play, shown_dice
from .scenes import load
from .terminal import cannot, clean, nearby, paint, rendered, say

_ASKS = "$ umpire "


@command()
def demo() -> None:
    """A few seconds of everything: rules checked, a mistake found, a volley die by die, exact odds."""
    page = EXAMPLES / "demo.txt"
    if not page.is_file():
        cannot(f"the situations of the demonstration are not here: {EXAMPLES}")
    for line in page.read_text(encoding="utf-8").splitlines():
        said = re.sub(r"\bexamples/(\S+)", lambda file: nearby(str(EXAMPLES / file[1])), line)
        if said.startswith(_ASKS):
            command, _, name = said.removeprefix(_ASKS).partition(" ")
            _ANSWERS[command](name)
        elif not said.startswith("#"):
            say(_printed(said))


def _printed(line: str) -> str:
    """A line of the page, formatted by its indent: title, command, comment."""
    words = line.lstrip()
    margin = len(line) - len(words)
    return line[:margin] + (words if margin == 2 else paint(words, "dim" if margin else "bold"))


def _check(name: str) -> None:
    """Check without printing the command, as the name is in the output."""
    problems = Problems()
    what = check_file(name, problems)
    say(rendered(problems).rstrip("\n") if len(problems) else clean(name, what))


def _resolve(name: str) -> None:
    say(paint(f"{_ASKS}resolve {name}", "dim"))
    scene = load((name,))
    play(scene, shown_dice(scene))


def _odds(name: str) -> None:
    say(paint(f"{_ASKS}odds {name}", "dim"))
    exact_odds(load((name,)))


_ANSWERS = {"check": _check, "resolve": _resolve, "odds": _odds}
