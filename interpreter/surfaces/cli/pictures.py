"""`--svg` and `--html`: also writes the results of a command to a file as a picture.

Takes file names, and results. Writes the files. Picture modules are imported only when a picture is requested.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.source.digits import format_percent
from interpreter.surfaces.as_charts import Page, Picture, describe_charts
from interpreter.surfaces.as_picture.picture_files import html as as_html
from interpreter.surfaces.as_picture.picture_files import svg as as_svg
from interpreter.surfaces.as_tables import describe_difference, describe_grid, describe_joint
from interpreter.workbench.file_kinds import description_lines
from interpreter.workbench.fixes import put_file

from .asking import Questions
from .terminal import nearby, paint, say


def write_pictures(asked: Questions, charts: Sequence[Any], whole: Any) -> None:
    """Draw one situation: its distributions, or the joint distribution of two questions if requested."""
    wish = asked.wish
    both = wish.joint and whole is not None and len(whole.asks) == 2
    _draw(asked, (describe_joint(whole),) if both else describe_charts(charts, wish.exact, bool(asked.scene.asks)))


def draw_grid(asked: Questions, grid: Any, chosen: Sequence[int]) -> None:
    """Draw a situation with alternatives."""
    unasked, never = ([], [])
    for point in grid.points:
        where = ", ".join(f"{axis.name} {label}" for axis, label in zip(grid.axes, point.labels, strict=True))
        if point.refused is not None:
            unasked.append(f"Not asked: {where} ({point.refused.code}).")
        elif point.answer is None:
            never.append(where)
    remarks = [*unasked, *([f"Never so: {'; '.join(never)}."] if never else [])]
    _draw(asked, describe_grid(grid, chosen), remarks)


def draw_difference(found: Any, svg: str | None, html: str | None, as_json: bool) -> None:
    """Draw the odds before and after a change."""
    titles = (found.base.title, found.ours.title)
    rows = found.odds.rows if found.odds is not None else ()
    what, remarks = "", [] if rows else ["Nothing is changed in any of them."]
    if found.odds is not None:
        many = len(found.odds.points) - len(found.odds.refused)
        what = f"What it changes in {many} typical situations"
        remarks += [f"Not asked: {point.name} ({why.code})." for point, why in found.odds.refused]
    _write(
        Page(titles[0], titles[1], (what,), describe_difference(rows, ("before", "after")), tuple(remarks)),
        svg,
        html,
        as_json,
    )


def _draw(asked: Questions, shown: tuple[Picture, ...], more: Sequence[str] = ()) -> None:
    scene = asked.scene
    lines = (*description_lines(scene.root), *asked.given(format_percent))
    idle = [] if shown else ["Nothing here depends on dice."]
    remarks = (*asked.always(), *asked.chosen(), *more, *idle)
    page = Page(scene.rules.title, scene.said or scene.rules.name, lines, shown, remarks)
    _write(page, asked.wish.svg, asked.wish.html, scene.as_json)


def _write(page: Page, svg: str | None, html: str | None, quiet: bool) -> None:
    """Write the requested files. `quiet`: print no message, as the output is data."""
    for name, written in ((html, as_html), (svg, as_svg)):
        if name is not None:
            put_file(name, written(page))
            if not quiet:
                say(paint(f"drawn in {nearby(name)}", "dim"))
