"""What a terminal can show: its width, its colours, its characters; and how a command says that it could
not run.

Enters: text. Leaves: text for this terminal. Colour only on a terminal, never with NO_COLOR. Knows nothing
of rules.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from interpreter.surfaces.display import can_show as can_show
from interpreter.surfaces.display import clean as clean
from interpreter.surfaces.display import colour as colour
from interpreter.surfaces.display import nearby as nearby
from interpreter.surfaces.display import paint as paint
from interpreter.surfaces.display import shown as shown

if TYPE_CHECKING:
    from interpreter.source import Problem

CLEAN, FINDINGS, COULD_NOT = 0, 1, 2
# Problems that mean that there was nothing to look at.
NOTHING_READ = frozenset({"Y044", "Y050", "Y051", "Y052", "Y053", "Y054"})


def width() -> int:
    return max(60, min(shutil.get_terminal_size((100, 24)).columns, 140))


def rendered(problems: Iterable[Problem], stream: Any = None) -> str:
    """Problems in words, with the names of files as seen from here."""
    from interpreter.source import Source, Span, render

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

    return render([from_here(p) for p in problems], colour=colour(stream), width=width())


def say(said: str = "") -> None:
    # click would take the colours out again where FORCE_COLOR wants them.
    click.echo(shown(said), color=colour())


def refuse(problems: Iterable[Problem], as_json: bool, code: int = COULD_NOT) -> NoReturn:
    """Say what is wrong and end: as JSON on standard output, else on standard error."""
    if as_json:
        from interpreter.surfaces.as_json import problems as plain
        from interpreter.surfaces.as_json import text

        click.echo(text(plain(problems)))
    else:
        click.echo(rendered(problems, sys.stderr), err=True, nl=False, color=colour(sys.stderr))
    raise click.exceptions.Exit(code)
