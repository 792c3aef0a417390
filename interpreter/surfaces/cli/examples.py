"""Commands whose help shows examples: these stand beside the rules, for they speak in a game's words.

Enters: the name of a command. Leaves: its help with the examples of that name, behind the first paragraph. Knows
nothing of what a command does.
"""

from __future__ import annotations

from functools import cache
from inspect import cleandoc
from typing import Any

import click

from interpreter.folders import EXAMPLES

from .together import check


class Command(click.Command):
    """`umpire` itself has its own examples, and a command of a command is called by both names."""

    def invoke(self, ctx: click.Context) -> Any:
        check(ctx)
        return super().invoke(ctx)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first, _, rest = cleandoc(self.help or "").partition("\n\n")
        lines = _examples().get(ctx.command_path.removeprefix("umpire "))
        shown = "\n".join(["\b", *lines]) if lines else ""  # as they stand
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(filter(None, (first, shown, rest))))


class Group(Command, click.Group):
    command_class = Command


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
