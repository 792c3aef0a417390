"""What the screen can show: its colours and its characters, and how a clean file is told.

Enters: text. Leaves: text for this screen. Colour only on a terminal, never with NO_COLOR.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Any

_PAINT = {"dim": "2", "bold": "1", "good": "32", "poor": "31", "warm": "33", "cool": "36"}

# Orders to a terminal, but for colours; marks that turn the direction of what follows; line ends that are none.
UNSEEN = (
    r"\x1b(?!\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)

# For terminals that have letters and little more.
_PLAIN = str.maketrans({"\u00d7": "x", "→": ">", "…": ".", "●": "*", "○": "o", "□": "-", "·": ".", "✗": "!"})


def colour(stream: Any = None) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = stream or sys.stdout
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns, no fewer and no more than a table can use."""
    columns = 0
    try:
        columns = int(os.environ.get("COLUMNS", "0"))
        columns = columns if columns > 0 else os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # no number; no screen
        pass
    return max(60, min(columns if columns > 0 else 100, 140))


def paint(said: str, kind: str) -> str:
    return f"\x1b[{_PAINT[kind]}m{said}\x1b[0m" if said and colour() else said


def can_show(said: str, stream: Any = None) -> bool:
    try:
        said.encode(getattr(stream or sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def harmless(said: str) -> str:
    """The same without what would drive the terminal: the name of a file may hold anything."""
    if said.replace("\n", "").isprintable():
        return said
    return re.sub(UNSEEN, lambda found: f"<U+{ord(found[0]):04X}>", said)


def shown(said: str) -> str:
    """The same in letters that this screen has."""
    said = harmless(said)
    return said if can_show(said) else said.translate(_PLAIN)


def nearby(name: str) -> str:
    """A file's name, from here where it lies below."""
    here = os.getcwd() + os.sep
    return name[len(here) :] if name.startswith(here) else name


def clean(name: str, what: str) -> str:
    """The line for a file in which nothing was found."""
    name = "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in nearby(name))
    return f"{paint('clean', 'good')}  {name}  {paint(what, 'dim')}"


def told(said: str) -> bool:
    """Say it; False where this screen cannot, and then nothing was said."""
    try:
        sys.stdout.write(shown(said) + "\n")
        sys.stdout.flush()
    except UnicodeEncodeError:
        return False  # a name that cannot be shown: the command line knows what to do
    return True


def all_clean(files: list[tuple[str, str]], total: str) -> str:
    """A line for each clean file, then how many were checked and what was found."""
    return "\n".join([*(clean(name, what) for name, what in files), *([""] if files else []), total])
