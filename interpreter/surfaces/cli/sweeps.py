"""Prints a situation with alternatives on a terminal: one axis as rows of bars, two axes as a shaded table.

Takes questions and an expanded situation. Prints text or plain data. Knows nothing of how odds are computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.source import Problems
from interpreter.surfaces.as_answers import grid as plain
from interpreter.surfaces.as_json import text
from interpreter.surfaces.as_statistics import beside, percents
from interpreter.surfaces.as_tables import describe_maps, describe_means, describe_outcomes, point_value
from interpreter.workbench.bands import NEVER, format_bounds
from interpreter.workbench.grids import Grid, Point, Spread, answer_spread, find_reach
from interpreter.workbench.summary_statistics import is_number, where_run

from .asking import Questions
from .charts import along_lines, chance_form, foot, head, headed, map_lines, outcome_lines
from .ends import CLEAN, COULD_NOT, FINDINGS
from .terminal import ending, paint, rendered, say, watched

MOST = 4  # most tables if no questions are given
FEW_WORLDS = 20_000  # limit of worlds for all questions in one walk


def answer_sweep(asked: Questions, several: Spread) -> int:
    """Compute and print the answers. Return the exit code: 1 if odds differ from expected ones, or a point was
    refused.
    """
    wish, scene = asked.wish, asked.scene
    asked.progress.part, asked.progress.of = "situations", len(several.places)
    with watched(asked.progress):
        found, chosen = _worked(asked, several)
    answers = [point.answer for point in found.points if point.answer is not None]
    if not answers:
        asked.never()
    for answer in answers:
        asked.open |= getattr(answer, "open", {})
    reaches = _reached(asked, found, answers[0])
    if scene.as_json:
        reach = (wish.reach, reaches) if wish.reach is not None else None
        say(text({**scene.plain, "exact": True, **plain(found, wish.given, wish.statistics, reach)}))
    else:
        likely = [point.likely for point in found.points if point.refused is None]
        asked.likely = min(least for least, _ in likely), max(most for _, most in likely)
        for line in _lines(asked, found, chosen, reaches):
            say(line)
    if asked.wish.svg or asked.wish.html:
        from .pictures import draw_grid

        draw_grid(asked, found, chosen)
    if found.refused:
        return ending(found.refused) if scene.from_file else COULD_NOT
    asks = range(len(answers[0].asks))
    unlike = any(a.asks[i].expected not in (None, a.bounds(i)) for a in answers for i in asks)
    unheld = len(answers) < len(found.points) and any(ask.expected is not None for ask in answers[0].asks)
    return FINDINGS if unlike or unheld else CLEAN


# ---- computation
def _worked(asked: Questions, several: Spread) -> tuple[Grid, list[int]]:
    """The grid, and the indices of the questions to show."""
    rules, wish, problems = asked.scene.rules, asked.wish, asked.scene.problems
    found = None
    texts: list[str] | None = None
    if not asked.scene.asks and not asked.own:
        texts = asked.worth(several.at(several.places[0]))
        limit = min(wish.worlds, FEW_WORLDS)
        few = Problems()
        found = answer_spread(
            rules, several, few, asked.said(texts),
            limit=limit, progress=asked.progress, whole=True, workers=wish.workers,
        )  # fmt: skip
        texts = texts[:MOST]
    if found is None:
        found = answer_spread(
            rules, several, problems, asked.said(texts),
            limit=wish.worlds, progress=asked.progress, workers=wish.workers,
        )  # fmt: skip
    found = asked.scene.needed(found)
    return found, _telling(found, texts is not None)


def _telling(found: Grid, unasked: bool) -> list[int]:
    """The indices of questions whose answers vary, each distinct answer once, if none were given; else of all."""
    answers = [point.answer for point in found.points if point.answer is not None]
    count = len(answers[0].asks) if answers else 0
    if not unasked:
        return list(range(count))
    seen: list[list[Any]] = []
    kept: list[int] = []
    for index in range(count):
        each = [answer.of(index) for answer in answers]
        if any(len(one) > 1 for one in each) and each not in seen and len(kept) < MOST:
            seen.append(each)
            kept.append(index)
    return kept


def _reached(asked: Questions, found: Grid, answer: Any) -> list[Any]:
    share = asked.wish.reach
    if share is None:
        return []
    yes_or_no = [ask.type.name == "truth" for ask in answer.asks]
    if not any(yes_or_no):
        asked.scene.lacks("a question of yes or no", "a chance is that of a yes: `--ask 'harm.dead > 0'`")
    return [find_reach(found, i, share) if yes else None for i, yes in enumerate(yes_or_no)]


# ---- text
def _lines(asked: Questions, found: Grid, chosen: list[int], reaches: list[Any]) -> Iterator[str]:
    answer = next(point.answer for point in found.points if point.answer is not None)
    yield from head(asked)
    for index in chosen:
        yield ""
        yield _title(found, answer, index)
        if len(found.axes) == 1:
            yield from _one(asked, found, index)
        elif any(point_value(point, index) for point in found.points if point.answer is not None):
            yield from map_lines(describe_maps(found, index)[0], asked.wish.exact)
        else:
            yield paint("  in words, which have no mean: ask whether it is one of them, with `=`", "dim")
        if reaches and reaches[index] is not None:
            yield from _reach(asked, found, index, reaches[index])
    if not chosen:
        yield "nothing here depends on dice; ask for something with --ask"
    yield from foot(asked)
    if found.refused:
        yield ""
        yield rendered(found.refused).rstrip()


def _title(found: Grid, answer: Any, index: int) -> str:
    ask = answer.asks[index]
    what = "mean" if is_number(answer, index) else ""
    if any(p.answer is not None and where_run(p.answer, index) for p in found.points):
        what = "mean, where it is run," if len(found.axes) > 1 else ""
    by = f"{what} by {' and '.join(axis.name for axis in found.axes)}".strip()
    title = headed(ask.text, by)
    if ask.expected is None:
        return title
    unlike = sum(p.answer is not None and p.answer.bounds(index) != ask.expected for p in found.points)
    unasked = sum(p.answer is None for p in found.points)
    wanted = format_bounds(ask.expected)
    bad = [f"{unlike} are not so"] * bool(unlike) + [f"of {unasked} nobody knows"] * bool(unasked)
    said = paint(f"expected {wanted}; {', '.join(bad)}", "poor") if bad else paint("as expected", "good")
    return f"{title}  {said}"


def _one(asked: Questions, found: Grid, index: int) -> list[str]:
    """A row for each value of the axis: its chance or mean as a bar, or the chance of each outcome in a column."""
    numbers = all(is_number(point.answer, index) for point in found.points if point.answer is not None)
    if found.asks[index].type.name == "truth":
        return along_lines(describe_means(found, index), asked.wish.exact, [""] * len(found.points))
    if asked.wish.table or not numbers:
        return outcome_lines(describe_outcomes(found, index), asked.wish.exact)
    wished = asked.wish.statistics
    tails = [beside(point.answer, index, wished) if point.answer is not None else "" for point in found.points]
    return along_lines(describe_means(found, index), asked.wish.exact, tails)


def _least(point: Point, index: int) -> Fraction:
    worth = point.worth(index)
    return worth[0] if worth is not None else Fraction(0)


def _reach(asked: Questions, found: Grid, index: int, reaches: list[Any]) -> list[str]:
    """The first value at which a chance is reached, and any later values at which it falls below again."""
    first, *others = found.axes
    wanted = asked.wish.reach or Fraction(0)

    def said_of(point: Point) -> str:
        return format_bounds(point.worth(index) or NEVER, chance_form(asked.wish.exact))

    rows = []
    for reach in reaches:
        where = ", ".join(f"{a.name} {a.values[i]}" for a, i in zip(others, reach.place, strict=True))
        line = [p for p in found.points if p.place[1:] == reach.place]
        if reach.perhaps is None:
            best = max(line, key=lambda p: _least(p, index))
            said = f"never within {first.values[0]} to {first.values[-1]}"
            said += f": at most {said_of(best)}, with {best.labels[0]}" if _least(best, index) else ""
        elif reach.surely is reach.perhaps:
            said = f"with {first.name} {reach.surely.labels[0]}: {said_of(reach.surely)}"
            later = (p for p in line if p.place > reach.surely.place and p.answer is not None)
            less = [p.labels[0] for p in later if _least(p, index) < wanted]
            said += f", but not with {', '.join(less)}" if less else ""
        else:
            sure = f"with {reach.surely.labels[0]} whatever is chosen" if reach.surely else "never whatever is chosen"
            said = f"with {first.name} {reach.perhaps.labels[0]} at best, {sure}"
        unasked = [p.labels[0] for p in line if p.refused is not None]
        rows.append((where, said + (f"; not asked with {', '.join(unasked)}" if unasked else "")))
    wide = max(len(where) for where, _ in rows)
    gap = "  " if wide else ""
    return [f"  {paint(percents(wanted), 'bold')}  {where:<{wide}}{gap}{said}" for where, said in rows]
