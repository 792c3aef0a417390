"""What the help of a command shows: examples that stand beside the rules, for they speak in a game's words.

Enters: a command of click. Leaves: its help with the examples of its name, behind the first paragraph.
"""

from __future__ import annotations

from functools import cache
from inspect import cleandoc

import click

from interpreter.places import EXAMPLES


def with_examples(command: click.Command, name: str) -> click.Command:
    """`umpire` itself has its own, and a command of a command is called by both names."""
    lines = _examples().get(name)
    if lines and command.help and lines[0] not in command.help:
        first, _, rest = cleandoc(command.help).partition("\n\n")
        command.help = "\n\n".join(filter(None, (first, "\n".join(["\b", *lines]), rest)))
    if isinstance(command, click.Group) and command.commands:
        for each in command.commands.values():
            with_examples(each, f"{name} {each.name}")
    return command


@cache
def _examples() -> dict[str, list[str]]:
    """By command; none where the file is not there."""
    path = EXAMPLES / "commands.txt"
    found: dict[str, list[str]] = {}
    name = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.startswith("  "):
            found.setdefault(name, []).append(line[2:])
        elif not line.startswith("#"):
            name = line.strip()
    return found
