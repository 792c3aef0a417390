"""`umpire sweep`: asks the questions of a file of several rule sets, in several situations, over ranges of values.

Takes the file of a sweep. Writes a file of results beside it, from which the next run resumes; and prints heat maps, as
text or as a page, or the results as data.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from interpreter.source import Problems
from interpreter.surfaces.as_charts import Heat
from interpreter.surfaces.as_json import text
from interpreter.surfaces.as_picture.picture_files import html as html_page
from interpreter.surfaces.as_sweep import maps_of, page_of, plain, reasons, spreadsheet, summary
from interpreter.workbench.file_kinds import is_sweep
from interpreter.workbench.fixes import put_file
from interpreter.workbench.parallel import Workers
from interpreter.workbench.progress import Progress
from interpreter.workbench.sweep_parquet import write_parquet
from interpreter.workbench.sweep_runs import Results, Stopped, run_sweep
from interpreter.workbench.sweep_store import NotOurs
from interpreter.workbench.sweeps import Sweep, read_sweep
from interpreter.workbench.trees import read_tree

from .charts import headed, map_lines
from .commands import argument, command, flag, option
from .ends import CLEAN, FINDINGS, STOPPED
from .options import file_of, json_option, workers_options
from .terminal import cannot, echo, lacking, nearby, needed, paint, say, watched

MOST = 4  # maps shown without --all
DRAWN = 60  # maps on a page


@command(apart=[("--json", "--csv")])
@argument("file")
@option("-o", "--output", metavar="FILE", help="The file of results; else FILE.sqlite beside FILE.yaml.")
@option("--html", type=file_of("html"), metavar="FILE", help="Also a page of heat maps.")
@option("--parquet", type=file_of("parquet"), metavar="FILE", help="Also the results as Parquet.")
@flag("--csv", dest="as_csv", help="The results on standard output, for a spreadsheet.")
@flag("--all", dest="every", help=f"Every heat map, not only the first {MOST}.")
@flag("--anew", help="Use nothing of what an earlier run has found.")
@workers_options
@json_option
def sweep(
    file: str,
    output: str | None,
    html: str | None,
    parquet: str | None,
    as_csv: bool,
    every: bool,
    anew: bool,
    workers: Workers,
    as_json: bool,
) -> int:
    """Ask many questions at once: of several rule sets, in several situations, over ranges of values.

    FILE says what is asked of whom, and what varies. Odds are exact; where they are given up, an estimate stands in
    their place, with its error. What is found is kept in a file: Ctrl-C loses nothing, and only what a change of the
    rules can have changed is asked again.
    """
    asked = _read(file, as_json)
    path = output or f"{os.path.splitext(file)[0]}.sqlite"
    try:
        with watched(Progress()) as progress:
            results = run_sweep(asked, path, workers, progress, anew=anew)
    except Stopped as why:
        _stopped(why.results, path)
        return STOPPED
    except NotOurs:
        cannot(f"{nearby(path)} is there, and holds no results of a sweep; give another file with --output")
    maps = maps_of(results)
    if parquet is not None:
        write_parquet(parquet, results)
    if html is not None:
        _draw(results, maps, html)
    if as_json:
        say(text(plain(results)))
    elif as_csv:
        echo(spreadsheet(results))
    else:
        for line in _lines(results, maps, path, every):
            say(line)
        for what, name in (("drawn", html), ("written", parquet)):
            if name is not None:
                say(paint(f"{what} in {nearby(name)}", "dim"))
    return FINDINGS if reasons(results) else CLEAN


def _read(file: str, as_json: bool) -> Sweep:
    problems = Problems()
    root = read_tree(file, problems)
    root = needed(root, problems, as_json)
    if not is_sweep(root):
        hint = "its first line is `sweep:` and a title; `umpire odds` asks a single situation"
        lacking("the file of a sweep", hint, as_json)
    return needed(read_sweep(file, root, problems), problems, as_json)


def _stopped(results: Results, path: str) -> None:
    many, of = len(results.found), len(results.states)
    echo(f"\nstopped: {many:,} of {of:,} points are kept in {nearby(path)}; the same command goes on\n", err=True)


def _draw(results: Results, maps: list[Heat], name: str) -> None:
    put_file(name, html_page(page_of(results, maps[:DRAWN], len(maps[DRAWN:]))))


def _lines(results: Results, maps: list[Heat], path: str, every: bool) -> Iterator[str]:
    asked = results.sweep
    yield paint(", ".join(name for name, _ in asked.sets), "dim")
    yield f"{paint(asked.title, 'bold')}   {summary(results)}"
    for heat in maps if every else maps[:MOST]:
        yield ""
        yield headed(heat.title, "" if heat.chances else "mean")
        yield from map_lines(heat, exact=False)
    if not every and len(maps) > MOST:
        yield ""
        yield paint(f"{len(maps) - MOST} heat maps more: --all shows them, --html draws them", "dim")
    for reason, count in reasons(results).items():
        yield f"not asked at {count:,} points: {reason}"
    yield ""
    again = len(results.found) - results.anew
    said = f"kept in {nearby(path)}" + (f"; {again:,} points were kept there before" if again else "")
    yield paint(said, "dim")
