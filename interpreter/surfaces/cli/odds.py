"""`umpire odds`: exact odds of a situation, or of each alternative of one.

Takes a situation and questions. Prints a chart for each question, a table, or plain data with exact fractions.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.surfaces import as_statistics as statistics
from interpreter.surfaces.as_charts import Chart, describe_distribution
from interpreter.surfaces.as_json import Json, problems
from interpreter.workbench.answers import report_no_mean
from interpreter.workbench.bands import format_bounds
from interpreter.workbench.expected_tables import check_table
from interpreter.workbench.progress import Progress
from interpreter.workbench.summary_statistics import table, where_run

from .asking import Questions, Wish
from .charts import Cell, chance_form, distribution_lines, figure_lines, foot, head, mean_form, shaded
from .commands import F, command, flag, option
from .ends import CLEAN, FINDINGS
from .options import (
    fraction_option,
    given_option,
    picture_options,
    workers_options,
    worlds_option,
)
from .scenes import Scene, of_a_situation
from .terminal import answer, paint, watched

_STATISTICS = [statistic.name for statistic in statistics.STATISTICS]


def _statistic_options(made: F) -> F:
    """Decorator: adds an option for each row of the table of statistics, in its order."""
    for row in reversed(statistics.STATISTICS):
        if row.shares:
            added = option(f"--{row.name}", type=_shares, default=(), metavar="10,50,90", help=row.help)
        else:
            added = flag(f"--{row.name}", help=row.help)
        made = added(made)
    return made


def _shares(text: str) -> tuple[Fraction, ...]:
    return tuple(sorted(_share(part) for part in text.split(",")))


def _share(text: str) -> Fraction:
    """A share of all histories; `90%`, `90` and `9/10` are equal. Raises ArgumentTypeError."""
    try:
        found = Fraction(text.strip().removesuffix("%"))
        if text.strip().endswith("%") or ("/" not in text and found >= 1):
            found /= 100
    except (ValueError, ZeroDivisionError):
        found = Fraction(0)
    if not 0 < found <= 1:
        raise ArgumentTypeError(f"`{text}` is no part of all ways; say `90%` or `9/10`.")
    return found


@command(apart=[("--joint", f"--{o}") for o in ("table", *_STATISTICS, "reach")])
@of_a_situation
@picture_options
@given_option("histories")
@fraction_option
@flag("--table", help="Each outcome in figures: exactly, at least, at most.")
@flag("--joint", help="Two questions against each other, in one table.")
@_statistic_options
@option("--reach", type=_share, metavar="90%", help="Of alternatives: the first with such a chance.")
@worlds_option
@workers_options
def odds(scene: Scene, **wished: Any) -> int:
    """Exact odds: every way that the dice can fall, at once.

    Each argument after the procedure describes somebody (`A: …`, or with the kind, `unit A: …`), says a
    fact (`distance 20"`, `distance(A, B) is 20"`, `B is hidden`), or is a value that the procedure wants
    (`3`, `reach: 6"`). Without --ask, the lines of the procedure are asked. Whatever somebody chooses is
    decided as the rules say by `usually`, or by --choose; where neither says how, the answer is the band from
    the least to the greatest over all ways to choose. --choose LINE=any asks for that in any case.

    Alternatives, `<1 to 9>`, `<6, 12, 24>` or `<this, that>`, are worked out one by one, and told in a table.
    """
    asked = {name: wished.pop(name.replace("-", "_")) for name in _STATISTICS}
    return exact_odds(scene, Wish(statistics=asked, **wished))


def exact_odds(scene: Scene, wish: Wish = Wish()) -> int:  # noqa: B008 (it is frozen)
    """Compute and print the odds of a situation, or of each of its alternatives in a table. Return the exit code."""
    asked = Questions(scene, wish, Progress())
    several = asked.spread()
    if several.axes:
        _refuse_unshown(scene, wish, len(several.axes))
    if several.axes:
        from .sweeps import answer_sweep

        code = answer_sweep(asked, several)
    else:
        code = _single(asked)
    scene.remark()
    return code


def _refuse_unshown(scene: Scene, wish: Wish, axes: int) -> None:
    """Exit the command for an option that a table of alternatives cannot show, rather than ignore it."""
    if wish.joint:
        hint = "put one value in the place of the alternatives, or leave `--joint` out"
        scene.lacks("one situation, for `--joint`", hint)
    shown = [name for name, value in (("table", wish.table), *wish.statistics.items()) if value]
    if scene.as_json or not shown:
        return
    if axes > 1:
        hint = "put one value in the place of the others, or ask with `--json`, which has all"
        scene.lacks(f"alternatives in one place, for `--{shown[0]}`", hint)
    if wish.table and len(shown) > 1:
        hint = f"`--table` tells each outcome; leave it out for `--{shown[1]}`, or ask with `--json`, which has all"
        scene.lacks(f"one table: of outcomes, or of means with `--{shown[1]}`", hint)


def _single(asked: Questions) -> int:
    """Answer one situation. The exit code tells whether its expectations hold."""
    wish, scene = asked.wish, asked.scene
    if wish.reach is not None:
        scene.lacks("alternatives, to find the one that reaches it", "`<1 to 12>`")
    with watched(asked.progress):
        charts, whole, walked = asked.answers()
    for found, index, _ in charts:
        if found.asks[index].expected is not None and found.bounds(index) is None:
            report_no_mean(found.asks[index], scene.problems, found.runs(index))
    before = len(scene.problems)
    for each in asked.tables:
        check_table(each, charts[0][0], scene.problems)
    unheld = len(scene.problems) > before
    if wish.joint and (whole is None or len(whole.asks) != 2) and not scene.as_json:
        hint = "`--ask hits --ask harm.dead`"
        if asked.open:
            hint = f"name a policy for {next(iter(asked.open))}: two bounds need not be reached by the same choices"
        scene.lacks("two questions, and no choice left open", hint)
    answer(
        charts,
        scene.as_json,
        lambda charts: _plain(asked, charts, whole, walked),
        lambda charts: _joint_lines(asked, whole) if wish.joint else _lines(asked, charts, unheld),
    )
    if wish.svg or wish.html:
        from .pictures import write_pictures

        write_pictures(asked, charts, whole)
    unheld = unheld or any(a.asks[i].expected not in (None, a.bounds(i)) for a, i, _ in charts)
    return FINDINGS if unheld else CLEAN


# ---- plain data
def _plain(asked: Questions, charts: list[Chart], whole: Any, worlds: int) -> Json:
    """The answer as plain data. `open`: lines with an open choice; their questions have bands. `left out`:
    automatically selected questions that take too long.
    """
    from interpreter.surfaces.as_answers import choosers, joint, question

    scene, wished = asked.scene, asked.wish.statistics
    return {
        **scene.plain,
        "exact": True,
        "worlds": worlds,
        "given": asked.held,
        "known": asked.assumed(),
        "open": choosers(asked.open),
        "questions": [{**question(a, i), **statistics.plain(a, i, wished), "same": same} for a, i, same in charts],
        "joint": joint(whole) if whole is not None else None,
        "left out": asked.too_long,
        "problems": problems(scene.problems)["problems"],
    }


# ---- text
def _lines(asked: Questions, charts: list[Chart], unheld: bool) -> Iterator[str]:
    """The odds as text. `unheld`: an expected table does not hold, which is reported below as a problem."""
    wish = asked.wish
    yield from head(asked)
    for chart in charts:
        answer, index, same = chart
        ask = answer.asks[index]
        yield ""
        title = ask.text + (paint("  also " + ", ".join(same), "dim") if same else "")
        form = figure_lines if wish.table and ask.type.name != "truth" else distribution_lines
        first, *lines = form(title, describe_distribution(chart), wish.exact)
        yield first + (f"  {_expected(answer, index)}" if ask.expected is not None else "")
        yield from lines
        for said in statistics.lines(answer, index, wish.statistics, mean_form(wish.exact)):
            yield paint(f"  {said}", "dim")
        if (wish.table or any(wish.statistics.values())) and where_run(answer, index) is not None:
            ran = " and ".join(f"ran({line})" for line in ask.unsure)
            note = f"it may be not run, and then it is no number; where it is run, --given '{ran}' tells all of it"
            yield paint(f"  {note}", "dim")
    for joint in asked.tables if not unheld else ():
        yield ""
        yield f"{joint.where.text}: {len(joint.rows)} rows  {paint('as expected', 'good')}"
    for said in asked.always():
        yield ""
        yield paint(said, "dim")
    if asked.too_long:
        yield ""
        yield paint(f"left out, for they take long: {', '.join(asked.too_long)}; ask for one with --ask", "dim")
    yield from foot(asked)
    if not charts:
        yield "nothing here depends on dice; ask for something with --ask"


def _expected(answer: Any, index: int) -> str:
    expected = answer.asks[index].expected
    wanted = format_bounds(expected)
    fits = answer.bounds(index) == expected
    return paint("as expected", "good") if fits else paint(f"expected {wanted}", "poor")


def _joint_lines(asked: Questions, whole: Any) -> Iterator[str]:
    """The joint distribution of two questions as a table, with the marginal distributions in the last row and
    column.
    """
    found, form = table(whole, 0, 1), chance_form(asked.wish.exact)
    down, across = (
        [whole.words.say(value, ask.type) for value in side]
        for ask, side in zip(whole.asks, (found.rows, found.columns), strict=True)
    )
    top = max(found.cells.values())
    rows: list[tuple[str, list[Cell]]] = []
    for name, row in zip(down, found.rows, strict=True):
        chances = [found.cells.get((row, column), Fraction(0)) for column in found.columns]
        rows.append((name, [*((form(p) if p else "", p / top) for p in chances), (form(whole.of(0)[row]), None)]))
    rows.append(("all", [*((form(p), None) for p in whole.of(1).values()), (form(Fraction(1)), None)]))
    one, other = (ask.text for ask in whole.asks)
    yield from head(asked)
    yield ""
    yield f"{paint(one, 'bold')} by {paint(other, 'bold')}"
    yield from shaded(one, other, [*across, "all"], rows)
