"""What a terminal can show, and what is said on it: colours, width, characters; answers, problems, progress; and how a
command says that it could not run.

Enters: text, plain data, problems. Leaves: text on this screen, or an exit code. Colour only on a terminal, never with
NO_COLOR. Knows nothing of rules.
"""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from threading import Event, Thread
from typing import Any, NoReturn, TypeVar

import click

from interpreter.source import Problem, Problems, Span, render
from interpreter.surfaces.as_json import UNSEEN, Json, text
from interpreter.surfaces.as_json import problems as plain
from interpreter.workbench.progress import Progress

from .ends import CLEAN, COULD_NOT, FINDINGS, Ended

T = TypeVar("T")

LEVELS = ("error", "warning", "style")
# The files are right, and there was not room enough to work out what was asked.
_GAVE_UP = frozenset({"E001"})

_PAINT = {"dim": "2", "bold": "1", "good": "32", "poor": "31", "warm": "33", "cool": "36"}
# For terminals that have letters and little more.
_PLAIN = str.maketrans({"\u00d7": "x", "→": ">", "…": ".", "●": "*", "○": "o", "□": "-", "·": ".", "✗": "!"})

FIRST, NEXT = 1.0, 0.2  # seconds until a line of progress is there, and from then on until it is written anew
_WIPE = "\r\x1b[K"


# ---- what it can show
def colour(stream: Any = None) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    stream = stream or sys.stdout
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def width() -> int:
    """Columns, no fewer and no more than a table can use."""
    return max(60, min(shutil.get_terminal_size((100, 0)).columns, 140))


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


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def aligned(rows: Iterable[Sequence[str]], right: Callable[[int], bool]) -> list[str]:
    """Rows of a table as lines; the columns of which `right` says so end under each other, the others begin so."""
    rows = list(rows)
    wides = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(f"{cell:{'>' if right(i) else '<'}{wides[i]}}" for i, cell in enumerate(row)).rstrip() for row in rows
    ]


def located(span: Span) -> str:
    """Where something stands: `ours.yaml:12`."""
    return nearby(f"{span.source.name}:{span.place[0]}")


# ---- what is said
def say(said: str = "") -> None:
    echo(f"{shown(said)}\n")


def echo(said: str, err: bool = False) -> None:
    """Onto the screen: by click, where colours need help or have to go, or letters are not those of the stream."""
    stream = sys.stderr if err else sys.stdout
    if os.name != "nt" and can_show(said, stream) and ("\x1b" not in said or colour(stream)):
        stream.write(said)
        stream.flush()
        return
    # click would take the colours out again where FORCE_COLOR wants them.
    click.echo(said, err=err, nl=False, color=colour(stream))


def answer(found: T, as_json: bool, plain: Callable[[T], Json], lines: Callable[[T], Iterable[str]]) -> None:
    """Say an answer: as plain data, or in lines for a reader."""
    if as_json:
        say(text(plain(found)))
        return
    for line in lines(found):
        say(line)


def put(said: str, output: str | None) -> None:
    """Say it, or write it into a file: as UTF-8 with plain line ends, which not every shell makes of `>`."""
    if output is None:
        say(said)
    else:
        from interpreter.workbench.fixes import put_file  # it needs all that checks

        put_file(output, f"{said}\n")


def show_diff(path: str, before: str, after: str) -> None:
    """What would change in a file, as `patch` takes it; on a screen, without what would drive it."""
    told = "".join(_diff_lines(nearby(path), before, after))
    click.echo(harmless(told) if sys.stdout.isatty() else told, nl=False)


def _diff_lines(name: str, before: str, after: str) -> Iterable[str]:
    for line in difflib.unified_diff(_whole_lines(before), _whole_lines(after), name, name):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _whole_lines(text: str) -> list[str]:
    """With their line ends. `splitlines` would also end one at signs that end none for `patch`."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def clean(name: str, what: str) -> str:
    """The line for a file in which nothing was found."""
    name = "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in nearby(name))
    return f"{paint('clean', 'good')}  {name}  {paint(what, 'dim')}"


def all_clean(files: list[tuple[str, str]], total: str) -> str:
    """A line for each clean file, then how many were checked and what was found."""
    return "\n".join([*(clean(name, what) for name, what in files), *([""] if files else []), total])


# ---- problems
def rendered(problems: Iterable[Problem], stream: Any = None, counted: bool = True) -> str:
    """Problems in words, with the names of files as seen from here; then how many, if it shall."""
    return render(problems, colour=colour(stream), width=width(), counted=counted, named=nearby)


def ending(problems: Iterable[Problem], fail_on: str = "style") -> int:
    """The exit code that problems make, in every command the same: 2 where one of them lies in no file (what was
    typed is wrong, or a file is not there or cannot be opened), else 1 where one is at least as grave as `fail_on`.
    """
    found = list(problems)
    if any(p.code in _GAVE_UP or p.span is None or not _is_file(p.span.source.name) for p in found):
        return COULD_NOT
    return FINDINGS if any(LEVELS.index(p.severity) <= LEVELS.index(fail_on) for p in found) else CLEAN


def _is_file(name: str) -> bool:
    return name == "<stdin>" or os.path.isfile(name)


def refuse(problems: Iterable[Problem], as_json: bool = False, typed: bool = False) -> NoReturn:
    """Say what is wrong and end: as JSON on standard output, else on standard error. `typed`: the files were right,
    what was typed asks for too little or too much of them.
    """
    problems = list(problems)
    if as_json:
        echo(f"{text(plain(problems))}\n")
    else:
        echo(rendered(problems, sys.stderr), err=True)
    raise Ended(COULD_NOT if typed else ending(problems) or COULD_NOT)


def needed(found: T | None, problems: Problems, as_json: bool = False) -> T:
    """What was found; the end of the command where nothing was, or an error in it."""
    if found is None or problems.has_errors:
        refuse(problems, as_json)
    return found


def lacking(wanted: str, hint: str, as_json: bool = False, problems: Problems | None = None) -> NoReturn:
    """The end of a command for which too little was typed; `problems` are others, that are told before."""
    problems = problems if problems is not None else Problems()
    problems.add("F016", None, wanted=wanted, hint=hint)
    refuse(problems, as_json)


def cannot(why: str) -> NoReturn:
    """The same where it is no problem of a file, in a line."""
    click.echo(f"umpire: {why}", err=True)
    raise Ended(COULD_NOT)


def in_folders(paths: Iterable[str], taken: Callable[[str], list[str]]) -> list[str]:
    """The files that are meant by what was typed, where it may name folders; `taken` gives those of one path."""
    files = {path: taken(path) for path in paths}
    for path, found in files.items():
        if not found:
            cannot(f"no rule file, situation or file of examples lies in {nearby(path)}")
    return [file for found in files.values() for file in found]


# ---- progress
@contextmanager
def watched(progress: Progress) -> Iterator[Progress]:
    """Tell how far it has come, for anything that takes longer than a second: one line on standard error, only on a
    terminal, gone at the end. Whoever works does not wait: a thread writes the line from time to time.
    """
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield progress
        return
    over = Event()

    def tell() -> None:
        wait, shown = FIRST, False
        while not over.wait(wait):
            sys.stderr.write(f"{_WIPE}{progress_said(progress)}")
            sys.stderr.flush()
            wait, shown = NEXT, True
        if shown:
            sys.stderr.write(_WIPE)
            sys.stderr.flush()

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield progress
    finally:
        over.set()
        teller.join()


def progress_said(progress: Progress) -> str:
    """`7 of 72 situations, 12,000 worlds …`."""
    parts = [f"{progress.done:,} of {progress.of:,} {progress.part}"] if progress.of else []
    if progress.worlds >= 1_000:
        parts.append(f"{progress.worlds:,} worlds")
    return ", ".join(parts or ["working"]) + " …"
