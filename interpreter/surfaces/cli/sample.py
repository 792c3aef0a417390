"""`umpire sample`: many plays of a situation, where its odds are too much to work out.

Enters: a situation and questions. Leaves: estimates, each with its error; or plain data. Never offered as odds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .asking import Questions, Wish
from .bars import bar
from .progress import Progress, watched
from .situations import Scene, Texts, load, situation_options
from .terminal import can_show, paint, refuse, say, width

if TYPE_CHECKING:
    from interpreter.workbench.plays import Estimate, Plays

MOST = 8  # questions that are asked when nobody asks any
_ROWS = 24


@click.command(short_help="An estimate of odds, from many plays.")
@situation_options
@click.option("--given", metavar="CONDITION", help="Only the plays in which this holds.")
@click.option("--plays", type=click.IntRange(min=2), default=10_000, show_default=True, metavar="N", help="How many.")
@click.option("--seed", default="1", show_default=True, metavar="SEED", help="The same seed gives the same plays.")
def sample(
    words: Texts,
    asks: Texts,
    choose: Texts,
    rulings: Texts,
    as_json: bool,
    given: str | None,
    plays: int,
    seed: str,
) -> None:
    """An estimate of odds, from many plays: for what `umpire odds` gives up.

    \b
    umpire sample long-war.yaml --ask winner --plays 100000

    What is asked, and how choices are made, is said as to `umpire odds`; a choice that nobody decides is refused.
    Every number has its error: of a hundred samples, the true number lies within in about 95.
    """
    estimate(load(words, choose, rulings, as_json), Wish(asks, given, as_json=as_json), plays, seed)


def estimate(scene: Scene, wish: Wish, plays: int, seed: str) -> None:
    from interpreter.workbench import plays as many

    progress = Progress()
    asked = Questions(scene, wish, progress)
    texts = None if wish.asks or asked.own else asked.worth(asked.root)
    case = asked.case(asked.said(texts))
    with watched(progress):
        found = many.sample(case, plays, seed)
    if found is None:
        if case.problems.has_errors:
            refuse(case.problems, wish.as_json, typed=not scene.from_file)
        asked.never()
    if wish.as_json:
        from interpreter.surfaces.as_figures import estimates
        from interpreter.surfaces.as_json import text

        say(text(estimates(scene.rules, scene.said, found, wish.given)))
        return
    say(paint(scene.rules.title, "dim"))
    say(f"{paint(scene.said, 'bold')}   {paint(f'an estimate from {plays:,} plays, seed {seed}', 'warm')}")
    if wish.given is not None:
        say(f"given {wish.given}, which was so in {found.held:,} of them")
    shown = [i for i, counts in enumerate(found.counts) if texts is None or len(counts) > 1]
    for index in shown if texts is None else shown[:MOST]:
        say()
        say("\n".join(_chart(found, index)))
    say()
    told = "in about 95 of 100 such samples the true number lies between the two"
    say(paint(f"{told} (Wilson's interval; a mean: 1.96 standard errors)", "dim"))


def _chart(found: Plays, index: int) -> list[str]:
    from interpreter.workbench.plays import is_number

    ask = found.asks[index]
    if ask.type.name == "truth":
        rows = [("yes", found.chance(index))]
    else:
        rows = [(found.words.say(v, ask.type), e) for v, e in found.of(index).items()]
    shown = f"  mean {_between(found.mean(index), '.2f', 1, '')}" if is_number(found, index) else ""
    lines = [paint(ask.text, "bold") + paint(shown, "cool")]
    if len(rows) > _ROWS:
        rows.sort(key=lambda row: -row[1].found)
        lines.append(paint(f"  the {_ROWS} that came most often, of {len(rows)}", "dim"))
        del rows[_ROWS:]
    label = max(len(name) for name, _ in rows)
    figures = [_between(e, ".1f", 100, "%") for _, e in rows]
    wide = max(map(len, figures))
    top = 1.0 if ask.type.name == "truth" else max(e.greatest for _, e in rows)
    room = max(10, min(40, width() - label - wide - 8))
    for (name, each), figure in zip(rows, figures, strict=True):
        solid, faint = _drawn(each, top, room)
        lines.append(f"  {name:>{label}}  {figure:>{wide}}  {paint(solid, 'good')}{paint(faint, 'dim')}".rstrip())
    return lines


def _drawn(each: Estimate, top: float, room: int) -> tuple[str, str]:
    """As far as it surely goes, and as far as it may go."""
    if not can_show("█░"):
        return bar(each.found / top, room), ""
    least, most = round(each.least / top * room), round(each.greatest / top * room)
    return "█" * least, "░" * (most - least)


def _between(each: Estimate, form: str, by: int, unit: str) -> str:
    """`32.1% (31.2 to 33.0)`."""
    found, least, most = (format(x * by, form) for x in (each.found, each.least, each.greatest))
    return f"{found}{unit} ({least} to {most})"
