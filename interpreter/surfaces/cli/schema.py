"""`umpire schema`: the shape of files, for editors.

Enters: a kind of file. Leaves: its JSON Schema.
"""

from __future__ import annotations

import click

from interpreter.surfaces.as_json import text
from interpreter.workbench.schemas import published_schema

from .options import Command, output_option
from .terminal import put


@click.command(cls=Command)
@click.argument("kind", type=click.Choice(["rules", "situation"]), default="rules")
@output_option("Write it into this file.")
def schema(kind: str, output: str | None) -> None:
    """A JSON Schema of rule files, or of situations (with forces and files of examples), for editors.

    \b
    umpire schema rules --output rules.schema.json
    umpire schema situation --output situation.schema.json

    An editor that knows YAML offers and explains keys where a remark at the head of a file names the schema:

    \b
    # yaml-language-server: $schema=rules.schema.json
    """
    put(text(published_schema(kind)), output)
