"""The answers to one situation on a terminal: bars or figures for each question, and what else was wished to know.

Enters: answers. Leaves: lines that were said. Knows nothing of how odds are worked out.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from interpreter.surfaces.as_json import fraction
from interpreter.surfaces.as_rows import mean_of
from interpreter.workbench.bands import Band
from interpreter.workbench.figures import at_least, at_most, is_number, quantile, table, variance, where_run

from . import tables
from .asking import Questions, Wish
from .bars import between, chart, number, opened, percent
from .terminal import paint, refuse, say


def head(asked: Questions) -> None:
    say(f"{paint(asked.scene.rules.title, 'dim')}")
    say(f"{paint(asked.scene.said, 'bold')}   {paint('exact odds', 'dim')}")
    if asked.wish.given is not None:
        say(f"given {asked.wish.given}, which is so in {between(asked.likely, form(asked.wish))}")


def foot(asked: Questions) -> None:
    if asked.open:
        say()
        say("\n".join(opened(asked.open)))


def form(wish: Wish) -> Any:
    """How a chance is written."""
    return fraction if wish.exact else percent


def mean_form(wish: Wish) -> Any:
    return fraction if wish.exact else number


def show(asked: Questions, charts: list[tuple[Any, int, list[str]]], whole: Any) -> None:
    wish = asked.wish
    if wish.joint:
        _two(asked, charts, whole)
        return
    head(asked)
    for answer, index, same in charts:
        ask = answer.asks[index]
        title = ask.text + (paint("  also " + ", ".join(same), "dim") if same else "")
        say()
        if wish.table and ask.type.name != "truth":
            lines = _figures(answer, index, title, wish)
        else:
            lines = chart(answer, index, title, wish.exact)
        if ask.expected is not None:
            fits = answer.bounds(index) == ask.expected
            wanted = " to ".join(str(f) for f in dict.fromkeys(ask.expected))
            lines[0] += "  " + (paint("as expected", "good") if fits else paint(f"expected {wanted}", "poor"))
        say("\n".join([*lines, *more(answer, index, wish)]))
    untold = ("0", "no", "none", "nobody", "not run")
    certain = [f"{text} {value}" for text, value in asked.certain if value not in untold]
    if certain:
        say()
        say(paint("always: " + ", ".join(certain), "dim"))
    if asked.too_long:
        say()
        say(paint(f"left out, for they take long: {', '.join(asked.too_long)}; ask for one with --ask", "dim"))
    foot(asked)
    if not charts:
        say("nothing here depends on dice; ask for something with --ask")


def more(answer: Any, index: int, wish: Wish) -> list[str]:
    """Spread and quantiles of numbers, where they are wished for."""
    if not is_number(answer, index):
        return []
    lines = []
    if wish.deviation:
        found = variance(answer, index)
        said = f"deviation {deviation(found)}, variance {mean_form(wish)(found)}" if found is not None else ""
        lines.append(paint(f"  {said or 'no deviation: somebody chooses'}", "dim"))
    if wish.quantiles:
        said = ", ".join(f"{ended(answer, index, q)} in {percents(q)}" for q in wish.quantiles)
        lines.append(paint(f"  at most {said} of all ways", "dim"))
    return lines


def deviation(variance: Fraction) -> str:
    return number(Fraction(float(variance) ** 0.5))


def percents(share: Fraction) -> str:
    found = share * 100
    return f"{found.numerator}%" if found.denominator == 1 else f"{float(found):g}%"


def ended(answer: Any, index: int, share: Fraction) -> str:
    """The value at which a share of all ways ends."""
    type_ = answer.asks[index].type
    return " to ".join(dict.fromkeys(answer.words.say(v, type_) for v in quantile(answer, index, share)))


def _figures(answer: Any, index: int, title: str, wish: Wish) -> list[str]:
    """Each outcome: exactly, at least, at most; of words, exactly."""
    said = form(wish)
    type_ = answer.asks[index].type
    found = answer.of(index)
    exactly = found if isinstance(answer, Band) else {v: (p, p) for v, p in found.items()}
    if not is_number(answer, index):
        rows = [[answer.words.say(v, type_), between(p, said)] for v, p in exactly.items()]
        shown = mean_of(answer, index, mean_form(wish)) if where_run(answer, index) is not None else ""
        title = f"{paint(title, 'bold')}  {paint(shown, 'cool')}".rstrip()
        return [title, *tables.columns(["", "exactly"], rows)]
    least, most = at_least(answer, index), at_most(answer, index)
    rows = [[answer.words.say(v, type_), *(between(each[v], said) for each in (exactly, least, most))] for v in exactly]
    mean = answer.mean(index)
    shown = between(mean if isinstance(mean, tuple) else (mean, mean), mean_form(wish))
    title = f"{paint(title, 'bold')}  {paint(f'mean {shown}', 'cool')}"
    return [title, *tables.columns(["", "exactly", "at least", "at most"], rows)]


MOST_COLUMNS = 12


def _two(asked: Questions, charts: list[tuple[Any, int, list[str]]], whole: Any) -> None:
    """Two questions against each other: each cell how likely both are, at the ends how likely each is."""
    wish = asked.wish
    if whole is None or len(whole.asks) != 2:
        hint = "`--ask hits --ask harm.dead`"
        if asked.open:
            hint = f"name a policy for {next(iter(asked.open))}: two bounds need not be reached by the same choices"
        asked.scene.problems.add("F016", None, wanted="two questions, and no choice left open", hint=hint)
        refuse(asked.scene.problems, wish.as_json, typed=True)
    found = table(whole, 0, 1)
    said = form(wish)
    names = [
        [whole.words.say(v, whole.asks[i].type) for v in side] for i, side in enumerate((found.rows, found.columns))
    ]
    top = max(found.cells.values())
    rows = []
    zero = Fraction(0)
    for name, row in zip(names[0], found.rows, strict=True):
        cells: list[tables.Cell] = []
        for column in found.columns:
            p = found.cells.get((row, column), zero)
            cells.append((said(p) if p else "", p / top))
        rows.append((name, [*cells, (said(whole.of(0)[row]), None)]))
    rows.append(("all", [*((said(p), None) for p in whole.of(1).values()), (said(Fraction(1)), None)]))
    head(asked)
    say()
    say(f"{paint(whole.asks[0].text, 'bold')} by {paint(whole.asks[1].text, 'bold')}")
    say("\n".join(tables.shaded(whole.asks[0].text, whole.asks[1].text, [*names[1], "all"], rows)))
