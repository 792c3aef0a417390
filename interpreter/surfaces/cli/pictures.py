"""`--svg` and `--html`: what a command has worked out, also as a picture in a file.

Enters: the names of files, and what was worked out. Leaves: the files. A name that does not end as its option says, or
a library that is not there, is told before anything is worked out. Nothing of a picture is imported where none is asked
for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .terminal import nearby, paint, say

if TYPE_CHECKING:
    from interpreter.surfaces.as_picture.pictures import Page, Picture

    from .asking import Questions

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
        raise click.BadParameter(f"`{name}` does not end in {_ENDS[kind][0]}; nothing was written.")
    folder = os.path.dirname(name)
    if folder and not os.path.isdir(folder):
        raise click.BadParameter(f"there is no folder `{folder}`; nothing was written.")
    from interpreter.surfaces.as_picture.drawn import installed

    if not installed():
        raise click.UsageError(_MISSING, context)
    context.meta.setdefault("pictures", {})[kind] = name


def wanted() -> dict[str, str]:
    """Which files shall be written."""
    context = click.get_current_context(True)
    found: dict[str, str] = context.meta.get("pictures", {}) if context is not None else {}
    return found


# ---- what is drawn
def draw_answers(asked: Questions, charts: Sequence[Any], whole: Any) -> None:
    """One situation: its distributions; two questions against each other where that is wished."""
    if not wanted():
        return
    from interpreter.surfaces.as_picture.reading import pictures
    from interpreter.surfaces.as_picture.sweeps import joint

    wish = asked.wish
    if wish.joint and whole is not None and len(whole.asks) == 2:
        _write(_page(asked, (joint(whole),)), wish.as_json)
    else:
        _write(_page(asked, pictures(charts, wish.exact, bool(wish.asks))), wish.as_json)


def draw_grid(asked: Questions, grid: Any, chosen: Sequence[int]) -> None:
    """Alternatives."""
    if not wanted():
        return
    from interpreter.surfaces.as_picture.sweeps import spread_out

    _write(_page(asked, spread_out(grid, chosen)), asked.wish.as_json)


def draw_difference(found: Any, as_json: bool) -> None:
    """Before and after."""
    if not wanted():
        return
    from interpreter.surfaces.as_picture.pictures import Page
    from interpreter.surfaces.as_picture.sweeps import compared

    titles = (found.base.title, found.ours.title)
    rows = found.odds.rows if found.odds is not None else ()
    what = f"What it changes in {len(found.odds.points)} typical situations" if found.odds is not None else ""
    remarks = () if rows else ("Nothing is changed in any of them.",)
    _write(Page(titles[0], titles[1], (what,), compared(rows, ("before", "after")), remarks), as_json)


def _page(asked: Questions, pictures: tuple[Picture, ...]) -> Page:
    from interpreter.surfaces.as_picture.pictures import Page
    from interpreter.surfaces.as_picture.reading import printable
    from interpreter.surfaces.as_rows import between, percent
    from interpreter.workbench.files import described

    scene = asked.scene
    lines = described(scene.root)
    if asked.wish.given is not None:
        lines.append(f"given {asked.wish.given}, which is so in {between(asked.likely, percent)}")
    certain = [f"{text} {value}" for text, value in asked.certain if value not in ("0", "no", "none", "nobody")]
    remarks = [f"always: {', '.join(certain)}"] if certain else []
    if asked.open:
        by = ", ".join(f"{address} ({who})" for address, who in asked.open.items())
        remarks.append(f"from the least to the greatest, as somebody chooses: {by}")
    if not pictures:
        remarks.append("Nothing here depends on dice.")
    heading = printable(scene.said or scene.rules.name)
    told = (tuple(map(printable, texts)) for texts in (lines, remarks))
    return Page(printable(scene.rules.title), heading, next(told), pictures, next(told))


def _write(page: Page, quiet: bool) -> None:
    """`quiet`: what is printed is not for people."""
    for kind, name in sorted(wanted().items()):
        if kind == "svg":
            from interpreter.surfaces.as_picture.svg import svg as written
        else:
            from interpreter.surfaces.as_picture.page import html as written
        text = written(page)
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if not quiet:
            say(paint(f"drawn in {nearby(name)}", "dim"))
