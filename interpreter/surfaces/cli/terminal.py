"""What a terminal can show: its width, its colours, its characters; and how a command says that it could
not run.

Enters: text. Leaves: text for this terminal. Colour only on a terminal, never with NO_COLOR. Knows nothing
of rules.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from typing import Any, NoReturn

from interpreter.source import Problem, Source, Span, render
from interpreter.source.values import replace
from interpreter.surfaces.display import all_clean as all_clean
from interpreter.surfaces.display import can_show as can_show
from interpreter.surfaces.display import colour as colour
from interpreter.surfaces.display import harmless as harmless
from interpreter.surfaces.display import nearby as nearby
from interpreter.surfaces.display import paint as paint
from interpreter.surfaces.display import shown as shown
from interpreter.surfaces.display import width as width

from .ends import CLEAN as CLEAN
from .ends import COULD_NOT as COULD_NOT
from .ends import FINDINGS as FINDINGS
from .ends import Ended

LEVELS = ("error", "warning", "style")
# The files are right, and there was not room enough to work out what was asked.
_GAVE_UP = frozenset({"E001"})


def rendered(problems: Iterable[Problem], stream: Any = None, counted: bool = True) -> str:
    """Problems in words, with the names of files as seen from here; then how many, if it shall."""
    near: dict[str, Source] = {}

    def seen_from_here(span: Span | None) -> Span | None:
        if span is None or nearby(span.source.name) == span.source.name:
            return span
        name = span.source.name
        source = near.setdefault(name, Source(nearby(name), span.source.text))
        return Span(source, span.start, span.end)

    def from_here(problem: Problem) -> Problem:
        others = tuple(replace(o, span=seen_from_here(o.span) or o.span) for o in problem.others)
        return replace(problem, span=seen_from_here(problem.span), others=others)

    return render([from_here(p) for p in problems], colour=colour(stream), width=width(), counted=counted)


def say(said: str = "") -> None:
    echo(f"{shown(said)}\n")


def echo(said: str, err: bool = False) -> None:
    """Onto the screen: by click, where colours need help or have to go, or letters are not those of the stream."""
    stream = sys.stderr if err else sys.stdout
    if os.name != "nt" and can_show(said, stream) and ("\x1b" not in said or colour(stream)):
        stream.write(said)
        stream.flush()
        return
    import click

    # click would take the colours out again where FORCE_COLOR wants them.
    click.echo(said, err=err, nl=False, color=colour(stream))


def put(said: str, output: str | None) -> None:
    """Say it, or write it into a file: as UTF-8 with plain line ends, which not every shell makes of `>`."""
    if output is None:
        say(said)
    else:
        from interpreter.workbench.mending import put_file

        put_file(output, f"{said}\n")


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


def refuse(problems: Iterable[Problem], as_json: bool, typed: bool = False) -> NoReturn:
    """Say what is wrong and end: as JSON on standard output, else on standard error. `typed`: the files were right,
    what was typed asks for too little or too much of them.
    """
    problems = list(problems)
    if as_json:
        from interpreter.surfaces.as_json import problems as plain
        from interpreter.surfaces.as_json import text

        echo(f"{text(plain(problems))}\n")
    else:
        echo(rendered(problems, sys.stderr), err=True)
    raise Ended(COULD_NOT if typed else ending(problems) or COULD_NOT)
