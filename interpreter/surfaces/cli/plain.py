"""A plain command is read without what reads options, which takes longer to import than many commands take to run.

Enters: words. Leaves: what they ask for, by the names that the command's own options have; or None, and click reads
them: help, whatever is wrong, options that are not in the table, completion. The tables are held against click's by a
test. Knows nothing of what is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from interpreter.hints import Any

from .asking import MOST_WORLDS

# The name of each option, and what is so without it: `()` may be repeated, `False` takes no value, a number is from 1.
Options = dict[str, tuple[str, Any]]
SITUATION: Options = {
    "--ask": ("asks", ()),
    "--choose": ("choose", ()),
    "--ruling": ("rulings", ()),
    "--over": ("over", ()),
    "--json": ("as_json", False),
}
ODDS: Options = SITUATION | {
    "--given": ("given", None),
    "--fraction": ("exact", False),
    "--table": ("table", False),
    "--joint": ("joint", False),
    "--deviation": ("deviation", False),
    "--limit": ("worlds", MOST_WORLDS),
}

RESOLVE: Options = SITUATION | {
    "--seed": ("seed", None),
    "--dice": ("dice", None),
    "-v": ("verbose", False),
    "--verbose": ("verbose", False),
}


def command(words: list[str]) -> Callable[[], None] | None:
    """What these words ask for."""
    if os.name == "nt" or "_UMPIRE_COMPLETE" in os.environ:  # `*.yaml` is spelt out there; a shell asks what fits
        return None
    if words[:1] == ["odds"] and (said := read(words[1:], ODDS)) is not None:
        if said["joint"] and (said["table"] or said["deviation"]):  # click says that both cannot be done
            return None
        from . import pricing

        return partial(pricing.odds, **said)
    if words[:1] == ["resolve"] and (said := read(words[1:], RESOLVE)) is not None:
        if said["seed"] is None or said["dice"] is None:  # not both
            from . import playing

            return partial(playing.resolve, **said)
    return None


def read(words: list[str], options: Options) -> dict[str, Any] | None:
    said: dict[str, Any] = {"words": (), **dict(options.values())}
    waiting = iter(words)
    for word in waiting:
        if not word.startswith("-"):
            said["words"] += (word,)
            continue
        option, joined, given = word.partition("=")
        name, before = options.get(option, ("", None))
        if not name or (joined and before is False):
            return None
        if before is False:
            said[name] = True
            continue
        given = given if joined else next(waiting, "")
        if not given or given.startswith("-"):
            return None  # nothing, or the next option
        if isinstance(before, int):
            if not (given.isascii() and given.isdecimal() and 0 < len(given) < 16 and int(given)):
                return None
            said[name] = int(given)
        else:
            said[name] = given if before is None else (*said[name], given)
    return said
