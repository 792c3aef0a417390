"""`umpire advise`: the best choices of one side, and the value of each choice to it.

Takes a situation, a question, a side. Prints for every relevant choice its options, the best first, each with its
value; or plain data with exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from interpreter.source.digits import format_number, format_percent, fraction
from interpreter.source.nearest import did_you_mean
from interpreter.surfaces.as_answers import choosers
from interpreter.surfaces.as_json import Json, fields
from interpreter.workbench.advice import Advice
from interpreter.workbench.advice import advise as advised
from interpreter.workbench.cases import prepare
from interpreter.workbench.decision_points import Moment
from interpreter.workbench.default_questions import EXPECTATIONS
from interpreter.workbench.progress import Progress
from interpreter.workbench.texts import asked, with_entries

from .commands import command, flag, option
from .options import fraction_option, worlds_option
from .scenes import Scene, of_a_situation
from .terminal import answer, paint, watched

MOST_MOMENTS = 8
MOST_WORDS = 4


@command()
@of_a_situation
@option("--for", dest="whose", metavar="NAME", help="Whose side is advised; without it, that of the first described.")
@option("--least", dest="most", action="store_false", help="It wants little of what is asked.")
@flag("--most", default=True, help="It wants much of it, as it does without this word.")
@flag("--opposed", help="The others choose what is worst for it, not what is usual.")
@fraction_option
@worlds_option
def advise(scene: Scene, whose: str | None, most: bool, opposed: bool, exact: bool, worlds: int) -> None:
    """What to choose, and what each choice is worth.

    Every choice of the side that is advised is open, whatever is usual; whatever else is chosen is chosen as usual, or
    as --choose says; with --opposed, and where nothing is usual, as is worst for it. Each way to make a choice is told
    with what comes of it when it is made so at all times, and nothing else is changed. What stands first is a line for
    `choose:`. Where the best depends on what has happened, that is said, and when to choose what.
    """
    problems, asks = scene.problems, scene.asks
    leave = EXPECTATIONS if asks else ("then", "odds")
    root = with_entries(scene.root, (), leave)
    case = scene.needed(prepare(scene.rules, root, problems, asked("show", "--ask", list(asks))))
    names = [x.name for x in case.situation.things]
    if whose is not None and whose not in names:
        problems.add("N001", None, what="thing here", name=whose, hint=did_you_mean(whose, names))
        scene.refuse()
    if not case.asks:
        scene.lacks("a question", "say what it is to be good for: `--ask 'any A.figures'`")
    first = next((x.name for x in case.situation.things if x.described), names[0])
    with watched(Progress()) as progress:
        case.progress = progress
        found = advised(case, 0, whose or first, most, opposed=opposed, limit=worlds)
    answer(
        scene.needed(found),
        scene.as_json,
        lambda found: {**scene.plain, **_plain(found)},
        lambda found: _lines(scene, found, opposed, exact),
    )


# ---- text
def _lines(scene: Scene, found: Advice, opposed: bool, exact: bool) -> Iterator[str]:
    likely = found.ask.type.name == "truth"

    def form(value: Fraction) -> str:
        return str(value) if exact else format_percent(value) if likely else format_number(value)

    yield paint(scene.rules.title, "bold")
    yield f"{scene.said}   what {found.whose} does best to choose"
    yield ""
    goal = ("likely" if likely else "much") if found.most else ("unlikely" if likely else "little")
    usual = f", {form(found.usual)} as usual" if found.usual is not None else ""
    yield paint(found.ask.text, "bold") + f"  as {goal} as can be: {form(found.best)}{usual}"
    for said in _others(found, opposed):
        yield paint(said, "dim")
    if not found.lines and found.whole:
        yield ""
        yield "no answer fixed beforehand is better than another; one that goes by the dice may be"
    for line in found.lines:
        yield ""
        yield paint(line.address, "cool")
        named = {way: _named(way.said, way.same) for way in line.ways}
        room = max(map(len, named.values()))
        for way in line.ways:
            apart = way.value - line.best.value
            more = "" if not apart else f"  {_difference(apart, likely, exact)}"
            usual = "  as usual" if way.usual and way.said else ""
            text = f"  {named[way]:<{room}}  {form(way.value):>6}{more}{usual}"
            yield text if way is not line.best else paint(text, "bold")
    if found.idle and found.lines:
        yield ""
        yield paint(f"no answer fixed beforehand is better than another: {', '.join(found.idle)}", "dim")
    if found.lines or not found.whole:
        yield ""
        yield from _closing(found, form)


def _others(found: Advice, opposed: bool) -> list[str]:
    """Choices of other sides, which are assumed to be the worst for the advised one."""
    where = ", ".join(f"{address} ({who})" for address, who in found.against.items())
    if where:
        return [f"the other side chooses what is worst for {found.whose}: {where}"]
    return [f"nobody else has anything to choose against {found.whose}"] if opposed else []


def _closing(found: Advice, form: Any) -> Iterator[str]:
    if found.whole:
        yield "nobody could do better, whatever has happened" + ("" if found.follow else ": what is usual is best")
    else:
        lines = f"these lines give {form(found.reached)}" if found.reached is not None else "no lines decide it all"
        yield f"{lines}; who looks at what has happened gets {form(found.best)}:"
        for moment in found.moments[:MOST_MOMENTS]:
            yield f"  {moment.address}{_when(moment)}, {_among(moment)}: {moment.take}"
        if len(found.moments) > MOST_MOMENTS:
            yield paint(f"  and {len(found.moments) - MOST_MOMENTS} more; --json has all", "dim")
    if found.follow:
        lines = ", ".join(f"{address}: {said}" for address, said in found.follow.items())
        said = "to follow it" if found.whole else "to follow these lines"
        if found.shared:
            others = ", ".join(dict.fromkeys(found.shared.values()))
            yield paint(f"{said}: a policy of the rules with `{lines}`, and `choose: {{{found.whose}: POLICY}}`", "dim")
            yield paint(f"(as lines under `choose:` they would decide for {others} too)", "dim")
        else:
            yield paint(f"{said}: `choose: {{{lines}}}`", "dim")


def _when(moment: Moment) -> str:
    return f" where {moment.condition}" if moment.when else ""


def _among(moment: Moment) -> str:
    times = "once" if moment.times == 1 else f"in {moment.times} positions"
    return f"{times}, of {'; '.join(moment.options)}"


def _named(said: str, same: tuple[str, ...]) -> str:
    """An option, and others with the same value; only the first few by name."""
    words = [said or "as usual", *same]
    return ", ".join(words[:MOST_WORDS]) + (", …" if len(words) > MOST_WORDS else "")


def _difference(value: Fraction, likely: bool, exact: bool) -> str:
    sign = "-" if value < 0 else "+"
    if exact:
        return f"{sign}{abs(value)}"
    return f"{sign}{abs(float(value)) * 100:.1f} %" if likely else f"{sign}{format_number(abs(value))}"


# ---- plain data
def _plain(found: Advice) -> Json:
    def value(of: Fraction | None) -> Any:
        return None if of is None else {"fraction": fraction(of), "decimal": float(of)}

    return {
        "ask": found.ask.text,
        "for": found.whose,
        "goal": "most" if found.most else "least",
        "usual": value(found.usual),
        "best": value(found.best),
        "others": [{**each, "choose": "worst"} for each in choosers(found.against)],
        "lines_give": value(found.reached),
        "lines_are_best": found.whole,
        "follow": found.follow,
        "follow_binds_others": choosers(found.shared),
        "choices": [
            {
                "line": line.address,
                "ways": [
                    {"choose": way.said or None, "same": way.same, "usual": way.usual, **value(way.value)}
                    for way in line.ways
                ],
            }
            for line in found.lines
        ],
        "no_difference": found.idle,
        "moments": [
            {
                "line": m.address,
                "when": [{"what": name, "is": values} for name, values in m.when],
                **fields(m, "options", "take"),
                "positions": m.times,
            }
            for m in found.moments
        ],
        "worlds": found.worlds,
    }
