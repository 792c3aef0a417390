"""A situation with alternatives on a terminal: one of them down the side as bars, two as a table with shades.

Enters: questions and a situation taken apart. Leaves: lines that were said, or plain data. Knows nothing of how odds
are worked out.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.source import Problems
from interpreter.surfaces.as_answers import grid as plain
from interpreter.surfaces.as_charts import between, bounds_of, number
from interpreter.surfaces.as_json import text
from interpreter.workbench.answers import ordered
from interpreter.workbench.figures import is_number, quantile, values, variance, where_run
from interpreter.workbench.grids import Grid, Point, Spread, of, reached

from .asking import Questions, too_many
from .charts import Cell, bar_lines, chance_form, mean_form, shaded
from .ends import CLEAN, COULD_NOT, FINDINGS
from .terminal import ending, paint, refuse, rendered, say, watched

MOST = 4  # tables that are shown when nobody asks for any
FEW_WORLDS = 20_000  # worlds up to which many questions are answered in one walk


def swept(asked: Questions, several: Spread) -> int:
    """Work it out and tell; the exit code: whether other odds were expected, or some cannot be asked."""
    wish, scene = asked.wish, asked.scene
    if len(several.axes) > 2 and not wish.as_json:
        too_many(asked, several)
    asked.progress.part, asked.progress.of = "situations", len(several.places)
    with watched(asked.progress):
        found, chosen = _worked(asked, several)
    answers = [point.answer for point in found.points if point.answer is not None]
    if not answers:
        asked.never()
    for answer in answers:
        asked.open |= getattr(answer, "open", {})
    reaches = _reached(asked, found, answers[0])
    if wish.as_json:
        reach = (wish.reach, reaches) if wish.reach is not None else None
        told = {"rules": scene.rules.name, "do": scene.said, "exact": True}
        say(text({**told, **plain(found, wish.given, wish.quantiles, reach)}))
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


# ---- what is worked out
def _worked(asked: Questions, several: Spread) -> tuple[Grid, list[int]]:
    """The grid, and which of its questions are worth a table."""
    rules, wish, problems = asked.scene.rules, asked.wish, asked.scene.problems
    found = None
    texts: list[str] | None = None
    if not wish.asks and not asked.own:
        texts = asked.worth(several.at(several.places[0]))
        limit = min(wish.worlds, FEW_WORLDS)
        few = Problems()
        found = of(rules, several, few, asked.said(texts), limit=limit, progress=asked.progress, whole=True)
        texts = texts[:MOST]
    if found is None:
        found = of(rules, several, problems, asked.said(texts), limit=wish.worlds, progress=asked.progress)
    if found is None:
        refuse(problems, wish.as_json, typed=not asked.scene.from_file)
    return found, _telling(found, texts is not None)


def _telling(found: Grid, unasked: bool) -> list[int]:
    """Questions whose answers differ, each once, where nobody asked for these; else all."""
    answers = [point.answer for point in found.points if point.answer is not None]
    count = len(answers[0].asks) if answers else 0
    if not unasked:
        return list(range(count))
    told: list[list[Any]] = []
    kept: list[int] = []
    for index in range(count):
        each = [answer.of(index) for answer in answers]
        if any(len(one) > 1 for one in each) and each not in told and len(kept) < MOST:
            told.append(each)
            kept.append(index)
    return kept


def _reached(asked: Questions, found: Grid, answer: Any) -> list[Any]:
    share = asked.wish.reach
    if share is None:
        return []
    yes_or_no = [ask.type.name == "truth" for ask in answer.asks]
    if not any(yes_or_no):
        problems, hint = asked.scene.problems, "a chance is that of a yes: `--ask 'harm.dead > 0'`"
        problems.add("F016", None, wanted="a question of yes or no", hint=hint)
        refuse(problems, asked.wish.as_json, typed=True)
    return [reached(found, i, share) if yes else None for i, yes in enumerate(yes_or_no)]


# ---- what is said of it
def head(asked: Questions) -> Iterator[str]:
    yield paint(asked.scene.rules.title, "dim")
    yield f"{paint(asked.scene.said, 'bold')}   {paint('exact odds', 'dim')}"
    if asked.wish.given is not None:
        likely = between(asked.likely, chance_form(asked.wish.exact))
        yield f"given {asked.wish.given}, which is so in {likely}"


def foot(asked: Questions) -> Iterator[str]:
    """Which choices are open, and how to close them."""
    if asked.open:
        first = next(iter(asked.open))
        by = ", ".join(f"{line} ({who})" for line, who in asked.open.items())
        yield ""
        yield f"from the least to the greatest, as somebody chooses: {by}"
        yield paint(
            f"to name a policy: --choose {first}=…, `choose: {{{first}: …}}`, or `usually …` in the rules", "dim"
        )


def _lines(asked: Questions, found: Grid, chosen: list[int], reaches: list[Any]) -> Iterator[str]:
    answer = next(point.answer for point in found.points if point.answer is not None)
    yield from head(asked)
    for index in chosen:
        yield ""
        yield _title(found, answer, index)
        if len(found.axes) == 1:
            yield from _one(asked, found, index)
        elif any(_written(asked, p, index) for p in found.points if p.answer is not None):
            yield from _two(asked, found, index)
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
    title = f"{paint(ask.text, 'bold')}  {paint(by, 'cool')}"
    if ask.expected is None:
        return title
    unlike = sum(p.answer is not None and p.answer.bounds(index) != ask.expected for p in found.points)
    unasked = sum(p.answer is None for p in found.points)
    wanted = " to ".join(str(f) for f in dict.fromkeys(ask.expected))
    bad = [f"{unlike} are not so"] * bool(unlike) + [f"of {unasked} nobody knows"] * bool(unasked)
    said = paint(f"expected {wanted}; {', '.join(bad)}", "poor") if bad else paint("as expected", "good")
    return f"{title}  {said}"


def _written(asked: Questions, point: Point, index: int) -> str:
    worth = point.worth(index)
    if point.answer is None:
        return _unanswered(point)
    if worth is None:
        return _where_run(asked, point.answer, index)
    form = chance_form if point.answer.asks[index].type.name == "truth" else mean_form
    return between(worth, form(asked.wish.exact))


def _unanswered(point: Point) -> str:
    return "never" if point.refused is None else "not asked"


def _where_run(asked: Questions, answer: Any, index: int) -> str:
    """A mean of what is not always run, and how often it is: `1.2 in 7.6%`."""
    found = where_run(answer, index)
    if found is None:
        return ""
    mean, runs = found
    if mean is None:
        return "not run"
    exact = asked.wish.exact
    return f"{between(mean, mean_form(exact))} in {between(runs, chance_form(exact))}"


def _one(asked: Questions, found: Grid, index: int) -> list[str]:
    """A row for each value; its chance or mean as a bar, or in a column for each outcome."""
    points = found.points
    answers = [p.answer for p in points if p.answer is not None]
    kind = answers[0].asks[index].type.name
    if kind != "truth" and (asked.wish.table or not all(is_number(a, index) for a in answers)):
        return _outcomes(asked, found, index)
    worths = [p.worth(index) or (Fraction(0), Fraction(0)) for p in points]
    top = Fraction(1) if kind == "truth" else max((abs(most) for _, most in worths), default=Fraction(0))
    tails = _tails(asked, points, index) if kind != "truth" else [""] * len(points)
    figures = [_written(asked, point, index) for point in points]
    name = found.axes[0].name
    head, *lines = bar_lines(
        [name, *(point.labels[0] for point in points)], ["", *figures], [None, *worths], top, ["", *tails]
    )
    return [paint(head, "dim"), *lines]


def _tails(asked: Questions, points: tuple[Point, ...], index: int) -> list[str]:
    """Deviation and quantiles behind the bars, where they are wished for."""
    wish = asked.wish
    found = []
    for point in points:
        parts = []
        if point.answer is not None and wish.deviation and (v := variance(point.answer, index)) is not None:
            parts.append(f"deviation {deviation(v)}")
        if point.answer is not None:
            parts += [f"{percents(q)} at most {quantile_said(point.answer, index, q)}" for q in wish.quantiles]
        found.append("  ".join(parts))
    return found


def _outcomes(asked: Questions, found: Grid, index: int) -> list[str]:
    """How likely each outcome is, for each value."""
    answers = [(p, p.answer) for p in found.points]
    every = sorted({v for _, a in answers if a is not None for v in values(a, index)}, key=ordered)
    words, type_ = next((a.words, a.asks[index].type) for _, a in answers if a is not None)
    rows: list[tuple[str, list[Cell]]] = []
    for point, answer in answers:
        cells: list[Cell] = []
        law: dict[Any, Any] = answer.of(index) if answer is not None else {}
        for each in every:
            bounds = bounds_of(law.get(each, Fraction(0)))
            cells.append((between(bounds, chance_form(asked.wish.exact)) if bounds[1] else "", bounds[1]))
        if answer is None:
            cells[0] = _unanswered(point), None
        rows.append((point.labels[0], cells))
    return shaded(found.axes[0].name, "", [words.say(v, type_) for v in every], rows)


def _two(asked: Questions, found: Grid, index: int) -> list[str]:
    """The first down the side, the second across."""
    down, across = found.axes
    points = {p.place: p for p in found.points}
    worths = {place: p.worth(index) for place, p in points.items()}
    most = [w[1] for w in worths.values() if w is not None] or [Fraction(0)]
    yes_or_no = any(p.answer is not None and p.answer.asks[index].type.name == "truth" for p in found.points)
    low, high = (Fraction(0), Fraction(1)) if yes_or_no else (min(Fraction(0), *most), max(most))
    rows: list[tuple[str, list[Cell]]] = []
    for i, label in enumerate(down.values):
        cells: list[Cell] = []
        for j in range(len(across.values)):
            worth = worths[i, j]
            dark = None if worth is None else (worth[1] - low) / (high - low) if high > low else Fraction(0)
            cells.append((_written(asked, points[i, j], index), dark))
        rows.append((label, cells))
    return shaded(down.name, across.name, across.values, rows)


def _least(point: Point, index: int) -> Fraction:
    worth = point.worth(index)
    return worth[0] if worth is not None else Fraction(0)


# ---- numbers in words
def deviation(variance: Fraction) -> str:
    return number(Fraction(float(variance) ** 0.5))


def percents(share: Fraction) -> str:
    found = share * 100
    return f"{found.numerator}%" if found.denominator == 1 else f"{float(found):g}%"


def quantile_said(answer: Any, index: int, share: Fraction) -> str:
    """The value at which a share of all ways ends."""
    type_ = answer.asks[index].type
    return " to ".join(dict.fromkeys(answer.words.say(value, type_) for value in quantile(answer, index, share)))


def _reach(asked: Questions, found: Grid, index: int, reaches: list[Any]) -> list[str]:
    """With which value a chance is first so great, and whether it is less again further on."""
    first, *others = found.axes
    wanted = asked.wish.reach or Fraction(0)
    rows = []
    for reach in reaches:
        where = ", ".join(f"{a.name} {a.values[i]}" for a, i in zip(others, reach.place, strict=True))
        line = [p for p in found.points if p.place[1:] == reach.place]
        if reach.perhaps is None:
            best = max(line, key=lambda p: _least(p, index))
            said = f"never within {first.values[0]} to {first.values[-1]}"
            said += f": at most {_written(asked, best, index)}, with {best.labels[0]}" if _least(best, index) else ""
        elif reach.surely is reach.perhaps:
            said = f"with {first.name} {reach.surely.labels[0]}: {_written(asked, reach.surely, index)}"
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
