"""`--svg` and `--html`: what a command has worked out, also as a picture in a file.

Enters: the names of files, and what was worked out. Leaves: the files. A name that does not end as its option says, or
a library that is not there, is told before anything is worked out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .terminal import nearby, paint, say

if TYPE_CHECKING:
    from interpreter.surfaces.as_picture.pictures import Page

F = TypeVar("F", bound=Callable[..., Any])
_ENDS = {"svg": (".svg",), "html": (".html", ".htm")}
_MISSING = (
    "pictures are drawn by a library that is not installed here; to get it: pip install 'tabletop-umpire[pictures]'"
)


def picture_options(made: F) -> F:
    for kind, what in (("html", "a page for any browser, with the exact numbers"), ("svg", "a drawing")):
        option = click.option(
            f"--{kind}", metavar="FILE", expose_value=False, callback=_keep, help=f"Write the odds into FILE as {what}."
        )
        made = option(made)
    return made


def _keep(context: click.Context, option: click.Parameter, name: str | None) -> None:
    if name is None:
        return
    kind = option.name or ""
    if not name.lower().endswith(_ENDS[kind]):
        raise click.BadParameter(f"`{name}` does not end in {_ENDS[kind][0]}; nothing was written")
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder `{folder}`; nothing was written")
    from interpreter.surfaces.as_picture.drawn import installed

    if not installed():
        raise click.UsageError(_MISSING, context)
    context.meta.setdefault("pictures", {})[kind] = name


def draw(page: Callable[[], Page], quiet: bool = False) -> None:
    """Write the pictures that were asked for; `page` is made for them only. `quiet`: nobody reads what is printed."""
    context = click.get_current_context(silent=True)
    wanted: dict[str, str] = context.meta.get("pictures", {}) if context is not None else {}
    if not wanted:
        return
    made = page()
    for kind, name in sorted(wanted.items()):
        if kind == "svg":
            from interpreter.surfaces.as_picture.svg import svg as written
        else:
            from interpreter.surfaces.as_picture.page import html as written
        text = written(made)
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if not quiet:
            say(paint(f"drawn in {nearby(name)}", "dim"))
