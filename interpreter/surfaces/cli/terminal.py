"""Terminal output: its capabilities (colours, width, characters), answers, problems, progress; and reports of commands
that could not run.

Takes text, plain data, problems. Prints text, or gives an exit code. Uses colour only on a terminal, never with
NO_COLOR. Knows nothing of rules.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import zip_longest
from time import monotonic
from typing import Any, NoReturn, TypeVar

from interpreter.places import SHIPPED, hides_folder
from interpreter.source import Problem, Problems, Span, render
from interpreter.source.rendering import UNSEEN
from interpreter.surfaces.as_json import problems as plain_problems
from interpreter.surfaces.as_json import text as json_text
from interpreter.workbench.progress import Progress

from .ends import CLEAN, COULD_NOT, FINDINGS, Ended

T = TypeVar("T")

LEVELS = ("error", "warning", "style")
# Codes of problems that are not mistakes in the files: the computation exceeded its limit.
_GAVE_UP = frozenset({"E001"})

_PAINT = {"dim": "2", "bold": "1", "good": "32", "poor": "31", "warm": "33", "cool": "36"}
# Replacements on terminals that only support ASCII.
_PLAIN = str.maketrans({"\u00d7": "x", "→": ">", "…": ".", "●": "*", "○": "o", "□": "-", "·": ".", "✗": "!"})

FIRST, NEXT = 1.0, 0.2  # seconds before progress is first shown, and between updates
SELDOM = 10.0  # seconds between two lines of a log
GOES_ON = "what is done is kept, and the same command goes on from there"
_COLOURS = r"\x1b\[[\d;]*m"
_WIPE = "\r\x1b[K"


# ---- capabilities
def colour(stream: Any = None) -> bool:
    """Whether text on a stream (standard output by default) is coloured: never with NO_COLOR set, always with
    FORCE_COLOR (unless it is 0), else on a terminal that is not dumb.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    stream = stream or sys.stdout
    return bool(stream.isatty()) and os.environ.get("TERM") != "dumb"


def width() -> int:
    """The width in columns, clamped to what a table can use; 100 if the output is not a terminal."""
    if not sys.stdout.isatty() and "COLUMNS" not in os.environ:
        return 100
    import shutil  # imported late, as it imports compression libraries

    return max(60, min(shutil.get_terminal_size((100, 0)).columns, 140))


def paint(said: str, kind: str, stream: Any = None) -> str:
    """The text in one of the colours of `_PAINT`, if the stream (standard output by default) shows colours and the text
    is not empty.
    """
    return f"\x1b[{_PAINT[kind]}m{said}\x1b[0m" if said and colour(stream) else said


def can_show(said: str, stream: Any = None) -> bool:
    """Whether the encoding of a stream (standard output by default) has all characters of a text."""
    try:
        said.encode(getattr(stream or sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def harmless(said: str) -> str:
    """The text with control characters shown as code points, since file names may contain anything."""
    if said.replace("\n", "").isprintable():
        return said
    return re.sub(UNSEEN, lambda found: f"<U+{ord(found[0]):04X}>", said)


def shown(said: str) -> str:
    """The text in characters that the terminal can display."""
    said = harmless(said)
    return said if can_show(said) else said.translate(_PLAIN)


def nearby(name: str) -> str:
    """The file name relative to the working directory if the file is below it. A shipped rule file elsewhere becomes
    `…/rules/modern.yaml`, so that a long installation path leaves room for the line shown.
    """
    here, shipped = os.getcwd() + os.sep, SHIPPED + os.sep
    if name.startswith(here):
        return name[len(here) :]
    return f"…/rules/{name[len(shipped) :]}" if name.startswith(shipped) else name


def counted(count: int, what: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def aligned(rows: Iterable[Sequence[str]], right: Callable[[int], bool]) -> list[str]:
    """Rows of a table as lines with padded columns; those for which `right` holds are right-aligned."""
    rows = list(rows)
    wides = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(f"{cell:{'>' if right(i) else '<'}{wides[i]}}" for i, cell in enumerate(row)).rstrip() for row in rows
    ]


def located(span: Span) -> str:
    """A source position: `ours.yaml:12`."""
    return nearby(f"{span.source.name}:{span.place[0]}")


# ---- output
def say(said: str = "") -> None:
    """Print a text and a line end on standard output, in characters that it can show."""
    echo(f"{shown(said)}\n")


def echo(said: str, err: bool = False) -> None:
    """Write to the terminal, without the colours that it does not show."""
    stream = sys.stderr if err else sys.stdout
    stream.write(said if "\x1b" not in said or colour(stream) else re.sub(_COLOURS, "", said))
    stream.flush()


def prompted(question: str, err: bool = False) -> str:
    """The line that is typed after a question. Raises EOFError at the end of the input."""
    echo(question, err)
    return input()


def clear() -> None:
    """Clear the screen, if there is one."""
    if sys.stdout.isatty():
        echo("\x1b[2J\x1b[1;1H")


def answer(found: T, as_json: bool, plain: Callable[[T], dict[str, Any]], lines: Callable[[T], Iterable[str]]) -> None:
    """Print an answer, as JSON or as lines of text."""
    if as_json:
        say(json_text(plain(found)))
        return
    for line in lines(found):
        say(line)


def put(said: str, output: str | None) -> None:
    """Print the text or write it to a file, as UTF-8 with plain line ends, which shell redirection does not
    guarantee.
    """
    if output is None:
        say(said)
    else:
        from interpreter.workbench.fixes import put_file  # lazily: imports all checks

        put_file(output, f"{said}\n")


def clean(name: str, what: str) -> str:
    """The line for a file without problems."""
    name = "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in nearby(name))
    return f"{paint('clean', 'good')}  {name}  {paint(what, 'dim')}"


def all_clean(files: list[tuple[str, str]], total: str) -> str:
    """A line for each clean file, then the totals."""
    return "\n".join([*(clean(name, what) for name, what in files), *([""] if files else []), total])


# ---- problems
def rendered(problems: Iterable[Problem], stream: Any = None, counted: bool = True) -> str:
    """Problems as text, with file names relative to the working directory; then their number if `counted`."""
    return render(problems, colour=colour(stream), width=width(), counted=counted, named=nearby)


def ending(problems: Iterable[Problem], fail_on: str = "style") -> int:
    """The exit code for these problems, the same in every command: 2 if one has no file (invalid arguments, or an
    unreadable file) or the computation was given up; else 1 if one is at least as severe as `fail_on`, else 0.
    """
    found = list(problems)
    if any(p.code in _GAVE_UP or p.span is None or not _is_file(p.span.source.name) for p in found):
        return COULD_NOT
    return FINDINGS if any(LEVELS.index(p.severity) <= LEVELS.index(fail_on) for p in found) else CLEAN


def _is_file(name: str) -> bool:
    return name == "<stdin>" or os.path.isfile(name)


def refuse(problems: Iterable[Problem], as_json: bool = False, typed: bool = False) -> NoReturn:
    """Report problems, as JSON on standard output or as text on standard error, and exit the command. `typed`: the
    mistake is in the arguments, not in the files.
    """
    problems = list(problems)
    if as_json:
        echo(f"{json_text(plain_problems(problems))}\n")
    else:
        echo(rendered(problems, sys.stderr), err=True)
    raise Ended(COULD_NOT if typed else ending(problems) or COULD_NOT)


def needed(found: T | None, problems: Problems, as_json: bool = False) -> T:
    """Return `found`; exit the command if it is None or there are errors."""
    if found is None or problems.has_errors:
        refuse(problems, as_json)
    return found


def lacking(wanted: str, hint: str, as_json: bool = False, problems: Problems | None = None) -> NoReturn:
    """Exit the command because its arguments lack something; `problems` are reported before it."""
    problems = problems if problems is not None else Problems()
    problems.add("F016", None, wanted=wanted, hint=hint)
    refuse(problems, as_json)


def cannot(why: str) -> NoReturn:
    """Exit the command with one line on standard error, for a fault that is not a problem of a file."""
    echo(f"umpire: {why}\n", err=True)
    raise Ended(COULD_NOT)


def in_folders(paths: Iterable[str], taken: Callable[[str], list[str]]) -> list[str]:
    """The files that the paths stand for; `taken` lists those of one path, which may be a folder."""
    files = {path: taken(path) for path in paths}
    for path, found in files.items():
        if not found:
            cannot(f"no rule file, situation or file of examples lies in {nearby(path)}")
        if hides_folder(path):
            echo(paint(f"{path} is the rule set; the folder of that name is {path}/\n", "dim", sys.stderr), err=True)
    return [file for found in files.values() for file in found]


# ---- progress
@contextmanager
def watched(progress: Progress, keeps: bool = False) -> Iterator[Progress]:
    """Show progress on standard error after a second: on a terminal on one line, removed at the end; in CI as
    occasional lines; else not at all. `keeps`: results are saved, which an interrupt reports.
    """
    line = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    try:
        with _told(progress, line) if line or os.environ.get("CI") else nullcontext():
            yield progress
    except KeyboardInterrupt:
        raise KeyboardInterrupt(*([GOES_ON] if keeps else [])) from None


@contextmanager
def _told(progress: Progress, line: bool) -> Iterator[None]:
    """Show progress meanwhile, from a thread, so that the computation never waits."""
    from threading import Event, Thread  # imported late: a start without a terminal needs no threads

    over, start = Event(), monotonic()

    def tell() -> None:
        wait, shown = FIRST, ""
        while not over.wait(wait):
            said = progress_said(progress, monotonic() - start)
            if line:
                sys.stderr.write(f"{_WIPE}{said}")
            elif said != shown:
                sys.stderr.write(f"{said}\n")
            sys.stderr.flush()
            wait, shown = NEXT if line else SELDOM, said
        if line and shown:
            sys.stderr.write(_WIPE)
            sys.stderr.flush()

    teller = Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        over.set()
        teller.join()


def wipe() -> None:
    """Remove the line of progress, if there is one, before other output."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        sys.stderr.write(_WIPE)
        sys.stderr.flush()


def progress_said(progress: Progress, elapsed: float = 0) -> str:
    """The line of progress: `7 of 72 situations, 12,000 worlds, about 20 s more …`. `elapsed`: seconds so far."""
    parts = [f"{progress.done:,} of {progress.of:,} {progress.part}"] if progress.of else []
    if progress.worlds >= 1_000:
        parts.append(f"{progress.worlds:,} worlds")
    left = elapsed * (progress.of - progress.done) / progress.done if progress.done else 0
    if left >= 1:
        parts.append(f"about {left:.0f} s more" if left < 100 else f"about {left / 60:.0f} min more")
    return ", ".join(parts or ["working"]) + " …"
