"""What would change in a file, as a unified diff.

Enters: a file's name, its text before and after. Leaves: the diff, on the screen.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from difflib import unified_diff

import click

from .terminal import harmless, nearby


def show_diff(path: str, before: str, after: str) -> None:
    """What would change in a file, as `patch` takes it; on a screen, without what would drive it."""
    told = "".join(_diff_lines(nearby(path), before, after))
    click.echo(harmless(told) if sys.stdout.isatty() else told, nl=False)


def _diff_lines(name: str, before: str, after: str) -> Iterable[str]:
    for line in unified_diff(_whole_lines(before), _whole_lines(after), name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _whole_lines(text: str) -> list[str]:
    """With their line ends. `splitlines` would also end one at signs that end none for `patch`."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
