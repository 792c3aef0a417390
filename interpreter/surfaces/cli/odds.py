"""`umpire odds`: exact odds of a situation, or of one with alternatives at each of them.

Enters: a situation and questions. Leaves: a chart for each question, a table, or plain data with exact fractions.
"""

from __future__ import annotations

from typing import Any

import click

from interpreter.surfaces.as_answers import choosers, further, joint, question
from interpreter.surfaces.as_json import Json, text
from interpreter.workbench.grids import spread
from interpreter.workbench.progress import Progress

from .asking import Chart, Questions, Wish
from .charts import show
from .ends import CLEAN, FINDINGS
from .options import (
    Command,
    fraction_option,
    given_option,
    one_share,
    picture_options,
    shares,
    situation_options,
    worlds_option,
)
from .situations import Scene, Typed, load, of_a_situation
from .sweeps import swept
from .terminal import refuse, say, watched


@click.command(cls=Command, apart=[("--joint", o) for o in ("--table", "--deviation", "--quantiles", "--reach")])
@situation_options
@picture_options
@given_option("histories")
@fraction_option
@click.option("--table", is_flag=True, help="Each outcome in figures: exactly, at least, at most.")
@click.option("--joint", is_flag=True, help="Two questions against each other, in one table.")
@click.option("--deviation", is_flag=True, help="Standard deviation and variance as well.")
@click.option("--quantiles", callback=shares, metavar="10,50,90", help="Where so many percent of all ways end.")
@click.option("--reach", callback=one_share, metavar="90%", help="Of alternatives: the first with such a chance.")
@worlds_option
@of_a_situation
def odds(typed: Typed, **wished: Any) -> int:
    """Exact odds: every way that the dice can fall, at once.

    Each argument after the procedure describes somebody (`A: …`, or with the kind, `unit A: …`), says a
    fact (`distance 20"`, `distance(A, B) is 20"`, `B is hidden`), or is a value that the procedure wants
    (`3`, `reach: 6"`). Without --ask, the lines of the procedure are asked. Whatever somebody chooses is
    decided as the rules say by `usually`, or by --choose; where neither says how, the answer is the band from
    the least to the greatest over all ways to choose. --choose LINE=any asks for that in any case.

    Alternatives, `<1 to 9>`, `<6, 12, 24>` or `<this, that>`, are worked out one by one, and told in a table.
    """
    return exact_odds(load(typed), Wish(typed.asks, as_json=typed.as_json, **wished))


def exact_odds(scene: Scene, wish: Wish = Wish()) -> int:  # noqa: B008 (it is frozen)
    progress = Progress()
    asked = Questions(scene, wish, progress)
    several = spread(asked.root, scene.problems, scene.rules.rows)
    if several is None:
        refuse(scene.problems, wish.as_json, typed=not scene.from_file)
    if several.axes and wish.joint:
        hint = "put one value in the place of the alternatives, or leave `--joint` out"
        scene.problems.add("F016", None, wanted="one situation, for `--joint`", hint=hint)
        refuse(scene.problems, wish.as_json, typed=True)
    return swept(asked, several) if several.axes else _single(asked)


def _single(asked: Questions) -> int:
    """One situation; the exit code says whether it expected other odds than these."""
    wish, scene = asked.wish, asked.scene
    if wish.reach is not None:
        scene.problems.add("F016", None, wanted="alternatives, to find the one that reaches it", hint="`<1 to 12>`")
        refuse(scene.problems, wish.as_json, typed=True)
    with watched(asked.progress):
        charts, whole, walked = asked.answers()
    if wish.as_json:
        say(text(_plain(asked, charts, whole, walked)))
    else:
        show(asked, charts, whole)
    if wish.svg or wish.html:
        from .pictures import draw_answers

        draw_answers(asked, charts, whole)
    return FINDINGS if any(_unlike(a, i) for a, i, _ in charts) else CLEAN


def _unlike(answer: Any, index: int) -> bool:
    return answer.asks[index].expected is not None and answer.bounds(index) != answer.asks[index].expected


def _plain(asked: Questions, charts: list[Chart], whole: Any, worlds: int) -> Json:
    """`open`: where a choice is left to somebody; then questions have bands. `left out`: what nobody asked for and
    would take long.
    """
    scene, shares = asked.scene, asked.wish.quantiles
    return {
        "rules": scene.rules.name,
        "do": scene.said,
        "exact": True,
        "worlds": worlds,
        "given": asked.held,
        "open": choosers(asked.open),
        "questions": [{**question(a, i), **further(a, i, shares), "same": same} for a, i, same in charts],
        "joint": joint(whole) if whole is not None else None,
        "left out": asked.too_long,
        "problems": [],
    }
