"""`umpire odds`, once its words are read: exact odds of a situation, or of one with alternatives at each of them.

Enters: a situation and questions. Leaves: a chart for each question, a table, or plain data with exact fractions.
Imports nothing that reads options.
"""

from __future__ import annotations

from typing import Any

from interpreter.surfaces.as_figures import said
from interpreter.surfaces.as_json import odds as plain
from interpreter.surfaces.as_json import question, text
from interpreter.workbench.grids import spread
from interpreter.workbench.progress import Progress

from .asking import Questions, Wish
from .charts import show
from .ends import CLEAN, FINDINGS, Ended
from .progress import watched
from .situations import Scene, Typed, load, of_a_situation
from .sweeps import swept
from .terminal import refuse, say


@of_a_situation
def odds(typed: Typed, **wished: Any) -> None:
    exact_odds(load(typed), Wish(typed.asks, as_json=typed.as_json, **wished))


def exact_odds(scene: Scene, wish: Wish = Wish()) -> None:  # noqa: B008 (it is frozen)

    progress = Progress()
    asked = Questions(scene, wish, progress)
    several = spread(asked.root, scene.problems, scene.rules.rows)
    if several is None:
        refuse(scene.problems, wish.as_json, typed=not scene.from_file)
    if several.axes and wish.joint:
        hint = "put one value in the place of the alternatives, or leave `--joint` out"
        scene.problems.add("F016", None, wanted="one situation, for `--joint`", hint=hint)
        refuse(scene.problems, wish.as_json, typed=True)
    if several.axes:
        code = swept(asked, several)
    else:
        code = FINDINGS if _single(asked) else CLEAN
    if code != CLEAN:
        raise Ended(code)


def _single(asked: Questions) -> bool:
    """One situation; whether it expected other odds than these."""
    wish, scene = asked.wish, asked.scene
    if wish.reach is not None:
        scene.problems.add("F016", None, wanted="alternatives, to find the one that reaches it", hint="`<1 to 12>`")
        refuse(scene.problems, wish.as_json, typed=True)
    with watched(asked.progress):
        charts, whole, walked = asked.answers()
    if wish.as_json:
        questions = [{**question(a, i), **said(a, i, wish.quantiles), "same": same} for a, i, same in charts]
        say(text(plain(scene.rules, scene.said, questions, whole, asked.held, walked, asked.open, asked.too_long)))
    else:
        show(asked, charts, whole)
    if wish.svg or wish.html:
        from .pictures import draw_answers

        draw_answers(asked, charts, whole)
    return any(_unlike(a, i) for a, i, _ in charts)


def _unlike(answer: Any, index: int) -> bool:
    return answer.asks[index].expected is not None and answer.bounds(index) != answer.asks[index].expected
