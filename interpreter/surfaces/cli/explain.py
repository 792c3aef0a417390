"""`umpire explain` and `schema`: the message catalogue, and the schemas of files.

Takes a code such as `Y001`, or a kind of file. Prints the entry of the catalogue; a JSON Schema for editors.
"""

from __future__ import annotations

import re
from textwrap import fill

from interpreter.source import CATALOGUE, nearest
from interpreter.surfaces.as_json import text
from interpreter.workbench.schemas import KINDS, published_schema

from .commands import argument, command
from .options import output_option
from .terminal import cannot, paint, put, say, width

_BLANKS = re.compile(r"\{\w+\}")  # placeholders of a message


# ---- umpire explain
@command()
@argument("code", nargs="?")
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


# ---- umpire schema
@command()
@argument("kind", nargs="?", choices=KINDS, default="rules")
@output_option("Write it into this file.")
def schema(kind: str, output: str | None) -> None:
    """A JSON Schema of rule files, of situations (with forces and files of examples), or of sweeps, for editors.

    \b
    umpire schema rules --output rules.schema.json
    umpire schema situation --output situation.schema.json

    An editor that knows YAML offers and explains keys where a remark at the head of a file names the schema:

    \b
    # yaml-language-server: $schema=rules.schema.json
    """
    put(text(published_schema(kind)), output)
