"""`umpire check FILES`, with nothing asked for but `--no-cache`: checked before there is a command line.

Enters: the words behind `umpire`. Leaves: what was found; and where that is nothing, the words for it on the screen.
What there is to tell, and every other option, is the command line's: it gets what was found here. It is a third of the
time that a check takes to import what reads options.
"""

from __future__ import annotations

import os
import sys

from interpreter.surfaces import display

TYPE_CHECKING = False
if TYPE_CHECKING:
    from interpreter.workbench.checked import Checked

ANEW = "--no-cache"


def found_by(words: list[str]) -> list[Checked] | None:
    """What a check finds; None where the words ask for more, or something is wrong that the command line can tell."""
    if words[:1] != ["check"] or any(word.startswith("-") and word != ANEW for word in words):
        return None
    if os.name == "nt" and any(mark in word for word in words for mark in "*?[~$%"):
        return None  # no shell spells that out there: click does
    from interpreter.workbench.checked import check_all

    sys.set_int_max_str_digits(0)
    try:
        return check_all([word for word in words[1:] if word != ANEW], anew=ANEW in words)
    except Exception:
        return None


def all_said(found: list[Checked]) -> bool:
    if any(each.problems for each in found) or (os.name == "nt" and display.colour()):
        return False
    return display.told(
        display.all_clean([(each.name, each.what) for each in found], f"{len(found)} checked: no problems")
    )
