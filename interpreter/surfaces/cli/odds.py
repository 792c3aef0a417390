"""`umpire odds`: exact odds of a situation, or of one with alternatives at each of them.

Enters: a situation and questions. Leaves: a chart for each question, a table, or plain data with exact fractions.
"""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction
from typing import Any

import click

from .asking import Questions, Wish, one_share, shares
from .pictures import draw_answers, picture_options
from .progress import watched
from .situations import Scene, Texts, load, situation_options, worlds_option
from .terminal import FINDINGS, heard, refuse, say


@click.command(short_help="Exact odds: every way that the dice can fall, at once.")
@situation_options
@picture_options
@click.option("--given", metavar="CONDITION", help="Only the histories in which this holds.")
@click.option("--fraction", "exact", is_flag=True, help="Exact fractions in place of percent.")
@click.option("--table", is_flag=True, help="Each outcome in figures: exactly, at least, at most.")
@click.option("--joint", is_flag=True, help="Two questions against each other, in one table.")
@click.option("--deviation", is_flag=True, help="Standard deviation and variance as well.")
@click.option("--quantiles", callback=shares, metavar="10,50,90", help="Where so many percent of all ways end.")
@click.option("--reach", callback=one_share, metavar="90%", help="Of alternatives: the first with such a chance.")
@worlds_option
def odds(
    words: Texts,
    asks: Texts,
    choose: Texts,
    rulings: Texts,
    as_json: bool,
    given: str | None,
    exact: bool,
    table: bool,
    joint: bool,
    deviation: bool,
    quantiles: tuple[Fraction, ...],
    reach: Fraction | None,
    worlds: int,
) -> None:
    """Exact odds: every way that the dice can fall, at once.

    \b
    umpire odds modern shoot 'A: 6 figures, seasoned, rifle' 'B: 8 figures, green, light armour' 'distance 20'
    umpire odds modern activation 'A: seasoned, 5 figures'
    umpire odds shot.yaml --ask hits --ask harm.dead --given 'hits > 0'
    umpire odds modern shoot 'A: <1 to 9> figures, seasoned, rifle' 'B: 8 figures, green' 'distance <6, 20>'

    Each argument after the procedure describes somebody (`A: …`, or with the kind, `vehicle V: …`), says a
    fact (`distance 20"`, `distance(A, B) is 20"`, `B is ducking`), or is a value that the procedure wants
    (`3`, `reach: 6"`). Without --ask, the lines of the procedure are asked. Whatever somebody chooses is
    decided as the rules say by `usually`, or by --choose; where neither says how, the answer is the band from
    the least to the greatest over all ways to choose. --choose LINE=any asks for that in any case.

    Alternatives, `<1 to 9>`, `<6, 12, 24>` or `<green, veteran>`, are worked out one by one, and told in a table.
    """
    wish = Wish(asks, given, worlds, as_json, exact, table, joint, deviation, quantiles, reach)
    heard.clear()
    with click.get_current_context().obj or nullcontext():  # who keeps what is said, if anybody does
        exact_odds(load(words, choose, rulings, as_json), wish)


def exact_odds(scene: Scene, wish: Wish = Wish()) -> None:  # noqa: B008 (it is frozen)
    from interpreter.workbench.grids import spread
    from interpreter.workbench.progress import Progress

    progress = Progress()
    asked = Questions(scene, wish, progress)
    several = spread(asked.root, scene.problems, scene.rules.rows)
    if several is None:
        refuse(scene.problems, wish.as_json, typed=not scene.from_file)
    if several.axes:
        from .sweeps import swept

        unlike = swept(asked, several)
    else:
        unlike = _single(asked)
    if unlike:
        raise click.exceptions.Exit(FINDINGS)


def _single(asked: Questions) -> bool:
    """One situation; whether it expected other odds than these."""
    wish, scene = asked.wish, asked.scene
    if wish.reach is not None:
        scene.problems.add("F016", None, wanted="alternatives, to find the one that reaches it", hint="`<1 to 12>`")
        refuse(scene.problems, wish.as_json, typed=True)
    with watched(asked.progress):
        charts, whole, walked = asked.answers()
    if wish.as_json:
        from interpreter.surfaces.as_figures import said
        from interpreter.surfaces.as_json import odds as plain
        from interpreter.surfaces.as_json import question, text

        questions = [{**question(a, i), **said(a, i, wish.quantiles), "same": same} for a, i, same in charts]
        say(text(plain(scene.rules, scene.said, questions, whole, asked.held, walked, asked.open)))
    else:
        from .charts import show

        show(asked, charts, whole)
    draw_answers(asked, charts, whole)
    return any(_unlike(a, i) for a, i, _ in charts)


def _unlike(answer: Any, index: int) -> bool:
    return answer.asks[index].expected is not None and answer.bounds(index) != answer.asks[index].expected
