"""`umpire explain`: the page of a code.

Enters: a code such as `Y001`. Leaves: its page of the catalogue.
"""

from __future__ import annotations

import re
from textwrap import fill

import click

from interpreter.source import CATALOGUE, nearest

from .options import Command
from .terminal import cannot, paint, say, width

_BLANKS = re.compile(r"\{\w+\}")  # what a message fills in: nobody has it before there is a mistake


@click.command(cls=Command)
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """What a code such as N001 means, with an example of it and of how it is right.

    Without a code: all of them.
    """
    if code is None:
        for name, page in CATALOGUE.items():
            say(f"{paint(name, 'bold')}  {page.severity:8} {_BLANKS.sub('…', page.message)}")
        return
    found = CATALOGUE.get(code.strip().upper())
    if found is None:
        close = nearest(code.strip().upper(), CATALOGUE)
        hint = f"did you mean {' or '.join(close)}?" if close else "`umpire explain` lists them all"
        cannot(f"there is no code `{code}`; {hint}")
    say(paint(f"{code.strip().upper()} ({found.severity})", "bold") + f": {_BLANKS.sub('…', found.message)}")
    say()
    say(fill(found.meaning, min(width(), 88)))
    for title, example, kind in (("wrong", found.bad, "poor"), ("right", found.good, "good")):
        if example:
            say()
            say(paint(f"{title}:", kind))
            say("\n".join(f"    {line}" for line in example.rstrip("\n").split("\n")))
