"""`umpire diff`: the changes by a house rule, in the text of the rules and in odds.

Takes a base and a rule set built on it. Prints every change; with --odds, every typical situation that it affects,
before and after, attributed to patches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.source import Problems
from interpreter.surfaces.as_json import Json, fields, place
from interpreter.workbench.difference import Difference, Odds, Row, difference
from interpreter.workbench.parallel import Workers
from interpreter.workbench.patches import Change
from interpreter.workbench.pricing import Law, measure
from interpreter.workbench.progress import Progress

from .balance import columns, plain_law, plain_shift, situation, step, titled, told, told_shift, unasked
from .commands import argument, command, flag
from .ends import CLEAN
from .options import fraction_option, json_option, picture_options, workers_options
from .pictures import draw_difference
from .terminal import answer, counted, ending, located, needed, paint, watched, width
from .witnesses import plain_witness, witness_lines

SHOWN = 10  # situations shown without --all
_WORDS = {"changed": "changed", "added": "added", "removed": "removed", "acts": "rule", "new": "new"}


_ODDS = ("--odds", "--svg", "--html")


@command(beside={"--all": _ODDS, "--fraction": _ODDS, "--jobs": _ODDS, "--cluster": _ODDS})
@argument("base")
@argument("ours")
@flag("--odds", help="Also what it changes in the typical situations, patch by patch.")
@flag("--all", dest="every", help=f"With --odds: every change, not only the {SHOWN} largest.")
@fraction_option
@json_option
@picture_options
@workers_options
def diff(
    base: str,
    ours: str,
    odds: bool,
    every: bool,
    exact: bool,
    as_json: bool,
    svg: str | None,
    html: str | None,
    workers: Workers,
) -> int:
    """What OURS changes in BASE: a supplement that is laid over it, or a rule set that is built on it.

    What is typical a rule set says itself, as `typical NAME:` among its examples. Each patch is also tried alone and
    left out, so the page says which patch does what, and where patches do more together than each for itself.
    """
    problems = Problems()
    with watched(Progress(), keeps=odds) as progress:
        found = difference(base, ours, problems, odds=bool(odds or svg or html), progress=progress, workers=workers)
    found = needed(found, problems, as_json)
    answer(found, as_json, _plain, lambda found: _lines(found, every, exact))
    if svg or html:
        draw_difference(found, svg, html, as_json)
    # Clean if every typical situation was asked; else the exit code for the problems of the others.
    return ending(why for _, why in found.odds.refused) if found.odds is not None else CLEAN


# ---- plain data
def _plain(found: Difference) -> Json:
    return {
        "base": found.base.name,
        "ours": found.ours.name,
        "changes": [{**fields(each, "what", "path", "was", "now"), **place(each.place)} for each in found.changes],
        "odds": _plain_odds(found, found.odds) if found.odds is not None else None,
        "problems": [],
    }


def _plain_odds(found: Difference, odds: Odds) -> Json:
    numbers = {id(change): i for i, change in enumerate(found.changes)}
    return {
        "exact": True,
        "situations": len(odds.points),
        "questions": odds.asked,
        **fields(odds, "changed", "unchanged"),
        "not asked": len(odds.refused),
        "patches": [
            {
                "name": patch.name,
                "changes": [numbers[id(change)] for change in patch.changes],
                "situations": list(dict.fromkeys(row.point.name for row in odds.of(i))),
                "unsure": list(odds.unsure[i]),
                "witness": plain_witness(odds.sought[i]),
            }
            for i, patch in enumerate(odds.patches)
        ],
        "rows": [_plain_row(row) for row in odds.rows],
        "undone": [_plain_row(row) for row in odds.undone],
        "refused": unasked(odds.refused),
        "new": [{**situation(point), "ask": ask, "after": plain_law(law)} for point, ask, law in odds.new],
        "witness": plain_witness(odds.sought[0]) if odds.sought and not odds.patches else None,
    }


def _plain_row(row: Row) -> Json:
    return {
        **plain_shift(row),
        "alone": [plain_law(each) if each is not None else None for each in row.alone],
        "without": [plain_law(each) if each is not None else None for each in row.without],
    }


# ---- text
def _lines(found: Difference, every: bool, exact: bool) -> Iterator[str]:
    yield f"{paint(found.base.title, 'dim')}  →  {paint(found.ours.title, 'bold')}"
    yield from _changes(found)
    if found.odds is not None:
        yield ""
        yield from _odds(found.odds, every, exact)


def _changes(found: Difference) -> list[str]:
    if not found.changes:
        return ["nothing is changed"]
    lines = []
    short = [(c, _short(c)) for c in found.changes if c.acts]
    wide = max((len(c.path) for c, said in short if said is not None), default=0)
    for change, said in short:
        place = paint(f"{located(change.place)}", "dim")
        word = f"{_WORDS[change.what]:<8}"
        if said is not None:
            lines.append(f"{word} {paint(f'{change.path:<{wide}}', 'cool')}  {said}  {place}")
            continue
        lines.append(f"{word} {paint(change.path, 'cool')}  {place}")
        for title, text in (("was", change.was), ("now", change.now)):
            for row, line in enumerate((text or "").splitlines()):
                alone = change.was is None or change.now is None
                lines.append(f"    {title if not row and not alone else '   '}  {line}".rstrip())
    new = [c for c in found.changes if not c.acts]
    if new:
        lines.append(f"{'new':<8} {', '.join(c.path for c in new)}")
    return lines


def _short(change: Change) -> str | None:
    """A change on one line, or None if it does not fit."""
    texts = [t for t in (change.was, change.now) if t]
    said = " → ".join(texts)
    fits = len(change.path) + len(said) < width() - 40 and all("\n" not in t for t in texts)
    return said if fits else None


def _odds(odds: Odds, every: bool, exact: bool) -> list[str]:
    many, asked = _situations(odds), counted(odds.asked, "question")
    if not odds.points:
        return [
            "no typical situation is declared, so there is nothing to compare",
            _hint("in a file of examples, or in the rule file: `typical NAME:`, with `do:` and `ask:`"),
            *(
                line
                for i in range(len(odds.patches))
                for line in witness_lines(odds.sought[i], odds.patches[i].place, exact)
            ),
        ]
    lines = [f"{paint('exact odds', 'bold')} of {many}, {asked}: {_changed(odds)}"]
    if odds.rows:
        lines += ["", *_table(odds, every, exact)]
    lines += ["", *_new(odds, exact)] if odds.new else []
    patches = [line for i in range(len(odds.patches)) for line in _patch(odds, i, exact)]
    if odds.sought and not odds.patches:
        patches += ["what is new changes nothing that the base can say", *witness_lines(odds.sought[0], None, exact)]
    lines += ["", *patches] if patches else []
    if odds.undone:
        lines.append(f"patches that undo each other: nothing changes by them in {_listed(odds.undone)}")
    for point, why in odds.refused:
        lines.append(f"not asked: {point.name} ({why.code}: {why.message})")
    return lines


def _situations(odds: Odds) -> str:
    """The number of situations; the examples of the house rule itself are counted separately."""
    own = sum(not point.typical.key.text.startswith("typical") for point in odds.points)
    said = counted(len(odds.points) - own, "typical situation")
    return f"{said} and {counted(own, 'example')}" if own else said


def _new(odds: Odds, exact: bool) -> Iterator[str]:
    """The situations that only the house rule can express, so that there is nothing to compare."""
    names = list(dict.fromkeys(point.name for point, *_ in odds.new))
    yield f"only with the house rule there is {_names(names)}"
    for point, ask, law in odds.new:
        if point.name in names[:3]:
            how = measure(law, law)
            yield f"    {titled(ask, how)}  {told(law, how, exact)}"


def _changed(odds: Odds) -> str:
    said = f"{odds.changed} changed, {odds.unchanged} unchanged"
    return said + (f", {len(odds.refused)} not asked" if odds.refused else "")


def _table(odds: Odds, every: bool, exact: bool) -> list[str]:
    names = list(dict.fromkeys(row.point.name for row in odds.rows))
    kept = names if every else names[:SHOWN]
    patches = range(len(odds.patches)) if len(odds.patches) > 1 else range(0)
    rows: list[list[str]] = []
    uneven = False
    for name in kept:
        rows.append([name])
        for row in odds.rows:
            if row.point.name != name:
                continue
            how = row.measure
            sums = row.adds_up(lambda law, how=how: (how.of(law) or (None,))[0])  # type: ignore[misc]
            uneven = uneven or not sums
            title, *cells, change = told_shift(row, exact)
            alone = [step(row.before, row.alone[i], how, exact) for i in patches]
            rows.append([f"  {title}", *cells, change + ("  " if sums else " *"), *alone])
    if not uneven:
        rows = [[cell.rstrip() for cell in row] for row in rows]
    lines = columns(["", "before", "after", "change", *(f"[{i + 1}] alone" for i in patches)], rows)
    if uneven:
        lines.append(_hint("* the patches do not add up: together they do more, or less, than each alone"))
    if len(kept) < len(names):
        lines.append(_hint(f"{len(names) - len(kept)} more, with smaller changes: --all shows them"))
    lines.append(_hint("chances in percent, and their changes in points; a mean as it is"))
    return lines


def _asked(odds: Odds) -> str:
    many = len(odds.points) - len(odds.refused) - len({point.name for point, *_ in odds.new})
    return counted(many, "situation" if "example" in _situations(odds) else "typical situation")


def _patch(odds: Odds, index: int, exact: bool) -> list[str]:
    patch, touched = odds.patches[index], odds.of(index)
    number = f"[{index + 1}] " if len(odds.patches) > 1 else ""
    name = paint(", ".join(dict.fromkeys(c.path for c in patch.changes)), "cool")
    many = _asked(odds) + (" asked" if odds.refused else "")
    unsure = [_hint(f"    not asked with it alone, or without it: {_names(odds.unsure[index])}")]
    if not touched:
        surely = f"changes nothing that is asked in any of the {many}"
        if odds.unsure[index]:
            surely = f"changes nothing where that could be told, of the {many}"
        return [
            f"{number}{name} {surely}",
            *(unsure if odds.unsure[index] else ()),
            *witness_lines(odds.sought[index], patch.place, exact),
        ]
    names = list(dict.fromkeys(row.point.name for row in touched))
    row = max(touched, key=lambda row: row.before.far(row.alone[index] or row.after))
    how = row.measure
    law = row.alone[index]
    most = f"{titled(row.ask, how)} {step(row.before, law, how, exact)}" if law and not _same(law, row.before) else ""
    lines = [
        f"{number}{name} changes {len(names)} of the {many}" + (f"; most, {row.point.name}: {most}" if most else "")
    ]
    if odds.unsure[index]:
        lines += unsure
    if len(odds.patches) > 1:
        apart = [r for r in touched if not _same(r.alone[index], r.before) and _same(r.without[index], r.after)]
        only = [r for r in touched if _same(r.alone[index], r.before)]
        if apart:
            lines.append(_hint(f"    but with the others nothing, in {_listed(apart)}"))
        if only:
            lines.append(_hint(f"    only with the others, in {_listed(only)}"))
    return lines


def _same(one: Law | None, other: Law) -> bool:
    return one is not None and one.same(other)


def _listed(rows: Sequence[Row]) -> str:
    return _names(list(dict.fromkeys(row.point.name for row in rows)))


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _hint(said: str) -> str:
    return paint(said, "dim")
