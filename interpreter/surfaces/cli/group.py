"""All commands under the name `umpire`.

Takes command-line words. Runs a command, and gives its exit code.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

from interpreter import __version__

from . import COMMANDS, MODULES
from .commands import Command, Group

_SAYS = """
Wargame rules as plain YAML: checked, played with every die shown, and priced in exact odds.

Exit codes, of every command: 0 clean, 1 findings in your files, 2 could not run: what was typed is wrong, a file
is not there or cannot be opened, or odds were given up; 130 stopped by Ctrl-C.
"""


def main(words: Sequence[str] | None = None) -> int | None:
    """Run the command that the words say, by default those typed. Returns its exit code; raises `Ended`."""
    return UMPIRE(sys.argv[1:] if words is None else words)


def command_named(name: str) -> Command | Group:
    """The command; its module is imported now, and no other's."""
    found: Command | Group = getattr(importlib.import_module(f".{MODULES.get(name, name)}", __package__), name)
    return found


UMPIRE = Group("umpire", _SAYS, COMMANDS, command_named, version=__version__)
