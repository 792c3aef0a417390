"""`umpire check FILES`, where all of them were found clean before and nothing has changed: said in as little time as
Python itself takes to start.

Enters: the words behind `umpire`. Leaves: whether everything has been said; if not, nothing has, and the command line
begins as ever. It looks at nothing but names, so that every option and every finding is the command line's.
"""

from __future__ import annotations

import os

from interpreter import kept
from interpreter.places import shipped
from interpreter.surfaces import display


def all_said(words: list[str]) -> bool:
    if words[:1] != ["check"] or any(word.startswith("-") for word in words):
        return False
    if os.name == "nt" and display.colour():
        return False  # colours need help there
    files = []
    for name in words[1:] or shipped():
        answer = kept.recall(("check", kept.here(), name))
        if answer is None:
            return False
        for line in answer.partition("\n\n")[0].split("\n"):
            told = line.split("\t")
            if len(told) != 4 or told[2] != "0":
                return False
            files.append((told[0], told[1]))
    return display.told(display.all_clean(files, f"{len(files)} checked: no problems"))
