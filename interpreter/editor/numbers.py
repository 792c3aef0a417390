"""The odds that an editor shows beside a file: of its examples and typical situations, and the effect of a line.

Takes the path of a file, and the open texts. Yields `Number`s. Runs in a separate process (`background.py`), since it
may take long, and may be killed at any moment. Knows nothing of editors.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from fractions import Fraction

from interpreter.disk import overlay_texts
from interpreter.document.alternatives import spread
from interpreter.document.nodes import Entry, Sequence, with_changes
from interpreter.language import parse
from interpreter.language.nodes import Line, OddsOf
from interpreter.places import LANGUAGE
from interpreter.rulebook.sheets import Sheet
from interpreter.rulebook.situation import texts as said_texts
from interpreter.rulebook.table_rows import questions_in
from interpreter.source import Problems
from interpreter.source.digits import format_number, format_percent
from interpreter.source.values import Struct
from interpreter.workbench.bands import Bounds
from interpreter.workbench.examples import Example, examples_inside, from_file
from interpreter.workbench.file_kinds import of_examples, situation_named
from interpreter.workbench.files import rules_of
from interpreter.workbench.pricing import Law, Prices, Shift, prices
from interpreter.workbench.reading import checked
from interpreter.workbench.rule_sets import RuleSet
from interpreter.workbench.rules import open_rules
from interpreter.workbench.stacks import stacks_of
from interpreter.workbench.texts import scalar, with_entries
from interpreter.workbench.typical import Point, points_of, typical_of

from .analysis import Texts

MOST = 12  # most points asked of one typical situation
ASKED = 2  # most questions shown of one example
_NOT_ASKED = ("dice", "then", "odds", "trace", "error", "force", "breaks", "ask")


class Number(Struct):
    """The text shown at `offset` of the file, the end of a title: a short form, and `more` in whole sentences."""

    offset: int
    text: str
    more: str = ""


def numbers(path: str, texts: Texts, skip: frozenset[int]) -> Iterator[Number]:
    """Yield the number of each example and typical situation of a file, each preceded by one without a text when it is
    started. `skip` are the offsets of those that failed before.
    """
    with overlay_texts(texts):
        opened = _opened(path)
        if opened is None:
            return
        rules, base, examples, typical = opened
        for example in [*examples, *typical]:
            offset = example.key.span.end
            if offset in skip:
                continue
            yield Number(offset, "")
            points = points_of(rules, [example], Problems()) if example in typical else list(_asking(rules, example))
            told = _told(rules, base, points[:MOST], len(points))
            if told:
                yield Number(offset, *told)


def _opened(path: str) -> tuple[RuleSet, RuleSet | None, list[Example], list[Example]] | None:
    """The rules of a file, those without it, and its examples and typical situations."""
    problems = Problems()
    named = situation_named(path, Problems())
    if named is not None:
        file, root = named
        found = rules_of(root, file.rpartition("/")[0], problems)
        if found is None or not of_examples(root):
            return None
        return found, None, from_file(file, found, problems), from_file(file, found, problems, "typical")
    rules = open_rules(stacks_of(path)[0], problems, to_run=True)
    if rules is None or problems.has_errors:
        return None
    below = rules.sheets[:-1]
    base = checked(below, Problems(), odd=False) if below and not below[0].head.extends else None
    own = rules.sheets[-1].root.span.source
    inside = [[e for e in examples_inside(rules, what) if e.key.span.source == own] for what in ("example", "typical")]
    return rules, base, inside[0], inside[1]


def _asking(rules: RuleSet, example: Example) -> Iterator[Point]:
    """An example as situations that ask for its expectations, of one history or of all."""
    body = example.body
    if body.get("error") is not None or body.get("force") is not None:
        return
    asks = [text.text for text in said_texts(body.get("ask"))]
    asks += [text.text for text in questions_in(body.get("odds"))]
    for text in said_texts(body.get("odds")):
        node = parse(text.text, "odds_of", LANGUAGE)
        if isinstance(node, OddsOf):
            asks.append(text.text[node.value.start : node.value.end])
    for text in said_texts(body.get("then")):
        node = parse(text.text, "line", LANGUAGE)
        if isinstance(node, Line):
            asks.append(text.text[node.action.start : node.action.end])
    if not asks:
        return
    items = tuple(scalar("question", ask) for ask in dict.fromkeys(asks[:ASKED]))
    asking = Sequence(items, example.key.span)
    several = spread(body, Problems(), rules.rows)
    for place in several.places if several is not None else ():
        whole = with_entries(several.at(place), [("ask", asking)], _NOT_ASKED)  # type: ignore[union-attr]
        yield Point(example, several.said(place), whole, (example.name,))  # type: ignore[union-attr]


def _told(rules: RuleSet, base: RuleSet | None, points: list[Point], many: int) -> tuple[str, str] | None:
    after = prices(rules, points)
    before = prices(base, points) if base is not None else Prices()
    parts, lines = [], []
    for ask in dict.fromkeys(ask for _, ask in after.laws):
        laws = [(before.laws.get(key), law) for key, law in after.laws.items() if key[1] == ask]
        parts.append(f"{ask}: {_range(laws)}" if many > 1 else f"{ask}: {change(*laws[0])}")
        lines += [
            f"{key[0]}, {key[1]}: {change(before.laws.get(key), law)}"
            for key, law in after.laws.items()
            if key[1] == ask
        ]
    if not parts:
        return None
    more = [*lines[:MOST], *([f"and {many - MOST} situations more"] if many > MOST else [])]
    return "  ·  ".join(parts[:ASKED]), "\n".join(more)


def _range(laws: Iterable[tuple[Law | None, Law]]) -> str:
    """The least and the greatest number over several situations, and the number of those that changed."""
    laws = list(laws)
    found = [(value, law) for _, law in laws if (value := _number(law)) is not None]
    other = sum(before is not None and not before.same(law) for before, law in laws)
    said = f"{len(laws)} situations"
    if found:
        some = "" if len(found) == len(laws) else f"{len(found)} of "
        least, most = min(value[0] for value, _ in found), max(value[1] for value, _ in found)
        said = f"{said_range(least, most, found[0][1])} in {some}{said}"
    return said + (f", {other} changed" if other else "")


def _number(law: Law) -> Bounds | None:
    return law.yes if law.yes is not None else law.mean


def change(before: Law | None, after: Law) -> str:
    """The change as text, such as `2 → 2.67`; a single number if nothing changed, or there was none before."""
    now = _law(after)
    if before is None or before.same(after):
        return now
    return f"{now}, a little otherwise" if _law(before) == now else f"{_law(before)} → {now}"


def _law(law: Law) -> str:
    bounds = _number(law)
    if bounds is not None:
        return said_range(*bounds, law)
    value, likely = max(law.values, key=lambda each: each[1])
    return f"{value} {format_percent(max(likely))}"


def said_range(least: Fraction, most: Fraction, law: Law) -> str:
    """Two bounds as text, such as `10.0% to 12.5%`, or one if both have the same text; in percent if `law` is that of a
    yes-or-no question.
    """
    say = format_percent if law.yes is not None else format_number
    return say(least) if say(least) == say(most) else f"{say(least)} to {say(most)}"


# ---- the effect of one line
def worth(path: str, texts: Texts, line: tuple[str, int], name: str, seconds: float) -> str:
    """The effect of a line on the odds of the typical situations, in a sentence: the largest effect found within so
    many seconds. Empty if there is none to report. `name` is the definition of the line.
    """
    with overlay_texts(texts):
        rules = open_rules(stacks_of(path)[0], Problems(), to_run=True)
        without = _without(rules, line) if rules is not None else None
        if rules is None or without is None:
            return ""
        points = points_of(rules, typical_of(rules, Problems()), Problems())
        end, asked = time.monotonic() + seconds, 0
        shifts: list[Shift] = []
        for point in points:
            if asked and time.monotonic() > end:
                break
            one = prices(rules, [point])
            if point.name in one.refused:
                continue
            asked += 1
            met = one.reach.get(point.name)
            if met is not None and name not in met:
                continue
            other = prices(without, [point])
            shifts += [
                Shift(point, key[1], other.laws[key], law)
                for key, law in one.laws.items()
                if key in other.laws and not law.same(other.laws[key])
            ]
        return _said_worth(shifts, asked, len(points))


def _without(rules: RuleSet, line: tuple[str, int]) -> RuleSet | None:
    """The rules without one line; None if they are invalid without it."""

    def kept(entry: Entry) -> Entry | None:
        return None if (entry.key.span.source.name, entry.key.span.start) == line else entry

    sheets = [Sheet.of(s.name, with_changes(s.root, kept), s.laid) for s in rules.sheets]
    problems = Problems()
    found = checked(sheets, problems, odd=False)
    return None if problems.has_errors else found


def _said_worth(shifts: list[Shift], asked: int, many: int) -> str:
    if not asked:
        return ""
    said = f"{asked} typical situations" if asked == many else f"the {asked} of {many} typical situations asked so far"
    if not shifts:
        return f"Without it nothing changes in {said}."
    most = max(shifts, key=lambda shift: shift.size)
    names = {shift.point.name for shift in shifts}
    return (
        f"Without it {len(names)} of {said} would be otherwise; most of all {most.point.name}, {most.ask}: "
        f"{_law(most.before)} without it, {_law(most.after)} with it."
    )
