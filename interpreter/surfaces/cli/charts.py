"""Charts and tables of a terminal: rows of bars, shaded cells, columns of numbers.

Takes descriptions of answers; texts and shares. Gives lines of text. Every bar and shade has its number beside it, so
that nothing depends on colour. Knows nothing of how odds are computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from interpreter.source.digits import format_number, format_percent, fraction
from interpreter.surfaces.as_charts import Bars, Form, Heat, Value
from interpreter.workbench.bands import NEVER, Bounds, format_bounds

from .terminal import aligned, can_show, paint, width

if TYPE_CHECKING:
    from .asking import Questions

Cell = tuple[str, Fraction | None]  # without a share a cell has no shade

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_SHADES = " ░▒▓█"
_LETTERS = " .:*#"
_LONGEST, _SHORTEST = 40, 10  # cells of a bar
_ONE = Fraction(1)


def chance_form(exact: bool) -> Form:
    """The function that writes a chance: as a fraction if `exact`, else in percent."""
    return fraction if exact else format_percent


def mean_form(exact: bool) -> Form:
    """The function that writes a mean: as a fraction if `exact`, else as a decimal number."""
    return fraction if exact else format_number


def headed(title: str, note: str) -> str:
    """A title followed by a note, in colours of the terminal; the note may be empty."""
    return f"{paint(title, 'bold')}  {paint(note, 'cool')}".rstrip()


# ---- a page of odds
def head(asked: Questions) -> Iterator[str]:
    """The lines above exact odds: the title of the rules, what is done, and the given conditions."""
    yield paint(asked.scene.rules.title, "dim")
    yield f"{paint(asked.scene.said, 'bold')}   {paint('exact odds', 'dim')}"
    yield from asked.given(chance_form(asked.wish.exact))


def foot(asked: Questions) -> Iterator[str]:
    """The open choices, and how to state policies for them."""
    for said in asked.chosen():
        first = next(iter(asked.open))
        yield ""
        yield said
        yield paint(
            f"to name a policy: --choose {first}=…, `choose: {{{first}: …}}`, or `usually …` in the rules", "dim"
        )


# ---- bars
def distribution_lines(title: str, found: Bars, exact: bool) -> list[str]:
    """A question: its title with its mean, then a bar for each outcome; if exact, no outcomes are summed."""
    form, (series,) = chance_form(exact), found.series
    rows = found.table if exact else found.rows
    open_ = any(value.least != value.most for row in rows for value in row.values)
    tails = [""] * len(rows)
    if len(rows) > 2 and (open_ or not exact):
        tails = [f"{row.more[0].said(form):>6} or more" if i and row.more else "" for i, row in enumerate(rows)]
    figures = [row.values[0].said(form) for row in rows]
    worths = [row.values[0].worth for row in rows]
    top = _ONE if found.whole else max(most for _, most in worths)
    wide = 6 if found.whole else 0
    labels = [row.label for row in rows]
    return [
        headed(title, series.said(mean_form(exact))),
        *bar_lines(labels, figures, worths, top, tails, wide),
    ]


def bar_lines(
    labels: Sequence[str],
    figures: Sequence[str],
    worths: Sequence[Bounds | None],
    top: Fraction,
    tails: Sequence[str],
    wide: int = 0,
) -> list[str]:
    """A row for each label: its number, a bar in proportion to `top`, and a text after it."""
    label = max(map(len, labels), default=1)
    wide = max([wide, *map(len, figures)])
    tail = max(map(len, tails), default=0)
    room = max(_SHORTEST, min(_LONGEST, width() - label - wide - (tail + 2 if tail else 0) - 8))
    lines = []
    for name, figure, worth, said in zip(labels, figures, worths, tails, strict=True):
        sure, perhaps = bar(worth, top, room) if worth is not None else ("", "")
        drawn = paint(sure, "good") + paint(perhaps, "dim")
        behind = " " * (room - len(sure) - len(perhaps)) + "  " + paint(said, "dim") if said else ""
        lines.append(f"  {name:>{label}}  {figure:>{wide}}  {drawn}{behind}".rstrip())
    return lines


def bar(worth: Bounds, top: Fraction, room: int) -> tuple[str, str]:
    """A bar of at most `room` cells: the lower bound filled to an eighth of a cell, then light cells up to the upper
    bound. Uses `#` and `-` if the terminal has no block characters.
    """
    least, most = (float(max(Fraction(0), end) / top) if top else 0.0 for end in worth)
    if least != most:
        solid, faint = ("█", "░") if can_show("█░") else ("#", "-")
        sure, perhaps = round(least * room), round(most * room)
        return solid * sure, faint * (perhaps - sure)
    if not can_show(_EIGHTHS):
        return "#" * round(least * room), ""
    eighths = round(least * room * 8)
    return ("█" * (eighths // 8) + _EIGHTHS[eighths % 8]).rstrip() or ("▏" if least > 0 else ""), ""


def along_lines(found: Bars, exact: bool, tails: Sequence[str]) -> list[str]:
    """A row for each value of an axis below the name of the axis; `tails` are texts after the bars."""
    form = (mean_form if found.what == "mean" else chance_form)(exact)
    worths = [row.values[0].worth if row.values else None for row in found.rows]
    top = _ONE if found.whole else max((abs(worth[1]) for worth in worths if worth is not None), default=Fraction(0))
    figures = [row.values[0].said(form) if row.values else row.note for row in found.rows]
    labels = [row.label for row in found.rows]
    head, *lines = bar_lines([found.first, *labels], ["", *figures], [None, *worths], top, ["", *tails])
    return [paint(head, "dim"), *lines]


# ---- tables
def outcome_lines(found: Heat, exact: bool) -> list[str]:
    """A row for each value of an axis with the chance of each outcome; outcomes with chance 0 are blank."""
    form = chance_form(exact)
    rows: list[tuple[str, list[Cell]]] = []
    for i, (label, values) in enumerate(zip(found.down.labels, found.cells, strict=True)):
        cells: list[Cell] = [("", Fraction(0)) if not v or not v.most else (v.said(form), v.most) for v in values]
        if (i, 0) in found.empty and not any(values):
            cells = [(found.empty[i, 0], None), *cells[1:]]
        rows.append((label, cells))
    return shaded(found.down.name, "", found.across.labels, rows)


def map_lines(found: Heat, exact: bool) -> list[str]:
    """A table of two axes; the greater a value, the darker its cell."""
    form = (chance_form if found.chances else mean_form)(exact)
    known = [value for row in found.cells for value in row if value is not None and value.runs is None]
    most = [value.most for value in known] or [Fraction(0)]
    low, high = (Fraction(0), _ONE) if found.chances else found.ends or (min(Fraction(0), *most), max(most))

    def dark(value: Value | None) -> Fraction | None:
        if value is None or value.runs is not None:
            return None
        return (value.most - low) / (high - low) if high > low else Fraction(0)

    rows = [
        (label, [(found.said(i, j, lambda v: v.said(form)), dark(value)) for j, value in enumerate(values)])
        for i, (label, values) in enumerate(zip(found.down.labels, found.cells, strict=True))
    ]
    return shaded(found.down.name, found.across.name, found.across.labels, rows)


def figure_lines(title: str, found: Bars, exact: bool) -> list[str]:
    """The chances of each outcome as numbers: exactly, at least and at most it; for words, exactly only."""
    form, (series,) = chance_form(exact), found.series
    heading = headed(title, series.said(mean_form(exact)))
    if series.mean is None or series.mean.runs is not None:
        return [heading, *columns(["", "exactly"], [[row.label, row.values[0].said(form)] for row in found.table])]
    # A band omits the value for which "this or more" is certain.
    least = [row.more[0].worth if row.more else (_ONE, _ONE) for row in found.table]
    beyond = [*least[1:], NEVER]
    rows = [
        [
            row.label,
            row.values[0].said(form),
            format_bounds(more, form),
            format_bounds((1 - further[1], 1 - further[0]), form),
        ]
        for row, more, further in zip(found.table, least, beyond, strict=True)
    ]
    return [heading, *columns(["", "exactly", "at least", "at most"], rows)]


def shade(share: Fraction) -> str:
    """Two characters in one of several shades, from empty for 0 to full for 1."""
    signs = _SHADES if can_show(_SHADES) else _LETTERS
    step = 0 if share <= 0 else min(4, 1 + int(share * 4))
    return signs[step] * 2


def shaded(corner: str, above: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]]) -> list[str]:
    """A table below the names of its columns; columns that do not fit the terminal continue below."""
    label = max([len(corner), *(len(name) for name, _ in rows)])
    plain = all(share is None for _, cells in rows for _, share in cells)
    dark = 0 if plain else 3
    wide = max([len(c) for c in columns] + [len(text) + dark for _, cells in rows for text, _ in cells])
    many = max(1, (width() - label - 2) // (wide + 2))
    lines: list[str] = []
    for start in range(0, len(columns), many):
        part = slice(start, start + many)
        if above:
            room = (wide + 2) * len(columns[part]) - 2
            lines.append(f"  {'':>{label}}  {paint(above[:room].rjust(wide), 'dim')}".rstrip())
        heads = "".join(f"  {c:>{wide}}" for c in columns[part])
        lines.append(paint(f"  {corner:>{label}}{heads}", "dim"))
        for name, cells in rows:
            lines.append((f"  {name:>{label}}" + "".join(f"  {_cell(c, wide)}" for c in cells[part])).rstrip())
    return lines


def _cell(cell: Cell, wide: int) -> str:
    text, share = cell
    if share is None:
        return f"{text:>{wide}}"
    return paint(shade(share), "good") + f"{text:>{wide - 2}}"


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A plain table, all columns but the first right-aligned."""
    head, *lines = [f"  {line}" for line in aligned([heads, *rows], lambda i: True)]
    return [paint(head, "dim"), *lines]
