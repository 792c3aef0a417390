"""Changes of a file as a unified diff.

Takes a file's name, its text before and after. Prints the diff.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from difflib import unified_diff

from .terminal import echo, harmless, nearby


def show_diff(path: str, before: str, after: str) -> None:
    """Print the changes of a file as a unified diff; on a terminal without control characters."""
    lines = "".join(_diff_lines(nearby(path), before, after))
    echo(harmless(lines) if sys.stdout.isatty() else lines)


def _diff_lines(name: str, before: str, after: str) -> Iterable[str]:
    for line in unified_diff(_whole_lines(before), _whole_lines(after), name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _whole_lines(text: str) -> list[str]:
    """The lines with their line ends, split like `patch` does; `splitlines` also splits at other characters."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
