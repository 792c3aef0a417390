"""`umpire odds …` asked again where nothing has changed: the answer of the last time, before there is a command line.

Enters: the words behind `umpire`, and while a command runs, what it says. Leaves: the same on the screen, or nothing.
An answer is kept with every look at the disk that it rests on, and for this screen: its width, colours and letters.
What ended in findings or refusals is not kept. Knows nothing of odds.
"""

from __future__ import annotations

import os
import sys

from interpreter import kept
from interpreter.surfaces import display

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

COMMAND = "odds"


def said_again(words: list[str]) -> bool:
    if words[:1] != [COMMAND] or (os.name == "nt" and display.colour()):
        return False
    answer = kept.recall(_question(words))
    return answer is not None and display.told(answer)


def keeping(words: list[str], heard: Callable[[], list[str]]) -> AbstractContextManager[None]:
    """`with keeping(words, heard):` keeps what was `heard` by its end, unless it ends early."""
    from contextlib import contextmanager  # here, because what is said again needs none

    @contextmanager
    def listening() -> Iterator[None]:
        with kept.noting() as watch:
            yield
            kept.stamp_libraries()
        said = "\n".join(heard())
        plain_files = "other" not in (watch.looks or {}).values()  # what comes through a pipe comes once
        if plain_files and (display.colour() or "\x1b" not in said):
            kept.keep(_question(words), watch, said)

    return listening()


def _question(words: list[str]) -> tuple[str, ...]:
    return (kept.here(), *_screen(), *words)


def _screen() -> tuple[str, ...]:
    return str(display.colour()), str(getattr(sys.stdout, "encoding", "")), str(display.width())
