"""`umpire schema`: the shape of files, for editors.

Enters: a kind of file. Leaves: its JSON Schema.
"""

from __future__ import annotations

import click

from .terminal import say


@click.command(short_help="A JSON Schema of rule files or situations, for editors.")
@click.argument("kind", type=click.Choice(["rules", "situation"]), default="rules")
def schema(kind: str) -> None:
    """A JSON Schema of rule files, or of situations (with forces and files of examples), for editors.

    \b
    umpire schema rules > rules.schema.json
    umpire schema situation > situation.schema.json

    An editor that knows YAML offers and explains keys where the first line of a file names the schema:

    \b
    # yaml-language-server: $schema=rules.schema.json
    """
    from interpreter.surfaces.as_json import text
    from interpreter.workbench.schemas import published_schema

    say(text(published_schema(kind)))
