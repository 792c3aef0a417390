"""`umpire sample`: estimates odds from many plays, where exact odds are too expensive.

Takes a situation and questions. Prints estimates with error intervals, as text or plain data; never presented as exact
odds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from interpreter.source.digits import format_number, format_percent
from interpreter.surfaces.as_answers import estimates
from interpreter.workbench import plays as many
from interpreter.workbench.grids import Spread
from interpreter.workbench.parallel import Workers
from interpreter.workbench.plays import Estimate, Plays, is_number
from interpreter.workbench.progress import Progress

from .asking import Questions, Wish
from .charts import Cell, bar_lines, headed, shaded
from .commands import at_least, command, option
from .options import given_option, workers_options
from .scenes import Scene, of_a_situation
from .terminal import answer, paint, watched

MOST = 8  # questions shown if none are given
_ROWS = 24


@command()
@of_a_situation
@given_option("plays")
@option("--plays", type=at_least(2), default=10_000, metavar="N", help="How many. [default: 10000]")
@option("--seed", default="1", metavar="SEED", help="The same seed gives the same plays. [default: 1]")
@workers_options
def sample(scene: Scene, given: str | None, plays: int, seed: str, workers: Workers) -> None:
    """An estimate of odds, from many plays: for what `umpire odds` gives up.

    \b
    umpire sample long-war.yaml --ask winner --plays 100000

    What is asked, and how choices are made, is said as to `umpire odds`; a choice that nobody decides is refused.
    Every number has its error: of a hundred samples, the true number lies within in about 95.
    """
    asked = Questions(scene, Wish(given), Progress())
    several = asked.spread()
    texts = None if scene.asks or asked.own else asked.worth(several.at(several.places[0]))
    found = _played(asked, several, texts, plays, seed, workers)
    one = next((each for each in found if each is not None), None)
    if one is None:
        asked.never()
    answer(
        found,
        scene.as_json,
        lambda found: {**scene.plain, **estimates(several, found, given)},
        lambda found: _lines(asked, several, found, one, unasked=texts is not None),
    )


def _played(
    asked: Questions, several: Spread, texts: list[str] | None, plays: int, seed: str, workers: Workers
) -> list[Plays | None]:
    scene, progress = asked.scene, asked.progress
    with watched(progress):
        said = asked.said(texts)
        found = many.sample_points(scene.rules, several, scene.problems, said, plays, seed, progress, workers)
    return scene.needed(found)


# ---- text
def _lines(asked: Questions, several: Spread, found: list[Plays | None], one: Plays, unasked: bool) -> Iterator[str]:
    """The estimates as text. `unasked`: no questions were given, so certain ones are left out and at most `MOST`
    are shown.
    """
    scene, given = asked.scene, asked.wish.given
    each = " each" if several.axes else ""
    yield paint(scene.rules.title, "dim")
    made = paint(f"an estimate from {one.plays:,} plays{each}, seed {one.seed}", "warm")
    yield f"{paint(scene.said, 'bold')}   {made}"
    if given is not None and not several.axes:
        yield f"given {given}, which was so in {one.held:,} of them"
    shown = [i for i, counts in enumerate(one.counts) if not unasked or len(counts) > 1]
    for index in shown[:MOST] if unasked else shown:
        yield ""
        yield from _over(several, found, one, index) if several.axes else _chart(one, index)
    yield ""
    sure = "in about 95 of 100 such samples the true number lies between the two"
    yield paint(f"{sure} (Wilson's interval; a mean: 1.96 standard errors)", "dim")


def _over(several: Spread, found: list[Plays | None], one: Plays, index: int) -> list[str]:
    """One question at every point of a situation with alternatives."""
    truth = one.asks[index].type.name == "truth"
    what = "" if truth else "mean "
    by = f"{what}by {' and '.join(axis.name for axis in several.axes)}"
    title = headed(one.asks[index].text, by)
    if not truth and not any(each is not None and is_number(each, index) for each in found):
        return [title, paint("  in words, which have no mean: ask whether it is one of them, with `=`", "dim")]
    if any(each is not None and each.unrun(index) for each in found) and not truth:
        return [title, paint("  not always run: ask `ran(…)`, or say what it counts as: `… if ran(…) else 0`", "dim")]
    worths = [None if p is None else p.chance(index) if truth else p.mean(index) for p in found]
    by_place = dict(zip(several.places, worths, strict=True))
    top = 1.0 if truth else max(w.greatest for w in worths if w is not None) or 1.0

    def cell(worth: Estimate | None) -> Cell:
        return (_less(worth, truth), None if worth is None else Fraction(worth.found / top))

    down = several.axes[0]
    if len(several.axes) == 2:
        across = several.axes[1]
        cells = [[cell(by_place[i, j]) for j in range(len(across.values))] for i in range(len(down.values))]
        return [title, *shaded(down.name, across.name, across.values, list(zip(down.values, cells, strict=True)))]
    rows = [(label, by_place[(i,)]) for i, label in enumerate(down.values)]
    return [title, *_bars(down.name, rows, truth, top)]


def _less(worth: Estimate | None, truth: bool) -> str:
    """The estimate with half the width of its interval: `32.1% ±0.9`."""
    if worth is None:
        return "never"
    return f"{_number(worth.found, truth)} ±{_number((worth.greatest - worth.least) / 2, truth).removesuffix('%')}"


def _chart(found: Plays, index: int) -> list[str]:
    ask = found.asks[index]
    if ask.type.name == "truth" and not found.unrun(index):
        rows = [("yes", found.chance(index))]
    else:
        rows = [(found.words.say(v, ask.type), e) for v, e in found.of(index).items()]
    shown = f"  mean {_between(found.mean(index), chance=False)}" if is_number(found, index) else ""
    if shown and found.unrun(index):
        shown += f" where it was run, {_between(found.runs(index), chance=True)}"
    lines = [paint(ask.text, "bold") + paint(shown, "cool")]
    if len(rows) > _ROWS:
        rows.sort(key=lambda row: -row[1].found)
        lines.append(paint(f"  the {_ROWS} that came most often, of {len(rows)}", "dim"))
        del rows[_ROWS:]
    return [*lines, *_bars("", rows, True, 1.0 if ask.type.name == "truth" else max(e.greatest for _, e in rows))]


def _bars(head: str, rows: Sequence[tuple[str, Estimate | None]], chance: bool, top: float) -> list[str]:
    """Bars up to the least and the greatest end of each interval."""
    figures = [_between(each, chance) if each is not None else "never" for _, each in rows]
    worths = [None if each is None else (Fraction(each.least), Fraction(each.greatest)) for _, each in rows]
    names = [name for name, _ in rows]
    first, *lines = bar_lines([head, *names], ["", *figures], [None, *worths], Fraction(top), [""] * (len(rows) + 1))
    return [paint(first, "dim"), *lines] if head else lines


def _between(each: Estimate, chance: bool) -> str:
    """The estimate with its interval: `32.1% (31.2 to 33.0)`."""
    found, least, most = (_number(x, chance) for x in (each.found, each.least, each.greatest))
    return f"{found} ({least.removesuffix('%')} to {most.removesuffix('%')})"


def _number(value: float, chance: bool) -> str:
    """A chance in percent, or another number."""
    return format_percent(Fraction(value)) if chance else format_number(Fraction(value))
